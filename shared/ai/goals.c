// SPDX-License-Identifier: MIT
#include "goals.h"

#include "aim.h"
#include "game/entities/switch.h"
#include "game/tuning.h"

#define FAR_TICKS           2000 ///< what a place without a known way counts
#define FETCH_TICKS         100  ///< an arrow is worth to a player who has some
#define HUNGRY_TICKS        900  ///< and to a player who has none
#define REACH_ROWS          5    ///< above a floor that an arrow can be jumped for
#define GIVE_UP_TICKS       100  ///< for so long it leaves an arrow alone
#define NEAR_PX             48
#define STROLL_TICKS        100 ///< that it strolls
#define STROLL_PERIOD_TICKS 600 ///< from the beginning of one stroll to the next
#define ASIDE_TICKS         40  ///< at its beginning, in which it steps aside
#define ASIDE_PX            64
#define ASIDE_WALL_PX       16
#define DOOR_STEPS          24  ///< of the way that are looked at for doors
#define CLOSE_PX            120 ///< an enemy this near is no time for a long stroll
#define STROLL_CLOSE_TICKS  60
#define WALL_NEAR_PX        64
#define SLOW_RIDE_TICKS     8 ///< that the slowest ride needs for a px
#define BEHIND_PX           10
#define KICK_PX             16
#define LEAD_TICKS          12

static struct goal goal_at(const struct mind *mind, int32_t x, int32_t feet, int32_t rows)
{
    return (struct goal){.to = mind_way(mind, x, feet - TUNING.body_h_px / 2), .cell = mind_cell(mind, x, feet, rows)};
}

// Ticks to get there, about.
static uint32_t distance(const struct mind *mind, const struct goal *goal)
{
    if (mind->ways == NULL || mind->cell == NAV_CELL_NONE || goal->cell == NAV_CELL_NONE)
        return (uint32_t)(abs(goal->to.x) + 2 * abs(goal->to.y)) * DF_SUB / (uint32_t)TUNING.run_max;
    uint16_t cost = nav_graph_cost(mind->ways, mind->cell, goal->cell);
    return cost == NAV_COST_FAR ? FAR_TICKS : cost + (uint32_t)abs(goal->to.x) / 4;
}

static void consider(const struct mind *mind, uint32_t actor, struct goal *best, uint32_t *best_ticks)
{
    const struct df_actor *a = &mind->world->actors[actor];
    struct spot to = mind_way_to(mind, actor);
    // As the crow flies it is never nearer: most need no cell.
    if ((uint32_t)(abs(to.x) + abs(to.y)) * DF_SUB / (uint32_t)(2 * TUNING.run_max) >= *best_ticks)
        return;
    struct goal goal = goal_at(mind, a->x + a->w / 2, a->y + a->h, REACH_ROWS);
    if (mind->ways != NULL && goal.cell == NAV_CELL_NONE)
        return; // too high up to jump for
    goal.prize.box = (struct df_box){a->x, a->y, a->w, a->h};
    uint32_t ticks = distance(mind, &goal);
    if (ticks >= *best_ticks)
        return;
    *best_ticks = ticks;
    *best = goal;
}

// An arrow may stick where nobody can take it; at times bots look at others, most of all when they are near enough to
// have it by now.
static bool gives_up(const struct mind *mind, uint32_t arrow)
{
    const struct df_actor *a = &mind->world->actors[PLAYER_CAPACITY + arrow];
    struct spot to = mind_way(mind, a->x, a->y);
    bool near = abs(to.x) < NEAR_PX && abs(to.y) < NEAR_PX;
    uint32_t time = mind->mood_tick / GIVE_UP_TICKS + arrow + mind->slot;
    return time % (near ? 3 : 12) == 0;
}

