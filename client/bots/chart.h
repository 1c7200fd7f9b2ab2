// SPDX-License-Identifier: MIT
//
// Plots metrics over time as inline SVG, from the intervals of a report. Colours are CSS classes of the page, so that a
// plot is readable on light and dark backgrounds.
#ifndef BOTS_CHART_H
#define BOTS_CHART_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/// Lines of a chart at most.
#define CHART_LINES 4

/// A plot.
struct chart {
    const char *title;
    const char *unit; ///< of the values, "" for counts
    struct chart_line {
        const char *name;
        const char *metric;   ///< its name in the metric table
        const char *quantile; ///< "p99"; null: the metric is a number
    } lines[CHART_LINES];     ///< ended by one without a name
};

/// Returns whether any of its lines has a value.
bool chart_has_values(const struct chart *chart, const json_t *series);
/// Writes the plot as a <figure>.
void chart_write(FILE *file, const struct chart *chart, const json_t *series);

#endif
