// SPDX-License-Identifier: MIT
#include "trajectory.h"

#include <stdlib.h>

#include "game/tuning.h"

#define CLIMB_TICKS 9 ///< a climbing player stays away from the wall

const struct plan TRAJECTORY_PLANS[PLANS] = {
    [PLAN_LEFT] = {.first = -1, .then = -1},
    [PLAN_RIGHT] = {.first = 1, .then = 1},
    [PLAN_STAY] = {0},
    {.first = -1, .then = 1, .first_ticks = 12},
    {.first = 1, .then = -1, .first_ticks = 12},
    {.leap = LEAP_JUMP},
    {.leap = LEAP_JUMP, .first = -1, .then = -1},
    {.leap = LEAP_JUMP, .first = 1, .then = 1},
    {.leap = LEAP_JUMP, .then = -1, .first_ticks = 12},
    {.leap = LEAP_JUMP, .then = 1, .first_ticks = 12},
    {.leap = LEAP_JUMP, .first = -1, .then = 1, .first_ticks = 14},
    {.leap = LEAP_JUMP, .first = 1, .then = -1, .first_ticks = 14},
    {.leap = LEAP_JUMP, .first = -1, .then = 0, .first_ticks = 14},
    {.leap = LEAP_JUMP, .first = 1, .then = 0, .first_ticks = 14},
    {.leap = LEAP_DROP},
    {.leap = LEAP_DROP, .then = -1, .first_ticks = 6},
    {.leap = LEAP_DROP, .then = 1, .first_ticks = 6},
    {.leap = LEAP_JUMP, .first = -1, .then = -1, .climbs = true},
    {.leap = LEAP_JUMP, .first = 1, .then = 1, .climbs = true},
    {.leap = LEAP_JUMP, .dash_tick = 14, .dash_y = -1},
    {.leap = LEAP_JUMP, .then = -1, .first_ticks = 12, .dash_tick = 14, .dash_x = -1, .dash_y = -1},
    {.leap = LEAP_JUMP, .then = 1, .first_ticks = 12, .dash_tick = 14, .dash_x = 1, .dash_y = -1},
    {.leap = LEAP_JUMP, .first = -1, .then = -1, .dash_tick = 16, .dash_x = -1, .dash_y = -1},
    {.leap = LEAP_JUMP, .first = 1, .then = 1, .dash_tick = 16, .dash_x = 1, .dash_y = -1},
    {.leap = LEAP_JUMP, .then = -1, .first_ticks = 26, .dash_tick = 14, .dash_y = -1},
    {.leap = LEAP_JUMP, .then = 1, .first_ticks = 26, .dash_tick = 14, .dash_y = -1},
};

static int32_t px(int32_t sub)
{
    return df_floor_div(sub + DF_SUB / 2, DF_SUB);
}

struct trajectory trajectory_from(const struct world *world, uint32_t slot)
{
    const struct player *player = &world->players[slot];
    const struct df_actor *a = &world->actors[slot];
    struct trajectory flight = {.x_sub = a->x * DF_SUB + a->rem_x,
                                .y_sub = a->y * DF_SUB + a->rem_y,
                                .vx = player->vx,
                                .vy = player->vy,
                                .facing = player->facing,
                                .dashes = world->tick + 1 >= player->dash_ready_tick ? player->dashes : 0,
                                .forced = player->forced_direction,
                                .grounded = (player->flags & PLAYER_GROUNDED) != 0,
                                .hangs = (player->flags & PLAYER_HANGING) != 0};
    flight.hung = flight.hangs;
    if (player->jump_held_until > world->tick + 1)
        flight.hold_ticks = player->jump_held_until - world->tick - 1;
    if (player->forced_until > world->tick + 1)
        flight.forced_ticks = player->forced_until - world->tick - 1;
    if (player->dash_until > world->tick + 1) {
        flight.dash_ticks = player->dash_until - world->tick - 1;
        flight.dash_x = player->dash_x;
        flight.dash_y = player->dash_y;
    }
    return flight;
}

struct df_box trajectory_box(const struct trajectory *flight)
{
    return (struct df_box){px(flight->x_sub), px(flight->y_sub), TUNING.body_w_px, TUNING.body_h_px};
}

