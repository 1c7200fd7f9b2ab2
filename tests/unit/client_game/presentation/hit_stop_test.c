// SPDX-License-Identifier: MIT
// Tests the hit stop with a room in which a player walks a pixel a tick: where the picture shows them says which moment
// it shows.
#include <string.h>

#include "presentation/presenter.h"
#include "test.h"
#include "test_match.h"

#define KILLER    1
#define VICTIM    0
#define STRANGER  2
#define LONG_ROOM 900

static const char *const ROOM[] = {"####################", "#..................#", "#.S................#",
                                   "####################", 0};
static struct test_match match;
static struct world before;
static struct view view;
static struct hit_stop stop;
static struct presenter presenter;
static struct canvas canvas;

static void make(void)
{
    assert_true(hit_stop_create(&stop));
}

static void drop(void)
{
    hit_stop_destroy(&stop);
}

ALL_TESTS(make, drop);

static void start(void)
{
    test_match_draw(&match, ROOM);
    test_match_start(&match);
    for (uint32_t slot = 0; slot < 3; slot++)
        test_match_put(&match, slot, 30 + (int32_t)slot * 20, 40);
    match.world.round.phase = ROUND_PLAYING;
    match.world.tick = 1000;
    view.own = (struct local_seats){0};
    hit_stop_clear(&stop);
}

// Fills the live view of a frame, `between` of 256 after a tick in which the killer walks on, with an event or none.
static void fill(bool ticks, uint32_t between, const struct event *event)
{
    view.event_count = 0;
    if (ticks) {
        before = match.world;
        match.world.tick++;
        match.world.actors[KILLER].x = (int32_t)(match.world.tick % LONG_ROOM);
    }
    view_fill(&view, &match.map, &before, &match.world, between, 0);
    view.slot = KILLER;
    if (event)
        view.events[view.event_count++] = *event;
}

static struct view *live(const struct event *event)
{
    fill(true, 256, event);
    return hit_stop_record(&stop, &view);
}

static const struct event KILL = {.kind = EVENT_KILL, .subject = VICTIM, .other = KILLER};

// Where the killer is drawn, sub.
static int32_t place(const struct view *shown)
{
    return shown->actors[KILLER].x;
}

TEST(the_picture_stands_then_catches_up_without_a_jump)
{
    start();
    for (int i = 0; i < 60; i++)
        assert_ptr_equal(live(0), &view);
    int32_t stood_at = place(&view), at = stood_at;
    uint32_t stood = 0, caught_up = 0;
    struct view *shown = live(&KILL);
    for (; shown != &view; shown = live(0)) {
        int32_t way = place(shown) - at;
        assert_in_range(way, 0, 2 * DF_SUB); // half as fast again, at most
        assert_int_equal(stop.victim, way == 0 ? VICTIM + 1 : 0);
        stood += way == 0;
        caught_up += way > 0;
        at = place(shown);
        assert_true(caught_up < 60);
        if (place(&view) == at)
            break;
    }
    assert_in_range(stood, 4, 6);
    assert_in_range(caught_up, 8, 14);
    assert_ptr_equal(live(0), &view);
    assert_false(stop.runs);
}

TEST(each_event_is_shown_once_and_those_of_the_kill_after_it)
{
    uint32_t seen[80] = {0}, kill_frame = 0;
    for (uint32_t parts = 1; parts <= 4; parts *= 2) { // frames for each tick
        memset(seen, 0, sizeof seen);
        start();
        for (uint32_t i = 0; i < 80 * parts; i++) {
            struct event event = {.kind = EVENT_STICK, .subject = EVENT_NOBODY, .detail = i / parts};
            bool ticks = i % parts == 0;
            if (i / parts == 40)
                event = (struct event){.kind = EVENT_KILL, .subject = VICTIM, .other = KILLER, .detail = 40};
            fill(ticks, 256 / parts * (i % parts + 1), ticks ? &event : 0);
            struct view *shown = hit_stop_record(&stop, &view);
            for (uint32_t e = 0; e < shown->event_count; e++) {
                seen[shown->events[e].detail]++;
                kill_frame = shown->events[e].detail == 40 ? i / parts : kill_frame;
            }
        }
        for (uint32_t i = 0; i < 80; i++)
            if (seen[i] != 1)
                fail_msg("%u frames a tick: event %u is shown %u times", parts, i, seen[i]);
        assert_in_range(kill_frame, 44, 47);
    }
}

