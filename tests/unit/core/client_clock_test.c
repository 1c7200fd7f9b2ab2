// SPDX-License-Identifier: MIT
//
// Tests the client's clock with a model of a server and a network in virtual time: how early inputs arrive, and how
// many come too late.
#include "core/client_clock.h"
#include "test.h"

#include <string.h>

#define PACKETS 4096
#define STEP_US 250
#define TICK_NS (INT64_C(1000000000) / 60)

struct packet {
    uint64_t arrival_us;
    tick tick; // newest input, or of the snapshot
    tick held; // newest input in time
    int32_t margin;
    uint32_t missed;
    bool reported;
};

// A server that steps 60 times a second (or slightly more often), and the network to it.
struct line {
    uint64_t now_us, delay_us, jitter_us, loss_ppm, server_tick_ns;
    uint32_t random, ups, downs;
    bool cut; // nothing reaches the server
    struct packet up[PACKETS], down[PACKETS];
    tick held_newest, server_tick;
    bool held[1 << 16];
    int32_t margins[CLIENT_CLOCK_WINDOW];
    uint32_t margin_count, missed, ticks;
    uint64_t server_due_ns;
    struct client_clock clock;
};

static struct line line;

static uint32_t dice(void)
{
    line.random = line.random * 1664525u + 1013904223u;
    return line.random >> 8;
}

static void open_line(uint64_t delay_us, uint64_t jitter_us, uint64_t loss_ppm)
{
    memset(&line, 0, sizeof line);
    line.delay_us = delay_us;
    line.jitter_us = jitter_us;
    line.loss_ppm = loss_ppm;
    line.random = 12345;
    line.server_tick = 1000;
    line.server_tick_ns = 16666667;
}

static uint64_t travel_us(void)
{
    return line.delay_us + (line.jitter_us ? dice() % line.jitter_us : 0);
}

static bool lost(void)
{
    return dice() % 1000000 < line.loss_ppm;
}

static void server_hold(tick number)
{
    int32_t ahead = (int32_t)(number - line.server_tick);
    if (ahead <= -32 || line.held[number % (1 << 16)])
        return;
    uint64_t stepped_ns = line.server_due_ns - line.server_tick_ns;
    int32_t elapsed = (int32_t)((line.now_us * 1000 - stepped_ns) * 4 / line.server_tick_ns) + 1;
    int32_t margin = 4 * (ahead > 32 ? 32 : ahead) - elapsed;
    line.margins[line.margin_count++ % CLIENT_CLOCK_WINDOW] = margin < -128 ? -128 : margin;
    line.held[number % (1 << 16)] = ahead <= 32;
    if (ahead > 0 && ahead <= 32 && number > line.held_newest)
        line.held_newest = number;
}

static int32_t reported_margin(void)
{
    int32_t least = 127;
    for (uint32_t i = 0; i < line.margin_count && i < CLIENT_CLOCK_WINDOW; i++)
        least = line.margins[i] < least ? line.margins[i] : least;
    return line.margin_count ? least : 0;
}

static void server_run(void)
{
    for (uint32_t i = line.ups > 64 ? line.ups - 64 : 0; i < line.ups; i++) {
        struct packet *packet = &line.up[i % PACKETS];
        if (packet->reported || packet->arrival_us > line.now_us)
            continue;
        packet->reported = true;
        for (tick back = 16; back-- > 0;)
            server_hold(packet->tick - back);
    }
    while (line.server_due_ns <= line.now_us * 1000) {
        line.server_due_ns += line.server_tick_ns;
        line.server_tick++;
        line.ticks++;
        line.missed += line.held_newest != 0 && !line.held[line.server_tick % (1 << 16)];
        line.down[line.downs++ % PACKETS] = (struct packet){.arrival_us = line.now_us + travel_us(),
                                                            .tick = line.server_tick,
                                                            .held = line.held_newest,
                                                            .margin = reported_margin(),
                                                            .missed = line.missed,
                                                            .reported = lost()};
    }
}

