// SPDX-License-Identifier: MIT
//
// Tests what is drawn between two predicted and two confirmed worlds. Worlds are written by hand and never stepped.
#include "core/view.h"
#include "game/gift.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static const struct map map;
static struct world before, after, confirmed[2], shown;
static struct view view;

// A world with player 0 at x, y px.
static void put(struct world *world, int32_t x, int32_t y)
{
    memset(world, 0, sizeof *world);
    world->player_slots = 1;
    world->players[0].state = PLAYER_ALIVE;
    world->players[0].generation = 1;
    world->actors[0] = (struct df_actor){.x = x, .y = y, .w = 8, .h = 11, .flags = DF_ACTOR_ALIVE};
}

static void put_solid(struct world *world, int32_t x, int32_t y, int32_t rem_x, int32_t rem_y)
{
    world->solid_count = 1;
    world->solids[0] = (struct df_solid){x, y, 32, 8, rem_x, rem_y, DF_SOLID_PRESENT};
}

TEST(bodies_are_interpolated_between_two_ticks)
{
    put(&before, 100, 50);
    put(&after, 104, 47);
    put_solid(&before, 0, 0, 0, 0);
    put_solid(&after, 2, 0, 0, 0);
    before.ball_count = after.ball_count = 1;
    before.balls[0] = (struct df_ball){1000, 2000, 4, 0, 0, DF_BALL_ALIVE};
    after.balls[0] = (struct df_ball){1256, 1744, 4, 0, 0, DF_BALL_ALIVE};
    view_fill(&view, &map, &before, &after, 64, NULL);
    assert_int_equal(view.actors[0].x, 101 * 256);
    assert_int_equal(view.actors[0].y, 50 * 256 - 192);
    assert_int_equal(view.between, 64);
    assert_ptr_equal(view.world, &after);
    assert_ptr_equal(view.map, &map);
    assert_int_equal(view.solids[0].x, 128);
    assert_int_equal(view.balls[0].x, 1064);
    assert_int_equal(view.balls[0].y, 1936);
}

TEST(a_teleported_body_is_not_interpolated)
{
    put(&before, 100, 50);
    put(&after, 300, 50);
    view_fill(&view, &map, &before, &after, 64, NULL);
    assert_int_equal(view.actors[0].x, 300 * 256);
    assert_int_equal(view.actors[0].y, 50 * 256);
    put(&after, 101, 50);
    after.players[0].generation = 2;
    view_fill(&view, &map, &before, &after, 64, NULL);
    assert_int_equal(view.actors[0].x, 101 * 256);
}

// A world of two players; the second, confirmed at 200, 50 and then at 204, 50, is predicted at 230, 50.
static void put_two(struct world *world, int32_t x)
{
    put(world, 100, 50);
    world->player_slots = 2;
    world->players[1] = world->players[0];
    world->actors[1] = world->actors[0];
    world->actors[1].x = x;
}

static void begin(void)
{
    put_two(&before, 230);
    put_two(&after, 230);
    put_two(&confirmed[0], 200);
    put_two(&confirmed[1], 204);
}

EACH_TEST(begin, NULL);

static void show_two(uint32_t between)
{
    view_fill(&view, &map, &before, &after, 256, NULL);
    view.slot = 0;
    view_fill_confirmed(&view, &shown, &confirmed[0], &confirmed[1], between);
}

TEST(remote_players_are_confirmed_and_the_own_player_is_predicted)
{
    confirmed[1].actors[0].x = 60;
    confirmed[1].players[1].score = 7;
    show_two(64);
    assert_int_equal(view.actors[0].x, 100 * 256);
    assert_int_equal(view.actors[1].x, 201 * 256);
    assert_int_equal(view.world->players[1].score, 7);
    assert_int_equal(view.world->actors[0].x, 100);
    assert_int_equal(view.world->actors[1].x, 204);
    assert_int_equal(after.players[1].score, 0); // the prediction itself is unchanged
}

TEST(arrows_of_remote_players_are_shown_as_confirmed)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct df_actor arrow = {.x = 300, .y = 10, .w = 6, .h = 2, .flags = DF_ACTOR_ALIVE};
        confirmed[0].arrow_slots = confirmed[1].arrow_slots = after.arrow_slots = 2;
        confirmed[0].arrows[i] = confirmed[1].arrows[i] = after.arrows[i] = (struct arrow){.state = 1, .owner = i + 1};
        confirmed[0].actors[PLAYER_CAPACITY + i] = confirmed[1].actors[PLAYER_CAPACITY + i] = arrow;
        arrow.x = 340;
        after.actors[PLAYER_CAPACITY + i] = arrow;
    }
    show_two(128);
    assert_int_equal(view.actors[PLAYER_CAPACITY].x, 340 * 256);
    assert_int_equal(view.actors[PLAYER_CAPACITY + 1].x, 300 * 256);
}

