// SPDX-License-Identifier: MIT
#include "agent.h"

#include "game/entities/entities.h"
#include "game/entities/entity_list.h"
#include "game/rules/mode.h"
#include "game/tuning.h"
#include "nav_graph_build.h"

#define FAR_TICKS           2000 ///< cost of a goal without a path
#define FETCH_TICKS         100  ///< worth of an arrow to a player who has some
#define HUNGRY_TICKS        900  ///< worth of an arrow to a player who has none
#define REACH_ROWS          5    ///< how high above a floor a jump reaches an arrow
#define IGNORE_TICKS        100  ///< for which a bot ignores an arrow
#define NEAR_PX             48
#define DETOUR_TICKS        100 ///< length of a detour
#define DETOUR_PERIOD_TICKS 600 ///< from the start of one detour to the next
#define SIDESTEP_TICKS      40  ///< at the start of a detour, for a sidestep
#define SIDESTEP_PX         64
#define SIDESTEP_WALL_PX    16
#define DOOR_STEPS          24  ///< edges of a path that are searched for doors
#define CLOSE_PX            120 ///< an enemy this near makes a detour short
#define DETOUR_CLOSE_TICKS  60
#define WALL_NEAR_PX        64
#define SLOW_RIDE_TICKS     8 ///< in which the slowest ride moves by a pixel
#define BEHIND_PX           10
#define KICK_PX             16
#define LEAD_TICKS          12

static struct goal goal_at(const struct agent *agent, int32_t x, int32_t feet, int32_t rows)
{
    return (struct goal){.to = agent_offset(agent, x, feet - TUNING.body_h_px / 2),
                         .cell = agent_cell(agent, x, feet, rows)};
}

// About how many ticks the dx to a goal takes.
static uint32_t path_ticks(const struct agent *agent, const struct goal *goal)
{
    if (agent->graph == NULL || agent->cell == NAV_CELL_NONE || goal->cell == NAV_CELL_NONE)
        return (uint32_t)(abs(goal->to.x) + 2 * abs(goal->to.y)) * DF_SUB / (uint32_t)agent->tuning->run_max;
    uint16_t cost = nav_graph_cost(agent->graph, agent->cell, goal->cell);
    return cost == NAV_COST_FAR ? FAR_TICKS : cost + (uint32_t)abs(goal->to.x) / 4;
}

static void consider(const struct agent *agent, uint32_t actor, struct goal *best, uint32_t *best_ticks)
{
    const struct df_actor *a = &agent->world->actors[actor];
    struct vector to = agent_offset_to(agent, actor);
    // No path is shorter than the straight line, which spares most actors the search for a cell.
    if ((uint32_t)(abs(to.x) + abs(to.y)) * DF_SUB / (uint32_t)(2 * agent->tuning->run_max) >= *best_ticks)
        return;
    struct goal goal = goal_at(agent, a->x + a->w / 2, a->y + a->h, REACH_ROWS);
    if (agent->graph != NULL && goal.cell == NAV_CELL_NONE)
        return; // too high up to jump for
    goal.target.box = (struct df_box){a->x, a->y, a->w, a->h};
    uint32_t ticks = path_ticks(agent, &goal);
    if (ticks >= *best_ticks)
        return;
    *best_ticks = ticks;
    *best = goal;
}

// An arrow may stick where nobody can take it, so bots ignore each one at times, more often a near one, which they
// should have by now.
static bool ignores_arrow(const struct agent *agent, uint32_t arrow)
{
    const struct df_actor *a = &agent->world->actors[PLAYER_CAPACITY + arrow];
    struct vector to = agent_offset(agent, a->x, a->y);
    bool near = abs(to.x) < NEAR_PX && abs(to.y) < NEAR_PX;
    uint32_t time = agent->decision_tick / IGNORE_TICKS + arrow + agent->slot;
    return time % (near ? 3 : 12) == 0;
}

