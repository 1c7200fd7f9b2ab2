// SPDX-License-Identifier: MIT
#include "mode.h"

#include "game/scalar.h"

const struct mode_play *mode_play(enum mode mode)
{
    switch (mode) {
    case MODE_FFA:
        return &MODE_FFA_PLAY;
    case MODE_LMS:
        return &MODE_LMS_PLAY;
    case MODE_TEAMS:
        return &MODE_TEAMS_PLAY;
    case MODE_BREAKOUT:
        return &MODE_BREAKOUT_PLAY;
    case MODES:
        break;
    }
    return &MODE_FFA_PLAY;
}

const struct mode_play *mode_of(const struct world *world)
{
    return mode_play((enum mode)world->rules.mode);
}

static bool has_spawn(const struct map *map, int32_t team)
{
    for (int32_t i = 0; i < map->spawn_count; i++)
        if (map->spawns[i].team == 0 || map->spawns[i].team == team)
            return true;
    return false;
}

const char *mode_map_fault(enum mode mode, const struct map *map)
{
    const struct mode_play *play = mode_play(mode);
    for (int32_t team = 1; play->teams && team <= TEAM_COUNT; team++)
        if (!has_spawn(map, team))
            return "the map has no spawn for one of the teams; give it one of team 1 and one of team 2, or of any";
    return play->map_validate != NULL ? play->map_validate(map) : NULL;
}

static int32_t sum(int32_t score, int32_t points)
{
    return scalar_clamp(score + points, -TUNING.score_max, TUNING.score_max);
}

void mode_add_score(struct world *world, uint32_t slot, int32_t points)
{
    struct player *player = &world->players[slot];
    player->score = sum(player->score, points);
}

void mode_add_team_score(struct world *world, uint32_t team, int32_t points)
{
    if (team != 0)
        world->round.team_scores[team - 1] = sum(world->round.team_scores[team - 1], points);
}

const char *mode_name(enum mode mode)
{
    switch (mode) {
    case MODE_FFA:
        return "ffa";
    case MODE_LMS:
        return "lms";
    case MODE_TEAMS:
        return "teams";
    case MODE_BREAKOUT:
        return "breakout";
    case MODES:
        break;
    }
    return "unknown";
}
