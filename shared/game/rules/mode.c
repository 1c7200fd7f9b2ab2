// SPDX-License-Identifier: MIT
#include "mode.h"

#include <stddef.h>
#include <string.h>

#include "base/number.h"

void mode_add_score(struct world *world, uint32_t slot, int32_t points)
{
    int32_t *score = &world->players[slot].score;
    *score = number_clamp(*score + points, -TUNING.score_max, TUNING.score_max);
}

void mode_add_team_score(struct world *world, uint32_t team, int32_t points)
{
    if (team == 0)
        return;
    int32_t *score = &world->round.team_scores[team - 1];
    *score = number_clamp(*score + points, -TUNING.score_max, TUNING.score_max);
}

// Free for all: a kill is worth a point, and a death that nobody else caused costs one. The best score wins; equal best
// scores when the time is over are a draw.
static void ffa_killed(struct world *world, uint32_t slot, uint32_t killer)
{
    if (killer == EVENT_NOBODY)
        mode_add_score(world, slot, -1);
    else
        mode_add_score(world, killer, 1);
}

// Last man standing: one life a round, and the last player alive wins it. If the last players die in the same tick, or
// still live together a second after the walls have met, the round is a draw and nobody gets the point.
static bool lms_decided(const struct step *step, struct outcome *outcome)
{
    const struct world *world = step->world;
    uint32_t alive = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        if (world->players[slot].state != PLAYER_ALIVE)
            continue;
        outcome->winner = slot + 1;
        alive++;
    }
    if (alive > 1)
        outcome->winner = 0;
    return alive <= 1 || world->tick - world->round.since_tick >
                             TUNING.sudden_death_after_ticks + TUNING.sudden_death_closing_ticks + TICKS_PER_SECOND;
}

// Two teams: as in ffa, and each point counts for the team as well. Killing a team mate (with friendly fire) costs a
// point. The team with more points wins; equal scores when the time is over are a draw.
static void teams_killed(struct world *world, uint32_t slot, uint32_t killer)
{
    bool own_fault = killer == EVENT_NOBODY;
    uint32_t who = own_fault ? slot : killer, team = world->players[who].team;
    int32_t points = own_fault || team == world->players[slot].team ? -1 : 1;
    mode_add_score(world, who, points);
    mode_add_team_score(world, team, points);
}

// Breakout: each of two teams stands before a wall of blocks, which the goal objects of the map name. A ball is through
// a wall when its centre is over the goal line: the goal's column of tiles farthest from the middle of the map, or its
// row if the goal is wider than high. No ball crosses a tile in one tick, so none can jump over the line. The other
// team wins the round. If both walls fall in the same tick, or none within the time of a round, it is a draw.
static bool is_through(const struct step *step, uint32_t team)
{
    const struct map *map = step->map;
    for (int32_t g = 0; g < map->goal_count; g++) {
        const struct map_goal *goal = &map->goals[g];
        if (goal->team != team)
            continue;
        struct df_box line = {goal->column, goal->row, goal->columns, goal->rows};
        if (line.w <= line.h) {
            line.x += 2 * line.x + line.w <= map->columns ? 0 : line.w - 1;
            line.w = 1;
        } else {
            line.y += 2 * line.y + line.h <= map->rows ? 0 : line.h - 1;
            line.h = 1;
        }
        line = (struct df_box){line.x * MAP_EDGE_PX, line.y * MAP_EDGE_PX, line.w * MAP_EDGE_PX, line.h * MAP_EDGE_PX};
        for (uint32_t i = 0; i < step->world->ball_count; i++) {
            const struct df_ball *ball = &step->world->balls[i];
            struct df_box centre = {df_floor_div(ball->cx, DF_SUB), df_floor_div(ball->cy, DF_SUB), 1, 1};
            if ((ball->flags & DF_BALL_ALIVE) != 0 && step_overlaps(step, line, centre))
                return true;
        }
    }
    return false;
}

static bool breakout_decided(const struct step *step, struct outcome *outcome)
{
    bool first = is_through(step, 1), second = is_through(step, 2);
    if (first != second)
        outcome->team = first ? 2 : 1;
    return first || second || step->world->tick - step->world->round.since_tick >= TUNING.breakout_round_ticks;
}

static const char *breakout_validate_map(const struct map *map)
{
    uint32_t teams = 0;
    for (int32_t i = 0; i < map->goal_count; i++)
        teams |= 1u << map->goals[i].team;
    if (teams != (1u << 1 | 1u << 2))
        return "the mode breakout needs a map with a goal object for each of the teams 1 and 2";
    return map->ball_count > 0 ? NULL : "the mode breakout needs a map with a ball";
}