static enum df_tile tile_at(const struct trajectory_space *space, int32_t x, int32_t y)
{
    int32_t column = df_floor_div(x, MAP_EDGE_PX), row = df_floor_div(y, MAP_EDGE_PX);
    const struct df_tiles *tiles = &space->tiles;
    if (column < 0 || row < 0 || column >= tiles->columns || row >= tiles->rows)
        return df_tiles_at(tiles, column, row);
    enum df_tile tile = (enum df_tile)tiles->kinds[row * tiles->columns + column];
    return tile == DF_TILE_BLOCK ? df_tiles_at(tiles, column, row) : tile;
}

static bool is_wall(enum df_tile tile)
{
    return tile == DF_TILE_SOLID || tile == DF_TILE_BLOCK;
}

// Puts the solids where they will be.
static void move_solids(struct trajectory_space *space, uint32_t ticks)
{
    for (uint32_t i = 0; i < space->solid_count; i++) {
        struct trajectory_solid *solid = &space->solids[i];
        solid->at = solid->box;
        solid->at.x += px(solid->vx * (int32_t)ticks);
        solid->at.y += px(solid->vy * (int32_t)ticks);
    }
}

// map_overlaps(), without a call where the map does not wrap.
static bool overlaps(const struct trajectory_space *space, struct df_box a, struct df_box b)
{
    return space->tiles.outside == DF_OUTSIDE_WRAP ? map_overlaps(space->map, a, b) : df_box_overlaps(a, b);
}

// The first solid that overlaps the box then, or null. One-way ones do not count.
static const struct trajectory_solid *solid_in(const struct trajectory_space *space, struct df_box box)
{
    for (uint32_t i = 0; i < space->solid_count; i++)
        if (!space->solids[i].oneway && overlaps(space, space->solids[i].at, box))
            return &space->solids[i];
    return NULL;
}

static bool tiles_block(const struct trajectory_space *space, struct df_box box)
{
    int32_t right = box.x + box.w - 1, bottom = box.y + box.h - 1;
    for (int32_t y = box.y;; y = y + MAP_EDGE_PX < bottom ? y + MAP_EDGE_PX : bottom) {
        if (is_wall(tile_at(space, box.x, y)) || is_wall(tile_at(space, right, y)))
            return true;
        if (y >= bottom)
            return false;
    }
}

bool trajectory_is_blocked(const struct trajectory_space *space, struct df_box box)
{
    for (uint32_t i = 0; i < space->solid_count; i++)
        if (!space->solids[i].oneway && overlaps(space, space->solids[i].box, box))
            return true;
    return tiles_block(space, box);
}

static bool is_blocked(const struct trajectory_space *space, const struct trajectory *flight, int32_t dx, int32_t dy)
{
    struct df_box box = trajectory_box(flight);
    box.x += dx;
    box.y += dy;
    return tiles_block(space, box) || solid_in(space, box) != NULL;
}

// Whether something carries it, standing where it is; writes which solid.
static bool has_ground(const struct trajectory_space *space, struct trajectory *flight)
{
    struct df_box box = trajectory_box(flight);
    int32_t feet = box.y + box.h;
    flight->on = 0;
    for (uint32_t i = 0; i < space->solid_count; i++) {
        struct df_box top = space->solids[i].at;
        if (flight->drops && space->solids[i].oneway)
            continue;
        if (overlaps(space, (struct df_box){top.x, top.y - 1, top.w, 2}, (struct df_box){box.x, feet, box.w, 1}) &&
            (flight->vy >= 0 || feet == top.y)) {
            flight->on = space->solids[i].index + 1;
            return true;
        }
    }
    if (feet % MAP_EDGE_PX != 0)
        return false;
    enum df_tile left = tile_at(space, box.x, feet), right = tile_at(space, box.x + box.w - 1, feet);
    if (is_wall(left) || is_wall(right))
        return true;
    return !flight->drops && (left == DF_TILE_ONEWAY || right == DF_TILE_ONEWAY);
}

// Whether a wall is beside it, up to `gap_px` away.
static bool is_at_wall(const struct trajectory_space *space, const struct trajectory *flight, int32_t side,
                       int32_t gap_px)
{
    return is_blocked(space, flight, side * (gap_px + 1), 0);
}

