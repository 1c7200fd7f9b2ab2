// SPDX-License-Identifier: MIT
#include "monitor/status.h"
#include "test.h"

#include <string.h>

static struct tick_stats ticks;

static void begin(void)
{
    ticks = (struct tick_stats){0};
}

EACH_TEST(begin, NULL);

TEST(durations_are_read_back_as_permilles)
{
    static const struct {
        uint32_t permille;
        uint64_t us;
    } rows[] = {
        /* 1 */ {1, 150}, /* 2 */ {980, 150}, /* 3 */ {981, 1050}, /* 4 */ {999, 1050}, /* 5 */ {1000, 25600},
    };
    assert_int_equal(status_tick_us(&ticks, 990), 0);
    for (uint32_t i = 0; i < 980; i++)
        status_count_tick(&ticks, 120 * 1000); // the class up to 150 us
    for (uint32_t i = 0; i < 19; i++)
        status_count_tick(&ticks, 1010 * 1000);
    status_count_tick(&ticks, 3000000000u); // beyond all classes
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (status_tick_us(&ticks, rows[i].permille) != rows[i].us)
            fail_msg("row %zu: %u us", i + 1, (unsigned)status_tick_us(&ticks, rows[i].permille));
    assert_int_equal(ticks.tick_ns_max / 1000, 3000000);
}

TEST(no_percentile_exceeds_the_longest_tick)
{
    status_count_tick(&ticks, 7000);
    assert_int_equal(status_tick_us(&ticks, 500), 7);
    status_count_tick(&ticks, 120000);
    assert_int_equal(status_tick_us(&ticks, 501), 120);
}

static void known_totals(const struct transport *transport, struct net_totals *totals)
{
    (void)transport;
    *totals = (struct net_totals){.bytes_in = 20, .bytes_out = 21, .packets_in = 22, .packets_out = 23, .rejected = 24};
}

TEST(the_log_shows_every_count)
{
    static struct match match;
    char text[600] = "";
    struct transport_table table = {.totals = known_totals};
    struct log log = {.out = fmemopen(text, sizeof text, "w"), .level = LOG_INFO};
    match.transport = &(struct transport){&table};
    match.world.tick = 2;
    match.roster.seat_count = 12;
    for (uint32_t slot = 0; slot < 7; slot++)
        match.roster.seats[slot].kind = slot < 3 ? SEAT_PLAYER : SEAT_BOT;
    match.statistics = (struct match_statistics){.snapshots = 10,
                                                 .snapshot_bytes = 119,
                                                 .bodies_encoded = 12,
                                                 .inputs_late = 13,
                                                 .inputs_missed = 14,
                                                 .full_requests = 15,
                                                 .malformed = 16,
                                                 .unsent = 17,
                                                 .ticks_stood_still = 18};
    status_count_tick(&ticks, 5000);
    status_count_tick(&ticks, 8000);
    status_log(&ticks, &match, &(struct tick_clock){.overruns = 9}, &log, LOG_INFO);
    fclose(log.out);
    assert_string_equal(text,
                        "info: tick 2, 3 players, 4 bots; ticks of 6 us on average, p99 8 us, most 8 us, 9 overruns, "
                        "stood still for 18 ticks; in 20 bytes, out 21 bytes; 10 snapshots of 11 bytes, 12 bodies; "
                        "inputs 13 late, 14 missed; "
                        "15 full, 16 malformed, 17 unsent, 24 rejected\n");
}
