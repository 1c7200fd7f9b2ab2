// SPDX-License-Identifier: MIT
//
// Breakout: two teams, each before a wall of blocks, which the map's goal objects name. A ball is through a wall when
// its centre is over the goal line: the goal's column of tiles that is farthest from the middle of the map (of a goal
// wider than high: its row). No ball crosses a tile in a tick, so none can jump over the line. The other team wins the
// round. If both walls fall in the same tick, or none in the time of a round, it is a draw.
#include "mode.h"

static struct df_box goal_line(const struct map *map, const struct map_goal *goal)
{
    struct df_box box = {goal->column, goal->row, goal->columns, goal->rows};
    if (box.w <= box.h) {
        bool left = 2 * box.x + box.w <= map->columns;
        box.x += left ? 0 : box.w - 1;
        box.w = 1;
    } else {
        bool above = 2 * box.y + box.h <= map->rows;
        box.y += above ? 0 : box.h - 1;
        box.h = 1;
    }
    return (struct df_box){box.x * MAP_EDGE_PX, box.y * MAP_EDGE_PX, box.w * MAP_EDGE_PX, box.h * MAP_EDGE_PX};
}

static bool is_through(const struct step *step, uint32_t team)
{
    for (int32_t g = 0; g < step->map->goal_count; g++) {
        if (step->map->goals[g].team != team)
            continue;
        struct df_box line = goal_line(step->map, &step->map->goals[g]);
        for (uint32_t i = 0; i < step->world->ball_count; i++) {
            const struct df_ball *ball = &step->world->balls[i];
            struct df_box centre = {df_floor_div(ball->cx, DF_SUB), df_floor_div(ball->cy, DF_SUB), 1, 1};
            if ((ball->flags & DF_BALL_ALIVE) != 0 && step_overlaps(step, line, centre))
                return true;
        }
    }
    return false;
}

static bool decided(const struct step *step, struct outcome *outcome)
{
    bool first = is_through(step, 1), second = is_through(step, 2);
    if (first != second)
        outcome->team = first ? 2 : 1;
    return first || second || step->world->tick - step->world->round.since_tick >= TUNING.breakout_round_ticks;
}

static const char *lack(const struct map *map)
{
    uint32_t teams = 0;
    for (int32_t i = 0; i < map->goal_count; i++)
        teams |= 1u << map->goals[i].team;
    if (teams != (1u << 1 | 1u << 2))
        return "the mode breakout needs a map with a goal object for each of the teams 1 and 2";
    return map->ball_count > 0 ? NULL : "the mode breakout needs a map with a ball";
}

const struct mode_play MODE_BREAKOUT_PLAY = {.teams = true, .score_limit = 3, .decided = decided, .map_validate = lack};
