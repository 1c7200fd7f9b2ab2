// SPDX-License-Identifier: MIT
//
// Counts values in buckets with a width of 1/64 of the value, so that every percentile is right within 1.6 %, in 18 KB
// and without storing the values. Histograms can be merged.
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdint.h>

/// Values below 2^HISTOGRAM_FINE_BITS have a bucket each.
#define HISTOGRAM_FINE_BITS 6
/// Values of 2^HISTOGRAM_VALUE_BITS and more count as one less than that (12 days in us).
#define HISTOGRAM_VALUE_BITS 40
#define HISTOGRAM_BUCKETS    ((HISTOGRAM_VALUE_BITS - HISTOGRAM_FINE_BITS + 1) << HISTOGRAM_FINE_BITS)

/// Zero-initialise.
struct histogram {
    uint64_t count;
    uint64_t sum;
    uint64_t max; ///< exact
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

/// Counts one value.
void histogram_add(struct histogram *histogram, uint64_t value);

/// Counts a value several times.
void histogram_add_many(struct histogram *histogram, uint64_t value, uint64_t count);

/// Adds the counts of another histogram.
void histogram_merge(struct histogram *histogram, const struct histogram *other);

/// Returns the largest value that a bucket holds, to write it down: added again, it counts in the same bucket.
uint64_t histogram_bucket_top(uint32_t bucket);

/// Returns the value that `per_mille` of 1,000 values do not exceed (500: the median; 1000: the largest), at most 1.6 %
/// too large. 0 if empty.
uint64_t histogram_quantile(const struct histogram *histogram, uint32_t per_mille);

/// Returns the mean; 0 if empty.
double histogram_mean(const struct histogram *histogram);

#endif
