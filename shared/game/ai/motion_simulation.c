// SPDX-License-Identifier: MIT
#include "motion_simulation.h"

#include <assert.h>
#include <string.h>

#include "base/number.h"
#include "game/entities/entities.h"

#define CLIMB_TICKS 9  ///< for which a climbing body stays away from the wall
#define FAR_PX      32 ///< more than a body and a solid move toward each other in a tick

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

struct motion_body motion_simulation_start(const struct world *world, uint32_t slot)
{
    return (struct motion_body){.player = world->players[slot],
                                .actor = world->actors[slot],
                                .now = world->tick,
                                .hung_at_start = (world->players[slot].flags & PLAYER_HANGING) != 0};
}

static enum df_squish_answer squish(struct df_space *space, struct df_squish squish, void *context)
{
    struct motion_space *near = context;
    if (df_actor_wiggle(space, squish.actor, TUNING.squish_wiggle_px, TUNING.squish_wiggle_px))
        return DF_SQUISH_HANDLED;
    near->body->dead = true;
    return DF_SQUISH_DESTROY;
}

static int rides(const struct df_space *space, int32_t actor, int32_t solid, void *context)
{
    (void)space, (void)actor;
    return ((const struct motion_space *)context)->solids[solid].slippery ? 0 : -1;
}

void motion_simulation_clear(struct motion_space *space, const struct map *map, const struct tuning *tuning,
                             const struct df_tiles *tiles)
{
    space->map = map;
    space->tuning = tuning;
    space->tiles = *tiles;
    space->solid_count = space->danger_count = space->door_count = 0;
    space->target = (struct motion_target){0};
}

// Most places are far from every hazard.
static void find_hazards(struct motion_space *space)
{
    const struct df_tiles *tiles = &space->tiles;
    const uint8_t *kinds = tiles->kinds;
    size_t count = (size_t)tiles->columns * (size_t)tiles->rows;
    const uint8_t *first = memchr(kinds, DF_TILE_HAZARD, count), *last = kinds + count - 1;
    space->hazards_top_px = INT32_MIN;
    space->hazards_end_px = first == NULL ? INT32_MIN : INT32_MAX;
    if (first == NULL || tiles->outside == DF_OUTSIDE_WRAP)
        return;
    while (*last != DF_TILE_HAZARD)
        last--;
    space->hazards_top_px = (int32_t)(first - kinds) / tiles->columns * tiles->edge_px;
    space->hazards_end_px = ((int32_t)(last - kinds) / tiles->columns + 1) * tiles->edge_px;
}

void motion_simulation_open(struct motion_space *space)
{
    struct df_space *physics = &space->physics;
    const struct df_tiles *tiles = &space->tiles;
    bool slips = false;
    space->has_belts = false;
    for (uint32_t i = 0; i < space->solid_count; i++) {
        const struct motion_solid *solid = &space->solids[i];
        int32_t left = 0, right = 0, up = 0, down = 0;
        for (uint32_t k = 0; k < MOTION_SAMPLES; k++) {
            left = solid->x_sub[k] < left ? solid->x_sub[k] : left;
            right = solid->x_sub[k] > right ? solid->x_sub[k] : right;
            up = solid->y_sub[k] < up ? solid->y_sub[k] : up;
            down = solid->y_sub[k] > down ? solid->y_sub[k] : down;
        }
        space->at[i] = solid->now;
        space->at_ticks[i] = 0;
        space->ways[i] = (struct df_box){solid->now.x + left / DF_SUB - FAR_PX, solid->now.y + up / DF_SUB - FAR_PX,
                                         solid->now.w + (right - left) / DF_SUB + 2 * FAR_PX,
                                         solid->now.h + (down - up) / DF_SUB + 2 * FAR_PX};
        space->has_belts |= solid->belt_sub != 0;
        slips |= solid->slippery;
    }
    space->actor.flags = 0;
    find_hazards(space);
    physics->tiles = *tiles;
    physics->solids = space->at;
    physics->actors = &space->actor;
    physics->balls = NULL;
    physics->solid_count = (int32_t)space->solid_count;
    physics->actor_count = 1;
    physics->ball_count = 0;
    physics->rules = (struct df_rules){.squish = squish, .rides = slips ? rides : NULL};
    physics->context = space;
    enum df_result result = df_space_init(physics, space->index, sizeof space->index);
    assert(result == DF_OK);
    (void)result;
}

bool motion_simulation_is_blocked(const struct motion_space *space, struct df_box box)
{
    return df_space_blocked(&space->physics, box);
}

// Does the work of map_overlaps() without a call on maps that do not wrap.
static bool overlaps(const struct motion_space *space, struct df_box a, struct df_box b)
{
    return space->tiles.outside == DF_OUTSIDE_WRAP ? map_overlaps(space->map, a, b) : df_box_overlaps(a, b);
}

