// SPDX-License-Identifier: MIT
#include "core/simulation.h"

#include <string.h>

#include "core/view.h"
#include "test.h"

enum { OWN = 1, OTHER = 0, THIRD = 2 };
static const struct local_seats own = {{OWN + 1}};

static struct map map;
static struct world present, confirmed;
static struct smoothing smoothing;
static struct accuracy accuracy;

static void begin(void)
{
    memset(&present, 0, sizeof present);
    memset(&accuracy, 0, sizeof accuracy);
    memset(&smoothing, 0, sizeof smoothing);
    map = (struct map){.columns = 40, .rows = 30, .outside = DF_OUTSIDE_WRAP};
    present.tick = 100;
    present.player_slots = 3;
    for (uint32_t slot = 0; slot < 3; slot++) {
        smoothing.poses_before[slot] = smoothing.poses_now[slot] =
            (struct pose){0, 0, 1}; // the prediction is continuous
        present.players[slot] = (struct player){.state = PLAYER_ALIVE, .generation = 7 + slot};
        present.actors[slot] = (struct df_actor){.x = 50, .y = 60, .w = 8, .h = 11};
    }
    confirmed = present;
}

EACH_TEST(begin, NULL);

static void draw(void)
{
    simulation_accuracy_draw(&accuracy, &map, &present, &confirmed, &smoothing, &own);
}

// The server's world of the tick that was drawn is the one in `confirmed`.
static uint32_t error_subpx(void)
{
    confirmed.tick = present.tick;
    simulation_accuracy_confirm(&accuracy, &map, &confirmed, &own);
    return accuracy.counts.error_subpx;
}

TEST(the_error_is_the_mean_of_the_others_with_their_smoothing)
{
    present.actors[OTHER].x += 3;
    present.actors[OTHER].rem_x = 128;
    smoothing.now[OTHER] = (struct view_point){-256, 0}; // drawn 2.5 px to the right
    present.actors[THIRD].y -= 4;
    present.actors[OWN].x += 100;
    draw();
    assert_int_equal(error_subpx(), (640 + 1024) / 2);
}

TEST(across_the_seam_the_error_is_small)
{
    present.actors[OTHER].x = 0;
    confirmed.actors[OTHER].x = 40 * MAP_EDGE_PX - 2;
    present.actors[THIRD].y = 30 * MAP_EDGE_PX - 1;
    confirmed.actors[THIRD].y = 3;
    draw();
    assert_int_equal(error_subpx(), (2 + 4) * 256 / 2);
}

TEST(other_lives_ticks_and_the_dead_are_not_compared)
{
    present.actors[OTHER].x += 3;
    present.actors[THIRD].x += 5;
    draw();
    confirmed.players[OTHER].stats.deaths++;
    assert_int_equal(error_subpx(), 5 * 256);
    confirmed.players[THIRD].state = PLAYER_DEAD;
    assert_int_equal(error_subpx(), 0);
    begin();
    present.actors[OTHER].x += 3;
    draw();
    present.tick += ACCURACY_TICKS; // the same place in the ring
    assert_int_equal(error_subpx(), 0);
}

// Moves a player in the next tick. Returns whether it counts as a jump.
static bool jumps(uint32_t slot, int32_t x, int32_t y)
{
    uint32_t before = accuracy.counts.jumps;
    present.tick++;
    present.actors[slot].x += x;
    present.actors[slot].y += y;
    draw();
    return accuracy.counts.jumps != before;
}

TEST(only_long_steps_of_others_within_a_life_are_jumps)
{
    draw();
    assert_false(jumps(OTHER, ACCURACY_JUMP_PX, -ACCURACY_JUMP_PX));
    assert_true(jumps(OTHER, ACCURACY_JUMP_PX + 1, 0));
    assert_true(jumps(OTHER, 0, -ACCURACY_JUMP_PX - 1));
    assert_false(jumps(OWN, 100, 0));
    assert_false(jumps(OTHER, 40 * MAP_EDGE_PX, 0)); // around the map
    present.players[OTHER].stats.deaths++;
    confirmed.players[OTHER].stats.deaths++;
    assert_false(jumps(OTHER, 50, 0));
    smoothing.poses_now[OTHER].identity = 2; // placed at a spawn
    assert_false(jumps(OTHER, 50, 0));
    smoothing.poses_now[OTHER].identity = 1;
    present.tick++;
    assert_false(jumps(OTHER, 50, 0)); // a tick was left out
}