TEST(an_arrow_that_was_not_predicted_is_shown_too)
{
    for (uint32_t i = 0; i < 2; i++) {
        put_two(&confirmed[i], 200);
        confirmed[i].arrow_slots = 1;
        confirmed[i].arrows[0] = (struct arrow){.state = 1, .owner = 2};
        confirmed[i].actors[PLAYER_CAPACITY] =
            (struct df_actor){.x = 300, .y = 10, .w = 6, .h = 2, .flags = DF_ACTOR_ALIVE};
    }
    show_two(128);
    assert_int_equal(view.world->arrow_slots, 1);
    assert_int_equal(view.world->arrows[0].owner, 2);
    assert_int_equal(view.actors[PLAYER_CAPACITY].x, 300 * 256);
}

TEST(a_confirmed_rider_is_drawn_on_the_predicted_solid)
{
    put_two(&confirmed[1], 202);
    put_solid(&after, 0, 0, 0, 0); // elsewhere; the second carries
    put_solid(&confirmed[0], 0, 0, 0, 0);
    put_solid(&confirmed[1], 0, 0, 0, 0);
    after.solid_count = confirmed[0].solid_count = confirmed[1].solid_count = 2;
    after.solids[1] = (struct df_solid){220, 71, 32, 8, 0, 0, DF_SOLID_PRESENT};
    confirmed[0].solids[1] = (struct df_solid){196, 61, 32, 8, 0, 0, DF_SOLID_PRESENT};
    confirmed[1].solids[1] = (struct df_solid){198, 61, 32, 8, 0, 0, DF_SOLID_PRESENT};
    before = after;
    show_two(64);
    assert_int_equal(view.solids[1].x, 220 * 256);
    assert_int_equal(view.actors[1].x, (220 + 4) * 256); // four pixels from its left, as confirmed
    assert_int_equal(view.actors[1].y, 60 * 256);
    confirmed[0].actors[1].y = confirmed[1].actors[1].y = 30; // in the air
    show_two(128);
    assert_int_equal(view.actors[1].x, 201 * 256);
    assert_int_equal(view.actors[1].y, 30 * 256);
}

TEST(players_who_joined_or_left_are_shown_as_confirmed)
{
    before.player_slots = after.player_slots = 1; // the prediction does not have the second player
    show_two(256);
    assert_int_equal(view.world->player_slots, 2);
    assert_int_equal(view.actors[1].x, 204 * 256);
    after.player_slots = before.player_slots = 2;
    confirmed[1].player_slots = 1; // the second had not joined yet
    confirmed[1].players[1].state = PLAYER_ABSENT;
    show_two(256);
    assert_int_equal(view.world->player_slots, 2);
    assert_int_equal(view.world->players[1].state, PLAYER_ABSENT);
}

TEST(balls_in_both_worlds_are_shown_as_confirmed)
{
    for (uint32_t i = 0; i < 3; i++) {
        int32_t x = 1000 * (int32_t)(i + 1);
        before.balls[i] = after.balls[i] = (struct df_ball){x, x, 4, 0, 0, DF_BALL_ALIVE};
        confirmed[0].balls[i] = (struct df_ball){x + 100, x + 10, 4, 0, 0, DF_BALL_ALIVE};
        confirmed[1].balls[i] = (struct df_ball){x + 200, x + 30, 4, 0, 0, DF_BALL_ALIVE};
    }
    before.ball_count = after.ball_count = 2;
    confirmed[0].ball_count = confirmed[1].ball_count = 2;
    for (uint32_t fewer = 0; fewer < 3; fewer++) {
        after.ball_count = before.ball_count = fewer == 1 ? 1 : 2;
        confirmed[0].ball_count = confirmed[1].ball_count = fewer == 2 ? 1 : 2;
        show_two(128);
        assert_int_equal(view.balls[0].x, 1150);
        assert_int_equal(view.balls[0].y, 1020);
        assert_int_equal(view.world->balls[0].cx, 1200);
        assert_int_equal(view.world->balls[1].cx, fewer == 0 ? 2200 : fewer == 1 ? 0 : 2000);
        assert_int_equal(view.balls[1].x, fewer == 0 ? 2150 : fewer == 1 ? 0 : 2000);
    }
}

// Puts an arrow of the second player, or of nobody, into a slot at 300, 10.
static void put_arrow(struct world *world, uint32_t i, uint32_t owner)
{
    world->arrow_slots = i + 1;
    world->arrows[i] = (struct arrow){.state = ARROW_STUCK, .owner = owner};
    world->actors[PLAYER_CAPACITY + i] = (struct df_actor){.x = 300, .y = 10, .w = 6, .h = 2, .flags = DF_ACTOR_ALIVE};
}

// Fills the view from the last of three predicted worlds, of which the first is confirmed.
static struct world steps[3];

static void put_steps(void)
{
    for (uint32_t i = 0; i < 3; i++) {
        put_two(&steps[i], 230);
        steps[i].tick = 100 + i;
        steps[i].chest_count = 1;
    }
}