static void client_run(uint64_t estimate_us)
{
    for (uint32_t i = line.downs > 64 ? line.downs - 64 : 0; i < line.downs; i++) {
        struct packet *packet = &line.down[i % PACKETS];
        if (packet->reported || packet->arrival_us > line.now_us)
            continue;
        packet->reported = true;
        if (!line.clock.running || (int32_t)(line.clock.tick - packet->tick) < 0)
            client_clock_start(&line.clock, packet->tick, estimate_us, line.now_us);
        else if (packet->margin != 0)
            client_clock_report(&line.clock, (struct client_clock_report){packet->tick, packet->held, packet->margin,
                                                                          packet->missed, line.now_us, 1});
    }
    while (line.now_us >= client_clock_due_us(&line.clock)) {
        tick now = client_clock_advance(&line.clock, line.now_us);
        bool gone = lost() || line.cut;
        line.up[line.ups++ % PACKETS] =
            (struct packet){.arrival_us = line.now_us + travel_us(), .tick = now, .reported = gone};
    }
}

// Lets time pass, and returns how many inputs were missed.
static uint32_t run(uint32_t seconds, uint64_t estimate_us)
{
    uint32_t before = line.missed;
    uint64_t until_us = line.now_us + seconds * UINT64_C(1000000);
    for (; line.now_us < until_us; line.now_us += STEP_US) {
        server_run();
        client_run(estimate_us);
    }
    return line.missed - before;
}

// The members of a report, to `clock`.
#define REPORT(...) client_clock_report(&clock, (struct client_clock_report){__VA_ARGS__})

static void advance(struct client_clock *clock, tick ticks)
{
    for (tick i = 0; i < ticks; i++)
        client_clock_advance(clock, client_clock_due_us(clock));
}

// A clock `ticks` ticks after tick 101; its lead is 0 until a report arrives.
static struct client_clock started(tick ticks)
{
    struct client_clock clock = {0};
    client_clock_start(&clock, 100, 0, 0);
    advance(&clock, ticks);
    return clock;
}

// Reports a margin for an input of a tick. Its quarters are of that tick's own time: the input came in its tick.
static void report(struct client_clock *clock, tick snapshot_tick, int32_t margin, uint32_t missed)
{
    client_clock_report(clock, (struct client_clock_report){snapshot_tick, snapshot_tick, margin, missed, 0, 1});
}

TEST(inputs_arrive_one_tick_early)
{
    static const struct {
        const char *name;
        uint64_t delay_us, estimate_us, tick_ns;
        uint32_t seconds[2]; // until the margin is right; and then without a missed input
        int32_t margin_min, margin_max;
    } rows[] = {
        {"a clean network", 20000, 40000, 16666667, {5, 20}, 3, 5},
        {"an initial delay far too short", 100000, 0, 16666667, {2, 10}, 3, 6},
        {"an initial delay far too long", 10000, 400000, 16666667, {20, 5}, 3, 6},
        {"a server 500 ppm faster", 20000, 40000, 16666667 - 8333, {5, 120}, 2, 6},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        open_line(rows[i].delay_us, 0, 0);
        line.server_tick_ns = rows[i].tick_ns;
        run(rows[i].seconds[0], rows[i].estimate_us);
        uint32_t missed = run(rows[i].seconds[1], 0);
        if (missed > 0 || reported_margin() < rows[i].margin_min || reported_margin() > rows[i].margin_max)
            fail_msg("%s: %u missed, a margin of %d", rows[i].name, missed, reported_margin());
        assert_true((i > 0 && i < 3) || line.clock.restarts == 0);
    }
}

TEST(jitter_gets_the_margin_it_needs)
{
    open_line(30000, 20000, 50000);
    run(5, 60000);
    assert_in_range(run(60, 0), 0, 60 * 60 / 200); // 0.5 % at 5 % loss
}

TEST(a_longer_delay_is_followed_within_a_second)
{
    open_line(20000, 0, 0);
    run(5, 40000);
    line.delay_us = 120000;
    assert_in_range(run(1, 0), 1, 36);
    assert_int_equal(run(10, 0), 0);
    assert_in_range(reported_margin(), 2, 8);
    assert_int_equal(line.clock.restarts, 0);
}

TEST(a_longer_delay_is_made_up_for_by_one_extra_tick_each)
{
    struct client_clock clock = started(60);
    REPORT(150, 140, -12, 10, 0, 1); // nothing in time for ten ticks; four are wanted
    uint64_t start_us = client_clock_due_us(&clock);
    advance(&clock, 4);
    assert_in_range(client_clock_due_us(&clock) - start_us, 16000, 18000);  // four ticks in the time of one
    REPORT(151, 140, -14, 11, 0, 1);                                        // reported before they can show
    assert_in_range(clock.lead_ns, 4 * TICK_NS - 1000, 4 * TICK_NS + 1000); // nothing was corrected on the way
    assert_int_equal(clock.leap_ns, 0);
}

