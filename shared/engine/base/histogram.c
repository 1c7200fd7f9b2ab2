// SPDX-License-Identifier: MIT
#include "histogram.h"

#define FINE (1u << HISTOGRAM_FINE_BITS)

static uint32_t bucket_of(uint64_t value)
{
    if (value >> HISTOGRAM_VALUE_BITS)
        value = (UINT64_C(1) << HISTOGRAM_VALUE_BITS) - 1;
    uint32_t exponent = 0;
    while (value >> exponent >= 2 * FINE)
        exponent++;
    return value < FINE ? (uint32_t)value : (exponent << HISTOGRAM_FINE_BITS) + (uint32_t)(value >> exponent);
}

uint64_t histogram_bucket_top(uint32_t bucket)
{
    if (bucket < 2 * FINE)
        return bucket;
    uint32_t exponent = (bucket >> HISTOGRAM_FINE_BITS) - 1;
    uint64_t fine = FINE + bucket % FINE;
    return ((fine + 1) << exponent) - 1;
}

void histogram_add(struct histogram *histogram, uint64_t value)
{
    histogram_add_many(histogram, value, 1);
}

void histogram_add_many(struct histogram *histogram, uint64_t value, uint64_t count)
{
    histogram->buckets[bucket_of(value)] += count;
    histogram->count += count;
    histogram->sum += value * count;
    if (count > 0 && value > histogram->max)
        histogram->max = value;
}

void histogram_merge(struct histogram *histogram, const struct histogram *other)
{
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS && other->count > 0; i++)
        histogram->buckets[i] += other->buckets[i];
    histogram->count += other->count;
    histogram->sum += other->sum;
    histogram->max = other->max > histogram->max ? other->max : histogram->max;
}

uint64_t histogram_quantile(const struct histogram *histogram, uint32_t per_mille)
{
    uint64_t rank = (histogram->count * per_mille + 999) / 1000, seen = histogram->buckets[0];
    uint32_t bucket = 0;
    if (histogram->count == 0)
        return 0;
    while (seen == 0 || seen < rank)
        seen += histogram->buckets[++bucket];
    uint64_t top = histogram_bucket_top(bucket);
    return top < histogram->max ? top : histogram->max;
}

double histogram_mean(const struct histogram *histogram)
{
    return histogram->count ? (double)histogram->sum / (double)histogram->count : 0;
}
