// SPDX-License-Identifier: MIT
//
// Tests the delay with which remote players are drawn, with made-up arrivals in virtual time.
#include "core/interpolation.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct interpolation interpolation;
static tick newest;
static uint64_t now_us;

static uint64_t tick_us(tick number)
{
    return 1000000 + (uint64_t)number * 1000000 / 60;
}

static void begin(void)
{
    memset(&interpolation, 0, sizeof interpolation);
    newest = 100;
}

// Each tick arrives this long after its time.
static void arrive(uint32_t ticks, uint32_t late_us)
{
    for (; ticks > 0; ticks--) {
        newest++;
        now_us = tick_us(newest) + late_us;
        interpolation_arrived(&interpolation, newest, now_us);
    }
}

// How long after its time a tick is drawn, in 1/256 tick.
static int32_t drawn_late(uint64_t at_us)
{
    struct interpolation_moment moment = interpolation_moment(&interpolation, at_us);
    int32_t now = (int32_t)((at_us - 1000000) * 60 * 256 / 1000000);
    return now - (int32_t)(moment.tick * 256 + moment.between);
}

EACH_TEST(begin, NULL);

// 20 ms and 1.5 ticks.
#define USUAL (307 + 384)

static void expect_late(uint64_t at_us, int32_t late)
{
    assert_in_range(drawn_late(at_us), late - 3, late + 3);
}

TEST(the_delay_follows_what_is_late_now_and_then)
{
    static const struct {
        int times;
        uint32_t usual_ticks, then_ticks, late_us; // at 20 ms, and at more
        tick skips;                                // before each
        int32_t late;
    } rows[] = {
        /* 1 */ {1, 300, 0, 0, 0, USUAL},
        /* 2 */ {10, 99, 1, 60000, 0, USUAL},           // one in fifty is not waited for
        /* 3 */ {40, 19, 1, 36667, 0, USUAL + 128},     // one in twenty is, a tick late
        /* 4 */ {100, 1, 0, 0, 2, USUAL + 384},         // 20 snapshots a second
        /* 5 */ {20, 10, 1, 500000, 0, 307 + 12 * 256}, // twelve ticks at most
        /* 6 */ {60, 1, 0, 0, 3, 307 + 4 * 256},        // gaps
        /* 7 */ {60, 1, 0, 0, 6, 307 + 7 * 256},
        /* 8 */ {60, 1, 0, 0, 9, 307 + 10 * 256},
        /* 9 */ {60, 1, 0, 0, 12, USUAL}, // of more than twelve ticks: a blackout
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        begin();
        for (int k = 0; k < rows[i].times; k++) {
            newest += rows[i].skips;
            arrive(rows[i].usual_ticks, 20000);
            arrive(rows[i].then_ticks, rows[i].late_us);
        }
        int32_t late = drawn_late(now_us);
        if (abs(late - rows[i].late) > 3)
            fail_msg("row %zu: %d", i + 1, late);
    }
}

TEST(while_the_delay_grows_time_stops_and_never_goes_back)
{
    arrive(300, 20000);
    arrive(4, 70000);
    struct interpolation_moment before = interpolation_moment(&interpolation, now_us);
    arrive(1, 70000); // one too many to be outliers
    struct interpolation_moment after = interpolation_moment(&interpolation, now_us);
    assert_true((int32_t)(after.tick * 256 + after.between - before.tick * 256 - before.between) >= 0);
    arrive(9, 70000);
    expect_late(now_us, 307 + 4 * 256); // 50 ms more: three ticks
}

TEST(while_the_delay_shrinks_time_runs_two_percent_faster)
{
    arrive(300, 70000);
    arrive(230, 20000);
    int32_t late = drawn_late(now_us);
    assert_in_range(late, 307 + 1024 - 2, 307 + 1024 + 2); // the late ones are not forgotten yet
    arrive(50, 20000);
    assert_in_range(late - drawn_late(now_us), 254, 258); // a tick in fifty
}

TEST(a_blackout_does_not_count_as_late)
{
    arrive(300, 20000);
    newest += 180;
    arrive(5, 20000);
    expect_late(now_us, USUAL);
}

TEST(an_older_snapshot_changes_nothing)
{
    arrive(10, 20000);
    static struct interpolation before;
    before = interpolation;
    interpolation_arrived(&interpolation, newest, now_us + 90000);
    interpolation_arrived(&interpolation, newest - 3, now_us + 90000);
    assert_memory_equal(&before, &interpolation, sizeof before);
}

TEST(ticks_may_wrap)
{
    newest = UINT32_MAX - 60;
    for (uint64_t i = 0; i < 120; i++)
        interpolation_arrived(&interpolation, ++newest, now_us = 1000000 + i * 1000000 / 60);
    struct interpolation_moment moment = interpolation_moment(&interpolation, now_us);
    assert_int_equal(newest, 59);
    assert_int_equal(moment.tick, 57);
}

TEST(the_first_tick_is_drawn_a_tick_and_a_half_late)
{
    arrive(1, 20000);
    expect_late(now_us + 50000, USUAL);
}

