// SPDX-License-Identifier: MIT
//
// Two teams: as in ffa, and each point is the team's as well; a team mate killed (with friendly fire) costs one. The
// team with more points wins; equal scores at the end of the time are a draw.
#include "mode.h"

static void killed(struct world *world, uint32_t slot, uint32_t killer)
{
    bool own_fault = killer == EVENT_NOBODY;
    uint32_t who = own_fault ? slot : killer, team = world->players[who].team;
    int32_t points = own_fault || team == world->players[slot].team ? -1 : 1;
    mode_add_score(world, who, points);
    mode_add_team_score(world, team, points);
}

const struct mode_play MODE_TEAMS_PLAY = {.teams = true, .score_limit = 30, .killed = killed};
