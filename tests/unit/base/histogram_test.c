// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/histogram.h"

static struct histogram histogram, other;

static int begin(void **state)
{
    (void)state;
    memset(&histogram, 0, sizeof histogram);
    memset(&other, 0, sizeof other);
    return 0;
}

static void nothing_counted_is_zero_everywhere(void **state)
{
    (void)state;
    assert_int_equal(histogram_quantile(&histogram, 990), 0);
    assert_true(histogram_mean(&histogram) == 0);
    histogram_add_many(&histogram, 5, 0);
    assert_int_equal(histogram.max, 0);
}

static void small_values_are_exact(void **state)
{
    (void)state;
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

static void large_values_are_right_within_a_64th(void **state)
{
    (void)state;
    for (uint64_t value = 127; value < UINT64_C(1) << HISTOGRAM_VALUE_BITS; value = value * 5 / 4) {
        begin(NULL);
        histogram_add(&histogram, value);
        histogram_add(&histogram, UINT64_C(1) << 41); // so that the largest does not hide the bucket's edge
        uint64_t found = histogram_quantile(&histogram, 500);
        if (found < value || found > value + value / 64)
            fail_msg("%llu: %llu", (unsigned long long)value, (unsigned long long)found);
    }
}

static void values_beyond_the_last_bucket_count_in_it(void **state)
{
    (void)state;
    histogram_add(&histogram, UINT64_MAX / 2);
    assert_int_equal(histogram.buckets[HISTOGRAM_BUCKETS - 1], 1);
    assert_int_equal(histogram_quantile(&histogram, 500), (UINT64_C(1) << HISTOGRAM_VALUE_BITS) - 1);
}

static void two_add_up(void **state)
{
    (void)state;
    histogram_add_many(&histogram, 10, 3);
    histogram_add(&other, 50);
    histogram_merge(&histogram, &other);
    assert_int_equal(histogram.count, 4);
    assert_int_equal(histogram.sum, 80);
    assert_int_equal(histogram.max, 50);
    assert_int_equal(histogram_quantile(&histogram, 750), 10);
    assert_int_equal(histogram_quantile(&histogram, 751), 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_counted_is_zero_everywhere, begin),
        cmocka_unit_test_setup(small_values_are_exact, begin),
        cmocka_unit_test_setup(large_values_are_right_within_a_64th, begin),
        cmocka_unit_test_setup(values_beyond_the_last_bucket_count_in_it, begin),
        cmocka_unit_test_setup(two_add_up, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
