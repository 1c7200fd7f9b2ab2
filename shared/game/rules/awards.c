// SPDX-License-Identifier: MIT
#include "awards.h"

static uint32_t merit(const struct player_stats *stats, enum award_kind kind)
{
    switch (kind) {
    case AWARD_KILLS:
        return stats->kills;
    case AWARD_SQUISHES:
        return stats->squishes;
    case AWARD_CATCHES:
        return stats->catches;
    case AWARD_ACCURACY:
        if (stats->shots < AWARD_SHOTS_LEAST)
            return 0;
        return stats->hits >= stats->shots ? 100 : (uint32_t)((uint64_t)stats->hits * 100 / stats->shots);
    case AWARD_KINDS:
        break;
    }
    return 0;
}

uint32_t awards_compute(const struct world *world, struct award awards[AWARD_KINDS])
{
    uint32_t count = 0;
    for (uint32_t kind = 0; kind < AWARD_KINDS; kind++) {
        struct award best = {.kind = (enum award_kind)kind};
        for (uint32_t slot = 0; slot < world->player_slots; slot++) {
            const struct player *player = &world->players[slot];
            uint32_t value = player->state == PLAYER_ABSENT ? 0 : merit(&player->stats, best.kind);
            if (value > best.value ||
                (value != 0 && value == best.value && player->score > world->players[best.slot].score)) {
                best.slot = slot;
                best.value = value;
            }
        }
        if (best.value > 0)
            awards[count++] = best;
    }
    return count;
}