static int32_t approach(int32_t value, int32_t target, int32_t step)
{
    if (value < target)
        return value + step < target ? value + step : target;
    return value - step > target ? value - step : target;
}

static void run(struct trajectory *flight, int32_t direction)
{
    bool too_fast = abs(flight->vx) > TUNING.run_max && (flight->vx > 0 ? 1 : -1) == direction;
    int32_t reduce = flight->grounded ? TUNING.run_reduce_ground : TUNING.run_reduce_air;
    int32_t accelerate = flight->grounded ? TUNING.run_accel_ground : TUNING.run_accel_air;
    flight->vx = approach(flight->vx, TUNING.run_max * direction, too_fast ? reduce : accelerate);
}

static void fall(const struct trajectory_space *space, struct trajectory *flight, int32_t direction, bool holds)
{
    if (flight->grounded)
        return;
    bool slides = flight->vy >= 0 && direction != 0 && is_at_wall(space, flight, direction, 0);
    bool apex = holds && abs(flight->vy) < TUNING.apex_speed;
    flight->vy = approach(flight->vy, slides ? 2 * TUNING.wall_slide_max : TUNING.fall_max,
                          apex ? TUNING.gravity_apex : TUNING.gravity);
    if (!holds)
        flight->hold_ticks = 0;
    else if (flight->hold_ticks > 0) {
        flight->hold_ticks--;
        if (flight->vy > TUNING.jump_vy)
            flight->vy = TUNING.jump_vy;
    }
}

static void leave(struct trajectory *flight, int32_t vx, int32_t vy)
{
    flight->vx = vx;
    flight->vy = vy;
    flight->hold_ticks = TUNING.jump_hold_ticks;
    flight->dash_ticks = 0;
    flight->grounded = flight->hangs = flight->hung = false;
    flight->on = 0;
}

static void jump(const struct trajectory_space *space, struct trajectory *flight, int32_t direction)
{
    if (flight->hangs) {
        leave(flight, 0, TUNING.ledge_hop_vy);
        return;
    }
    if (flight->grounded) {
        leave(flight, flight->vx + TUNING.jump_vx * direction, TUNING.jump_vy);
        return;
    }
    for (int32_t side = flight->facing, tries = 0; tries < 2; side = -side, tries++)
        if (is_at_wall(space, flight, side, TUNING.wall_jump_gap_px)) {
            if (direction != 0) {
                flight->forced = -side;
                flight->forced_ticks = TUNING.wall_jump_forced_ticks;
            }
            flight->facing = -side;
            leave(flight, -side * TUNING.wall_jump_vx, TUNING.wall_jump_vy);
            return;
        }
}

// Takes hold of a ledge as ledge.c does, where nothing but tiles is asked.
static void grab(const struct trajectory_space *space, struct trajectory *flight, int32_t side)
{
    struct df_box box = trajectory_box(flight);
    int32_t x = side < 0 ? box.x - 1 : box.x + box.w;
    for (int32_t up = 0; up <= TUNING.ledge_reach_px; up++) {
        int32_t y = box.y - up;
        if (y % MAP_EDGE_PX != 0 || !is_wall(tile_at(space, x, y)) || is_wall(tile_at(space, x, y - 1)) ||
            is_blocked(space, flight, 0, TUNING.ledge_ground_px))
            continue;
        flight->y_sub = y * DF_SUB;
        flight->vx = flight->vy = 0;
        flight->hangs = true;
        return;
    }
}

static void walk_x(const struct trajectory_space *space, struct trajectory *flight)
{
    int32_t from = px(flight->x_sub), to = px(flight->x_sub + flight->vx), side = flight->vx > 0 ? 1 : -1;
    if (is_blocked(space, flight, to - from, 0)) {
        int32_t went = 0;
        while (went != to - from && !is_blocked(space, flight, went + side, 0))
            went += side;
        flight->x_sub = (from + went) * DF_SUB;
        flight->vx = 0;
        return;
    }
    flight->x_sub += flight->vx;
}

