// SPDX-License-Identifier: MIT
#include "prediction.h"

#include <string.h>

#include "sync/game.h"

static struct world *world_of(struct prediction *prediction, tick number)
{
    return &prediction->worlds[number % PREDICTION_WORLDS];
}

static uint32_t step_to_present(struct prediction *prediction, const struct map *map)
{
    uint32_t steps = 0;
    for (; (int32_t)(prediction->present - prediction->newest) > 0 &&
           prediction->newest - prediction->confirmed < PREDICTION_TICKS_MAX;
         steps++) {
        const struct world *before = world_of(prediction, prediction->newest);
        struct world *after = world_of(prediction, ++prediction->newest);
        tick age = prediction->newest - prediction->confirmed;
        for (uint32_t slot = 0; slot < before->player_slots; slot++)
            prediction->inputs[slot] = game_guess_input(&before->players[slot], age);
        if (prediction->graph)
            game_think_bots(before, map, prediction->graph, prediction->inputs);
        const struct local_inputs *own = &prediction->own[prediction->newest % PREDICTION_WORLDS];
        for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
            if (prediction->seats.of[local])
                prediction->inputs[prediction->seats.of[local] - 1] = own->of[local];
        world_copy(after, before);
        world_step(after, map, prediction->inputs);
    }
    return steps;
}

void prediction_push(struct prediction *prediction, const struct map *map, tick now, const struct local_inputs *own)
{
    uint32_t gap = now - prediction->present;
    for (uint32_t i = 0; i < gap && i < PREDICTION_WORLDS; i++)
        prediction->own[(now - i) % PREDICTION_WORLDS] = *own;
    prediction->present = now;
    step_to_present(prediction, map);
}

bool prediction_confirm(struct prediction *prediction, const struct map *map, const struct world *world)
{
    const struct world *predicted = world_of(prediction, world->tick);
    bool held = (int32_t)(prediction->newest - world->tick) >= 0 && predicted->tick == world->tick;
    if (!held || memcmp(predicted, world, sizeof *world) != 0)
        return false;
    prediction->confirmed = world->tick;
    step_to_present(prediction, map);
    return true;
}

uint32_t prediction_restore(struct prediction *prediction, const struct map *map, const struct world *world)
{
    world_copy(world_of(prediction, world->tick), world);
    prediction->confirmed = prediction->newest = world->tick;
    if ((int32_t)(prediction->present - world->tick) < 0)
        prediction->present = world->tick;
    return step_to_present(prediction, map);
}

const struct world *prediction_confirmed(const struct prediction *prediction)
{
    return &prediction->worlds[prediction->confirmed % PREDICTION_WORLDS];
}

const struct world *prediction_world(const struct prediction *prediction)
{
    return &prediction->worlds[prediction->newest % PREDICTION_WORLDS];
}

const struct world *prediction_world_at(const struct prediction *prediction, tick number)
{
    bool predicted = (int32_t)(number - prediction->confirmed) >= 0 && (int32_t)(prediction->newest - number) >= 0;
    return predicted ? &prediction->worlds[number % PREDICTION_WORLDS] : NULL;
}

bool prediction_stands(const struct prediction *prediction)
{
    return prediction->newest != prediction->present;
}

const struct world *prediction_world_before(const struct prediction *prediction)
{
    const struct world *before = &prediction->worlds[(prediction->newest - 1) % PREDICTION_WORLDS];
    bool moves = before->tick == prediction->newest - 1 && !prediction_stands(prediction);
    return moves ? before : prediction_world(prediction);
}
