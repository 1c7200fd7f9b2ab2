// SPDX-License-Identifier: MIT
#include "standing.h"

#include "game/player/player.h"

struct outcome standing_leader(const struct world *world, int32_t *score)
{
    struct outcome best = {0};
    if (mode_of(world)->teams) {
        const int32_t *scores = world->round.team_scores;
        *score = scores[0] > scores[1] ? scores[0] : scores[1];
        best.team = scores[0] == scores[1] ? 0 : scores[0] > scores[1] ? 1 : 2;
        return best;
    }
    *score = INT32_MIN;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if (!player_plays(player) || player->score < *score)
            continue;
        best.winner = player->score > *score ? slot + 1 : 0;
        *score = player->score;
    }
    return best;
}

bool standing_is_match_point(const struct world *world)
{
    int32_t score;
    standing_leader(world, &score);
    return world->rules.score_limit > 1 && score == world->rules.score_limit - 1;
}

uint32_t standing_alive(const struct world *world)
{
    uint32_t alive = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        alive += world->players[slot].state == PLAYER_ALIVE;
    return alive;
}

// --- awards

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
        if (stats->shots < AWARD_SHOTS_LEAST || (uint64_t)stats->hits * 100 < (uint64_t)stats->shots * AWARD_HITS_LEAST)
            return 0;
        return stats->hits >= stats->shots ? 100 : (uint32_t)((uint64_t)stats->hits * 100 / stats->shots);
    case AWARD_KINDS:
        break;
    }
    return 0;
}

uint32_t standing_awards(const struct world *world, struct award awards[AWARD_KINDS])
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

struct award_oddity standing_oddity(const struct world *world)
{
    // What is worth a smile; twice as much is twice as remarkable.
    static const uint32_t USUAL[ODDITY_KINDS] = {
        [ODDITY_OWN_KILLS] = 1, [ODDITY_WALL_SHOTS] = 12, [ODDITY_FALL] = 500, [ODDITY_JUMPS] = 100};
    struct award_oddity best = {0};
    uint64_t most = 99; // per cent of the usual
    for (uint32_t kind = ODDITY_NONE + 1; kind < ODDITY_KINDS; kind++)
        for (uint32_t slot = 0; slot < world->player_slots; slot++) {
            const struct player *player = &world->players[slot];
            const struct player_stats *stats = &player->stats;
            uint32_t values[ODDITY_KINDS] = {[ODDITY_OWN_KILLS] = stats->own_kills,
                                             [ODDITY_WALL_SHOTS] = stats->wall_shots,
                                             [ODDITY_FALL] = stats->fallen_px / AWARD_METRE_PX,
                                             [ODDITY_JUMPS] = stats->jumps};
            uint32_t value = values[kind];
            uint64_t share = (uint64_t)value * 100 / USUAL[kind];
            if (player->state == PLAYER_ABSENT || share <= most)
                continue;
            best = (struct award_oddity){(enum award_oddity_kind)kind, slot, value};
            most = share;
        }
    return best;
}