static void walk_y(const struct trajectory_space *space, struct trajectory *flight)
{
    int32_t from = px(flight->y_sub), to = px(flight->y_sub + flight->vy), side = flight->vy > 0 ? 1 : -1;
    int32_t rest = flight->y_sub + flight->vy - to * DF_SUB;
    for (int32_t y = from; y != to; y += side) {
        bool stops = side > 0 ? has_ground(space, flight) : is_blocked(space, flight, 0, -1);
        flight->drops = false;
        if (stops) {
            flight->vy = 0;
            flight->hold_ticks = 0;
            return;
        }
        flight->y_sub = (y + side) * DF_SUB;
    }
    flight->y_sub = to * DF_SUB + rest;
}

// Solids move first: they carry it, or push it, or there is no room left for it.
static void be_moved(const struct trajectory_space *space, struct trajectory *flight)
{
    for (uint32_t i = 0; i < space->solid_count; i++) {
        const struct trajectory_solid *solid = &space->solids[i];
        if (flight->on == solid->index + 1) {
            flight->x_sub += solid->vx;
            flight->y_sub += map_distance(space->map, px(flight->y_sub) + TUNING.body_h_px, solid->at.y,
                                          space->map->rows * MAP_EDGE_PX) *
                             DF_SUB;
        }
    }
    const struct trajectory_solid *in = solid_in(space, trajectory_box(flight));
    if (in == NULL)
        return;
    for (int32_t i = 0; i < 5; i++) {
        flight->x_sub += in->vx > 0 ? DF_SUB : in->vx < 0 ? -DF_SUB : 0;
        flight->y_sub += in->vy > 0 ? DF_SUB : in->vy < 0 ? -DF_SUB : 0;
        if (!is_blocked(space, flight, 0, 0))
            return;
    }
    flight->dead = true;
}

static void meet_dangers(const struct trajectory_space *space, struct trajectory *flight)
{
    struct df_box box = trajectory_box(flight);
    int32_t right = box.x + box.w - 1, low = box.y + TUNING.hurt_h_px - 1;
    if (tile_at(space, box.x, low) == DF_TILE_HAZARD || tile_at(space, right, low) == DF_TILE_HAZARD ||
        box.y > space->map->rows * MAP_EDGE_PX)
        flight->dead = space->tiles.outside != DF_OUTSIDE_WRAP || box.y <= space->map->rows * MAP_EDGE_PX;
    for (uint32_t i = 0; i < space->danger_count && flight->harm_tick == 0; i++) {
        const struct trajectory_danger *danger = &space->dangers[i];
        if (flight->ticks < danger->from_tick || flight->ticks >= danger->until_tick)
            continue;
        struct df_box at = danger->box;
        at.x += px(danger->vx * (int32_t)flight->ticks);
        at.y += px(danger->vy * (int32_t)flight->ticks);
        if (overlaps(space, at, box))
            flight->harm_tick = flight->ticks;
    }
}

static void meet_doors(const struct trajectory_space *space, struct trajectory *flight)
{
    for (uint32_t i = 0; i < space->door_count; i++)
        if (overlaps(space, space->doors[i].box, trajectory_box(flight)))
            flight->door = space->doors[i].index + 1;
}

static void meet_prize(const struct trajectory_space *space, struct trajectory *flight)
{
    const struct trajectory_prize *prize = &space->prize;
    if (prize->box.w == 0 || (prize->head && flight->vy <= 0))
        return;
    struct df_box at = prize->box, box = trajectory_box(flight);
    at.x += px(prize->vx * (int32_t)flight->ticks);
    at.y += px(prize->vy * (int32_t)flight->ticks);
    if (prize->head) {
        box.y += box.h - 2;
        box.h = 4;
    } else {
        box.h = TUNING.hurt_h_px; // the feet pick nothing up
    }
    if (overlaps(space, at, box))
        flight->prize_tick = flight->ticks;
}

static void dash(struct trajectory *flight, const struct plan *plan)
{
    if (flight->dashes == 0)
        return;
    bool diagonal = plan->dash_x != 0 && plan->dash_y != 0;
    flight->dashes = 0;
    flight->dash_ticks = TUNING.dash_ticks;
    flight->dash_x = plan->dash_x;
    flight->dash_y = plan->dash_y;
    flight->vx = plan->dash_x * (diagonal ? TUNING.dash_diagonal : TUNING.dash_speed);
    flight->vy = plan->dash_y * (diagonal ? TUNING.dash_diagonal : TUNING.dash_speed);
    flight->hold_ticks = 0;
}

