// SPDX-License-Identifier: MIT
//
// The load tester's measuring: histogram, metrics, thresholds, scoreboard.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/histogram.h"
#include "behaviour.h"
#include "scoreboard.h"
#include "stages.h"
#include "threshold.h"

static struct histogram histogram, other;
static struct measurement measurement;
static struct world world;
static struct map map;

static int begin(void **state)
{
    (void)state;
    memset(&histogram, 0, sizeof histogram);
    memset(&other, 0, sizeof other);
    memset(&measurement, 0, sizeof measurement);
    return 0;
}

static void a_quantile_is_within_two_percent_at_any_size(void **state)
{
    (void)state;
    for (uint64_t scale = 1; scale < 1000000000; scale *= 10) {
        memset(&histogram, 0, sizeof histogram);
        for (uint64_t i = 1; i <= 1000; i++)
            histogram_add(&histogram, i * scale);
        static const uint32_t quantiles[] = {500, 900, 990, 999};
        for (size_t q = 0; q < 4; q++) {
            uint64_t exact = quantiles[q] * scale;
            assert_in_range(histogram_quantile(&histogram, quantiles[q]), exact, exact + exact * 16 / 1000);
        }
        assert_int_equal(histogram_quantile(&histogram, 1000), 1000 * scale);
    }
}

static void an_empty_histogram_says_zero(void **state)
{
    (void)state;
    assert_int_equal(histogram_quantile(&histogram, 500), 0);
    assert_true(histogram_mean(&histogram) == 0);
}

static void values_beyond_the_last_bucket_are_counted_in_it(void **state)
{
    (void)state;
    histogram_add(&histogram, UINT64_MAX);
    histogram_add(&histogram, 0);
    assert_int_equal(histogram.count, 2);
    assert_int_equal(histogram_quantile(&histogram, 1), 0);
    assert_int_equal(histogram_quantile(&histogram, 1000), (UINT64_C(1) << HISTOGRAM_VALUE_BITS) - 1);
}

static void many_of_a_value_are_as_many_times_one(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 30; i++)
        histogram_add(&histogram, 700);
    histogram_add_many(&other, 700, 30);
    histogram_add_many(&other, 9000, 0); // none of it: no maximum either
    assert_memory_equal(&histogram, &other, sizeof other);
    assert_true(histogram_mean(&other) == 700);
}

static void two_histograms_merge_into_what_one_would_be(void **state)
{
    (void)state;
    static struct histogram both;
    memset(&both, 0, sizeof both);
    for (uint64_t i = 0; i < 500; i++) {
        histogram_add(i % 3 ? &histogram : &other, i * i);
        histogram_add(&both, i * i);
    }
    histogram_merge(&histogram, &other);
    assert_memory_equal(&histogram, &both, sizeof both);
}

static void thresholds_are_read_or_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text, *complaint; // null: good
    } rows[] = {
        /*  1 */ {"rtt_p99<50ms", NULL},
        /*  2 */ {"rtt_ms_p99.9 <= 50", NULL},
        /*  3 */ {"input_ack_max<50 ms", NULL},
        /*  4 */ {"desyncs<1", NULL},
        /*  5 */ {"connected>=16", NULL},
        /*  6 */ {"inputs_missed_pct<0.5%", NULL},
        /*  7 */ {"prediction_error_p50<2px", NULL},
        /*  8 */ {"rtt<50ms", "say which value"},
        /*  9 */ {"desyncs_p99<1", "plain number"},
        /* 10 */ {"speed<1", "no such metric"},
        /* 11 */ {"rtt_p99", "write METRIC<VALUE"},
        /* 12 */ {"<5", "write METRIC<VALUE"},
        /* 13 */ {"rtt_p99<", "must be a number"},
        /* 14 */ {"rtt_p99<5px", "must be a number, or a number and ms"},
        /* 15 */ {"rtt_p99<nan", "must be a number"},
        /* 16 */ {"rtt_p99=5", "write METRIC<VALUE"},
        /* 17 */ {"", "write METRIC<VALUE"},
        /* 18 */ {"_p99<5", "no such metric"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct threshold threshold;
        char sentence[256] = "";
        bool good = threshold_read(&threshold, rows[i].text, sentence, sizeof sentence);
        if (good != (rows[i].complaint == NULL) || (!good && !strstr(sentence, rows[i].complaint)))
            fail_msg("row %zu: '%s': %s", i + 1, rows[i].text, sentence);
    }
}

