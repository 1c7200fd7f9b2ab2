// SPDX-License-Identifier: MIT
#include "motion_simulation.h"

#include <stdlib.h>

#include "base/number.h"
#include "game/tuning.h"

#define CLIMB_TICKS 9 ///< for which a climbing body stays away from the wall

const struct motion MOTION_TABLE[MOTIONS] = {
    [MOTION_LEFT] = {.first = -1, .then = -1},
    [MOTION_RIGHT] = {.first = 1, .then = 1},
    [MOTION_STAY] = {0},
    {.first = -1, .then = 1, .first_ticks = 12},
    {.first = 1, .then = -1, .first_ticks = 12},
    {.takeoff = TAKEOFF_JUMP},
    {.takeoff = TAKEOFF_JUMP, .first = -1, .then = -1},
    {.takeoff = TAKEOFF_JUMP, .first = 1, .then = 1},
    {.takeoff = TAKEOFF_JUMP, .then = -1, .first_ticks = 12},
    {.takeoff = TAKEOFF_JUMP, .then = 1, .first_ticks = 12},
    {.takeoff = TAKEOFF_JUMP, .first = -1, .then = 1, .first_ticks = 14},
    {.takeoff = TAKEOFF_JUMP, .first = 1, .then = -1, .first_ticks = 14},
    {.takeoff = TAKEOFF_JUMP, .first = -1, .then = 0, .first_ticks = 14},
    {.takeoff = TAKEOFF_JUMP, .first = 1, .then = 0, .first_ticks = 14},
    {.takeoff = TAKEOFF_DROP},
    {.takeoff = TAKEOFF_DROP, .then = -1, .first_ticks = 6},
    {.takeoff = TAKEOFF_DROP, .then = 1, .first_ticks = 6},
    {.takeoff = TAKEOFF_JUMP, .first = -1, .then = -1, .climbs = true},
    {.takeoff = TAKEOFF_JUMP, .first = 1, .then = 1, .climbs = true},
    {.takeoff = TAKEOFF_JUMP, .dash_tick = 14, .dash_y = -1},
    {.takeoff = TAKEOFF_JUMP, .then = -1, .first_ticks = 12, .dash_tick = 14, .dash_x = -1, .dash_y = -1},
    {.takeoff = TAKEOFF_JUMP, .then = 1, .first_ticks = 12, .dash_tick = 14, .dash_x = 1, .dash_y = -1},
    {.takeoff = TAKEOFF_JUMP, .first = -1, .then = -1, .dash_tick = 16, .dash_x = -1, .dash_y = -1},
    {.takeoff = TAKEOFF_JUMP, .first = 1, .then = 1, .dash_tick = 16, .dash_x = 1, .dash_y = -1},
    {.takeoff = TAKEOFF_JUMP, .then = -1, .first_ticks = 26, .dash_tick = 14, .dash_y = -1},
    {.takeoff = TAKEOFF_JUMP, .then = 1, .first_ticks = 26, .dash_tick = 14, .dash_y = -1},
};

static int32_t px(int32_t sub)
{
    return df_floor_div(sub + DF_SUB / 2, DF_SUB);
}

struct motion_body motion_simulation_start(const struct world *world, uint32_t slot)
{
    const struct player *player = &world->players[slot];
    const struct df_actor *a = &world->actors[slot];
    struct motion_body body = {.x_sub = a->x * DF_SUB + a->rem_x,
                               .y_sub = a->y * DF_SUB + a->rem_y,
                               .vx = player->vx,
                               .vy = player->vy,
                               .facing = player->facing,
                               .dashes = world->tick + 1 >= player->dash_ready_tick ? player->dashes : 0,
                               .forced = player->forced_direction,
                               .grounded = (player->flags & PLAYER_GROUNDED) != 0,
                               .hangs = (player->flags & PLAYER_HANGING) != 0};
    body.hung_at_start = body.hangs;
    if (player->jump_held_until > world->tick + 1)
        body.hold_ticks = player->jump_held_until - world->tick - 1;
    if (player->forced_until > world->tick + 1)
        body.forced_ticks = player->forced_until - world->tick - 1;
    if (player->dash_until > world->tick + 1) {
        body.dash_ticks = player->dash_until - world->tick - 1;
        body.dash_x = player->dash_x;
        body.dash_y = player->dash_y;
    }
    return body;
}

