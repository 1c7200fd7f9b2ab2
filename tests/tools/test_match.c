// SPDX-License-Identifier: MIT
#include "test_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/ai/ai.h"
#include "game/tuning.h"
#include "sync/game.h"
#include "test_map.h"

void test_match_draw(struct test_match *match, const char *const *rows)
{
    memset(match, 0, sizeof *match);
    test_map_draw(&match->map, rows);
}

void test_match_start(struct test_match *match)
{
    test_match_start_mode(match, MODE_FFA);
}

void test_match_start_mode(struct test_match *match, enum mode mode)
{
    world_init(&match->world, &match->map, &(struct rules){.mode = mode, .seed = 1});
    memset(match->inputs, 0, sizeof match->inputs);
    match->events_seen = 0;
}

struct df_actor *test_match_body(struct test_match *match, uint32_t slot)
{
    return &match->world.actors[slot];
}

struct player *test_match_put(struct test_match *match, uint32_t slot, int32_t x, int32_t y)
{
    struct player *player = &match->world.players[slot];
    struct command join = {.kind = COMMAND_JOIN, .slot = slot, .name = {'p'}};
    if (player->state == PLAYER_ABSENT && !world_command(&match->world, &match->map, &join))
        abort();
    player->state = PLAYER_ALIVE;
    player->dashes = 1;
    player->facing = player->aim_x = 1;
    player->arrows = TUNING.arrows_start;
    player->fall_cap = TUNING.fall_max;
    *test_match_body(match, slot) = (struct df_actor){.x = x - TUNING.body_w_px / 2,
                                                      .y = y - TUNING.body_h_px,
                                                      .w = TUNING.body_w_px,
                                                      .h = TUNING.body_h_px,
                                                      .ride = DF_RIDE_STAND,
                                                      .flags = DF_ACTOR_ALIVE};
    return player;
}

struct player *test_match_in_hall(struct test_match *match, int32_t x)
{
    test_match_draw(match, TEST_MAP_HALL);
    test_match_start(match);
    struct player *player = test_match_put(match, 0, x, 64);
    test_match_step(match, 1);
    return player;
}

void test_match_hold(struct test_match *match, uint32_t slot, uint32_t buttons)
{
    match->inputs[slot].buttons = buttons;
}

void test_match_step(struct test_match *match, uint32_t ticks)
{
    for (; ticks > 0; ticks--) {
        match->roll_count = game_roll(&match->world, &match->map, NULL, NULL, match->rolls);
        world_step(&match->world, &match->map, match->inputs);
    }
}

void test_match_shoot(struct test_match *match, uint32_t slot, uint32_t directions)
{
    test_match_hold(match, slot, directions | BUTTON_SHOOT);
    test_match_step(match, 1);
    test_match_hold(match, slot, 0);
}

bool test_match_is_broken(const struct test_match *match, uint32_t column, uint32_t row)
{
    uint32_t tile = row * (uint32_t)match->map.columns + column;
    return match->world.broken[tile / 32] >> tile % 32 & 1;
}

void test_match_think(struct test_match *match, uint32_t skill)
{
    for (uint32_t slot = 0; slot < match->world.player_slots; slot++)
        match->inputs[slot] = ai_think(&match->world, &match->map, NULL, slot, (enum skill)skill);
}

void test_match_play(struct test_match *match, uint32_t seed, uint32_t bots, uint32_t ticks)
{
    test_map_random(&match->map, seed, 64, 40);
    test_match_start(match);
    for (uint32_t slot = 0; slot < bots; slot++)
        world_command(&match->world, &match->map, &(struct command){.slot = slot, .bot = 1});
    for (; ticks > 0; ticks--) {
        test_match_think(match, SKILL_NORMAL);
        test_match_step(match, 1);
    }
}

void test_match_forget(struct test_match *match)
{
    match->events_seen = match->world.event_count;
}

const struct event *test_match_event(const struct test_match *match, enum event_kind kind)
{
    for (uint32_t i = match->events_seen; i < match->world.event_count; i++)
        if (match->world.events[i % EVENT_CAPACITY].kind == kind)
            return &match->world.events[i % EVENT_CAPACITY];
    return NULL;
}
