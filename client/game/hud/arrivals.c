// SPDX-License-Identifier: MIT
#include "arrivals.h"

#include <string.h>

#include "sync/player_name.h"

static bool is_person(const struct world *world, uint32_t slot)
{
    const struct player *player = &world->players[slot];
    return slot < world->player_slots && player->state != PLAYER_ABSENT && !(player->flags & PLAYER_BOT);
}

// Another name in the same seat is somebody else only if the seat was empty for long enough in between.
static bool look(struct arrivals *arrivals, const struct world *world, uint32_t slot, uint64_t now_us)
{
    char *name = arrivals->seats[slot].name;
    bool is_there = is_person(world, slot), was_there = *name;
    if (is_there) {
        player_name_to_text(world->players[slot].name, name);
        arrivals->seats[slot].seen_us = now_us;
        return !was_there && *name;
    }
    return was_there && now_us - arrivals->seats[slot].seen_us >= ARRIVALS_AWAY_US;
}

bool arrivals_next(struct arrivals *arrivals, const struct world *world, uint64_t now_us, struct arrival *arrival)
{
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
        if (!look(arrivals, world, slot, now_us) || !arrivals->has_begun)
            continue;
        arrival->slot = slot;
        arrival->joined = is_person(world, slot);
        memcpy(arrival->name, arrivals->seats[slot].name, sizeof arrival->name);
        if (!arrival->joined)
            arrivals->seats[slot].name[0] = 0;
        return true;
    }
    arrivals->has_begun = true;
    return false;
}