static void hold_all(void)
{
    view_fill(&view, &map, &steps[1], &steps[2], 256, NULL);
    view.slot = 0;
    view_hold(&view, &steps[0], &steps[1]);
    view_hold(&view, &steps[1], &steps[2]);
}

TEST(what_others_take_is_held_where_it_was)
{
    put_steps();
    put_arrow(&steps[0], 0, 2);
    steps[0].chests[0].state = steps[1].chests[0].state = CHEST_CLOSED;
    steps[1].actors[CHEST_ACTORS] = (struct df_actor){.x = 40, .y = 20, .rem_x = 7, .w = 9, .h = 8};
    put_arrow(&steps[2], 0, 1); // another in its slot
    hold_all();
    assert_int_equal(view.held_count, 2);
    assert_ptr_equal(view.held[0].world, &steps[0]);
    assert_int_equal(view.held[0].actor, PLAYER_CAPACITY);
    assert_int_equal(view.held[0].at.x, 300 * 256);
    assert_int_equal(view.held[0].at.y, 10 * 256);
    assert_ptr_equal(view.held[1].world, &steps[1]);
    assert_int_equal(view.held[1].actor, CHEST_ACTORS);
    assert_int_equal(view.held[1].at.x, 40 * 256 + 7);
    hold_all(); // another view holds nothing from before
    assert_int_equal(view.held_count, 2);
}

TEST(what_the_own_player_takes_is_gone_at_once)
{
    static const struct {
        struct event event;
        uint32_t held;
    } rows[] = {
        {{.tick = 101, .kind = EVENT_PICKUP, .x = 303, .y = 11}, 0},
        {{.tick = 101, .kind = EVENT_CATCH, .x = 320, .y = 30}, 0},                // it flew
        {{.tick = 101, .kind = EVENT_PICKUP, .x = 303, .y = 11, .subject = 1}, 1}, // somebody else
        {{.tick = 101, .kind = EVENT_PICKUP, .x = 403, .y = 11}, 1},               // something else
        {{.tick = 100, .kind = EVENT_PICKUP, .x = 303, .y = 11}, 1},               // before
        {{.tick = 101, .kind = EVENT_BREAK, .x = 303, .y = 11}, 1},
    };
    for (uint32_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        put_steps();
        put_arrow(&steps[0], 0, 2);
        steps[1].events[0] = rows[row].event;
        hold_all();
        assert_int_equal(view.held_count, rows[row].held);
    }
}

TEST(no_more_is_held_than_there_is_room)
{
    put_steps();
    for (uint32_t i = 0; i < ARROW_CAPACITY; i++)
        put_arrow(&steps[0], i, 2);
    steps[1].chests[0].state = CHEST_CLOSED;
    hold_all();
    assert_int_equal(view.held_count, VIEW_HELD_CAPACITY);
}

TEST(gifts_of_others_are_shown_once_they_are_confirmed)
{
    static const struct {
        uint32_t slot, predicted, confirmed, shown;
        enum view_kind kind;
        uint32_t deaths; ///< in the prediction
    } rows[] = {
        {0, 1, 0, 1, VIEW_PREDICTED, 0},    // the own chest is open at once
        {0, 0, 1, 1, VIEW_PREDICTED, 0},    // a hit is not certain
        {0, 0, 1, 0, VIEW_PREDICTED, 1},    // another life
        {1, 1, 0, 0, VIEW_PREDICTED, 0},    // somebody else's chest
        {1, 0, 1, 1, VIEW_PREDICTED, 0},    //
        {1, 1, 0, 1, VIEW_INTERPOLATED, 0}, // as the world says in which they are shown
        {1, 0, 1, 0, VIEW_INTERPOLATED, 0},
    };
    for (uint32_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        begin();
        after.players[rows[row].slot].shield = rows[row].predicted;
        after.players[rows[row].slot].wings_until = rows[row].predicted * 500;
        after.players[rows[row].slot].stats.deaths = rows[row].deaths;
        confirmed[0].players[rows[row].slot].shield = rows[row].confirmed;
        confirmed[0].players[rows[row].slot].wings_until = rows[row].confirmed * 500;
        view = (struct view){.kind = rows[row].kind, .map = &map, .world = &after, .confirmed = &confirmed[0]};
        assert_int_equal(game_view_gift_ticks(&view, rows[row].slot, MAP_GIFT_SHIELD, 100),
                         rows[row].shown * GIFT_UNTIL_USED);
        uint32_t own = rows[row].slot == 0 ? rows[row].predicted : rows[row].shown;
        assert_int_equal(game_view_gift_ticks(&view, rows[row].slot, MAP_GIFT_WINGS, 100), own * 400);
    }
    view.kind = VIEW_PREDICTED;
    after.players[1].state = PLAYER_DEAD; // held as they were
    confirmed[0].players[1].shield = 1;
    assert_int_equal(game_view_gift_ticks(&view, 1, MAP_GIFT_SHIELD, 100), GIFT_UNTIL_USED);
}