// The nearest arrow or chest within so many ticks.
static bool find_supply(const struct mind *mind, uint32_t within_ticks, struct goal *goal)
{
    uint32_t best = within_ticks;
    for (uint32_t i = 0; i < mind->world->arrow_slots; i++)
        if (mind->world->arrows[i].state == ARROW_STUCK && mind->world->arrows[i].burnt_tick == 0 && !gives_up(mind, i))
            consider(mind, PLAYER_CAPACITY + i, goal, &best);
    for (uint32_t i = 0; i < mind->world->chest_count; i++)
        if (mind->world->chests[i].state == CHEST_CLOSED)
            consider(mind, CHEST_ACTORS + i, goal, &best);
    return best < within_ticks;
}

static struct goal spawn_goal(const struct mind *mind, uint32_t index)
{
    const struct map_spawn *spawn = &mind->map->spawns[index % (uint32_t)mind->map->spawn_count];
    return goal_at(mind, spawn->x, spawn->y, MIND_FALL_ROWS);
}

// Returns the one of a few places that is farthest from the hunter.
static struct goal refuge(const struct mind *mind, struct spot enemy_at)
{
    uint32_t mood = mind_mood(mind, mind->traits->attention_ticks * 4, 9);
    struct goal best = spawn_goal(mind, mood);
    int32_t farthest = -1;
    for (uint32_t i = 0; i < 4; i++) {
        struct goal goal = spawn_goal(mind, mood / 16 + i * 5);
        int32_t far = abs(goal.to.x - enemy_at.x) + abs(goal.to.y - enemy_at.y);
        if (far <= farthest)
            continue;
        farthest = far;
        best = goal;
    }
    return best;
}

// True if the walls of sudden death are near; then the middle of the map is the place to be.
static bool is_closed_in(const struct mind *mind, struct goal *goal)
{
    if (mind->world->round.sudden_death_ticks == 0)
        return false;
    int32_t middle = mind->map->columns * MAP_EDGE_PX / 2;
    int32_t gone =
        (int32_t)((int64_t)middle * mind->world->round.sudden_death_ticks / TUNING.sudden_death_closing_ticks);
    if (mind->x - gone > WALL_NEAR_PX && 2 * middle - gone - mind->x > WALL_NEAR_PX)
        return false;
    int32_t best = INT32_MAX;
    for (int32_t i = 0; i < mind->map->spawn_count; i++) {
        int32_t far = abs(mind->map->spawns[i].x - middle);
        if (far >= best)
            continue;
        best = far;
        *goal = spawn_goal(mind, (uint32_t)i);
    }
    goal->to.x = middle - mind->x;
    return true;
}

// +1 or -1: the side of the wall that its team has to break; 0 without one.
static struct spot wall_side(const struct mind *mind)
{
    for (int32_t i = 0; i < mind->map->goal_count; i++) {
        const struct map_goal *goal = &mind->map->goals[i];
        if (goal->team == mind->player->team)
            continue;
        bool upright = goal->columns <= goal->rows;
        return (struct spot){upright ? mind_sign(2 * goal->column + goal->columns - mind->map->columns) : 0,
                             upright ? 0 : mind_sign(2 * goal->row + goal->rows - mind->map->rows)};
    }
    return (struct spot){0, 0};
}