// How far something has gone after some ticks of the simulation.
static struct df_box moved(struct df_box box, int32_t vx, int32_t vy, uint32_t ticks)
{
    box.x += df_round_px(vx * (int32_t)ticks);
    box.y += df_round_px(vy * (int32_t)ticks);
    return box;
}

static int32_t way(const int32_t *samples, uint32_t ticks)
{
    const int32_t *at = &samples[ticks / MOTION_SAMPLE_TICKS];
    return at[0] + (at[1] - at[0]) * (int32_t)(ticks % MOTION_SAMPLE_TICKS) / MOTION_SAMPLE_TICKS;
}

static int32_t in_map(const struct motion_space *space, int32_t at_px, int32_t side_tiles)
{
    int32_t side_px = side_tiles * MAP_EDGE_PX;
    return space->tiles.outside == DF_OUTSIDE_WRAP ? at_px - df_floor_div(at_px, side_px) * side_px : at_px;
}

// Puts a solid where it is at a tick.
static void put_solid(struct motion_space *space, uint32_t i, uint32_t ticks)
{
    const struct motion_solid *solid = &space->solids[i];
    int32_t x_sub = solid->now.x * DF_SUB + solid->now.rem_x + way(solid->x_sub, ticks);
    int32_t y_sub = solid->now.y * DF_SUB + solid->now.rem_y + way(solid->y_sub, ticks);
    struct df_solid *at = &space->at[i];
    at->rem_x = x_sub - df_round_px(x_sub) * DF_SUB;
    at->rem_y = y_sub - df_round_px(y_sub) * DF_SUB;
    at->x = in_map(space, df_round_px(x_sub), space->map->columns);
    at->y = in_map(space, df_round_px(y_sub), space->map->rows);
    space->at_ticks[i] = ticks;
    df_solid_changed(&space->physics, (int32_t)i);
}

static void carry_on_belt(struct motion_space *space)
{
    const struct df_actor *a = &space->actor;
    struct df_box feet = {a->x, a->y + a->h, a->w, 1};
    for (uint32_t i = 0; i < space->solid_count; i++) {
        const struct df_solid *s = &space->at[i];
        int32_t belt_sub = space->solids[i].belt_sub;
        if (belt_sub == 0 || !overlaps(space, feet, (struct df_box){s->x, s->y, s->w, 1}))
            continue;
        bool was_carried = a->carrier == i + 1 && space->body->now - a->carried_tick <= DF_LIFT_TICKS;
        mover_carry(&space->physics, 0, belt_sub, was_carried);
        return;
    }
}

// Solids move first: they carry the body, push it, or squish it. One that was far from it, and still is, does not.
static void move_solids(struct motion_space *space)
{
    uint32_t from = space->body->ticks - 1, to = space->body->ticks;
    struct df_box box = df_actor_box(&space->actor),
                  near = (struct df_box){box.x - FAR_PX, box.y - FAR_PX, box.w + 2 * FAR_PX, box.h + 2 * FAR_PX};
    for (uint32_t i = 0; i < space->solid_count; i++) {
        const struct motion_solid *solid = &space->solids[i];
        if (!solid->moves || !overlaps(space, space->ways[i], box))
            continue;
        int32_t x_sub = way(solid->x_sub, to), y_sub = way(solid->y_sub, to);
        struct df_box end = {solid->now.x + df_floor_div(x_sub, DF_SUB), solid->now.y + df_floor_div(y_sub, DF_SUB),
                             solid->now.w, solid->now.h};
        if (!overlaps(space, near, end) && !overlaps(space, near, df_solid_box(&space->at[i])))
            continue;
        if (space->at_ticks[i] != from)
            put_solid(space, i, from);
        df_solid_move(&space->physics, (int32_t)i, x_sub - way(solid->x_sub, from), y_sub - way(solid->y_sub, from));
        space->at_ticks[i] = to;
    }
    if (space->has_belts)
        carry_on_belt(space);
    space->body->dead |= (space->actor.flags & DF_ACTOR_EMBEDDED) != 0;
}

static uint32_t buttons_of(int32_t x, int32_t y)
{
    return (x < 0 ? BUTTON_LEFT : x > 0 ? BUTTON_RIGHT : 0) | (y < 0 ? BUTTON_UP : y > 0 ? BUTTON_DOWN : 0);
}

static bool stands(const struct motion_body *body)
{
    return (body->player.flags & PLAYER_GROUNDED) != 0;
}

static bool hangs(const struct motion_body *body)
{
    return (body->player.flags & PLAYER_HANGING) != 0;
}

