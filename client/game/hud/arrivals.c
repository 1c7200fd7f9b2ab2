// SPDX-License-Identifier: MIT
#include "arrivals.h"

#include <string.h>

#include "sync/player_name.h"

bool arrivals_next(struct arrivals *arrivals, const struct world *world, uint64_t now_us, struct arrival *arrival)
{
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
        const struct player *player = &world->players[slot];
        char *name = arrivals->seats[slot].name;
        bool was_there = *name,
             is_there = slot < world->player_slots && player->state != PLAYER_ABSENT && !(player->flags & PLAYER_BOT);
        bool is_away_long = now_us - arrivals->seats[slot].seen_us >= ARRIVALS_AWAY_US;
        if (is_there) {
            player_name_to_text(player->name, name);
            arrivals->seats[slot].seen_us = now_us;
        }
        // Another name in the same seat is somebody else only if the seat was empty for long enough in between.
        bool has_changed = is_there ? !was_there && *name : was_there && is_away_long;
        if (!has_changed || !arrivals->has_begun)
            continue;
        *arrival = (struct arrival){.slot = slot, .joined = is_there};
        memcpy(arrival->name, name, sizeof arrival->name);
        if (!is_there)
            *name = 0;
        return true;
    }
    arrivals->has_begun = true;
    return false;
}