// Finds the nearest thing to fetch.
static bool find_supply(const struct agent *agent, uint32_t within_ticks, struct goal *goal)
{
    uint32_t best = within_ticks, actor = entity_list_next_supply(agent->world, 0);
    for (; actor < ACTOR_CAPACITY; actor = entity_list_next_supply(agent->world, actor + 1))
        if (!step_is_arrow((int32_t)actor) || !ignores_arrow(agent, actor - PLAYER_CAPACITY))
            consider(agent, actor, goal, &best);
    return best < within_ticks;
}

static struct goal spawn_goal(const struct agent *agent, uint32_t index)
{
    const struct map_spawn *spawn = &agent->map->spawns[index % (uint32_t)agent->map->spawn_count];
    return goal_at(agent, spawn->x, spawn->y, AGENT_FALL_ROWS);
}

// The spawn farthest from the enemy, of a few random ones.
static struct goal refuge(const struct agent *agent, struct vector enemy_at)
{
    uint32_t decision = agent_decision(agent, agent->traits->decision_ticks * 4, 9);
    struct goal best = spawn_goal(agent, decision);
    int32_t farthest = -1;
    for (uint32_t i = 0; i < 4; i++) {
        struct goal goal = spawn_goal(agent, decision / 16 + i * 5);
        int32_t far = abs(goal.to.x - enemy_at.x) + abs(goal.to.y - enemy_at.y);
        if (far <= farthest)
            continue;
        farthest = far;
        best = goal;
    }
    return best;
}

// When the walls of sudden death are near, the goal is the middle of the map.
static bool flees_walls(const struct agent *agent, struct goal *goal)
{
    if (agent->world->round.sudden_death_ticks == 0)
        return false;
    int32_t middle = agent->map->columns * MAP_EDGE_PX / 2;
    int32_t gone =
        (int32_t)((int64_t)middle * agent->world->round.sudden_death_ticks / TUNING.sudden_death_closing_ticks);
    if (agent->x - gone > WALL_NEAR_PX && 2 * middle - gone - agent->x > WALL_NEAR_PX)
        return false;
    int32_t best = INT32_MAX;
    for (int32_t i = 0; i < agent->map->spawn_count; i++) {
        int32_t far = abs(agent->map->spawns[i].x - middle);
        if (far >= best)
            continue;
        best = far;
        *goal = spawn_goal(agent, (uint32_t)i);
    }
    goal->to.x = middle - agent->x;
    return true;
}

// The direction in which the wall lies that the bot's team has to break; 0, 0 without one.
static struct vector wall_side(const struct agent *agent)
{
    for (int32_t i = 0; i < agent->map->goal_count; i++) {
        const struct map_goal *goal = &agent->map->goals[i];
        if (goal->team == agent->player->team)
            continue;
        bool upright = goal->columns <= goal->rows;
        return (struct vector){upright ? agent_sign(2 * goal->column + goal->columns - agent->map->columns) : 0,
                               upright ? 0 : agent_sign(2 * goal->row + goal->rows - agent->map->rows)};
    }
    return (struct vector){0, 0};
}

// The nearest ball. A ball that flies toward the bot's own wall counts as half as far.
static const struct df_ball *find_ball(const struct agent *agent, struct vector *at)
{
    const struct df_ball *best = NULL;
    struct vector side = wall_side(agent);
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < agent->world->ball_count; i++) {
        const struct df_ball *ball = &agent->world->balls[i];
        struct vector to = agent_offset(agent, df_floor_div(ball->cx, DF_SUB), df_floor_div(ball->cy, DF_SUB));
        bool comes = side.x * ball->vx + side.y * ball->vy < 0;
        int32_t far = (abs(to.x) + abs(to.y)) / (comes ? 2 : 1);
        if ((ball->flags & DF_BALL_ALIVE) == 0 || far >= least)
            continue;
        least = far;
        best = ball;
        *at = to;
    }
    return best;
}