TEST(reports_count_once_the_inputs_of_sixteen_ticks_have_arrived)
{
    struct client_clock clock = started(60); // 102 to 161
    report(&clock, 117, -2, 0);
    assert_int_equal(clock.target_ns, 0);
    report(&clock, 118, -2, 0);
    assert_int_equal(clock.target_ns, TICK_NS * 3 / 2);                 // a tick to spare, and the two missing quarters
    client_clock_advance(&clock, client_clock_due_us(&clock) + 300000); // skips 18 ticks
    assert_int_equal(clock.tick, 180);
    assert_int_equal(clock.stalls, 1);
    advance(&clock, 40);
    int64_t target_ns = clock.target_ns;
    report(&clock, 195, -3, 0);
    assert_int_equal(clock.target_ns, target_ns);
    report(&clock, 196, -3, 0);
    assert_int_not_equal(clock.target_ns, target_ns);
}

TEST(reports_for_old_and_future_ticks_are_ignored)
{
    static const struct {
        tick tick;
        bool used;
    } rows[] = {{389, false}, {390, true}, {501, true}, {502, false}, {600, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct client_clock clock = started(400); // 102 to 501; 112 of them are remembered
        report(&clock, rows[i].tick, -1, 0);
        if ((clock.target_ns != 0) != rows[i].used)
            fail_msg("row %zu", i);
    }
    struct client_clock idle = {0};
    report(&idle, 200, -1, 0);
    assert_int_equal(idle.target_ns, 0);
    assert_int_equal(client_clock_due_us(&idle), UINT64_MAX);
}

TEST(a_restart_is_counted_and_numbers_continue)
{
    struct client_clock clock = started(60);
    for (uint32_t again = 1; again < 4; again++) {
        client_clock_start(&clock, 100, 0, 1000000);
        assert_int_equal(clock.restarts, again);
        assert_int_equal(client_clock_advance(&clock, 1000000), 161 + again);
    }
}

TEST(the_first_tick_is_ahead_by_the_round_trip_and_two_ticks)
{
    static const struct {
        uint64_t round_trip_us;
        tick first;
    } rows[] = {{0, 102}, {16666, 102}, {16667, 103}, {100000, 108}, {500000, 132}, {9000000, 132}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct client_clock clock = {0};
        client_clock_start(&clock, 100, rows[i].round_trip_us, 5000000);
        assert_int_equal(client_clock_due_us(&clock), 5000000);
        assert_int_equal(client_clock_advance(&clock, 5000000), rows[i].first);
        assert_in_range(client_clock_due_us(&clock), 5016666, 5016667);
    }
}

// Two late inputs sixteen snapshots apart are an accident; closer together they mean a longer delay.
TEST(late_inputs_add_up_over_sixteen_snapshots)
{
    for (uint32_t apart = 14; apart <= 17; apart++) {
        struct client_clock clock = started(60);
        uint32_t leaps = 0;
        for (uint32_t i = 0; i < 40; i++) {
            int64_t lead_ns = clock.lead_ns;
            report(&clock, 119 + i, -1, i < 5 ? 0u : i < 5 + apart ? 1u : 2u);
            leaps += clock.lead_ns != lead_ns;
        }
        if (leaps != (apart < 16))
            fail_msg("%u snapshots apart: %u leaps", apart, leaps);
    }
}

TEST(late_inputs_count_modulo_2_to_the_16th)
{
    static const struct {
        int32_t margin;
        uint32_t missed[2];
        bool leaps;
    } rows[] = {
        {-1, {7, 9}, true}, {0, {7, 9}, false}, {-1, {7, 8}, false}, {-1, {65535, 1}, true}, {-1, {65535, 0}, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct client_clock clock = started(60);
        report(&clock, 120, rows[i].margin, rows[i].missed[0]);
        report(&clock, 121, rows[i].margin, rows[i].missed[1]);
        if ((clock.lead_ns == TICK_NS) != rows[i].leaps)
            fail_msg("row %zu", i);
    }
}

TEST(inputs_missed_before_the_last_leap_do_not_count)
{
    struct client_clock clock = started(60);
    report(&clock, 120, -1, 1);
    report(&clock, 121, -1, 3);
    assert_int_equal(clock.lead_ns, TICK_NS); // it leapt at tick 161
    advance(&clock, 40);
    int64_t lead_ns = clock.lead_ns;
    report(&clock, 160, -1, 5);
    report(&clock, 161, -1, 7);
    report(&clock, 162, -1, 9); // the first that counts
    assert_int_equal(clock.lead_ns, lead_ns);
    report(&clock, 163, -1, 11);
    assert_int_equal(clock.lead_ns, lead_ns + TICK_NS);
}

// Inputs arrive, but none in time for eight ticks: the delay has grown.
TEST(eight_ticks_without_an_input_in_time_mean_a_longer_delay)
{
    static const struct {
        tick start, snapshot, input;
        int32_t margin;
        bool longer;
    } rows[] = {
        /* 1 */ {100, 150, 142, -8, true},
        /* 2 */ {100, 150, 143, -8, false},
        /* 3 */ {100, 150, 0, -8, true},   // none ever
        /* 4 */ {100, 150, 140, 0, false}, // in time
        /* 5 */ {0x90000000, 0x90000032, 0, -8, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct client_clock clock = {0};
        client_clock_start(&clock, rows[i].start, 0, 0);
        advance(&clock, 60);
        REPORT(rows[i].snapshot, rows[i].input, rows[i].margin, 0, 0, 1);
        if ((clock.lead_ns == TICK_NS && clock.leap_ns == 2 * TICK_NS) != rows[i].longer)
            fail_msg("row %zu: a lead of %lld, and %lld to come", i + 1, (long long)clock.lead_ns,
                     (long long)clock.leap_ns);
    }
}

TEST(margins_from_the_shorter_delay_are_forgotten)
{
    struct client_clock clock = started(60);
    report(&clock, 140, -20, 0); // one bad margin
    REPORT(150, 140, -8, 0, 0, 1);
    assert_int_equal(clock.target_ns, 3 * TICK_NS); // only the new one counts
}

TEST(a_leap_starts_from_the_current_lead)
{
    struct client_clock clock = started(60);
    REPORT(150, 140, -8, 0, 0, 1); // three ticks are wanted
    advance(&clock, 60);
    assert_int_equal(clock.lead_ns, 3 * TICK_NS);
    assert_int_equal(clock.leap_ns, 0);
    REPORT(215, 205, -4, 0, 0, 1); // two more
    assert_int_equal(clock.lead_ns, 4 * TICK_NS);
    assert_int_equal(clock.leap_ns, TICK_NS);
    REPORT(216, 206, -4, 0, 0, 1); // answered already
    assert_int_equal(clock.lead_ns, 4 * TICK_NS);
}

TEST(more_than_a_quarter_second_is_set_at_once)
{
    static const struct {
        int32_t margin;
        uint32_t restarts;
    } rows[] = {{-56, 0}, {-57, 1}, {64, 0}, {65, 1}}; // 60 quarters of a tick are 250 ms, and 4 are to spare
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct client_clock clock = started(100);
        report(&clock, 160, rows[i].margin, 0);
        if (clock.restarts != rows[i].restarts)
            fail_msg("row %zu", i);
        assert_int_equal(clock.lead_ns, rows[i].restarts ? clock.target_ns : 0);
    }
}

TEST(a_lead_that_was_set_waits_for_sixteen_inputs)
{
    struct client_clock clock = started(100);
    REPORT(150, 140, -8, 0, 0, 1);
    assert_int_equal(clock.leap_ns, 2 * TICK_NS);
    REPORT(160, 150, -100, 0, 0, 1);
    assert_int_equal(clock.restarts, 1);
    assert_int_equal(clock.leap_ns, 0);
    int64_t target_ns = clock.target_ns;
    REPORT(201, 191, -120, 0, 0, 1);
    assert_int_equal(clock.target_ns, target_ns);
}

TEST(the_ticks_that_catch_up_are_one_stall)
{
    struct client_clock clock = started(60);
    uint64_t now_us = client_clock_due_us(&clock);
    for (uint32_t stalls = 1; stalls <= 2; stalls++) {
        now_us += 200000;
        while (client_clock_due_us(&clock) <= now_us)
            client_clock_advance(&clock, now_us);
        assert_int_equal(clock.stalls, stalls);
        assert_int_equal(clock.steady_tick, clock.tick + 16);
    }
}

// Each report is worse than the one before, so that the outliers are the newest.
TEST(of_240_margins_the_32_worst_are_outliers)
{
    struct client_clock clock = started(600);
    clock.target_ns = 0;
    for (int32_t i = 0; i < 240; i++)
        report(&clock, 600, 8 - (i * 7 % 240) / 8, 0);             // 8 margins each of 8 down to -21
    assert_int_equal(clock.target_ns, TICK_NS + 17 * TICK_NS / 4); // 4 classes of 8 are worse than -17
}

TEST(a_rising_lead_is_not_mistaken_for_a_shorter_delay)
{
    struct client_clock clock = {0};
    client_clock_start(&clock, 100, 0, 0);
    int32_t lead_quarters = 0; // exact, reported 16 ticks late, as the least of 16 is
    for (uint32_t i = 0; i < 400; i++) {
        tick now = client_clock_advance(&clock, client_clock_due_us(&clock));
        int64_t oldest_ns = clock.leads_ns[(now - 15) % CLIENT_CLOCK_LEADS];
        lead_quarters = (int32_t)(oldest_ns * 4 / 16666667) - 12;
        REPORT(now + 3, now + 3, lead_quarters, 0, 0, 1);
        assert_in_range(clock.lead_ns, 0, 16666667 * 17 / 4); // needs four ticks more, gets no fifth
    }
    assert_in_range(clock.lead_ns, 16666667 * 15 / 4, 16666667 * 17 / 4);
}

// Advances and reports, each tick, that the lead has such a margin now.
static void play(struct client_clock *clock, uint32_t ticks, int32_t margin_at_lead_0)
{
    for (uint32_t i = 0; i < ticks; i++) {
        tick now = client_clock_advance(clock, client_clock_due_us(clock));
        tick newest = now - 4;
        int64_t oldest_ns = clock->leads_ns[(newest - 15) % CLIENT_CLOCK_LEADS];
        int64_t newest_ns = clock->leads_ns[newest % CLIENT_CLOCK_LEADS];
        int64_t lead_ns = oldest_ns < newest_ns ? oldest_ns : newest_ns;
        int32_t margin = margin_at_lead_0 + (int32_t)(lead_ns * 4 / TICK_NS);
        client_clock_report(clock, (struct client_clock_report){newest - (tick)(margin / 4), newest, margin, 0, 0, 1});
    }
}

TEST(a_falling_lead_is_not_mistaken_for_a_longer_delay)
{
    struct client_clock clock = started(60);
    play(&clock, 240, 4);
    play(&clock, 240 + 80, 4 + 8); // two ticks less are wanted: at 3 % in 67 ticks, once the old margins are forgotten
    assert_in_range(clock.lead_ns + 2 * TICK_NS, 0, TICK_NS / 8);
}

TEST(a_dead_uplink_does_not_drive_the_clock_away)
{
    open_line(20000, 0, 0);
    run(5, 40000);
    line.cut = true;
    run(3, 0);
    line.cut = false;
    run(1, 0);
    assert_int_equal(run(5, 0), 0);
    assert_in_range(reported_margin(), 2, 8);
}

TEST(a_client_that_slept_skips_ticks_and_never_goes_back)
{
    struct client_clock clock = {0};
    client_clock_start(&clock, 100, 0, 0);
    tick first = client_clock_advance(&clock, 0);
    assert_int_equal(first, 102);
    assert_int_equal(client_clock_advance(&clock, 2000000), first + 120);
    assert_true(client_clock_due_us(&clock) > 2000000);
    client_clock_start(&clock, 50, 0, 2000000);
    assert_int_equal(client_clock_advance(&clock, 2000000), first + 121);
}

TEST(two_late_inputs_move_the_clock_by_one_tick_at_once)
{
    struct client_clock clock = started(60);
    uint64_t due_us = client_clock_due_us(&clock);
    REPORT(140, 140, -1, 1, 0, 1); // inputs missed before do not count
    REPORT(141, 141, -1, 2, 0, 1);
    assert_int_equal(client_clock_due_us(&clock), due_us);
    REPORT(142, 142, -1, 3, 0, 1);
    assert_in_range(due_us - client_clock_due_us(&clock), 16666, 16668);
    due_us = client_clock_due_us(&clock);
    REPORT(143, 143, -1, 6, 0, 1); // not again before it can show
    REPORT(144, 144, -1, 9, 0, 1);
    assert_int_equal(client_clock_due_us(&clock), due_us);
    advance(&clock, 60);
    due_us = client_clock_due_us(&clock);
    REPORT(170, 170, -1, 10, 0, 1); // but then
    REPORT(171, 171, -1, 12, 0, 1);
    assert_in_range(due_us - client_clock_due_us(&clock), 16666, 16668);
}

TEST(the_rate_never_leaves_its_bounds)
{
    struct client_clock clock = {0};
    client_clock_start(&clock, 100, 0, 0);
    uint64_t before_us = 0;
    for (uint32_t i = 0; i < 600; i++) {
        int32_t margin = i < 300 ? 12 : -8;
        uint64_t due_us = client_clock_due_us(&clock);
        if (i > 0)
            assert_in_range(due_us - before_us, 16667 * 97 / 100 - 1, 16667 * 103 / 100 + 1);
        before_us = due_us;
        tick now = client_clock_advance(&clock, due_us);
        REPORT(now - 10, now - 10, margin, 0, 0, 1);
    }
}

TEST(between_two_ticks_time_runs_from_0_to_256)
{
    struct client_clock clock = {0};
    client_clock_start(&clock, 100, 0, 1000000);
    client_clock_advance(&clock, 1000000);
    assert_int_equal(client_clock_between(&clock, 1000000), 0);
    assert_in_range(client_clock_between(&clock, 1008333), 127, 128);
    assert_int_equal(client_clock_between(&clock, 1500000), 256);
    assert_int_equal(client_clock_between(&clock, 900000), 0);
}

TEST(a_delay_of_a_quarter_second_is_caught_up_and_more_is_skipped)
{
    static const struct {
        uint64_t late_us;
        uint32_t left_out, stalls;
    } rows[] = {{0, 0, 0}, {41000, 0, 0}, {42000, 0, 1}, {249000, 0, 1}, {251000, 15, 1}, {1000000, 60, 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct client_clock clock = {0};
        client_clock_start(&clock, 100, 0, 0);
        tick first = client_clock_advance(&clock, client_clock_due_us(&clock));
        assert_int_equal(client_clock_advance(&clock, client_clock_due_us(&clock) + rows[i].late_us),
                         first + 1 + rows[i].left_out);
        assert_int_equal(clock.stalls, rows[i].stalls);
        assert_int_equal(clock.restarts, 0);
    }
}

// Late inputs that end with inputs in time were held up once; a longer delay makes each of them late.
TEST(a_burst_of_late_inputs_does_not_move_the_clock_once_it_is_over)
{
    struct client_clock clock = started(60);
    for (int i = 0; i < CLIENT_CLOCK_MARGINS; i++)
        report(&clock, 120, 4, 0);
    report(&clock, 121, 4, 2); // two are missed at once, and then arrive
    for (tick i = 122; i < 150; i++)
        report(&clock, i, i < 138 ? -4 : 4, 2);
    assert_int_equal(clock.lead_ns, 0);
    assert_int_equal(clock.target_ns, 0);
}

TEST(a_shorter_delay_is_followed_at_half_speed_once_sixteen_reports_agree)
{
    static const struct {
        int32_t early; // ticks
        bool fast;
    } rows[] = {{2, false}, {3, true}, {10, true}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct client_clock clock = started(60);
        play(&clock, 250, 4); // a tick to spare, as is wanted
        assert_int_equal(clock.lead_ns, 0);
        play(&clock, 15, 4 + 4 * rows[i].early);
        assert_true(clock.lead_ns == 0 && clock.leap_ns == 0);
        uint64_t start_us = client_clock_due_us(&clock);
        play(&clock, 1 + (uint32_t)rows[i].early, 4 + 4 * rows[i].early);
        assert_int_equal(clock.lead_ns < -TICK_NS, rows[i].fast);
        if (!rows[i].fast)
            continue;
        assert_int_equal(clock.target_ns, -rows[i].early * TICK_NS); // the older margins are forgotten
        uint64_t took_us = client_clock_due_us(&clock) - start_us, ticks = 1 + 2 * (uint64_t)rows[i].early;
        assert_in_range(took_us, ticks * 16666, ticks * 16667);
        play(&clock, 240, 4 + 4 * rows[i].early);
        assert_in_range(clock.lead_ns + rows[i].early * TICK_NS, 0, 1000); // exactly so far
        assert_int_equal(clock.restarts, 0);
    }
}

// Nothing arrives for a while. The reports about what was sent meanwhile are ignored, but only the first time in 4 s,
// or if no lead could bridge it.
TEST(reports_of_what_was_sent_into_a_silence_are_ignored)
{
    static const struct {
        uint64_t silence_us;
        tick interval;
        bool again, ignored;
    } rows[] = {
        /* 1 */ {58000, 1, false, false}, /* 2 */ {59000, 1, false, true},  /* 3 */ {59000, 3, false, false},
        /* 4 */ {126000, 3, false, true}, /* 5 */ {100000, 1, true, false}, /* 6 */ {149000, 1, true, false},
        /* 7 */ {151000, 1, true, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct client_clock clock = started(400); // 102 to 501
        uint64_t now_us = 7000000;
        if (rows[i].again)
            clock.silence_tick = clock.tick - 240;
        REPORT(495, 495, 4, 0, now_us, rows[i].interval);
        now_us += rows[i].silence_us;
        REPORT(496, 496, -20, 0, now_us, rows[i].interval);
        if ((clock.target_ns == 0) != rows[i].ignored)
            fail_msg("row %zu", i + 1);
    }
}

TEST(a_second_silence_within_four_seconds_counts)
{
    struct client_clock clock = started(400);
    uint64_t now_us = 7000000;
    REPORT(490, 490, 4, 0, now_us, 1);
    REPORT(491, 491, 4, 0, now_us += 100000, 1);
    assert_int_equal(clock.steady_tick, clock.tick + 17);
    advance(&clock, 40);
    REPORT(530, 530, -20, 0, now_us += 100000, 1);
    assert_int_not_equal(clock.target_ns, 0);
}

TEST(inputs_missed_in_a_silence_do_not_move_the_clock)
{
    struct client_clock clock = started(400);
    REPORT(495, 495, 4, 5, 7000000, 1);
    REPORT(496, 496, -20, 13, 7100000, 1);
    advance(&clock, 40);
    REPORT(520, 520, -1, 13, 7150000, 1);
    assert_true(clock.lead_ns == 0 && clock.leap_ns == 0);
    assert_int_not_equal(clock.target_ns, 0); // it counts
}

TEST(two_lost_messages_are_a_silence)
{
    for (tick cut = 5; cut <= 6; cut++) {
        struct client_clock clock = started(400);
        REPORT(490, 490 - cut, 4, 0, 0, 1);
        REPORT(491, 491, -20, 0, 0, 1); // the end of it
        assert_int_equal(clock.target_ns == 0, cut == 6);
        advance(&clock, 40);
        REPORT(530, 530, -20, 0, 0, 1); // it is long over
        assert_int_not_equal(clock.target_ns, 0);
        assert_int_equal(clock.silence_tick == clock.tick - 40, cut == 6);
    }
}

TEST(a_silence_hides_no_longer_delay)
{
    struct client_clock clock = started(60);
    REPORT(150, 150, 4, 0, 1000000, 1);
    REPORT(152, 144, -8, 8, 1200000, 1); // at tick 161
    advance(&clock, 20);
    REPORT(163, 144, -8, 19, 1210000, 1);
    assert_int_equal(clock.lead_ns, 0);
    REPORT(164, 144, -8, 20, 1220000, 1); // sent after the silence
    assert_int_equal(clock.lead_ns + clock.leap_ns, 3 * TICK_NS);
}

TEST(a_clock_is_behind_if_a_tick_of_the_server_is_not_due_yet)
{
    struct client_clock clock = started(60); // the next, 162, is due after one second
    assert_true(client_clock_is_behind(&clock, 162, 999999));
    assert_false(client_clock_is_behind(&clock, 162, 1000000));
    assert_false(client_clock_is_behind(&clock, 192, 1500001)); // it slept, but it knows what time it is
    assert_true(client_clock_is_behind(&clock, 193, 1500001));
}