TEST(a_predicted_death_is_drawn_where_it_was_and_may_be_refuted)
{
    draw();
    present.tick++;
    smoothing.held[OTHER] = (struct pose){50 * 256 + 512, 60 * 256, 1};
    present.players[OTHER].state = PLAYER_DEAD;
    present.players[OTHER].stats.deaths++;
    draw();
    draw();
    assert_int_equal(accuracy.counts.deaths_guessed, 1);
    assert_int_equal(error_subpx(), 256); // held two pixels away, and the third is right
    present.tick++;
    present.players[OTHER].state = PLAYER_ALIVE;
    present.players[OTHER].stats.deaths--;
    draw();
    assert_int_equal(accuracy.counts.deaths_refuted, 1);
    draw();
    assert_int_equal(accuracy.counts.deaths_refuted, 1);
}

TEST(a_confirmed_death_is_not_refuted)
{
    present.players[OTHER].state = PLAYER_DEAD;
    present.players[OTHER].stats.deaths++;
    draw();
    confirmed.players[OTHER] = present.players[OTHER];
    present.tick++;
    draw();
    present.players[OTHER].state = confirmed.players[OTHER].state = PLAYER_ALIVE; // respawned
    draw();
    assert_int_equal(accuracy.counts.deaths_guessed, 1);
    assert_int_equal(accuracy.counts.deaths_refuted, 0);
}

TEST(a_view_holds_those_who_may_be_dying)
{
    static struct view view;
    present.players[OTHER] = (struct player){.state = PLAYER_DEAD, .generation = 7};
    present.players[THIRD] = (struct player){.state = PLAYER_DEAD, .generation = 8};
    smoothing.held[OTHER] = (struct pose){50 * 256 + 100, 60 * 256, 8};
    view_fill(&view, &map, &present, &present, 256, &smoothing);
    assert_ptr_equal(view.confirmed, &present);
    assert_false(view_is_dying(&view, OTHER));
    view.confirmed = &confirmed;
    assert_true(view_is_dying(&view, OTHER) && view_shows(&view, OTHER));
    assert_int_equal(view.actors[OTHER].x, 50 * 256 + 100);
    assert_int_equal(view.actors[OTHER].y, 60 * 256);
    assert_ptr_equal(view_player(&view, OTHER), &confirmed.players[OTHER]);
    assert_false(view_is_dying(&view, THIRD) || view_shows(&view, THIRD)); // somebody else
    assert_true(view_shows(&view, OWN));
    view.slot = OWN;
    confirmed.players[OWN].state = PLAYER_DEAD; // the own player appears at once, others once confirmed
    assert_true(view_shows(&view, OWN));
    view.slot = OTHER;
    assert_false(view_shows(&view, OWN));
    confirmed.players[OWN] = present.players[OWN];
    assert_true(view_shows(&view, OWN));
    confirmed.players[OWN].stats.deaths++;
    assert_false(view_shows(&view, OWN));
    confirmed.players[OWN] = present.players[OWN];
    confirmed.players[OWN].generation++;
    assert_false(view_shows(&view, OWN));
    assert_ptr_equal(view_player(&view, OWN), &present.players[OWN]);
    view.kind = VIEW_INTERPOLATED; // others are as the server says
    view.slot = OWN;
    assert_false(view_is_dying(&view, OTHER) || view_shows(&view, OTHER));
    view.kind = VIEW_PREDICTED;
    confirmed.players[OTHER].state = PLAYER_DEAD;
    assert_false(view_is_dying(&view, OTHER));
}

TEST(a_view_takes_the_events_from_a_number_on)
{
    static struct view view;
    for (uint32_t i = 0; i < EVENT_CAPACITY + 10; i++)
        present.events[present.event_count++ % EVENT_CAPACITY] = (struct event){.kind = EVENT_JUMP, .detail = i};
    view_add_events(&view, &present, EVENT_CAPACITY + 7);
    assert_int_equal(view.event_count, 3);
    assert_int_equal(view.events[0].detail, EVENT_CAPACITY + 7);
    view_add_events(&view, &present, 0);
    assert_int_equal(view.event_count, 3 + EVENT_CAPACITY);
    assert_int_equal(view.events[3].detail, 10);
    for (int i = 0; i < 4; i++)
        view_add_events(&view, &present, 0);
    assert_int_equal(view.event_count, VIEW_EVENT_CAPACITY);
}