static bool find_ball_goal(const struct agent *agent, struct goal *goal)
{
    struct vector at;
    const struct df_ball *ball = mode_of(agent->world)->goals ? find_ball(agent, &at) : NULL;
    if (ball == NULL)
        return false;
    struct vector side = wall_side(agent);
    int32_t behind = ball->radius_px + BEHIND_PX;
    int32_t x = agent->x + at.x + ball->vx * LEAD_TICKS / DF_SUB - side.x * behind;
    int32_t y = agent->y + at.y + ball->vy * LEAD_TICKS / DF_SUB - side.y * behind;
    *goal = goal_at(agent, x, y + TUNING.body_h_px / 2, AGENT_FALL_ROWS);
    return true;
}

uint32_t goals_hit_ball(const struct agent *agent)
{
    struct vector at;
    const struct df_ball *ball = mode_of(agent->world)->goals ? find_ball(agent, &at) : NULL;
    if (ball == NULL)
        return 0;
    struct vector side = wall_side(agent);
    int32_t reach = ball->radius_px + KICK_PX;
    bool ahead = side.x * at.x + side.y * at.y >= -4;
    if (ahead && abs(at.x) <= reach && abs(at.y) <= reach && agent_can_dash(agent)) {
        int32_t x = side.x != 0 ? side.x : abs(at.x) > 8 ? agent_sign(at.x) : 0;
        int32_t y = side.y != 0 ? side.y : abs(at.y) > 8 ? agent_sign(at.y) : 0;
        return agent_direction_buttons(x, y) | BUTTON_DASH;
    }
    int32_t cross = side.x != 0 ? at.y : at.x, along = side.x * at.x + side.y * at.y;
    bool lines_up = along > reach && along < agent->traits->sight_px && abs(cross) <= ball->radius_px;
    if (lines_up && agent->player->arrows > 1 && agent->world->tick + 1 >= agent->player->shoot_ready_tick &&
        !agent_holds(agent, BUTTON_SHOOT) && aim_is_clear(agent, at))
        return agent_direction_buttons(side.x, side.y) | BUTTON_SHOOT;
    return 0;
}

// Detours of different slots begin at different times.
static uint32_t detour_clock(const struct agent *agent)
{
    return agent->decision_tick + (agent->slot * 7 + 3) * SIDESTEP_TICKS;
}

static uint32_t detour_ticks(const struct agent *agent)
{
    return detour_clock(agent) % DETOUR_PERIOD_TICKS;
}

// A random number that holds for a whole detour.
static uint32_t detour_dice(const struct agent *agent, uint32_t salt)
{
    return agent_decision(agent, INT32_MAX, salt ^ detour_clock(agent) / DETOUR_PERIOD_TICKS << 8);
}

// What a bot cannot reach from here it may reach from a few steps aside.
static struct goal sidestep(const struct agent *agent)
{
    int32_t dx = detour_dice(agent, 19) % 2 != 0 ? SIDESTEP_PX : -SIDESTEP_PX;
    struct df_box near = {agent->x + agent_sign(dx) * SIDESTEP_WALL_PX, agent->y, 1, 1};
    bool is_free =
        !df_tiles_block(&agent->tiles, near) &&
        (agent->graph == NULL || agent_cell(agent, agent->x + dx / 2, agent->feet, AGENT_FALL_ROWS) != NAV_CELL_NONE);
    return (struct goal){.to = {is_free ? dx : -dx, 0}, .cell = NAV_CELL_NONE};
}

// The first closed door on the path to a cell that nothing is opening, or -1.
static int32_t closed_door(const struct agent *agent, uint16_t to)
{
    uint32_t channels = switch_channels(agent->world, agent->map);
    uint16_t cell = agent->cell;
    for (uint32_t steps = 0; steps < DOOR_STEPS && nav_graph_cost(agent->graph, cell, to) != 0; steps++) {
        const struct nav_edge *edge = nav_graph_next(agent->graph, cell, to);
        if (edge == NULL)
            return -1;
        int32_t door = edge->door - 1;
        if (door >= 0 && agent->world->crushers[door].clock_ticks == 0 &&
            (channels >> (agent->map->solids[door].channel - 1) & 1u) == 0)
            return door;
        cell = edge->to;
    }
    return -1;
}