static void a_threshold_holds_or_breaks_at_its_limit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool holds;
    } rows[] = {
        {"desyncs<3", false},     {"desyncs<=3", true},         {"desyncs>3", false},          {"desyncs>=3", true},
        {"desyncs<4", true},      {"desyncs>2", true},          {"rtt_p50<20ms", false},       {"rtt_p50<=20ms", true},
        {"rtt_max<20.1ms", true}, {"snapshots_per_s>59", true}, {"snapshots_per_s<59", false},
    };
    measurement.sample.desyncs = 3;
    measurement.sample.snapshots = 600;
    measurement.sample.play_us = 10000000;
    histogram_add(&measurement.sample.rtt_us, 20000);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct threshold threshold;
        char sentence[256];
        assert_true(threshold_read(&threshold, rows[i].text, sentence, sizeof sentence));
        if (threshold_holds(&threshold, &measurement) != rows[i].holds)
            fail_msg("row %zu: %s", i + 1, rows[i].text);
    }
}

static void a_threshold_without_a_sample_never_holds(void **state)
{
    (void)state;
    static const char *const rows[] = {"rtt_p99<50ms", "rtt_max>=0", "snapshots_per_s<59", "snapshots_lost_pct<1",
                                       "corrections_per_min<=0"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct threshold threshold;
        char sentence[256];
        assert_true(threshold_read(&threshold, rows[i], sentence, sizeof sentence));
        if (threshold_holds(&threshold, &measurement))
            fail_msg("row %zu: %s", i + 1, rows[i]);
    }
}

static void stages_ramp_from_one_to_the_next(void **state)
{
    (void)state;
    static const struct {
        uint64_t second;
        uint32_t wanted;
    } rows[] = {
        /*  1 */ {0, 1},   // who comes, comes at the beginning of his share of the time
        /*  2 */ {1, 2},   //
        /*  3 */ {9, 10},  //
        /*  4 */ {10, 11}, // the next stage begins
        /*  5 */ {30, 51}, // half of its way
        /*  6 */ {49, 89}, //
        /*  7 */ {50, 90}, // a stage that holds
        /*  8 */ {59, 90}, //
        /*  9 */ {60, 90}, // who goes, goes at the end of his
        /* 10 */ {65, 45}, //
        /* 11 */ {70, 0},  // over
        /* 12 */ {700, 0}, //
    };
    struct stages stages;
    char sentence[256];
    assert_true(stages_read(&stages, "10:10s,90:40s,90:10000ms,0:10", 100, sentence, sizeof sentence));
    assert_int_equal(stages_most(&stages), 90);
    assert_int_equal(stages_duration_us(&stages), 70000000);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (stages_wanted(&stages, rows[i].second * 1000000) != rows[i].wanted)
            fail_msg("row %zu: %u", i + 1, stages_wanted(&stages, rows[i].second * 1000000));
}

static void a_steady_crowd_comes_at_its_rate_and_stays(void **state)
{
    (void)state;
    struct stages stages;
    stages_steady(&stages, 100, 50, 60000000);
    assert_int_equal(stages_wanted(&stages, 0), 1);
    assert_int_equal(stages_wanted(&stages, 1000000), 51);
    assert_int_equal(stages_wanted(&stages, 2000000), 100);
    assert_int_equal(stages_wanted(&stages, 60000000), 100);
    stages_steady(&stages, 1000, 10, 2000000);
    assert_int_equal(stages_most(&stages), 20); // no more come before the end
    assert_int_equal(stages_duration_us(&stages), 2000000);
}