// Presses what the motion says for the tick that begins. A jump is held while it rises.
static void press(const struct motion_space *space, const struct motion *motion)
{
    struct motion_body *body = space->body;
    struct player *player = &body->player;
    bool first = body->ticks == 1;
    int32_t x = body->ticks <= motion->first_ticks ? motion->first : motion->then;
    bool jumps = first && motion->takeoff == TAKEOFF_JUMP;
    if (body->climb_ticks > 0) {
        body->climb_ticks--;
        x = 0;
    }
    if (hangs(body) && !body->hung_at_start)
        jumps = x != -player->facing;
    if (motion->climbs && !stands(body) && player->vy > 0 &&
        df_actor_probe(&space->physics, 0, motion->then * (space->tuning->wall_jump_gap_px + 1), 0).kind !=
            DF_HIT_NONE) {
        jumps = true;
        x = 0;
        body->climb_ticks = CLIMB_TICKS;
    }
    int32_t y = first && motion->takeoff == TAKEOFF_DROP && stands(body);
    uint32_t pressed = jumps || y > 0 ? BUTTON_JUMP : 0, held = player->vy < 0 ? player->buttons & BUTTON_JUMP : 0;
    if (motion->dash_tick == body->ticks) {
        pressed |= BUTTON_DASH;
        x = motion->dash_x;
        y = motion->dash_y;
    }
    player->buttons = pressed | held | buttons_of(x * space->tuning->steering, y);
    player->buttons_before = player->buttons & ~pressed;
}

static void meet_dangers(const struct motion_space *space, struct motion_body *body)
{
    struct df_box box = df_actor_box(&space->actor), hurt = {box.x, box.y, box.w, TUNING.hurt_h_px};
    bool may_touch = hurt.y < space->hazards_end_px && hurt.y + hurt.h > space->hazards_top_px;
    body->dead |=
        (may_touch && df_tiles_touch(&space->tiles, hurt, DF_TILE_HAZARD)) || box.y > space->map->rows * MAP_EDGE_PX;
    for (uint32_t i = 0; i < space->danger_count && body->harm_tick == 0; i++) {
        const struct motion_danger *danger = &space->dangers[i];
        if (body->ticks < danger->from_tick || body->ticks >= danger->until_tick)
            continue;
        if (overlaps(space, moved(danger->box, danger->vx, danger->vy, body->ticks), box))
            body->harm_tick = body->ticks;
    }
}

static void meet_target(const struct motion_space *space, struct motion_body *body)
{
    const struct motion_target *target = &space->target;
    if (target->box.w == 0 || (target->head && body->player.vy <= 0))
        return;
    struct df_box at = moved(target->box, target->vx, target->vy, body->ticks), box = df_actor_box(&space->actor);
    if (target->head) {
        box.y += box.h - 2;
        box.h = 4;
    } else {
        box.h = TUNING.hurt_h_px; // feet pick nothing up
    }
    if (overlaps(space, at, box))
        body->target_tick = body->ticks;
}

static void step(struct motion_space *space, const struct motion *motion, struct movement *move)
{
    struct motion_body *body = space->body;
    body->ticks++;
    body->now++;
    df_tick_begin(&space->physics, body->now);
    move_solids(space);
    press(space, motion);
    move->now = body->now;
    movement_begin(move, body->player.buttons);
    movement_step(move);
    body->hung_at_start &= hangs(body);
    meet_dangers(space, body);
    meet_target(space, body);
    for (uint32_t i = 0; i < space->door_count; i++)
        if (overlaps(space, space->doors[i].box, df_actor_box(&space->actor)))
            body->door = space->doors[i].index + 1;
}

struct motion_body motion_simulation_run(struct motion_space *space, struct motion_body body,
                                         const struct motion *motion, uint32_t walk_ticks)
{
    bool flew = !stands(&body), hung = hangs(&body);
    struct movement move = {
        .space = &space->physics, .body = &space->actor, .player = &body.player, .tuning = space->tuning};
    space->body = &body;
    space->actor = body.actor;
    df_actor_changed(&space->physics, 0);
    for (uint32_t i = 0; i < space->solid_count; i++)
        if (space->at_ticks[i] != 0)
            put_solid(space, i, 0);
    while (!body.dead && body.target_tick == 0 && body.ticks < MOTION_TICKS_MAX) {
        step(space, motion, &move);
        flew |= !stands(&body);
        if (flew ? stands(&body) && body.now + 1 >= body.player.dash_until : body.ticks >= walk_ticks)
            break;
        if (hung && hangs(&body) && body.ticks >= walk_ticks)
            break;
    }
    struct df_hit ground = df_actor_ground(&space->physics, 0);
    body.on = ground.kind == DF_HIT_SOLID ? space->solids[ground.index].index + 1 : 0;
    body.actor = space->actor;
    return body;
}

uint32_t motion_simulation_buttons(const struct motion *motion)
{
    int32_t x = motion->first_ticks > 0 ? motion->first : motion->then;
    uint32_t jump = motion->takeoff != TAKEOFF_NONE ? BUTTON_JUMP : 0;
    return motion->dash_tick == 1 ? BUTTON_DASH | jump | buttons_of(motion->dash_x, motion->dash_y)
                                  : jump | buttons_of(x, motion->takeoff == TAKEOFF_DROP);
}