struct df_box motion_simulation_box(const struct motion_body *body)
{
    return (struct df_box){px(body->x_sub), px(body->y_sub), TUNING.body_w_px, TUNING.body_h_px};
}

static enum df_tile tile_at(const struct motion_space *space, int32_t x, int32_t y)
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

// Sets where the solids are at a simulated tick.
static void move_solids(struct motion_space *space, uint32_t ticks)
{
    for (uint32_t i = 0; i < space->solid_count; i++) {
        struct motion_solid *solid = &space->solids[i];
        solid->at = solid->box;
        solid->at.x += px(solid->vx * (int32_t)ticks);
        solid->at.y += px(solid->vy * (int32_t)ticks);
    }
}

// Does the work of map_overlaps() without a call on maps that do not wrap.
static bool overlaps(const struct motion_space *space, struct df_box a, struct df_box b)
{
    return space->tiles.outside == DF_OUTSIDE_WRAP ? map_overlaps(space->map, a, b) : df_box_overlaps(a, b);
}

// The first full solid that overlaps the box at the simulated tick, or NULL.
static const struct motion_solid *solid_in(const struct motion_space *space, struct df_box box)
{
    for (uint32_t i = 0; i < space->solid_count; i++)
        if (!space->solids[i].oneway && overlaps(space, space->solids[i].at, box))
            return &space->solids[i];
    return NULL;
}

static bool tiles_block(const struct motion_space *space, struct df_box box)
{
    int32_t right = box.x + box.w - 1, bottom = box.y + box.h - 1;
    for (int32_t y = box.y;; y = y + MAP_EDGE_PX < bottom ? y + MAP_EDGE_PX : bottom) {
        if (is_wall(tile_at(space, box.x, y)) || is_wall(tile_at(space, right, y)))
            return true;
        if (y >= bottom)
            return false;
    }
}

bool motion_simulation_is_blocked(const struct motion_space *space, struct df_box box)
{
    for (uint32_t i = 0; i < space->solid_count; i++)
        if (!space->solids[i].oneway && overlaps(space, space->solids[i].box, box))
            return true;
    return tiles_block(space, box);
}

static bool is_blocked(const struct motion_space *space, const struct motion_body *body, int32_t dx, int32_t dy)
{
    struct df_box box = motion_simulation_box(body);
    box.x += dx;
    box.y += dy;
    return tiles_block(space, box) || solid_in(space, box) != NULL;
}

// Returns true if something is under the feet, and sets which solid.
static bool has_ground(const struct motion_space *space, struct motion_body *body)
{
    struct df_box box = motion_simulation_box(body);
    int32_t feet = box.y + box.h;
    body->on = 0;
    for (uint32_t i = 0; i < space->solid_count; i++) {
        struct df_box top = space->solids[i].at;
        if (body->drops && space->solids[i].oneway)
            continue;
        if (overlaps(space, (struct df_box){top.x, top.y - 1, top.w, 2}, (struct df_box){box.x, feet, box.w, 1}) &&
            (body->vy >= 0 || feet == top.y)) {
            body->on = space->solids[i].index + 1;
            return true;
        }
    }
    if (feet % MAP_EDGE_PX != 0)
        return false;
    enum df_tile left = tile_at(space, box.x, feet), right = tile_at(space, box.x + box.w - 1, feet);
    if (is_wall(left) || is_wall(right))
        return true;
    return !body->drops && (left == DF_TILE_ONEWAY || right == DF_TILE_ONEWAY);
}

// Returns true if a wall is at most `gap_px` away.
static bool is_at_wall(const struct motion_space *space, const struct motion_body *body, int32_t side, int32_t gap_px)
{
    return is_blocked(space, body, side * (gap_px + 1), 0);
}