// Trials: courses for one player against the clock. A course is done when all its targets and flags are on, each of its
// bots has died (they stand where the map has spawns of team 2), and as many arrows were caught as the score limit has
// points left. The score is what is done of it, so the match ends at the limit like any other.
bool mode_is_trial_task(const struct map_switch *of)
{
    return of->kind == MAP_SWITCH_TARGET || of->kind == MAP_SWITCH_FLAG;
}

static bool is_bot(const struct player *player)
{
    return (player->flags & PLAYER_BOT) != 0;
}

uint32_t mode_trial_tasks(const struct map *map)
{
    uint32_t tasks = 0;
    for (int32_t i = 0; i < map->switch_count; i++)
        tasks += mode_is_trial_task(&map->switches[i]);
    for (int32_t i = 0; i < map->spawn_count; i++)
        tasks += map->spawns[i].team == 2;
    return tasks;
}

static void trial_count(struct step *step)
{
    struct world *world = step->world;
    uint32_t done = 0, catches = 0, tasks = mode_trial_tasks(step->map), limit = (uint32_t)world->rules.score_limit;
    for (uint32_t i = 0; i < world->switch_count; i++)
        done += mode_is_trial_task(&step->map->switches[i]) && world->switches[i].on;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        done += is_bot(player) && player->stats.deaths > 0;
        catches += is_bot(player) ? 0 : player->stats.catches;
    }
    uint32_t wanted = limit > tasks ? limit - tasks : 0;
    done += catches < wanted ? catches : wanted;
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (world->players[slot].state != PLAYER_ABSENT && !is_bot(&world->players[slot]))
            world->players[slot].score = (int32_t)done;
}

static const char *trial_validate_map(const struct map *map)
{
    bool has_start = false;
    for (int32_t i = 0; i < map->spawn_count; i++)
        has_start |= map->spawns[i].team != 2;
    return has_start ? NULL : "a course needs a spawn of team 1";
}

static const struct mode_play PLAYS[MODES] = {
    [MODE_FFA] = {.score_limit = 20, .usual_from = 1, .killed = ffa_killed},
    [MODE_LMS] = {.one_life = true, .walls = true, .score_limit = 5, .usual_from = 2, .decided = lms_decided},
    [MODE_TEAMS] = {.teams = true, .score_limit = 30, .killed = teams_killed},
    [MODE_BREAKOUT] = {.teams = true,
                       .goals = true,
                       .score_limit = 3,
                       .decided = breakout_decided,
                       .validate_map = breakout_validate_map},
    [MODE_TRIAL] = {.alone = true, .count = trial_count, .validate_map = trial_validate_map},
};

const struct mode_play *mode_play(enum mode mode)
{
    return &PLAYS[mode < MODES ? mode : MODE_FFA];
}

enum mode mode_usual(uint32_t people)
{
    enum mode usual = MODE_FFA;
    for (enum mode mode = MODE_FFA; mode < MODES; mode++)
        if (PLAYS[mode].usual_from > PLAYS[usual].usual_from && PLAYS[mode].usual_from <= people)
            usual = mode;
    return usual;
}

const struct mode_play *mode_of(const struct world *world)
{
    return mode_play((enum mode)world->rules.mode);
}

_Static_assert(sizeof(const char *[]){MODE_NAME_LIST} == MODES_OFFERED * sizeof(const char *), "each has its name");
const char *const MODE_NAMES[MODES_OFFERED + 1] = {MODE_NAME_LIST, NULL};

enum mode mode_named(const char *name)
{
    uint32_t mode = 0;
    while (mode < MODES_OFFERED && strcmp(MODE_NAMES[mode], name) != 0)
        mode++;
    return mode < MODES_OFFERED ? (enum mode)mode : MODES;
}

const char *mode_name(enum mode mode)
{
    return mode == MODE_TRIAL ? "trial" : mode < MODES_OFFERED ? MODE_NAMES[mode] : "unknown";
}

uint32_t mode_spawn_team(const struct world *world, uint32_t slot)
{
    const struct player *player = &world->players[slot];
    return !mode_of(world)->alone ? player->team : is_bot(player) ? 2 : 1;
}

bool mode_revives(const struct world *world, uint32_t slot)
{
    const struct player *player = &world->players[slot];
    return !mode_of(world)->alone || !is_bot(player) || player->stats.deaths == 0;
}

const char *mode_validate_map(enum mode mode, const struct map *map)
{
    const struct mode_play *play = mode_play(mode);
    for (int32_t team = 1; play->teams && team <= TEAM_COUNT; team++) {
        int32_t i = 0;
        while (i < map->spawn_count && map->spawns[i].team != 0 && map->spawns[i].team != team)
            i++;
        if (i == map->spawn_count)
            return "the map has no spawn for one of the teams; give it one of team 1 and one of team 2, or of any";
    }
    return play->validate_map != NULL ? play->validate_map(map) : NULL;
}