// Lateness goes through 0 to 239 tenths of a millisecond in a mixed order; four of 240 may be later than the delay.
TEST(the_delay_is_the_lateness_of_the_fifth_latest)
{
    static const uint32_t orders[] = {7, 1, 239, 77};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        begin();
        for (uint32_t i = 0; i < INTERPOLATION_TICKS; i++)
            arrive(1, 30000 + i * orders[k] % INTERPOLATION_TICKS * 100);
        int64_t delay_ns = interpolation.target_ns - (int64_t)tick_us(interpolation.origin) * 1000;
        int64_t expected_ns = INT64_C(30000000) + 235 * 100000 + 16666667;
        if (delay_ns < expected_ns - 2000 || delay_ns > expected_ns + 2000)
            fail_msg("order %u: %lld ns, not %lld", orders[k], (long long)delay_ns, (long long)expected_ns);
    }
}

static struct snapshot_history history;
static struct prediction prediction;
static struct world present;
static struct view view;
static const struct map map;

#define PREDICTED_OFF 5

// Puts the players, who run a pixel a tick; the prediction has them elsewhere.
static void put(struct world *world, tick number, int32_t offset)
{
    memset(world, 0, sizeof *world);
    world->tick = number;
    world->player_slots = 2;
    for (uint32_t i = 0; i < 2; i++) {
        world->players[i] = (struct player){.state = PLAYER_ALIVE, .generation = 1};
        world->actors[i] =
            (struct df_actor){.x = offset + (int32_t)(number - 100), .y = 50, .w = 8, .h = 11, .flags = DF_ACTOR_ALIVE};
    }
}

// Shows the match at a tick and 256ths when these ticks are confirmed, and predicted up to the last. Returns where the
// second player is drawn, in sub, which are 256ths of a tick since tick 100.
static int32_t shown_at(tick number, uint32_t between, const tick *confirmed, tick predicted)
{
    begin();
    snapshot_history_clear(&history);
    memset(&prediction, 0, sizeof prediction);
    for (; *confirmed; confirmed++) {
        put(&history.worlds[*confirmed % SNAPSHOT_HISTORY_TICKS], *confirmed, 0);
        newest = *confirmed - 1;
        arrive(1, 20000);
        prediction.confirmed = *confirmed;
    }
    for (tick i = prediction.confirmed; i <= predicted; i++)
        put(&prediction.worlds[i % PREDICTION_WORLDS], i, PREDICTED_OFF);
    prediction.newest = predicted;
    put(&present, predicted, 0);
    view_fill(&view, &map, &present, &present, 256, NULL);
    view.slot = 0;
    int64_t moment_ns = ((int64_t)(int32_t)(number - interpolation.origin) * 256 + between) * 1000000000 / 60 / 256;
    interpolation.offset_ns = interpolation.target_ns = (int64_t)now_us * 1000 - moment_ns - 1000;
    interpolation.moved_ns = (int64_t)now_us * 1000;
    interpolation.drawn_ns = 0;
    assert_int_equal(interpolation_show(&interpolation, &history, &prediction, now_us, &view), number);
    return view.actors[1].x;
}

TEST(remote_players_are_drawn_between_the_confirmed_worlds_around_the_moment)
{
    static const struct {
        tick moment;
        uint32_t between;
        tick confirmed[8], predicted;
        int32_t drawn;
    } rows[] = {
        /*  0 */ {103, 64, {101, 102, 103, 104, 105}, 110, 3 * 256 + 64},
        /*  1 */ {103, 64, {101, 102, 104, 105}, 110, 3 * 256 + 64}, // over a gap
        /*  2 */ {103, 64, {101, 109}, 110, 3 * 256 + 64},
        /*  3 */ {102, 64, {101, 114}, 114, 2 * 256 + 64}, // of twelve ticks
        /*  4 */ {101, 64, {101, 114}, 114, 256},          // a longer one is a blackout: they stand still
        /*  5 */ {103, 0, {101, 102, 103}, 110, 3 * 256},
        /*  6 */ {105, 128, {101, 102, 103}, 110, PREDICTED_OFF * 256 + 5 * 256 + 128}, // a little past the newest:
                                                                                        // predicted
        /*  7 */ {107, 128, {101, 102, 103}, 110, PREDICTED_OFF * 256 + 6 * 256},       // three ticks at most
        /*  8 */ {105, 128, {101, 102, 103}, 103, 3 * 256},                             // no prediction
        /*  9 */ {130, 0, {101, 102, 103}, 103, 3 * 256},
        /* 10 */ {200, 0, {101, 102, 103}, 103, 3 * 256}, // too long ago to be searched
        /* 11 */ {104, 0, {105, 106}, 110, 5 * 256},      // before the first
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int32_t drawn = shown_at(rows[i].moment, rows[i].between, rows[i].confirmed, rows[i].predicted);
        if (abs(drawn - rows[i].drawn) > 13) // the fraction is of 256, for up to 13 ticks
            fail_msg("row %zu: %d, not %d", i, drawn, rows[i].drawn);
        assert_int_equal(view.actors[0].x, present.actors[0].x * 256); // the own player is predicted
    }
}