static void run(struct motion_body *body, int32_t direction)
{
    bool too_fast = abs(body->vx) > TUNING.run_max && (body->vx > 0 ? 1 : -1) == direction;
    int32_t reduce = body->grounded ? TUNING.run_reduce_ground : TUNING.run_reduce_air;
    int32_t accelerate = body->grounded ? TUNING.run_accel_ground : TUNING.run_accel_air;
    body->vx = number_approach(body->vx, TUNING.run_max * direction, too_fast ? reduce : accelerate);
}

static void fall(const struct motion_space *space, struct motion_body *body, int32_t direction, bool holds)
{
    if (body->grounded)
        return;
    bool slides = body->vy >= 0 && direction != 0 && is_at_wall(space, body, direction, 0);
    bool apex = holds && abs(body->vy) < TUNING.apex_speed;
    body->vy = number_approach(body->vy, slides ? 2 * TUNING.wall_slide_max : TUNING.fall_max,
                               apex ? TUNING.gravity_apex : TUNING.gravity);
    if (!holds)
        body->hold_ticks = 0;
    else if (body->hold_ticks > 0) {
        body->hold_ticks--;
        if (body->vy > TUNING.jump_vy)
            body->vy = TUNING.jump_vy;
    }
}

static void leave(struct motion_body *body, int32_t vx, int32_t vy)
{
    body->vx = vx;
    body->vy = vy;
    body->hold_ticks = TUNING.jump_hold_ticks;
    body->dash_ticks = 0;
    body->grounded = body->hangs = body->hung_at_start = false;
    body->on = 0;
}

static void jump(const struct motion_space *space, struct motion_body *body, int32_t direction)
{
    if (body->hangs) {
        leave(body, 0, TUNING.ledge_hop_vy);
        return;
    }
    if (body->grounded) {
        leave(body, body->vx + TUNING.jump_vx * direction, TUNING.jump_vy);
        return;
    }
    for (int32_t side = body->facing, tries = 0; tries < 2; side = -side, tries++)
        if (is_at_wall(space, body, side, TUNING.wall_jump_gap_px)) {
            if (direction != 0) {
                body->forced = -side;
                body->forced_ticks = TUNING.wall_jump_forced_ticks;
            }
            body->facing = -side;
            leave(body, -side * TUNING.wall_jump_vx, TUNING.wall_jump_vy);
            return;
        }
}

// Grabs a ledge as ledge.c does, but only one of tiles.
static void grab(const struct motion_space *space, struct motion_body *body, int32_t side)
{
    struct df_box box = motion_simulation_box(body);
    int32_t x = side < 0 ? box.x - 1 : box.x + box.w;
    for (int32_t up = 0; up <= TUNING.ledge_reach_px; up++) {
        int32_t y = box.y - up;
        if (y % MAP_EDGE_PX != 0 || !is_wall(tile_at(space, x, y)) || is_wall(tile_at(space, x, y - 1)) ||
            is_blocked(space, body, 0, TUNING.ledge_ground_px))
            continue;
        body->y_sub = y * DF_SUB;
        body->vx = body->vy = 0;
        body->hangs = true;
        return;
    }
}

static void walk_x(const struct motion_space *space, struct motion_body *body)
{
    int32_t from = px(body->x_sub), to = px(body->x_sub + body->vx), side = body->vx > 0 ? 1 : -1;
    if (is_blocked(space, body, to - from, 0)) {
        int32_t went = 0;
        while (went != to - from && !is_blocked(space, body, went + side, 0))
            went += side;
        body->x_sub = (from + went) * DF_SUB;
        body->vx = 0;
        return;
    }
    body->x_sub += body->vx;
}

