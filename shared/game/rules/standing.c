// SPDX-License-Identifier: MIT
#include "team.h"

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
