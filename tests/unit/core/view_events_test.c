// SPDX-License-Identifier: MIT
#include "core/view.h"
#include "test.h"

#include <string.h>

enum { OWN = 3, OTHER = 1 };

static struct view_events view_events;
static struct world confirmed, present;
static struct event_log event_log;
static struct view view;

static struct event event_of(enum event_kind kind, tick when, uint32_t subject)
{
    return (struct event){.kind = kind, .tick = when, .subject = subject, .other = EVENT_NOBODY};
}

static void add(struct world *world, struct event event)
{
    world->events[world->event_count++ % EVENT_CAPACITY] = event;
}

static void begin(void)
{
    memset(&view_events, 0, sizeof view_events);
    memset(&confirmed, 0, sizeof confirmed);
    memset(&present, 0, sizeof present);
    memset(&event_log, 0, sizeof event_log);
    view_events_begin(&view_events, &confirmed);
}

EACH_TEST(begin, NULL);

static uint32_t drained_count(void)
{
    view_events_drain(&view_events, &view, UINT32_MAX / 2);
    return view.event_count;
}

// Predicts events after the confirmed world, in ticks that it says.
static uint32_t predict(const struct event *events, uint32_t count)
{
    memcpy(&present, &confirmed, sizeof present);
    for (uint32_t i = 0; i < count; i++)
        add(&present, events[i]);
    view_events_predict(&view_events, &present, &confirmed, &(struct local_seats){{OWN + 1}});
    return drained_count();
}

static uint32_t predict_one(struct event event)
{
    return predict(&event, 1);
}

// Confirms the world of a tick with further events.
static uint32_t confirm(tick when, const struct event *events, uint32_t count)
{
    confirmed.tick = when;
    for (uint32_t i = 0; i < count; i++)
        add(&confirmed, events[i]);
    event_log_add(&event_log, &confirmed);
    view_events_confirm(&view_events, &event_log, &confirmed, when + 10);
    return drained_count();
}

static uint32_t confirm_one(tick when, struct event event)
{
    return confirm(when, &event, 1);
}

// The rule of each kind, for the own player and for another.
TEST(own_actions_are_shown_early_and_all_else_once_confirmed)
{
    static const bool own[EVENT_KINDS] = {
        [EVENT_JUMP] = true, [EVENT_LAND] = true, [EVENT_DASH] = true, [EVENT_GRAB] = true, [EVENT_SHOOT] = true};
    for (uint32_t kind = EVENT_NONE + 1; kind < EVENT_KINDS; kind++) {
        for (uint32_t subject = OTHER; subject <= OWN; subject += OWN - OTHER) {
            begin();
            struct event event = event_of((enum event_kind)kind, 20, subject);
            uint32_t early = predict_one(event), late = confirm_one(20, event);
            if (early != (own[kind] && subject == OWN) || early + late != 1)
                fail_msg("kind %u of %u: %u, then %u", kind, subject, early, late);
        }
    }
}

TEST(an_action_predicted_again_is_shown_once)
{
    assert_int_equal(predict_one(event_of(EVENT_JUMP, 20, OWN)), 1);
    assert_int_equal(predict_one(event_of(EVENT_JUMP, 20, OWN)), 0);
    assert_int_equal(predict_one(event_of(EVENT_JUMP, 22, OWN)), 0); // corrected
    assert_int_equal(confirm_one(23, event_of(EVENT_JUMP, 23, OWN)), 0);
    assert_int_equal(predict_one(event_of(EVENT_JUMP, 26, OWN)), 1); // another
}