static void end_dash(struct trajectory *flight)
{
    if (flight->dash_ticks == 0 || --flight->dash_ticks > 0)
        return;
    bool diagonal = flight->dash_x != 0 && flight->dash_y != 0;
    int32_t speed = diagonal ? TUNING.dash_end_diagonal : TUNING.dash_end_speed;
    if (flight->vx != 0)
        flight->vx = flight->dash_x * speed;
    if (flight->vy != 0)
        flight->vy = flight->dash_y * speed;
}

static void step(const struct trajectory_space *space, struct trajectory *flight, const struct plan *plan)
{
    int32_t direction = flight->ticks < plan->first_ticks ? plan->first : plan->then;
    bool jumps = flight->ticks == 0 && plan->leap == LEAP_JUMP;
    flight->ticks++;
    be_moved(space, flight);
    end_dash(flight);
    if (plan->dash_tick == flight->ticks)
        dash(flight, plan);
    if (flight->hangs && !flight->hung)
        jumps = direction != -flight->facing;
    if (plan->climbs && !flight->grounded && flight->vy > 0 &&
        is_at_wall(space, flight, plan->then, TUNING.wall_jump_gap_px)) {
        jumps = true;
        direction = 0;
        flight->forced = 0;
        flight->forced_ticks = CLIMB_TICKS + 1;
        flight->facing = plan->then;
    }
    if (flight->forced_ticks > 0) {
        flight->forced_ticks--;
        direction = flight->forced;
    }
    if (direction != 0 && !flight->hangs)
        flight->facing = direction;
    if (!flight->grounded && flight->vy >= 0 && direction != 0 && flight->dash_ticks == 0 && !flight->hangs)
        grab(space, flight, direction);
    if (flight->hangs && direction == -flight->facing)
        flight->hangs = flight->hung = false;
    if (flight->dash_ticks == 0 && !flight->hangs) {
        run(flight, direction);
        fall(space, flight, direction, flight->vy < 0);
    }
    if (jumps)
        jump(space, flight, direction);
    if (flight->ticks == 1 && plan->leap == LEAP_DROP && flight->grounded) {
        flight->drops = true;
        flight->vy = TUNING.drop_vy;
    }
    if (flight->vx != 0)
        walk_x(space, flight);
    if (flight->vy != 0)
        walk_y(space, flight);
    flight->grounded = flight->vy >= 0 && !flight->hangs && has_ground(space, flight);
    if (flight->grounded && flight->vy > 0)
        flight->vy = 0;
    meet_dangers(space, flight);
    meet_prize(space, flight);
    meet_doors(space, flight);
}

struct trajectory trajectory_follow(const struct trajectory_space *space, struct trajectory flight,
                                    const struct plan *plan, uint32_t walk_ticks)
{
    bool flew = !flight.grounded;
    bool starts_hanging = flight.hangs;
    struct trajectory_space then = *space;
    while (!flight.dead && flight.prize_tick == 0 && flight.ticks < TRAJECTORY_TICKS_MAX) {
        move_solids(&then, flight.ticks + 1);
        step(&then, &flight, plan);
        flew |= !flight.grounded;
        if (flew ? flight.grounded && flight.dash_ticks == 0 : flight.ticks >= walk_ticks)
            break;
        if (starts_hanging && flight.hangs && flight.ticks >= walk_ticks)
            break;
    }
    return flight;
}

uint32_t trajectory_plan_buttons(const struct plan *plan)
{
    int32_t x = plan->first_ticks > 0 ? plan->first : plan->then, y = plan->leap == LEAP_DROP;
    uint32_t buttons = plan->leap != LEAP_NONE ? BUTTON_JUMP : 0;
    if (plan->dash_tick == 1) {
        x = plan->dash_x;
        y = plan->dash_y;
        buttons |= BUTTON_DASH;
    }
    return buttons | (x < 0 ? BUTTON_LEFT : x > 0 ? BUTTON_RIGHT : 0) | (y < 0 ? BUTTON_UP : y > 0 ? BUTTON_DOWN : 0);
}
