// SPDX-License-Identifier: MIT
//
// A plot of some metrics over time as inline SVG, drawn from the intervals of a report. Colours are classes of the page
// around it, so that it is readable on light and dark.
#ifndef BOTS_CHART_H
#define BOTS_CHART_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/// Lines of a chart at most.
#define CHART_LINES 4

struct chart {
    const char *title;
    const char *unit; ///< of its values, "" for counts
    struct chart_line {
        const char *name;
        const char *metric;   ///< of the metric table
        const char *quantile; ///< "p99"; null: the metric is a number
    } lines[CHART_LINES];     ///< until one without a name
};

/// True if any of its lines has a value.
bool chart_has_values(const struct chart *chart, const json_t *series);
/// Writes it as a <figure>.
void chart_write(FILE *file, const struct chart *chart, const json_t *series);

#endif
