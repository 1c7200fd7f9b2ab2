// SPDX-License-Identifier: MIT
//
// Compares histograms with the sorted values.
#include <stdlib.h>
#include <string.h>

#include "base/histogram.h"
#include "test.h"

static struct histogram histogram, other;

static void begin(void)
{
    memset(&histogram, 0, sizeof histogram);
    memset(&other, 0, sizeof other);
}

EACH_TEST(begin, NULL);

static int by_size(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

TEST(quantiles_are_right_to_within_a_64th)
{
    static const uint32_t counts[] = {1, 2, 3, 9, 10, 11, 99, 100, 101, 999, 1000, 1001};
    static const uint32_t quantiles[] = {0, 1, 500, 501, 900, 950, 990, 999, 1000};
    static uint64_t values[1001];
    uint64_t random = 7;
    for (size_t row = 0; row < COUNT_OF(counts); row++) {
        uint32_t count = counts[row];
        begin();
        for (uint32_t i = 0; i < count; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            values[i] = random >> 25 >> random % 39; // of every size below 2^39
            histogram_add(&histogram, values[i]);
        }
        qsort(values, count, sizeof *values, by_size);
        for (size_t q = 0; q < COUNT_OF(quantiles); q++) {
            // The smallest value that at least this share of the values does not exceed.
            uint32_t at = 0;
            while ((at + 1) * 1000 < quantiles[q] * count)
                at++;
            uint64_t exact = values[at], most = exact + exact / 64;
            most = most < values[count - 1] ? most : values[count - 1];
            uint64_t found = histogram_quantile(&histogram, quantiles[q]);
            if (found < exact || found > most)
                fail_msg("%u of 1000 of %u values: %llu, not %llu", quantiles[q], count, (unsigned long long)found,
                         (unsigned long long)exact);
        }
    }
}

TEST(values_on_both_sides_of_an_edge_are_kept_apart)
{
    for (uint32_t bits = 0; bits < HISTOGRAM_VALUE_BITS; bits++) {
        uint64_t edge = UINT64_C(1) << bits;
        begin();
        histogram_add(&histogram, edge - 1);
        histogram_add(&histogram, edge);
        if (histogram_quantile(&histogram, 500) != edge - 1 || histogram_quantile(&histogram, 1000) != edge)
            fail_msg("2^%u: %llu, %llu", bits, (unsigned long long)histogram_quantile(&histogram, 500),
                     (unsigned long long)histogram_quantile(&histogram, 1000));
    }
}

TEST(small_values_are_exact)
{
    assert_int_equal(histogram_quantile(&histogram, 500), 0);
    assert_int_equal(histogram_quantile(&histogram, 1000), 0);
    assert_true(histogram_mean(&histogram) == 0);
    for (uint64_t value = 1; value <= 100; value++)
        histogram_add(&histogram, value);
    assert_int_equal(histogram_quantile(&histogram, 0), 1);
    assert_int_equal(histogram_quantile(&histogram, 500), 50);
    assert_int_equal(histogram_quantile(&histogram, 990), 99);
    assert_int_equal(histogram_quantile(&histogram, 991), 100);
    assert_int_equal(histogram_quantile(&histogram, 1000), 100);
    assert_true(histogram_mean(&histogram) == 50.5);
    assert_int_equal(histogram.count, 100);
    assert_int_equal(histogram.max, 100);
}

TEST(values_beyond_the_last_bucket_are_counted_in_it)
{
    uint64_t last = (UINT64_C(1) << HISTOGRAM_VALUE_BITS) - 1;
    histogram_add(&histogram, UINT64_MAX);
    histogram_add(&histogram, last + 1);
    histogram_add(&histogram, 0);
    assert_int_equal(histogram.count, 3);
    assert_true(histogram.max == UINT64_MAX);
    assert_int_equal(histogram_quantile(&histogram, 1), 0);
    assert_int_equal(histogram_quantile(&histogram, 500), last);
    assert_int_equal(histogram_quantile(&histogram, 1000), last);
}

TEST(adding_a_value_many_times_equals_adding_it_one_by_one)
{
    for (uint64_t i = 0; i < 30; i++)
        histogram_add(&histogram, 700);
    histogram_add_many(&other, 700, 30);
    histogram_add_many(&other, 9000, 0); // zero times: the maximum does not change either
    assert_memory_equal(&histogram, &other, sizeof other);
    assert_true(histogram_mean(&other) == 700);
}

TEST(merged_histograms_equal_one_of_all_values)
{
    static struct histogram both;
    for (uint32_t larger = 0; larger < 2; larger++) { // the largest value is in either of them
        begin();
        memset(&both, 0, sizeof both);
        for (uint64_t i = 0; i < 500; i++) {
            histogram_add(i % 2 == larger ? &histogram : &other, i * i);
            histogram_add(&both, i * i);
        }
        histogram_merge(&histogram, &other);
        assert_memory_equal(&histogram, &both, sizeof both);
    }
}