static void walk_y(const struct motion_space *space, struct motion_body *body)
{
    int32_t from = px(body->y_sub), to = px(body->y_sub + body->vy), side = body->vy > 0 ? 1 : -1;
    int32_t rest = body->y_sub + body->vy - to * DF_SUB;
    for (int32_t y = from; y != to; y += side) {
        bool stops = side > 0 ? has_ground(space, body) : is_blocked(space, body, 0, -1);
        body->drops = false;
        if (stops) {
            body->vy = 0;
            body->hold_ticks = 0;
            return;
        }
        body->y_sub = (y + side) * DF_SUB;
    }
    body->y_sub = to * DF_SUB + rest;
}

// Solids move first: they carry the body, push it, or squish it.
static void move_with_solids(const struct motion_space *space, struct motion_body *body)
{
    for (uint32_t i = 0; i < space->solid_count; i++) {
        const struct motion_solid *solid = &space->solids[i];
        if (body->on == solid->index + 1) {
            body->x_sub += solid->vx;
            body->y_sub += map_distance(space->map, px(body->y_sub) + TUNING.body_h_px, solid->at.y,
                                        space->map->rows * MAP_EDGE_PX) *
                           DF_SUB;
        }
    }
    const struct motion_solid *in = solid_in(space, motion_simulation_box(body));
    if (in == NULL)
        return;
    for (int32_t i = 0; i < 5; i++) {
        body->x_sub += in->vx > 0 ? DF_SUB : in->vx < 0 ? -DF_SUB : 0;
        body->y_sub += in->vy > 0 ? DF_SUB : in->vy < 0 ? -DF_SUB : 0;
        if (!is_blocked(space, body, 0, 0))
            return;
    }
    body->dead = true;
}

static void meet_dangers(const struct motion_space *space, struct motion_body *body)
{
    struct df_box box = motion_simulation_box(body);
    int32_t right = box.x + box.w - 1, low = box.y + TUNING.hurt_h_px - 1;
    if (tile_at(space, box.x, low) == DF_TILE_HAZARD || tile_at(space, right, low) == DF_TILE_HAZARD ||
        box.y > space->map->rows * MAP_EDGE_PX)
        body->dead = space->tiles.outside != DF_OUTSIDE_WRAP || box.y <= space->map->rows * MAP_EDGE_PX;
    for (uint32_t i = 0; i < space->danger_count && body->harm_tick == 0; i++) {
        const struct motion_danger *danger = &space->dangers[i];
        if (body->ticks < danger->from_tick || body->ticks >= danger->until_tick)
            continue;
        struct df_box at = danger->box;
        at.x += px(danger->vx * (int32_t)body->ticks);
        at.y += px(danger->vy * (int32_t)body->ticks);
        if (overlaps(space, at, box))
            body->harm_tick = body->ticks;
    }
}

static void meet_doors(const struct motion_space *space, struct motion_body *body)
{
    for (uint32_t i = 0; i < space->door_count; i++)
        if (overlaps(space, space->doors[i].box, motion_simulation_box(body)))
            body->door = space->doors[i].index + 1;
}

static void meet_prize(const struct motion_space *space, struct motion_body *body)
{
    const struct motion_target *target = &space->target;
    if (target->box.w == 0 || (target->head && body->vy <= 0))
        return;
    struct df_box at = target->box, box = motion_simulation_box(body);
    at.x += px(target->vx * (int32_t)body->ticks);
    at.y += px(target->vy * (int32_t)body->ticks);
    if (target->head) {
        box.y += box.h - 2;
        box.h = 4;
    } else {
        box.h = TUNING.hurt_h_px; // feet pick nothing up
    }
    if (overlaps(space, at, box))
        body->target_tick = body->ticks;
}

static void dash(struct motion_body *body, const struct motion *motion)
{
    if (body->dashes == 0)
        return;
    bool diagonal = motion->dash_x != 0 && motion->dash_y != 0;
    body->dashes = 0;
    body->dash_ticks = TUNING.dash_ticks;
    body->dash_x = motion->dash_x;
    body->dash_y = motion->dash_y;
    body->vx = motion->dash_x * (diagonal ? TUNING.dash_diagonal : TUNING.dash_speed);
    body->vy = motion->dash_y * (diagonal ? TUNING.dash_diagonal : TUNING.dash_speed);
    body->hold_ticks = 0;
}