static void a_crowd_is_mixed_by_its_shares(void **state)
{
    (void)state;
    struct mix mix;
    char sentence[256];
    uint32_t counts[BEHAVIOURS] = {0};
    assert_true(mix_read(&mix, "play:7,churn:2,slow-reader", sentence, sizeof sentence));
    for (uint32_t i = 0; i < 100; i++)
        counts[mix_of(&mix, i)]++;
    assert_int_equal(counts[BEHAVIOUR_PLAY], 70);
    assert_int_equal(counts[BEHAVIOUR_CHURN], 20);
    assert_int_equal(counts[BEHAVIOUR_SLOW_READER], 10);
    assert_true(mix_read(&mix, "flood", sentence, sizeof sentence));
    assert_int_equal(mix_of(&mix, 7), BEHAVIOUR_FLOOD);
}

static void every_metric_is_found_by_its_name(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        char name[80];
        const struct metric *metric;
        const struct metric_quantile *quantile;
        snprintf(name, sizeof name, "%s%s", METRICS[i].name, METRICS[i].distribution ? "_p99" : "");
        assert_true(metric_find(name, &metric, &quantile));
        assert_ptr_equal(metric, &METRICS[i]);
        double value = metric_value(metric, quantile, &measurement);
        assert_true(value == 0 || isnan(value));
    }
}

static void put_player(uint32_t slot, const char *name, int32_t score, enum player_state player_state)
{
    struct player *player = &world.players[slot];
    memset(player, 0, sizeof *player);
    for (size_t i = 0; name[i]; i++)
        player->name[i / 4] |= (uint32_t)(uint8_t)name[i] << i % 4 * 8;
    player->score = score;
    player->state = player_state;
    world.player_slots = slot + 1;
}

static void the_scoreboard_ranks_by_score_and_shows_no_control_characters(void **state)
{
    (void)state;
    strcpy(map.name, "foundry");
    world.tick = 75 * TICKS_PER_SECOND;
    put_player(0, "low", -2, PLAYER_ALIVE);
    put_player(1, "absent", 9, PLAYER_ABSENT);
    put_player(2, "h\033gh", 7, PLAYER_DEAD);
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    scoreboard_print(&world, &map, false, file);
    fclose(file);
    assert_non_null(strstr(text, "foundry, 2 players, 1:15"));
    assert_non_null(strstr(text, "x h?gh"));
    assert_true(strstr(text, "h?gh") < strstr(text, "low"));
    assert_null(strstr(text, "absent"));
    assert_null(strchr(text, '\033'));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_quantile_is_within_two_percent_at_any_size, begin),
        cmocka_unit_test_setup(an_empty_histogram_says_zero, begin),
        cmocka_unit_test_setup(values_beyond_the_last_bucket_are_counted_in_it, begin),
        cmocka_unit_test_setup(two_histograms_merge_into_what_one_would_be, begin),
        cmocka_unit_test_setup(thresholds_are_read_or_refused_with_a_reason, begin),
        cmocka_unit_test_setup(a_threshold_holds_or_breaks_at_its_limit, begin),
        cmocka_unit_test_setup(a_threshold_without_a_sample_never_holds, begin),
        cmocka_unit_test_setup(many_of_a_value_are_as_many_times_one, begin),
        cmocka_unit_test_setup(stages_ramp_from_one_to_the_next, begin),
        cmocka_unit_test_setup(a_steady_crowd_comes_at_its_rate_and_stays, begin),
        cmocka_unit_test_setup(a_crowd_is_mixed_by_its_shares, begin),
        cmocka_unit_test_setup(every_metric_is_found_by_its_name, begin),
        cmocka_unit_test_setup(the_scoreboard_ranks_by_score_and_shows_no_control_characters, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
