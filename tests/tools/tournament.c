// SPDX-License-Identifier: MIT
#include "tournament.h"

#include <stdlib.h>
#include <string.h>

#include "game/tuning.h"
#include "sync/game.h"
#include "sync/world.h"

#define STAND_PX 12

static struct world world;
static struct player_input inputs[PLAYER_CAPACITY];

// Where each player last had moved on.
static struct {
    int32_t x, y;
    tick since_tick;
    bool rode;
} lasts[PLAYER_CAPACITY];

static void observe(struct tournament *t, uint32_t slot, uint32_t seed)
{
    const struct df_actor *a = &world.actors[slot];
    const struct player *player = &world.players[slot];
    // Only a carry in this tick is a ride.
    bool rides = player->state == PLAYER_ALIVE && (player->flags & PLAYER_GROUNDED) != 0 &&
                 a->lift_tick + 1 >= world.tick && world.tick > 1 && (a->lift_x != 0 || a->lift_y != 0);
    t->rides += rides && !lasts[slot].rode;
    lasts[slot].rode = rides;
    bool moved = abs(a->x - lasts[slot].x) > STAND_PX || abs(a->y - lasts[slot].y) > STAND_PX;
    if (player->state != PLAYER_ALIVE || world.round.phase != ROUND_PLAYING || moved || lasts[slot].since_tick == 0) {
        lasts[slot].x = a->x;
        lasts[slot].y = a->y;
        lasts[slot].since_tick = world.tick;
    }
    uint32_t stood = world.tick - lasts[slot].since_tick;
    t->stands += stood == 10 * TICKS_PER_SECOND;
    if (stood <= t->stand_ticks_max)
        return;
    t->stand_ticks_max = stood;
    t->stand_at = (struct spot_seen){a->x, a->y, t->skills[slot % 2], seed, world.tick};
}

static void count_deaths(struct tournament *t, uint32_t from_event)
{
    for (uint32_t i = from_event; i < world.event_count; i++) {
        const struct event *event = &world.events[i % EVENT_CAPACITY];
        if (event->kind == EVENT_KILL && event->detail < TOURNAMENT_CAUSES)
            t->deaths[event->subject % 2][event->detail]++;
    }
}

static void score(struct tournament *t)
{
    int32_t points[2] = {0};
    for (uint32_t slot = 0; slot < t->bots; slot++) {
        points[slot % 2] += world.players[slot].score;
        t->kills[slot % 2] += world.players[slot].stats.kills;
    }
    if (points[0] != points[1])
        t->wins[points[1] > points[0]]++;
}

void tournament_play(struct tournament *t, uint32_t seed)
{
    memset(lasts, 0, sizeof lasts);
    world_init(&world, t->map, &(struct rules){.mode = MODE_FFA, .seed = seed});
    for (uint32_t slot = 0; slot < t->bots; slot++)
        world_command(&world, t->map, &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1});
    for (uint32_t i = 0; i < t->ticks + TUNING.warmup_ticks + TUNING.countdown_ticks; i++) {
        uint32_t events = world.event_count;
        for (uint32_t slot = 0; slot < t->bots; slot++)
            inputs[slot] = ai_think(&world, t->map, t->graph, slot, t->skills[slot % 2]);
        game_roll(&world, t->map, NULL, NULL, NULL);
        world_step(&world, t->map, inputs);
        count_deaths(t, events);
        for (uint32_t slot = 0; slot < t->bots; slot++)
            observe(t, slot, seed);
    }
    score(t);
}