// If a closed door is on the path, the goal is the nearest plate that opens it, or lever that the bot has an arrow for.
static struct goal through_doors(const struct agent *agent, struct goal goal)
{
    if (agent->graph == NULL || agent->map->switch_count == 0 || agent->cell == NAV_CELL_NONE ||
        goal.cell == NAV_CELL_NONE)
        return goal;
    int32_t door = closed_door(agent, goal.cell);
    uint32_t best = FAR_TICKS;
    for (uint32_t i = 0; door >= 0 && i < (uint32_t)agent->map->switch_count; i++) {
        const struct map_switch *of = &agent->map->switches[i];
        bool is_lever = of->kind == MAP_SWITCH_LEVER && agent->player->arrows > 0;
        if (of->channel != agent->map->solids[door].channel || (of->kind != MAP_SWITCH_PLATE && !is_lever))
            continue;
        struct goal to =
            goal_at(agent, of->box.x + of->box.w / 2, of->box.y + of->box.h, is_lever ? AGENT_FALL_ROWS : 2);
        to.lever = is_lever ? i + 1 : 0;
        if (to.cell == NAV_CELL_NONE || closed_door(agent, to.cell) >= 0 || path_ticks(agent, &to) >= best)
            continue;
        best = path_ticks(agent, &to);
        goal = to;
    }
    return goal;
}

static struct goal choose(const struct agent *agent)
{
    struct goal goal = {.cell = NAV_CELL_NONE};
    struct vector at = {0, 0};
    const struct player *enemy = agent_nearest_enemy(agent, &at);
    uint32_t decision = agent_decision(agent, agent->traits->decision_ticks, 1);
    if (flees_walls(agent, &goal))
        return goal;
    // While a solid carries the bot, it keeps its goal.
    bool free = agent->graph == NULL || agent->cell == NAV_CELL_NONE || agent->cell < agent->graph->ride_first ||
                agent->body->lift_tick + SLOW_RIDE_TICKS < agent->world->tick;
    if (free && decision % 8 < agent->traits->wander_of_8)
        return spawn_goal(agent, decision / 8);
    // Without memory a bot could try forever to reach what it cannot. So it makes a detour now and then, a short one
    // when an enemy is near: a few steps aside, then a random spawn, or the top of a random solid.
    bool close = enemy != NULL && abs(at.x) + abs(at.y) < CLOSE_PX;
    if (free && detour_ticks(agent) < (close ? DETOUR_CLOSE_TICKS : DETOUR_TICKS)) {
        uint32_t dice = detour_dice(agent, 18);
        if (detour_ticks(agent) < SIDESTEP_TICKS)
            return sidestep(agent);
        if (dice % 2 != 0 || agent->map->solid_count == 0)
            return spawn_goal(agent, dice / 4);
        const struct df_solid *solid = &agent->world->solids[dice / 4 % (uint32_t)agent->map->solid_count];
        return goal_at(agent, solid->x + solid->w / 2, solid->y, 2);
    }
    uint32_t arrows = agent->player->arrows;
    if (arrows == 0 && find_supply(agent, HUNGRY_TICKS, &goal))
        return goal;
    if (find_ball_goal(agent, &goal))
        return goal;
    uint32_t worth = enemy == NULL ? HUNGRY_TICKS : arrows < 2 ? 2 * FETCH_TICKS : FETCH_TICKS;
    if (arrows < (agent->traits->cunning ? agent->tuning->arrows_max : agent->tuning->arrows_start) &&
        find_supply(agent, worth, &goal))
        return goal;
    if (enemy == NULL)
        return spawn_goal(agent, decision / 8);
    if (arrows == 0 && agent->traits->cunning)
        return refuge(agent, at);
    const struct df_actor *a = &agent->world->actors[enemy - agent->world->players];
    goal = goal_at(agent, a->x + a->w / 2, a->y + a->h, AGENT_FALL_ROWS);
    goal.target = (struct motion_target){{a->x, a->y, a->w, 3}, enemy->vx, 0, true};
    return goal;
}

struct goal goals_choose(const struct agent *agent)
{
    return through_doors(agent, choose(agent));
}
