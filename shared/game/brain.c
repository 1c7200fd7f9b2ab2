// SPDX-License-Identifier: MIT
#include "brain.h"

#include "rng.h"

const char *skill_name(enum skill skill)
{
    switch (skill) {
    case SKILL_IDLE:
        return "idle";
    case SKILL_RANDOM:
        return "random";
    case SKILL_EASY:
        return "easy";
    case SKILL_NORMAL:
        return "normal";
    case SKILL_HARD:
        return "hard";
    case SKILLS:
        break;
    }
    return "unknown";
}

/// Dice that stay the same for `hold_ticks`: pure, of the seed, the slot and the time.
static uint32_t dice(const struct world *world, uint32_t slot, uint32_t hold_ticks, uint32_t salt)
{
    uint32_t state =
        world->rules.seed ^ slot * 0x9E3779B9u ^ (world->tick + slot * 7) / hold_ticks * 0x85EBCA6Bu ^ salt;
    rng_next(&state);
    return rng_next(&state);
}

static uint32_t random_buttons(const struct world *world, uint32_t slot)
{
    uint32_t buttons = 0;
    for (uint32_t bit = 0; bit < BUTTON_BITS; bit++)
        if (dice(world, slot, 4 + bit * 3, bit) % 3 == 0)
            buttons |= 1u << bit;
    return buttons;
}

struct player_input brain_think(const struct world *world, const struct map *map, uint32_t slot, enum skill skill)
{
    (void)map;
    struct player_input input = {0};
    if (slot >= world->player_slots || world->players[slot].state != PLAYER_ALIVE || skill == SKILL_IDLE)
        return input;
    input.buttons = random_buttons(world, slot);
    return input;
}