TEST(only_a_kill_of_somebody_at_this_window_stops_it)
{
    static const struct {
        uint32_t killer, victim, local;
        bool stops;
    } rows[] = {
        /* 0 */ {KILLER, VICTIM, KILLER, true},
        /* 1 */ {STRANGER, KILLER, KILLER, true},
        /* 2 */ {EVENT_NOBODY, KILLER, KILLER, true},
        /* 3 */ {STRANGER, VICTIM, KILLER, false},
        /* 4 */ {STRANGER, VICTIM, STRANGER, true},
        /* 5 */ {EVENT_NOBODY, VICTIM, STRANGER, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        if (rows[i].local != KILLER)
            view.own = (struct local_seats){{KILLER + 1, rows[i].local + 1}};
        for (int frame = 0; frame < 40; frame++)
            live(0);
        live(&(struct event){.kind = EVENT_KILL, .subject = rows[i].victim, .other = rows[i].killer});
        if (stop.runs != rows[i].stops)
            fail_msg("row %zu: %d", i, stop.runs);
    }
}

TEST(a_second_kill_soon_after_does_not_stop_it_again)
{
    start();
    for (int i = 0; i < 40; i++)
        live(0);
    live(&KILL);
    uint32_t stood = 0;
    int32_t at = 0;
    for (int i = 0; i < 30; i++) {
        struct view *shown = live(&KILL);
        stood += place(shown) == at;
        at = place(shown);
    }
    assert_true(stood <= HIT_STOP_TICKS);
    for (int i = 0; i < 30; i++)
        live(0);
    live(&KILL);
    assert_true(stop.runs);
}

TEST(it_shows_what_the_client_held_and_has_forgotten)
{
    static struct world old;
    start();
    old = match.world;
    old.arrows[7] = (struct arrow){.state = ARROW_FLYING, .owner = 2, .vx = 99};
    for (int i = 0; i < 40; i++)
        live(0);
    fill(true, 256, 0);
    view.held_count = 1;
    view.held[0] = (struct view_held){.world = &old, .actor = PLAYER_CAPACITY + 7, .at = {5, 6}};
    hit_stop_record(&stop, &view);
    memset(&old, 0, sizeof old);
    struct view *shown = live(&KILL);
    assert_ptr_not_equal(shown, &view);
    assert_int_equal(shown->held_count, 1);
    assert_int_equal(shown->held[0].world->arrows[7].vx, 99);
    assert_int_equal(shown->held[0].at.y, 6);
}

TEST(another_match_or_a_gap_ends_it)
{
    start();
    for (int i = 0; i < 40; i++)
        live(0);
    live(&KILL);
    assert_true(stop.runs);
    match.world.tick = 3;
    assert_ptr_equal(live(0), &view);
    live(&KILL);
    match.world.tick += 500;
    assert_ptr_equal(live(0), &view);
}

TEST(nothing_stops_with_less_motion)
{
    for (uint32_t reduced = 0; reduced < 2; reduced++) {
        memset(&presenter, 0, sizeof presenter);
        presenter.display = DISPLAY_OPTIONS_DEFAULT;
        presenter.display.reduced_motion = reduced;
        presenter.hit_stop = stop;
        start();
        presenter_begin(&presenter);
        for (int i = 0; i < 40; i++) {
            fill(true, 256, i == 38 ? &KILL : 0);
            presenter_show(&presenter, &canvas, &view, &(struct draw_options){0});
        }
        assert_int_equal(presenter.scene.tick, match.world.tick - (reduced ? 0 : 2));
    }
}
