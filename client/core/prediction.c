// SPDX-License-Identifier: MIT
#include "prediction.h"

#include <string.h>

static struct world *world_of(struct prediction *prediction, tick number)
{
    return &prediction->worlds[number % PREDICTION_WORLDS];
}

static void step(struct prediction *prediction, const struct map *map)
{
    const struct world *before = world_of(prediction, prediction->newest);
    struct world *after = world_of(prediction, prediction->newest + 1);
    for (uint32_t slot = 0; slot < before->player_slots; slot++)
        prediction->inputs[slot].buttons = before->players[slot].buttons;
    prediction->inputs[prediction->slot] = prediction->own[(prediction->newest + 1) % PREDICTION_WORLDS];
    world_copy(after, before);
    world_step(after, map, prediction->inputs);
    prediction->newest++;
}

static uint32_t guess(struct prediction *prediction, const struct map *map)
{
    uint32_t steps = 0;
    for (; (int32_t)(prediction->present - prediction->newest) > 0 &&
           prediction->newest - prediction->told < PREDICTION_TICKS_MAX;
         steps++)
        step(prediction, map);
    return steps;
}

void prediction_push(struct prediction *prediction, const struct map *map, tick now, struct player_input input)
{
    uint32_t gap = now - prediction->present;
    for (uint32_t i = 0; i < gap && i < PREDICTION_WORLDS; i++)
        prediction->own[(now - i) % PREDICTION_WORLDS] = input;
    prediction->present = now;
    guess(prediction, map);
}

bool prediction_confirm(struct prediction *prediction, const struct map *map, const struct world *world)
{
    const struct world *guessed = world_of(prediction, world->tick);
    bool held = (int32_t)(prediction->newest - world->tick) >= 0 && guessed->tick == world->tick;
    if (!held || memcmp(guessed, world, sizeof *world) != 0)
        return false;
    prediction->told = world->tick;
    guess(prediction, map);
    return true;
}

uint32_t prediction_restore(struct prediction *prediction, const struct map *map, const struct world *world)
{
    world_copy(world_of(prediction, world->tick), world);
    prediction->told = prediction->newest = world->tick;
    if ((int32_t)(prediction->present - world->tick) < 0)
        prediction->present = world->tick;
    return guess(prediction, map);
}

const struct world *prediction_world(const struct prediction *prediction)
{
    return &prediction->worlds[prediction->newest % PREDICTION_WORLDS];
}

const struct world *prediction_world_at(const struct prediction *prediction, tick number)
{
    bool guessed = (int32_t)(number - prediction->told) >= 0 && (int32_t)(prediction->newest - number) >= 0;
    return guessed ? &prediction->worlds[number % PREDICTION_WORLDS] : NULL;
}

const struct world *prediction_world_before(const struct prediction *prediction)
{
    const struct world *before = &prediction->worlds[(prediction->newest - 1) % PREDICTION_WORLDS];
    return before->tick == prediction->newest - 1 ? before : prediction_world(prediction);
}
