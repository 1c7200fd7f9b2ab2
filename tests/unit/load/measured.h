// SPDX-License-Identifier: MIT
//
// A measurement in which all figures differ, so that a swapped field shows. The values of its distributions are at the
// top of their buckets, so that each quantile is exact.
#ifndef UNIT_BOTS_MEASURED_H
#define UNIT_BOTS_MEASURED_H

#include "load/metric.h"

/// Quantiles of METRIC_QUANTILES.
enum { P50, P90, P95, P99, P99_9, LARGEST, QUANTILES };
/// Values of a distribution.
#define MEASURED_COUNT 1000

/// Adds MEASURED_COUNT values to an empty histogram, one per quantile: `base` - 1, twice `base` - 1, and so on up to
/// 32 times. `base`: 65 to 128, or that times a power of two.
void measured_distribution(struct histogram *histogram, uint64_t base);
/// A quantile of these values.
uint64_t measured_quantile(uint64_t base, uint32_t quantile);
/// The mean of these values.
double measured_mean(uint64_t base);

/// Fills a measurement; MEASURED has the expected value of each metric.
void measured_fill(struct measurement *measurement);

/// The expected metrics of that measurement, in the order of the table.
struct measured_row {
    const char *name, *unit;
    double number; ///< of a number
    uint64_t base; ///< of a distribution, else 0
    double scale;  ///< how much of the unit is 1 of the histogram
};
extern const struct measured_row MEASURED[];
extern const uint32_t MEASURED_ROWS;

#endif