// The ball to play: the nearest; of several the one that is nearest to the own wall counts half.
static const struct df_ball *find_ball(const struct mind *mind, struct spot *at)
{
    const struct df_ball *best = NULL;
    struct spot side = wall_side(mind);
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < mind->world->ball_count; i++) {
        const struct df_ball *ball = &mind->world->balls[i];
        struct spot to = mind_way(mind, df_floor_div(ball->cx, DF_SUB), df_floor_div(ball->cy, DF_SUB));
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

static bool find_ball_goal(const struct mind *mind, struct goal *goal)
{
    struct spot at;
    const struct df_ball *ball = mind->world->rules.mode == MODE_BREAKOUT ? find_ball(mind, &at) : NULL;
    if (ball == NULL)
        return false;
    struct spot side = wall_side(mind);
    int32_t behind = ball->radius_px + BEHIND_PX;
    int32_t x = mind->x + at.x + ball->vx * LEAD_TICKS / DF_SUB - side.x * behind;
    int32_t y = mind->y + at.y + ball->vy * LEAD_TICKS / DF_SUB - side.y * behind;
    *goal = goal_at(mind, x, y + TUNING.body_h_px / 2, MIND_FALL_ROWS);
    return true;
}

uint32_t goals_hit_ball(const struct mind *mind)
{
    struct spot at;
    const struct df_ball *ball = mind->world->rules.mode == MODE_BREAKOUT ? find_ball(mind, &at) : NULL;
    if (ball == NULL)
        return 0;
    struct spot side = wall_side(mind);
    int32_t reach = ball->radius_px + KICK_PX;
    bool ahead = side.x * at.x + side.y * at.y >= -4;
    if (ahead && abs(at.x) <= reach && abs(at.y) <= reach && mind_can_dash(mind)) {
        int32_t x = side.x != 0 ? side.x : abs(at.x) > 8 ? mind_sign(at.x) : 0;
        int32_t y = side.y != 0 ? side.y : abs(at.y) > 8 ? mind_sign(at.y) : 0;
        return mind_buttons(x, y) | BUTTON_DASH;
    }
    int32_t cross = side.x != 0 ? at.y : at.x, along = side.x * at.x + side.y * at.y;
    bool lines_up = along > reach && along < mind->traits->sight_px && abs(cross) <= ball->radius_px;
    if (lines_up && mind->player->arrows > 1 && mind->world->tick + 1 >= mind->player->shoot_ready_tick &&
        !mind_pressed(mind, BUTTON_SHOOT) && aim_is_clear(mind, at))
        return mind_buttons(side.x, side.y) | BUTTON_SHOOT;
    return 0;
}

// Something carries it: no time to think of anything else.
static bool is_under_way(const struct mind *mind)
{
    return mind->ways != NULL && mind->cell != NAV_CELL_NONE && mind->cell >= mind->ways->ride_first &&
           mind->body->lift_tick + SLOW_RIDE_TICKS >= mind->world->tick;
}

// Strolls of different slots begin at different times.
static uint32_t stroll_clock(const struct mind *mind)
{
    return mind->mood_tick + (mind->slot * 7 + 3) * ASIDE_TICKS;
}

// Since its last stroll began.
static uint32_t stroll_ticks(const struct mind *mind)
{
    return stroll_clock(mind) % STROLL_PERIOD_TICKS;
}

// The same for a whole stroll.
static uint32_t stroll_dice(const struct mind *mind, uint32_t salt)
{
    return mind_mood(mind, INT32_MAX, salt ^ stroll_clock(mind) / STROLL_PERIOD_TICKS << 8);
}

// Without memory a bot can pursue without end what it cannot get; so now and then it goes somewhere else, but not far
// from a near enemy.
static bool strolls(const struct mind *mind, const struct player *enemy, struct spot enemy_at)
{
    bool close = enemy != NULL && abs(enemy_at.x) + abs(enemy_at.y) < CLOSE_PX;
    return stroll_ticks(mind) < (close ? STROLL_CLOSE_TICKS : STROLL_TICKS);
}

// A spawn, or the top of something that moves.
static struct goal somewhere(const struct mind *mind)
{
    uint32_t dice = stroll_dice(mind, 18);
    if (dice % 2 != 0 || mind->map->solid_count == 0)
        return spawn_goal(mind, dice / 4);
    const struct df_solid *solid = &mind->world->solids[dice / 4 % (uint32_t)mind->map->solid_count];
    return goal_at(mind, solid->x + solid->w / 2, solid->y, 2);
}

static bool is_free(const struct mind *mind, int32_t way)
{
    struct df_box near = {mind->x + mind_sign(way) * ASIDE_WALL_PX, mind->y, 1, 1};
    return !df_tiles_block(&mind->tiles, near) &&
           (mind->ways == NULL || mind_cell(mind, mind->x + way / 2, mind->feet, MIND_FALL_ROWS) != NAV_CELL_NONE);
}

// A step aside: what does not work from here may work from there.
static struct goal aside(const struct mind *mind)
{
    int32_t way = stroll_dice(mind, 19) % 2 != 0 ? ASIDE_PX : -ASIDE_PX;
    return (struct goal){.to = {is_free(mind, way) ? way : -way, 0}, .cell = NAV_CELL_NONE};
}

// The first door on the way from its cell to another that is closed and stays so, or -1.
static int32_t closed_door(const struct mind *mind, uint16_t to)
{
    uint32_t channels = switch_channels(mind->world, mind->map);
    uint16_t cell = mind->cell;
    for (uint32_t steps = 0; steps < DOOR_STEPS && nav_graph_cost(mind->ways, cell, to) != 0; steps++) {
        const struct nav_edge *edge = nav_graph_next(mind->ways, cell, to);
        if (edge == NULL)
            return -1;
        int32_t door = edge->door - 1;
        if (door >= 0 && mind->world->crushers[door].clock_ticks == 0 &&
            (channels >> (mind->map->solids[door].channel - 1) & 1u) == 0)
            return door;
        cell = edge->to;
    }
    return -1;
}

// Where a closed door is on the way: the nearest plate that opens it. Levers it leaves to luck.
static struct goal through_doors(const struct mind *mind, struct goal goal)
{
    if (mind->ways == NULL || mind->map->switch_count == 0 || mind->cell == NAV_CELL_NONE || goal.cell == NAV_CELL_NONE)
        return goal;
    int32_t door = closed_door(mind, goal.cell);
    uint32_t best = FAR_TICKS;
    for (int32_t i = 0; i < mind->map->switch_count && door >= 0; i++) {
        const struct map_switch *plate = &mind->map->switches[i];
        if (plate->channel != mind->map->solids[door].channel || plate->kind != MAP_SWITCH_PLATE)
            continue;
        struct goal to = goal_at(mind, plate->box.x + plate->box.w / 2, plate->box.y + plate->box.h, 2);
        if (to.cell == NAV_CELL_NONE || closed_door(mind, to.cell) >= 0 || distance(mind, &to) >= best)
            continue;
        best = distance(mind, &to);
        goal = to;
    }
    return goal;
}

static struct goal choose(const struct mind *mind)
{
    struct goal goal = {.cell = NAV_CELL_NONE};
    struct spot at = {0, 0};
    const struct player *enemy = mind_enemy(mind, &at);
    uint32_t mood = mind_mood(mind, mind->traits->attention_ticks, 1);
    if (is_closed_in(mind, &goal))
        return goal;
    bool free = !is_under_way(mind);
    if (free && mood % 8 < mind->traits->wander_of_8)
        return spawn_goal(mind, mood / 8);
    if (free && strolls(mind, enemy, at))
        return stroll_ticks(mind) < ASIDE_TICKS ? aside(mind) : somewhere(mind);
    uint32_t arrows = mind->player->arrows;
    if (arrows == 0 && find_supply(mind, HUNGRY_TICKS, &goal))
        return goal;
    if (find_ball_goal(mind, &goal))
        return goal;
    uint32_t worth = enemy == NULL ? HUNGRY_TICKS : arrows < 2 ? 2 * FETCH_TICKS : FETCH_TICKS;
    if (arrows < (mind->traits->cunning ? TUNING.arrows_max : TUNING.arrows_start) && find_supply(mind, worth, &goal))
        return goal;
    if (enemy == NULL)
        return spawn_goal(mind, mood / 8);
    if (arrows == 0 && mind->traits->cunning)
        return refuge(mind, at);
    const struct df_actor *a = &mind->world->actors[enemy - mind->world->players];
    goal = goal_at(mind, a->x + a->w / 2, a->y + a->h, MIND_FALL_ROWS);
    goal.prize = (struct trajectory_prize){{a->x, a->y, a->w, 3}, enemy->vx, 0, true};
    return goal;
}

struct goal goals_choose(const struct mind *mind)
{
    return through_doors(mind, choose(mind));
}
