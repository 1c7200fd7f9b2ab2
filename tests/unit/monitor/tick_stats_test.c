// SPDX-License-Identifier: MIT
#include "lifecycle/settings.h"
#include "monitor/tick_stats.h"
#include "test.h"

TEST(durations_are_read_back_as_permilles)
{
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

TEST(no_percentile_exceeds_the_longest_tick)
{
    static struct tick_stats status;
    tick_stats_tick(&status, 7000);
    assert_int_equal(tick_stats_tick_us(&status, 500), 7);
    tick_stats_tick(&status, 120000);
    assert_int_equal(tick_stats_tick_us(&status, 501), 120);
}

static void known_totals(const struct transport *transport, struct net_totals *totals)
{
    (void)transport;
    *totals = (struct net_totals){.bytes_in = 20, .bytes_out = 21, .packets_in = 22, .packets_out = 23, .rejected = 24};
}

TEST(the_log_shows_every_count)
{
    static struct match match;
    static struct tick_stats status;
    char text[600] = "";
    struct transport_table table = {.totals = known_totals};
    struct log log = {.out = fmemopen(text, sizeof text, "w"), .level = LOG_INFO};
    match.transport = &(struct transport){&table};
    match.world.tick = 2;
    match.roster.seat_count = 12;
    for (uint32_t slot = 0; slot < 3; slot++)
        match.roster.seats[slot].kind = SEAT_PLAYER;
    for (uint32_t slot = 3; slot < 7; slot++)
        match.roster.seats[slot].kind = SEAT_BOT;
    match.statistics = (struct match_statistics){.snapshots = 10,
                                                 .snapshot_bytes = 119,
                                                 .bodies_encoded = 12,
                                                 .inputs_late = 13,
                                                 .inputs_missed = 14,
                                                 .full_requests = 15,
                                                 .malformed = 16,
                                                 .unsent = 17,
                                                 .ticks_stood_still = 18};
    tick_stats_tick(&status, 5000);
    tick_stats_tick(&status, 8000);
    tick_stats_log(&status, &match, &(struct tick_clock){.overruns = 9}, &log, LOG_INFO);
    fclose(log.out);
    assert_string_equal(text,
                        "info: tick 2, 3 players, 4 bots; ticks of 6 us on average, p99 8 us, most 8 us, 9 overruns, "
                        "stood still for 18 ticks; in 20 bytes, out 21 bytes; 10 snapshots of 11 bytes, 12 bodies; "
                        "inputs 13 late, 14 missed; "
                        "15 full, 16 malformed, 17 unsent, 24 rejected\n");
}

TEST(contradictory_settings_are_refused)
{
    static const struct {
        const char *name, *value;
        bool given; // all rows, by the command line
        int code;
    } rows[] = {
        /* 1 */ {"bots", "16", false, EXIT_OK},
        /* 2 */ {"bots", "17", false, EXIT_CONFIG},
        /* 3 */ {"bots", "17", true, EXIT_USAGE},
        /* 4 */ {"mode", "teams", false, EXIT_OK},
        /* 5 */ {"friendly-fire", "on", true, EXIT_OK},
        /* 6 */ {"record", "x", false, EXIT_OK},
        /* 7 */ {"record", "", false, EXIT_CONFIG},
        /* 8 */ {"max-players", "256", false, EXIT_OK},
        /* 9 */ {"metrics", "[::1]:9100", false, EXIT_OK},
        /* 10 */ {"metrics", "9100", false, EXIT_CONFIG},
        /* 11 */ {"page", "0.0.0.0:27440", false, EXIT_OK},
        /* 12 */ {"page", "27440", true, EXIT_USAGE},
        /* 13 */ {"page-folder", "x", false, EXIT_CONFIG}, // of no page
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct settings settings = {.players_max = 16,
                                    .record = "off",
                                    .publish = "off",
                                    .metrics = "off",
                                    .page = "off",
                                    .admin_socket = "auto"};
        struct error error;
        assert_true(options_set(&SERVER_PROGRAM, &settings, rows[i].name, rows[i].value, &error));
        struct options_result read = {.check_config = false};
        memset(read.given, rows[i].given, sizeof read.given);
        bool good = settings_validate(&settings, &read, &error);
        if ((good ? EXIT_OK : error.code) != rows[i].code)
            fail_msg("row %zu: %s", i + 1, error.text);
    }
}

TEST(only_settings_that_may_change_are_adopted)
{
    struct settings settings = {.players_max = 16, .bots = 2, .log_level = LOG_INFO}, fresh = settings;
    struct settings_changes changes = {0};
    char text[500];
    settings_adopt(&settings, &fresh, &changes);
    settings_changes_text(&changes, text, sizeof text);
    assert_string_equal(text, "changed: nothing; only a restart changes: nothing");
    fresh = (struct settings){.players_max = 8, .bots = 3, .log_level = LOG_DEBUG, .map = "duel"};
    settings_adopt(&settings, &fresh, &changes);
    settings_changes_text(&changes, text, sizeof text);
    assert_string_equal(text, "changed: bots, log-level; only a restart changes: map, max-players");
    assert_int_equal(settings.bots, 3);
    assert_int_equal(settings.log_level, LOG_DEBUG);
    assert_int_equal(settings.players_max, 16);
    assert_string_equal(settings.map, "");
}
