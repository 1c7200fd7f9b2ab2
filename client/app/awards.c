// SPDX-License-Identifier: MIT
#include "awards.h"

#define SHOTS_LEAST 5 ///< that an aim is judged by

static uint32_t kills_of(const struct player *player)
{
    return player->kills;
}

static uint32_t squishes_of(const struct player *player)
{
    return player->squishes;
}

static uint32_t catches_of(const struct player *player)
{
    return player->catches;
}

static uint32_t aim_of(const struct player *player)
{
    uint32_t hits = player->hits < player->shots ? player->hits : player->shots;
    return player->shots < SHOTS_LEAST ? 0 : (uint32_t)((uint64_t)hits * 100 / player->shots);
}

static const struct {
    const char *title, *unit, *unit_of_one;
    uint32_t (*of)(const struct player *player);
} ROWS[AWARD_CAPACITY] = {
    {"Deadliest", "kills", "kill", kills_of},
    {"Best squisher", "squishes", "squish", squishes_of},
    {"Safest hands", "catches", "catch", catches_of},
    {"Sharpest aim", "% hits", "% hits", aim_of},
};

uint32_t awards_of(const struct world *world, struct award awards[AWARD_CAPACITY])
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < AWARD_CAPACITY; row++) {
        struct award best = {.title = ROWS[row].title, .unit = ROWS[row].unit};
        for (uint32_t slot = 0; slot < world->player_slots; slot++) {
            const struct player *player = &world->players[slot];
            uint32_t value = player->state == PLAYER_ABSENT ? 0 : ROWS[row].of(player);
            if (value > best.value) {
                best.value = value;
                best.slot = slot;
            }
        }
        if (best.value == 1)
            best.unit = ROWS[row].unit_of_one;
        if (best.value)
            awards[count++] = best;
    }
    return count;
}
