// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/frame_stats.h"

static void without_frames_every_figure_is_nought(void **state)
{
    (void)state;
    static struct frame_stats stats;
    assert_int_equal(frame_stats_mean_us(&stats), 0);
    assert_int_equal(frame_stats_p99_us(&stats), 0);
}

static void ninety_nine_of_a_hundred_frames_are_within_p99(void **state)
{
    (void)state;
    static struct frame_stats stats;
    for (uint64_t i = 0; i < 99; i++)
        frame_stats_add(&stats, 1000);
    frame_stats_add(&stats, 1000000);
    assert_int_equal(frame_stats_p99_us(&stats), 1000 + FRAME_STATS_STEP_US);
    assert_int_equal(frame_stats_mean_us(&stats), (99 * 1000 + 1000000) / 100);
    frame_stats_add(&stats, 1000000);
    assert_int_equal(frame_stats_p99_us(&stats), FRAME_STATS_STEPS * FRAME_STATS_STEP_US);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(without_frames_every_figure_is_nought),
        cmocka_unit_test(ninety_nine_of_a_hundred_frames_are_within_p99),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
