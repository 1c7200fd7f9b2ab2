// SPDX-License-Identifier: MIT
//
// Tests how many clients a load test has at a time, and which behaviours they get.
#include "unit.h"

#include "load/workload.h"

#define STAGES_WRONG "write COUNT:TIME,COUNT:TIME as in 10:30s,100:60s, up to 100 clients and 24h each"
#define MIX_WRONG    "write play, idle, churn, flood or slow-reader, or shares as in play:8,churn:2"

TEST(a_stage_is_read_or_refused_with_a_remedy)
{
    static const struct {
        const char *text;
        const char *complaint; // null: good
        uint32_t bots;
        uint64_t duration_us;
    } rows[] = {
        /*  1 */ {"10:30s", NULL, 10, 30000000},
        /*  2 */ {"10:30", NULL, 10, 30000000},
        /*  3 */ {"10:30ms", NULL, 10, 30000},
        /*  4 */ {"10:3m", NULL, 10, 180000000},
        /*  5 */ {"10:2h", NULL, 10, 7200000000},
        /*  6 */ {"10:24h", NULL, 10, 86400000000},
        /*  7 */ {"10:1ms", NULL, 10, 1000},
        /*  8 */ {"100:1s", NULL, 100, 1000000},
        /*  9 */ {"1:1s", NULL, 1, 1000000},
        /* 10 */ {"101:1s", "--stages '101:1s': " STAGES_WRONG, 0, 0},
        /* 11 */ {"10:0s", "--stages '10:0s': " STAGES_WRONG, 0, 0},
        /* 12 */ {"10:86400001ms", "--stages '10:86400001ms': " STAGES_WRONG, 0, 0},
        /* 13 */ {"10", "--stages '10': " STAGES_WRONG, 0, 0},
        /* 14 */ {"10:", "--stages '10:': " STAGES_WRONG, 0, 0},
        /* 15 */ {":5s", "--stages ':5s': " STAGES_WRONG, 0, 0},
        /* 16 */ {"-1:5s", "--stages '-1:5s': " STAGES_WRONG, 0, 0},
        /* 17 */ {"+1:5s", "--stages '+1:5s': " STAGES_WRONG, 0, 0},
        /* 18 */ {"1x:5s", "--stages '1x:5s': " STAGES_WRONG, 0, 0},
        /* 19 */ {"10:5s,", "--stages '': " STAGES_WRONG, 0, 0},
        /* 20 */ {"", "--stages '': " STAGES_WRONG, 0, 0},
        /* 21 */ {"10:5s,20:5q", "--stages '20:5q': " STAGES_WRONG, 0, 0},
        /* 22 */ {"0:5s", "--stages: at least one stage must want clients", 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct load_stages stages;
        struct error error = {0};
        bool good = workload_stages_read(&stages, rows[i].text, 100, &error);
        if (good != !rows[i].complaint || (!good && strcmp(error.text, rows[i].complaint) != 0))
            fail_msg("row %zu: '%s': %s", i + 1, rows[i].text, error.text);
        if (good && (stages.count != 1 || stages.rows[0].clients != rows[i].bots ||
                     workload_stages_duration_us(&stages) != rows[i].duration_us))
            fail_msg("row %zu: %u bots, %llu us", i + 1, stages.rows[0].clients,
                     (unsigned long long)workload_stages_duration_us(&stages));
    }
}

TEST(at_most_thirty_two_stages_are_accepted)
{
    struct load_stages stages;
    struct error error;
    char text[400] = "";
    for (uint32_t i = 0; i < LOAD_STAGES_CAPACITY; i++)
        strcat(text, i ? ",1:1s" : "1:1s");
    assert_true(workload_stages_read(&stages, text, 100, &error));
    assert_int_equal(workload_stages_duration_us(&stages), 32000000);
    strcat(text, ",1:1s");
    assert_false(workload_stages_read(&stages, text, 100, &error));
    assert_string_equal(error.text, "--stages: write at most 32 stages");
    assert_true(workload_stages_read(&stages, "10:10s,90:40s", 100, &error));
    assert_true(workload_stages_read(&stages, "5:1s", 100, &error)); // replaces them
    assert_int_equal(workload_stages_most(&stages), 5);
    assert_int_equal(workload_stages_wanted(&stages, 60000000), 5); // as at the end
}

TEST(stages_ramp_from_one_to_the_next)
{
    static const struct {
        uint64_t us;
        uint32_t wanted;
    } rows[] = {
        /*  1 */ {0, 1}, // each joins at the beginning of its share of the time
        /*  2 */ {999999, 1},
        /*  3 */ {1000000, 2},
        /*  4 */ {9000000, 10},
        /*  5 */ {9999999, 10},
        /*  6 */ {10000000, 11}, // the next stage begins
        /*  7 */ {10499999, 11}, // two a second
        /*  8 */ {10500000, 12},
        /*  9 */ {30000000, 51}, // halfway
        /* 10 */ {49999999, 90},
        /* 11 */ {50000000, 90}, // a stage that holds
        /* 12 */ {59999999, 90},
        /* 13 */ {60000000, 90}, // each leaves at the end of its share
        /* 14 */ {60111111, 90},
        /* 15 */ {60111112, 89},
        /* 16 */ {65000000, 45},
        /* 17 */ {69999999, 1},
        /* 18 */ {70000000, 0}, // over
        /* 19 */ {UINT64_MAX, 0},
    };
    struct load_stages stages;
    struct error error;
    assert_true(workload_stages_read(&stages, "10:10s,90:40s,90:10000ms,0:10", 100, &error));
    assert_int_equal(workload_stages_most(&stages), 90);
    assert_int_equal(workload_stages_duration_us(&stages), 70000000);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (workload_stages_wanted(&stages, rows[i].us) != rows[i].wanted)
            fail_msg("row %zu: %u", i + 1, workload_stages_wanted(&stages, rows[i].us));
}

TEST(a_steady_count_joins_at_its_rate_and_stays)
{
    static const struct {
        uint32_t count, rate;
        uint64_t duration_us, at_us;
        uint32_t wanted, most;
    } rows[] = {
        /*  1 */ {100, 50, 60000000, 0, 1, 100},
        /*  2 */ {100, 50, 60000000, 19999, 1, 100},
        /*  3 */ {100, 50, 60000000, 20000, 2, 100},
        /*  4 */ {100, 50, 60000000, 1000000, 51, 100},
        /*  5 */ {100, 50, 60000000, 1999999, 100, 100},
        /*  6 */ {100, 50, 60000000, 60000000, 100, 100},
        /*  7 */ {20, 10, 2000000, 1999999, 20, 20},   // just all of them
        /*  8 */ {1000, 10, 2000000, 1000000, 11, 20}, // no more join before the end
        /*  9 */ {1000, 10, 2000000, 2000000, 20, 20},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct load_stages stages;
        workload_stages_steady(&stages, rows[i].count, rows[i].rate, rows[i].duration_us);
        if (workload_stages_wanted(&stages, rows[i].at_us) != rows[i].wanted ||
            workload_stages_most(&stages) != rows[i].most ||
            workload_stages_duration_us(&stages) != rows[i].duration_us)
            fail_msg("row %zu: %u", i + 1, workload_stages_wanted(&stages, rows[i].at_us));
    }
}

TEST(a_mix_is_read_or_refused_with_a_remedy)
{
    static const struct {
        const char *text, *complaint; // null: good
        uint32_t shares[BEHAVIOURS];
    } rows[] = {
        /*  1 */ {"play", NULL, {1, 0, 0, 0, 0}},
        /*  2 */ {"idle", NULL, {0, 1, 0, 0, 0}},
        /*  3 */ {"churn", NULL, {0, 0, 1, 0, 0}},
        /*  4 */ {"flood", NULL, {0, 0, 0, 1, 0}},
        /*  5 */ {"slow-reader", NULL, {0, 0, 0, 0, 1}},
        /*  6 */ {"play:7,churn:2,slow-reader", NULL, {7, 0, 2, 0, 1}},
        /*  7 */ {"play:1,play:2", NULL, {3, 0, 0, 0, 0}},
        /*  8 */ {"play:1000", NULL, {1000, 0, 0, 0, 0}},
        /*  9 */ {"play:1001", "play:1001", {0}},
        /* 10 */ {"play:600,play:401", "play:401", {0}},
        /* 11 */ {"play:0", "play:0", {0}},
        /* 12 */ {"play:-1", "play:-1", {0}},
        /* 13 */ {"play:", "play:", {0}},
        /* 14 */ {"play:1x", "play:1x", {0}},
        /* 15 */ {"pla", "pla", {0}},
        /* 16 */ {"plays", "plays", {0}},
        /* 17 */ {"idle,dance:3", "dance:3", {0}},
        /* 18 */ {"play,", "", {0}},
        /* 19 */ {"", "", {0}},
        /* 20 */
        {"play:00000000000000000000000000000000000000000000000000000000000x",
         "play:0000000000000000000000000000000000000000000000000000000",
         {0}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct behaviour_mix mix = {.shares = {9, 9, 9, 9, 9}};
        struct error error = {0};
        char expected[256];
        bool good = workload_mix_parse(&mix, rows[i].text, &error);
        snprintf(expected, sizeof expected, "--behaviour '%s': " MIX_WRONG, rows[i].complaint);
        if (good != !rows[i].complaint || (!good && strcmp(error.text, expected) != 0) ||
            (good && memcmp(mix.shares, rows[i].shares, sizeof mix.shares) != 0))
            fail_msg("row %zu: '%s': %s", i + 1, rows[i].text, error.text);
    }
}

TEST(bots_get_the_behaviours_of_a_mix_in_turn)
{
    static const enum behaviour dealt[] = {BEHAVIOUR_PLAY,        BEHAVIOUR_PLAY, BEHAVIOUR_CHURN,
                                           BEHAVIOUR_SLOW_READER, BEHAVIOUR_PLAY, BEHAVIOUR_PLAY};
    struct behaviour_mix mix = {.shares = {[BEHAVIOUR_PLAY] = 2, [BEHAVIOUR_CHURN] = 1, [BEHAVIOUR_SLOW_READER] = 1}};
    struct behaviour_mix only = {.shares = {[BEHAVIOUR_FLOOD] = 3}}, none = {0};
    for (uint32_t i = 0; i < COUNT_OF(dealt); i++)
        if (workload_mix_pick(&mix, i) != dealt[i])
            fail_msg("bot %u does %d", i, workload_mix_pick(&mix, i));
    assert_int_equal(workload_mix_pick(&only, 7), BEHAVIOUR_FLOOD);
    assert_true(workload_mix_pick(&none, 7) < BEHAVIOURS);
}

TEST(floods_and_slow_readers_are_abusive)
{
    for (uint32_t i = 0; i < BEHAVIOURS; i++)
        assert_int_equal(workload_is_abusive((enum behaviour)i), i == BEHAVIOUR_FLOOD || i == BEHAVIOUR_SLOW_READER);
}

// --- the lines of the control socket

TEST(each_command_is_read)
{
    static const struct {
        const char *line;
        enum control_kind kind;
        uint32_t count;
        const char *text;
    } rows[] = {
        /* 1 */ {"count 0", CONTROL_COUNT, 0, "0"},
        /* 2 */ {"count    20", CONTROL_COUNT, 20, "20"},
        /* 3 */ {"behaviour churn", CONTROL_BEHAVIOUR, 0, "churn"},
        /* 4 */ {"mark restart", CONTROL_MARK, 0, "restart"},
        /* 5 */ {"mark   the server restarts", CONTROL_MARK, 0, "the server restarts"},
        /* 6 */ {"mark \"the server restarts\"", CONTROL_MARK, 0, "the server restarts"},
        /* 7 */ {"mark \"", CONTROL_MARK, 0, "\""},
        /* 8 */ {"mark \"\"", CONTROL_MARK, 0, ""},
        /* 9 */ {"stop", CONTROL_STOP, 0, ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct control_command command = {.count = 99};
        struct error error = {0};
        if (!workload_command_parse(&command, rows[i].line, 20, &error))
            fail_msg("row %zu: %s", i + 1, error.text);
        if (command.kind != rows[i].kind || command.count != rows[i].count ||
            command.text_bytes != strlen(rows[i].text) || memcmp(command.text, rows[i].text, command.text_bytes) != 0 ||
            (command.kind == CONTROL_BEHAVIOUR && command.mix.shares[BEHAVIOUR_CHURN] != 1))
            fail_msg("row %zu: kind %d, count %u, '%.*s'", i + 1, command.kind, command.count, (int)command.text_bytes,
                     command.text);
    }
}

TEST(anything_else_is_refused_with_what_to_write)
{
    static const char words[] = "write count N, behaviour MIX, mark TEXT or stop";
    static const struct {
        const char *line, *text;
    } rows[] = {
        /*  1 */ {"", words},
        /*  2 */ {" stop", words},
        /*  3 */ {"sto", words},
        /*  4 */ {"stops", words},
        /*  5 */ {"stop now", words},
        /*  6 */ {"mark", words},
        /*  7 */ {"mark ", words},
        /*  8 */ {"count", "count: write a number from 0 to 20"},
        /*  9 */ {"count 21", "count: write a number from 0 to 20"},
        /* 10 */ {"count 4294967297", "count: write a number from 0 to 20"},
        /* 11 */ {"count -1", "count: write a number from 0 to 20"},
        /* 12 */ {"count 2x", "count: write a number from 0 to 20"},
        /* 13 */ {"behaviour dance", "--behaviour 'dance'"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct control_command command;
        struct error error = {0};
        if (workload_command_parse(&command, rows[i].line, 20, &error) ||
            strncmp(error.text, rows[i].text, strlen(rows[i].text)) != 0)
            fail_msg("row %zu: '%s'", i + 1, error.text);
    }
}
