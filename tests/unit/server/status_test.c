// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "operations/settings.h"
#include "operations/status.h"

static void durations_come_back_as_permilles(void **state)
{
    (void)state;
    static struct status status;
    assert_int_equal(status_tick_us(&status, 990), 0);
    for (uint32_t i = 0; i < 980; i++)
        status_tick(&status, 120 * 1000); // the class up to 150 us
    for (uint32_t i = 0; i < 19; i++)
        status_tick(&status, 1010 * 1000);
    status_tick(&status, 3000000000u); // beyond all classes
    static const struct {
        uint32_t permille;
        uint64_t us;
    } rows[] = {
        /* 1 */ {1, 150}, /* 2 */ {980, 150}, /* 3 */ {981, 1050}, /* 4 */ {999, 1050}, /* 5 */ {1000, 25600},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (status_tick_us(&status, rows[i].permille) != rows[i].us)
            fail_msg("row %zu: %u us", i + 1, (unsigned)status_tick_us(&status, rows[i].permille));
    assert_int_equal(status.tick_ns_max / 1000, 3000000);
}

static void no_duration_is_told_longer_than_the_longest(void **state)
{
    (void)state;
    static struct status status;
    status_tick(&status, 7000);
    assert_int_equal(status_tick_us(&status, 500), 7);
}

static void settings_that_make_no_sense_together_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        bool good;
    } rows[] = {
        /* 1 */ {"bots", "16", true},  /* 2 */ {"bots", "17", false}, /* 3 */ {"mode", "teams", false},
        /* 4 */ {"record", "x", true}, /* 5 */ {"record", "", false}, /* 6 */ {"max-players", "256", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct settings settings = {.players_max = 16, .record = "off"};
        char sentence[300];
        assert_true(options_set(&SERVER_PROGRAM, &settings, rows[i].name, rows[i].value, sentence, sizeof sentence));
        if ((settings_fault(&settings) == NULL) != rows[i].good)
            fail_msg("row %zu", i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_come_back_as_permilles),
        cmocka_unit_test(no_duration_is_told_longer_than_the_longest),
        cmocka_unit_test(settings_that_make_no_sense_together_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
