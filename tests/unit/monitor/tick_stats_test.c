// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lifecycle/settings.h"
#include "monitor/tick_stats.h"

static void durations_are_read_back_as_permilles(void **state)
{
    (void)state;
    static struct tick_stats status;
    assert_int_equal(tick_stats_tick_us(&status, 990), 0);
    for (uint32_t i = 0; i < 980; i++)
        tick_stats_tick(&status, 120 * 1000); // the class up to 150 us
    for (uint32_t i = 0; i < 19; i++)
        tick_stats_tick(&status, 1010 * 1000);
    tick_stats_tick(&status, 3000000000u); // beyond all classes
    static const struct {
        uint32_t permille;
        uint64_t us;
    } rows[] = {
        /* 1 */ {1, 150}, /* 2 */ {980, 150}, /* 3 */ {981, 1050}, /* 4 */ {999, 1050}, /* 5 */ {1000, 25600},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (tick_stats_tick_us(&status, rows[i].permille) != rows[i].us)
            fail_msg("row %zu: %u us", i + 1, (unsigned)tick_stats_tick_us(&status, rows[i].permille));
    assert_int_equal(status.tick_ns_max / 1000, 3000000);
}

static void no_percentile_exceeds_the_longest_tick(void **state)
{
    (void)state;
    static struct tick_stats status;
    tick_stats_tick(&status, 7000);
    assert_int_equal(tick_stats_tick_us(&status, 500), 7);
}

static void contradictory_settings_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        uint64_t given; // by the command line: bits of rows
        int code;
    } rows[] = {
        /* 1 */ {"bots", "16", 0, EXIT_OK},
        /* 2 */ {"bots", "17", 0, EXIT_CONFIG},
        /* 3 */ {"bots", "17", UINT64_MAX, EXIT_USAGE},
        /* 4 */ {"mode", "teams", 0, EXIT_OK},
        /* 5 */ {"friendly-fire", "on", UINT64_MAX, EXIT_OK},
        /* 6 */ {"record", "x", 0, EXIT_OK},
        /* 7 */ {"record", "", 0, EXIT_CONFIG},
        /* 8 */ {"max-players", "256", 0, EXIT_OK},
        /* 9 */ {"metrics", "[::1]:9100", 0, EXIT_OK},
        /* 10 */ {"metrics", "9100", 0, EXIT_CONFIG},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct settings settings = {.players_max = 16, .record = "off", .metrics = "off", .admin_socket = "auto"};
        struct error error;
        assert_true(options_set(&SERVER_PROGRAM, &settings, rows[i].name, rows[i].value, &error));
        bool good = settings_validate(&settings, &(struct options_result){.given = rows[i].given}, &error);
        if ((good ? EXIT_OK : error.code) != rows[i].code)
            fail_msg("row %zu: %s", i + 1, error.text);
    }
}

static void only_settings_that_may_change_are_adopted(void **state)
{
    (void)state;
    struct settings settings = {.players_max = 16, .bots = 2, .log_level = LOG_INFO}, fresh = settings;
    char text[500];
    settings_adopt(&settings, &fresh, text, sizeof text);
    assert_string_equal(text, "changed: nothing; only a restart changes: nothing");
    fresh = (struct settings){.players_max = 8, .bots = 3, .log_level = LOG_DEBUG, .map = "duel"};
    settings_adopt(&settings, &fresh, text, sizeof text);
    assert_string_equal(text, "changed: bots, log-level; only a restart changes: map, max-players");
    assert_int_equal(settings.bots, 3);
    assert_int_equal(settings.log_level, LOG_DEBUG);
    assert_int_equal(settings.players_max, 16);
    assert_string_equal(settings.map, "");
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_are_read_back_as_permilles),
        cmocka_unit_test(no_percentile_exceeds_the_longest_tick),
        cmocka_unit_test(contradictory_settings_are_refused),
        cmocka_unit_test(only_settings_that_may_change_are_adopted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