TEST(an_action_and_its_truth_may_lie_some_ticks_apart)
{
    static const struct {
        tick predicted, true_tick;
        uint32_t shown;
    } rows[] = {{40, 40 + VIEW_EVENTS_SAME_TICKS, 0},
                {40, 41 + VIEW_EVENTS_SAME_TICKS, 1},
                {40 + VIEW_EVENTS_SAME_TICKS, 40, 0},
                {41 + VIEW_EVENTS_SAME_TICKS, 40, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        assert_int_equal(predict_one(event_of(EVENT_JUMP, rows[i].predicted, OWN)), 1);
        if (confirm_one(rows[i].true_tick, event_of(EVENT_JUMP, rows[i].true_tick, OWN)) != rows[i].shown)
            fail_msg("row %zu", i);
    }
}

TEST(actions_differ_by_kind_counterpart_and_detail_but_for_the_speed_of_a_landing)
{
    struct event jump = event_of(EVENT_JUMP, 20, OWN), wall_jump = jump, land = event_of(EVENT_LAND, 20, OWN);
    wall_jump.detail = 1;
    assert_int_equal(predict_one(jump), 1);
    assert_int_equal(predict_one(wall_jump), 1);
    assert_int_equal(predict_one(event_of(EVENT_DASH, 20, OWN)), 1);
    land.detail = 400;
    assert_int_equal(predict_one(land), 1);
    land.detail = 380;
    assert_int_equal(predict_one(land), 0);
    assert_int_equal(confirm_one(20, land), 0);
}

// A crusher that is armed in the confirmed world may never fall.
TEST(a_crusher_is_shown_early_once_it_is_confirmed_to_move)
{
    static const bool early[] = {[CRUSHER_WARNING] = true, [CRUSHER_FALLING] = true, [CRUSHER_RISING] = false};
    for (uint32_t now = CRUSHER_ARMED; now <= CRUSHER_RISING; now++) {
        begin();
        struct event slam = event_of(EVENT_SLAM, 20, EVENT_NOBODY);
        slam.detail = 2;
        confirmed.crushers[2].state = now;
        if (predict_one(slam) != early[now] || confirm_one(20, slam) == early[now])
            fail_msg("state %u", now);
        slam.detail = SOLID_CAPACITY;
        assert_int_equal(predict_one(slam), 0);
    }
}

TEST(a_pause_postpones_what_was_predicted)
{
    struct event slam = event_of(EVENT_SLAM, 20, EVENT_NOBODY);
    confirmed.crushers[0].state = CRUSHER_FALLING;
    assert_int_equal(predict_one(slam), 1);
    confirmed.round.paused_ticks = 90;
    assert_int_equal(confirm(108, NULL, 0), 0);
    slam.tick = 110;
    assert_int_equal(predict_one(slam), 0);
    assert_int_equal(confirm_one(110, slam), 0);
    assert_int_equal(view_events.counts.refuted[EVENT_SLAM], 0);
}

TEST(events_of_others_wait_until_others_are_shown_at_their_tick)
{
    confirmed.tick = 20;
    view.slot = OWN;
    add(&confirmed, event_of(EVENT_KILL, 12, 2));
    add(&confirmed, event_of(EVENT_KILL, 20, OTHER));
    add(&confirmed, event_of(EVENT_KILL, 20, OWN));
    event_log_add(&event_log, &confirmed);
    view_events_confirm(&view_events, &event_log, &confirmed, 25);
    view_events_drain(&view_events, &view, 12);
    assert_int_equal(view.event_count, 2);
    assert_int_equal(view.events[0].subject, 2);
    assert_int_equal(view.events[1].subject, OWN);
    view_events_drain(&view_events, &view, 19);
    assert_int_equal(view.event_count, 0);
    view_events_drain(&view_events, &view, 20);
    assert_int_equal(view.event_count, 1);
    assert_int_equal(view.events[0].subject, OTHER);
}

// An action that was shown before the silence stays shown; what follows it is shown early again.
TEST(what_is_predicted_into_a_silence_is_shown_once_confirmed)
{
    struct event before = event_of(EVENT_JUMP, 20, OWN), silent = event_of(EVENT_DASH, 36, OWN);
    struct event after = event_of(EVENT_JUMP, 37, OWN);
    assert_int_equal(predict_one(before), 1);
    view_events_withhold(&view_events, 36);
    assert_int_equal(predict((struct event[]){before, silent}, 2), 0);
    assert_int_equal(confirm_one(20, before), 0);
    assert_int_equal(predict((struct event[]){silent, after}, 2), 1);
    assert_int_equal(confirm_one(36, silent), 1);
    assert_int_equal(confirm_one(37, after), 0);
    assert_int_equal(view_events.counts.facts, 1);
}

TEST(two_equal_events_are_two)
{
    struct event jumps[] = {event_of(EVENT_JUMP, 20, OWN), event_of(EVENT_JUMP, 20, OWN)};
    assert_int_equal(predict(jumps, 2), 2);
    assert_int_equal(confirm(20, jumps, 2), 0);
    assert_int_equal(confirm_one(21, event_of(EVENT_JUMP, 21, OWN)), 1);
}

// A correction may drop a kill or put it elsewhere; nobody has been shown.
TEST(a_fact_is_shown_only_as_it_was)
{
    struct event guess = event_of(EVENT_KILL, 20, OTHER), truth = event_of(EVENT_KILL, 22, OTHER);
    truth.detail = DEATH_BOMB;
    assert_int_equal(predict_one(guess), 0);
    assert_int_equal(confirm(21, NULL, 0), 0);
    assert_int_equal(confirm_one(22, truth), 1);
    assert_memory_equal(&view.events[0], &truth, sizeof truth);
    assert_int_equal(confirm(23, NULL, 0), 0);
}

TEST(a_refuted_action_is_counted_by_kind)
{
    predict_one(event_of(EVENT_DASH, 20, OWN));
    confirm(20 + VIEW_EVENTS_SAME_TICKS, NULL, 0);
    assert_int_equal(view_events.counts.refuted[EVENT_DASH], 0);
    confirm(21 + VIEW_EVENTS_SAME_TICKS, NULL, 0);
    assert_int_equal(view_events.counts.refuted[EVENT_DASH], 1);
    assert_int_equal(view_events.counts.facts, 0);
}

TEST(facts_are_counted_with_their_lateness)
{
    confirm_one(25, event_of(EVENT_KILL, 22, OTHER)); // shown in tick 35
    assert_int_equal(view_events.counts.facts, 1);
    assert_int_equal(view_events.counts.late_ticks, 13);
}

TEST(events_before_the_join_are_not_shown)
{
    add(&confirmed, event_of(EVENT_KILL, 5, OTHER));
    confirmed.tick = 5;
    view_events_begin(&view_events, &confirmed);
    assert_int_equal(confirm_one(6, event_of(EVENT_KILL, 6, OTHER)), 1);
    assert_int_equal(view.events[0].tick, 6);
}

TEST(another_match_begins_with_its_own_numbers)
{
    for (tick when = 1; when < 200; when++)
        confirm_one(when, event_of(EVENT_KILL, when, OTHER));
    predict_one(event_of(EVENT_JUMP, 205, OWN));
    memset(&confirmed, 0, sizeof confirmed);
    memset(&event_log, 0, sizeof event_log);
    view_events_begin(&view_events, &confirmed);
    assert_int_equal(view_events.counts.facts, 199);
    assert_int_equal(confirm_one(206, event_of(EVENT_JUMP, 206, OWN)), 1);
}

TEST(what_a_world_has_forgotten_is_counted_as_lost)
{
    for (uint32_t i = 0; i < EVENT_CAPACITY + 3; i++)
        add(&confirmed, event_of(EVENT_BOUNCE, 20, EVENT_NOBODY));
    assert_int_equal(confirm(20, NULL, 0), EVENT_CAPACITY);
    assert_int_equal(view_events.counts.lost, 3);
}

TEST(without_views_the_first_events_wait_and_the_rest_are_dropped)
{
    for (tick when = 1; when <= VIEW_EVENT_CAPACITY + 5; when++) {
        confirmed.tick = when;
        add(&confirmed, event_of(EVENT_KILL, when, OTHER));
        event_log_add(&event_log, &confirmed);
        view_events_confirm(&view_events, &event_log, &confirmed, when);
    }
    assert_int_equal(view_events.counts.lost, 0);
    assert_int_equal(drained_count(), VIEW_EVENT_CAPACITY);
    assert_int_equal(view.events[0].tick, 1);
    assert_int_equal(drained_count(), 0);
    event_log_add(&event_log, &confirmed);
    view_events_confirm(&view_events, &event_log, &confirmed, 0);
    assert_int_equal(drained_count(), 0);
}

TEST(more_predicted_actions_than_are_remembered_are_shown_once_confirmed)
{
    struct event actions[VIEW_EVENTS_PREDICTED_MAX + 1];
    for (uint32_t i = 0; i < VIEW_EVENTS_PREDICTED_MAX; i++)
        actions[i] = event_of(EVENT_JUMP, 20, OWN);
    actions[VIEW_EVENTS_PREDICTED_MAX] = event_of(EVENT_DASH, 20, OWN);
    assert_int_equal(predict(actions, VIEW_EVENTS_PREDICTED_MAX), VIEW_EVENTS_PREDICTED_MAX);
    assert_int_equal(predict_one(actions[VIEW_EVENTS_PREDICTED_MAX]), 0);
    assert_int_equal(confirm_one(20, actions[VIEW_EVENTS_PREDICTED_MAX]), 1);
}