static void end_dash(struct motion_body *body)
{
    if (body->dash_ticks == 0 || --body->dash_ticks > 0)
        return;
    bool diagonal = body->dash_x != 0 && body->dash_y != 0;
    int32_t speed = diagonal ? TUNING.dash_end_diagonal : TUNING.dash_end_speed;
    if (body->vx != 0)
        body->vx = body->dash_x * speed;
    if (body->vy != 0)
        body->vy = body->dash_y * speed;
}

static void step(const struct motion_space *space, struct motion_body *body, const struct motion *motion)
{
    int32_t direction = body->ticks < motion->first_ticks ? motion->first : motion->then;
    bool jumps = body->ticks == 0 && motion->takeoff == TAKEOFF_JUMP;
    body->ticks++;
    move_with_solids(space, body);
    end_dash(body);
    if (motion->dash_tick == body->ticks)
        dash(body, motion);
    if (body->hangs && !body->hung_at_start)
        jumps = direction != -body->facing;
    if (motion->climbs && !body->grounded && body->vy > 0 &&
        is_at_wall(space, body, motion->then, TUNING.wall_jump_gap_px)) {
        jumps = true;
        direction = 0;
        body->forced = 0;
        body->forced_ticks = CLIMB_TICKS + 1;
        body->facing = motion->then;
    }
    if (body->forced_ticks > 0) {
        body->forced_ticks--;
        direction = body->forced;
    }
    if (direction != 0 && !body->hangs)
        body->facing = direction;
    if (!body->grounded && body->vy >= 0 && direction != 0 && body->dash_ticks == 0 && !body->hangs)
        grab(space, body, direction);
    if (body->hangs && direction == -body->facing)
        body->hangs = body->hung_at_start = false;
    if (body->dash_ticks == 0 && !body->hangs) {
        run(body, direction);
        fall(space, body, direction, body->vy < 0);
    }
    if (jumps)
        jump(space, body, direction);
    if (body->ticks == 1 && motion->takeoff == TAKEOFF_DROP && body->grounded) {
        body->drops = true;
        body->vy = TUNING.drop_vy;
    }
    if (body->vx != 0)
        walk_x(space, body);
    if (body->vy != 0)
        walk_y(space, body);
    body->grounded = body->vy >= 0 && !body->hangs && has_ground(space, body);
    if (body->grounded && body->vy > 0)
        body->vy = 0;
    meet_dangers(space, body);
    meet_prize(space, body);
    meet_doors(space, body);
}

struct motion_body motion_simulation_run(const struct motion_space *space, struct motion_body body,
                                         const struct motion *motion, uint32_t walk_ticks)
{
    bool flew = !body.grounded;
    bool starts_hanging = body.hangs;
    struct motion_space then = *space;
    while (!body.dead && body.target_tick == 0 && body.ticks < MOTION_TICKS_MAX) {
        move_solids(&then, body.ticks + 1);
        step(&then, &body, motion);
        flew |= !body.grounded;
        if (flew ? body.grounded && body.dash_ticks == 0 : body.ticks >= walk_ticks)
            break;
        if (starts_hanging && body.hangs && body.ticks >= walk_ticks)
            break;
    }
    return body;
}

uint32_t motion_simulation_buttons(const struct motion *motion)
{
    int32_t x = motion->first_ticks > 0 ? motion->first : motion->then, y = motion->takeoff == TAKEOFF_DROP;
    uint32_t buttons = motion->takeoff != TAKEOFF_NONE ? BUTTON_JUMP : 0;
    if (motion->dash_tick == 1) {
        x = motion->dash_x;
        y = motion->dash_y;
        buttons |= BUTTON_DASH;
    }
    return buttons | (x < 0 ? BUTTON_LEFT : x > 0 ? BUTTON_RIGHT : 0) | (y < 0 ? BUTTON_UP : y > 0 ? BUTTON_DOWN : 0);
}
