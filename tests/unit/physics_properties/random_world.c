// SPDX-License-Identifier: MIT
#include "random_world.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct random random_seeded(uint64_t seed, uint64_t n)
{
    struct random random = {(seed + 1) * 0x9E3779B97F4A7C15u ^ (n + 1) * 0xD1342543DE82EF95u};
    random.state += random.state == 0;
    for (int i = 0; i < 4; i++)
        random_in(&random, 0, 1);
    return random;
}

int32_t random_in(struct random *random, int32_t low, int32_t high)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    uint64_t word = random->state * 0x2545F4914F6CDD1Du >> 33;
    return low + (int32_t)(word % (uint64_t)(high - low + 1));
}

bool random_one_in(struct random *random, int32_t n)
{
    return random_in(random, 1, n) == 1;
}

// ---- rules -----------------------------------------------------------------------------------------------------

static int32_t sign(const struct world *world)
{
    return world->mirrored ? -1 : 1;
}

static void tell(struct world *world, struct event event)
{
    assert(world->event_count < WORLD_EVENTS);
    world->events[world->event_count++] = event;
}

static int32_t width_px(const struct world *world)
{
    return world->space.tiles.kinds != NULL ? world->space.tiles.columns * world->space.tiles.edge_px : 0;
}

static int32_t wrapped(const struct world *world, int32_t x, int32_t period)
{
    bool wraps = world->space.tiles.kinds != NULL && world->space.tiles.outside == DF_OUTSIDE_WRAP;
    return wraps ? x - df_floor_div(x, period) * period : x;
}

// The mirror image of a left edge.
static int32_t mirror_x(const struct world *world, int32_t x, int32_t w)
{
    return wrapped(world, width_px(world) - x - w, width_px(world));
}

// The value in the world that is not mirrored.
static int32_t true_x(const struct world *world, int32_t x, int32_t w)
{
    return world->mirrored ? mirror_x(world, x, w) : x;
}

static void tell_hit(struct world *world, int32_t kind, int32_t actor, struct df_hit hit)
{
    bool along_x = kind == 'x' || kind == 'X';
    if (hit.kind == DF_HIT_NONE) {
        tell(world, (struct event){.kind = kind, .body = actor, .other = -1});
        return;
    }
    tell(world, (struct event){.kind = kind,
                               .body = actor,
                               .other = hit.index,
                               .a = hit.kind == DF_HIT_OUTSIDE ? (int32_t)DF_HIT_TILE : (int32_t)hit.kind,
                               .b = hit.direction * (along_x ? sign(world) : 1),
                               .c = hit.left_px,
                               .tile_column = hit.column,
                               .tile_row = hit.row * 2 + (hit.kind == DF_HIT_OUTSIDE)});
}

static void on_hit_x(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space;
    tell_hit(context, 'x', actor, hit);
}

static void on_hit_y(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space;
    tell_hit(context, 'y', actor, hit);
}

static void escape(struct world *world, int32_t actor)
{
    int32_t x, y;
    if (world->physics->find_free(&world->space, actor, 12, &x, &y))
        world->physics->actor_place(&world->space, actor, x, y);
}

static void move_another(struct world *world, struct df_squish squish)
{
    int32_t count = world->space.actor_count, other = (squish.actor + 1) % count;
    world->physics->actor_move_x(&world->space, other, 700 * sign(world), NULL, NULL);
    world->physics->actor_move_y(&world->space, squish.actor, -300, NULL, NULL);
    if (count > 2 && squish.missing_px > 1) {
        world->actors[(squish.actor + 2) % count].flags &= ~(uint32_t)DF_ACTOR_ALIVE;
        df_actor_changed(&world->space, (squish.actor + 2) % count);
    }
}

static enum df_squish_answer on_squish(struct df_space *space, struct df_squish squish, void *context)
{
    struct world *world = context;
    const struct df_actor *actor = &space->actors[squish.actor];
    tell(world, (struct event){.kind = 's',
                               .body = squish.actor,
                               .other = squish.solid,
                               .a = squish.direction_x * sign(world) * 2 + squish.direction_y * 10,
                               .b = squish.missing_px,
                               .c = true_x(world, squish.target_x, actor->w),
                               .d = squish.target_y});
    tell_hit(world, squish.direction_x != 0 ? 'X' : 'Y', squish.actor, squish.by);
    switch (world->answers[squish.actor]) {
    case ANSWER_DESTROY:
    case ANSWER_KINDS:
        break;
    case ANSWER_WIGGLE: {
        int32_t reach = world->reach_px[squish.actor];
        return world->physics->actor_wiggle(space, squish.actor, reach, reach / 2) ? DF_SQUISH_HANDLED
                                                                                   : DF_SQUISH_DESTROY;
    }
    case ANSWER_IGNORE:
        return DF_SQUISH_HANDLED;
    case ANSWER_ESCAPE:
        escape(world, squish.actor);
        return DF_SQUISH_HANDLED;
    case ANSWER_MOVE_ANOTHER:
        move_another(world, squish);
        return DF_SQUISH_HANDLED;
    case ANSWER_QUEUE: {
        int32_t solid = squish.actor % space->solid_count;
        enum df_result result = world->physics->solid_move(space, solid, 600 * sign(world), -300);
        tell(world, (struct event){.kind = 'q', .body = solid, .a = (int32_t)result});
        return squish.missing_px > 1 ? DF_SQUISH_HANDLED : DF_SQUISH_DESTROY;
    }
    }
    return DF_SQUISH_DESTROY;
}

static int rides_oddly(const struct df_space *space, int32_t actor, int32_t solid, void *context)
{
    struct world *world = context;
    world->ride_questions++;
    return (space->actors[actor].w + solid) % 3 - 1;
}

static void on_ball_hit(struct df_space *space, int32_t ball, struct df_ball_hit hit, void *context)
{
    struct world *world = context;
    tell(world, (struct event){.kind = 'b',
                               .body = ball,
                               .other = hit.solid,
                               .a = (int32_t)hit.bounce,
                               .tile_column = hit.column,
                               .tile_row = hit.row});
    const struct df_tiles *tiles = &space->tiles;
    int32_t tile = hit.row * tiles->columns + hit.column;
    if (hit.solid < 0 && hit.bounce != DF_BOUNCE_INSIDE && hit.column >= 0 && hit.column < tiles->columns &&
        hit.row >= 0 && hit.row < tiles->rows && tiles->kinds[tile] == DF_TILE_BLOCK)
        world->broken[tile >> 5] |= 1u << (tile & 31);
}

static void on_ball_squish(struct df_space *space, int32_t ball, int32_t solid, void *context)
{
    const struct world *world = context;
    const struct df_solid *s = &space->solids[solid];
    bool collides = world->physics->space_blocked(space, (struct df_box){s->x, s->y, s->w, s->h});
    tell(context, (struct event){.kind = 'S', .body = ball, .other = solid, .a = collides});
    if (ball == 0)
        space->balls[ball].flags &= ~(uint32_t)DF_BALL_ALIVE;
}

// ---- worlds ----------------------------------------------------------------------------------------------------

static void attach(struct world *world, const struct implementation *physics)
{
    struct df_space *space = &world->space;
    space->solids = world->solids;
    space->actors = world->actors;
    space->balls = world->balls;
    space->tiles.kinds = space->tiles.kinds != NULL ? world->kinds : NULL;
    space->tiles.broken = space->tiles.kinds != NULL ? world->broken : NULL;
    space->context = world;
    world->physics = physics;
    world->event_count = 0;
    size_t bytes = df_index_bytes(space);
    assert(bytes <= sizeof world->memory);
    enum df_result result = df_space_init(space, world->memory, bytes);
    assert(result == DF_OK);
    (void)result;
}

static void make_tiles(struct world *world, struct random *random)
{
    static const uint8_t mix[] = {DF_TILE_SOLID, DF_TILE_SOLID, DF_TILE_ONEWAY, DF_TILE_BLOCK, DF_TILE_HAZARD};
    struct df_tiles *tiles = &world->space.tiles;
    bool large = world->large;
    tiles->columns = large ? random_in(random, 16, 36) : random_in(random, 3, 12);
    tiles->rows = large ? random_in(random, 12, 28) : random_in(random, 3, 9);
    tiles->edge_px = random_one_in(random, 2) ? 8 : random_in(random, 4, 11);
    if (large && random_one_in(random, 2))
        tiles->edge_px *= 1 << random_in(random, 2, 6);
    tiles->outside = (enum df_outside)random_in(random, 0, 2);
    tiles->kinds = world->kinds;
    int32_t sparse = random_in(random, 3, 12);
    for (int32_t i = 0; i < tiles->columns * tiles->rows; i++) {
        world->kinds[i] = random_one_in(random, sparse) ? mix[random_in(random, 0, 4)] : DF_TILE_EMPTY;
        world->broken[i >> 5] |= (uint32_t)random_one_in(random, 8) << (i & 31);
    }
}

// The range of positions: the grid and a little more, or a part of an endless plane.
static struct df_box area(const struct world *world)
{
    const struct df_tiles *tiles = &world->space.tiles;
    if (tiles->kinds == NULL)
        return world->large ? (struct df_box){-300, -200, 600, 400} : (struct df_box){-30, -25, 60, 50};
    int32_t w = tiles->columns * tiles->edge_px, h = tiles->rows * tiles->edge_px;
    return tiles->outside == DF_OUTSIDE_EMPTY ? (struct df_box){-10, -10, w + 20, h + 20} : (struct df_box){0, 0, w, h};
}

// A size of which two fit beside each other; now and then any that is smaller than a world that wraps.
static int32_t random_size(struct random *random, int32_t most, int32_t span)
{
    if (random_one_in(random, 20))
        return random_in(random, 1, span <= 120 ? span - 1 : 120);
    return random_in(random, 1, most < span / 2 - 1 ? most : span / 2 - 1);
}

static int32_t random_rem(struct random *random)
{
    static const int32_t edges[] = {-128, -127, 0, 127, 128};
    return random_one_in(random, 2) ? edges[random_in(random, 0, 4)] : random_in(random, -128, 128);
}

static uint32_t random_layers(struct random *random)
{
    return random_one_in(random, 5) ? DF_LAYER(random_in(random, 0, 2)) | DF_LAYER(random_in(random, 0, 15)) : 0;
}

static uint32_t random_ride(const struct world *world, struct random *random)
{
    if (world->space.solid_count > 0 && random_one_in(random, 6)) // now and then to one that is not there
        return DF_RIDE_ATTACHED + (uint32_t)random_in(random, 0, world->space.solid_count);
    return (uint32_t)random_in(random, 0, DF_RIDE_CLING_UP);
}

static void make_solid(struct world *world, struct random *random)
{
    struct df_box all = area(world);
    struct df_solid *solid = &world->solids[world->space.solid_count++];
    *solid = (struct df_solid){.x = random_in(random, all.x, all.x + all.w - 1),
                               .y = random_in(random, all.y, all.y + all.h - 1),
                               .w = random_size(random, 20, all.w),
                               .h = random_size(random, 14, all.h),
                               .rem_x = random_rem(random),
                               .rem_y = random_rem(random),
                               .flags = random_one_in(random, 10) ? 0 : DF_SOLID_PRESENT};
    solid->flags |= random_one_in(random, 4) ? DF_SOLID_ONEWAY : 0u;
    solid->flags |= random_layers(random);
}

// Places an actor at random, often flush with a solid, until it is free; gives up after a while.
static void make_actor(struct world *world, struct random *random)
{
    struct df_box all = area(world);
    for (int32_t tries = 0; tries < 30; tries++) {
        struct df_box box = {.w = random_size(random, 10, all.w), .h = random_size(random, 12, all.h)};
        box.x = random_in(random, all.x, all.x + all.w - 1);
        box.y = random_in(random, all.y, all.y + all.h - 1);
        if (world->space.solid_count > 0 && !random_one_in(random, 3)) {
            const struct df_solid *solid = &world->solids[random_in(random, 0, world->space.solid_count - 1)];
            int32_t side = random_in(random, 0, 3);
            box.x = side == 0   ? solid->x - box.w
                    : side == 1 ? solid->x + solid->w
                                : random_in(random, solid->x - box.w, solid->x + solid->w);
            box.y = side >= 2 ? solid->y - box.h : random_in(random, solid->y - box.h, solid->y + solid->h);
        }
        box.x = wrapped(world, box.x, all.w);
        box.y = wrapped(world, box.y, all.h);
        if (!implementation_literal.space_blocked(&world->space, box)) {
            int32_t actor = world->space.actor_count++;
            world->actors[actor] = (struct df_actor){.x = box.x,
                                                     .y = box.y,
                                                     .w = box.w,
                                                     .h = box.h,
                                                     .rem_x = random_rem(random),
                                                     .rem_y = random_rem(random),
                                                     .ride = random_ride(world, random),
                                                     .flags = DF_ACTOR_ALIVE};
            world->actors[actor].flags |= random_one_in(random, 8) ? DF_ACTOR_DROP_THROUGH : 0u;
            world->actors[actor].flags |= random_layers(random);
            return;
        }
    }
}

static int32_t random_speed(struct random *random)
{
    int32_t most = random_one_in(random, 4) ? 4000 : 500;
    return random_one_in(random, 6) ? 0 : random_in(random, -most, most);
}

static void make_ball(struct world *world, struct random *random)
{
    struct df_box all = area(world);
    int32_t least = all.w < all.h ? all.w : all.h;
    world->balls[world->space.ball_count++] =
        (struct df_ball){.cx = random_in(random, all.x * DF_SUB, (all.x + all.w) * DF_SUB - 1),
                         .cy = random_in(random, all.y * DF_SUB, (all.y + all.h) * DF_SUB - 1),
                         .radius_px = random_in(random, 1, least / 4 < 6 ? least / 4 : 6),
                         .vx = random_speed(random),
                         .vy = random_speed(random),
                         .flags = DF_BALL_ALIVE};
}

void world_make(struct world *world, struct random *random, struct taste taste, const struct implementation *physics)
{
    memset(world, 0, offsetof(struct world, memory));
    struct df_space *space = &world->space;
    world->gentle = taste.gentle;
    world->large = taste.large;
    space->tick = 1;
    space->solids = world->solids;
    if (!random_one_in(random, 4))
        make_tiles(world, random);
    space->tiles.broken = space->tiles.kinds != NULL ? world->broken : NULL;
    int32_t solids = taste.large ? random_in(random, 40, 128) : random_in(random, 1, 7);
    int32_t actors = taste.large ? random_in(random, 10, WORLD_ACTORS) : random_in(random, 1, 6);
    int32_t balls = taste.large ? random_in(random, 1, WORLD_BALLS) : random_in(random, 1, 2);
    for (int32_t i = 0; i < WORLD_SOLIDS; i++)
        world->solids[i] = (struct df_solid){-10000, -10000, 20000, 20000, .flags = DF_SOLID_PRESENT};
    for (int32_t i = 0; i < solids; i++)
        make_solid(world, random);
    for (int32_t i = 0; i < actors; i++)
        make_actor(world, random);
    for (int32_t i = 0; taste.balls && i < balls; i++)
        make_ball(world, random);
    for (int32_t i = 0; i < space->actor_count; i++) {
        world->answers[i] = (enum answer)random_in(random, 0, taste.gentle ? ANSWER_IGNORE : ANSWER_KINDS - 1);
        world->reach_px[i] = random_in(random, 0, 9);
    }
    space->rules.squish = random_one_in(random, 12) ? NULL : on_squish;
    space->rules.rides = random_one_in(random, 6) ? rides_oddly : NULL;
    space->rules.ball_hit = on_ball_hit;
    space->rules.ball_squish = random_one_in(random, 4) ? NULL : on_ball_squish;
    attach(world, physics);
}

void world_copy(struct world *to, const struct world *from, const struct implementation *physics)
{
    memcpy(to, from, offsetof(struct world, memory));
    attach(to, physics);
}

void world_mirror(struct world *to, const struct world *from, const struct implementation *physics)
{
    memcpy(to, from, offsetof(struct world, memory));
    const struct df_tiles *tiles = &from->space.tiles;
    memset(to->broken, 0, sizeof to->broken);
    for (int32_t i = 0; tiles->kinds != NULL && i < tiles->columns * tiles->rows; i++) {
        int32_t image = i / tiles->columns * tiles->columns + tiles->columns - 1 - i % tiles->columns;
        to->kinds[image] = from->kinds[i];
        to->broken[image >> 5] |= (from->broken[i >> 5] >> (i & 31) & 1u) << (image & 31);
    }
    for (int32_t i = 0; i < from->space.solid_count; i++) {
        to->solids[i].x = mirror_x(from, from->solids[i].x, from->solids[i].w);
        to->solids[i].rem_x = -from->solids[i].rem_x;
    }
    for (int32_t i = 0; i < from->space.actor_count; i++) {
        struct df_actor *actor = &to->actors[i];
        actor->x = mirror_x(from, actor->x, actor->w);
        actor->rem_x = -actor->rem_x;
        actor->lift_x = -actor->lift_x;
        actor->ride = actor->ride == DF_RIDE_CLING_LEFT    ? DF_RIDE_CLING_RIGHT
                      : actor->ride == DF_RIDE_CLING_RIGHT ? DF_RIDE_CLING_LEFT
                                                           : actor->ride;
    }
    for (int32_t i = 0; i < from->space.ball_count; i++) {
        to->balls[i].cx = wrapped(from, width_px(from) * DF_SUB - from->balls[i].cx, width_px(from) * DF_SUB);
        to->balls[i].vx = -from->balls[i].vx;
    }
    to->mirrored = !from->mirrored;
    attach(to, physics);
}

// ---- operations ------------------------------------------------------------------------------------------------

static int32_t random_amount(struct random *random)
{
    switch (random_in(random, 0, 5)) {
    case 0:
        return random_in(random, -4, 4) * 128;
    case 1:
        return random_in(random, -200, 200);
    case 2:
        return random_one_in(random, 6) ? random_in(random, -30000, 30000) : random_in(random, -6000, 6000);
    default:
        return random_in(random, -1500, 1500);
    }
}

static void choose_group(const struct world *world, struct random *random, struct operation *operation)
{
    int32_t most = random_one_in(random, 3) ? 4 : 1;
    for (int32_t i = 0; i < most; i++) {
        int32_t solid = random_in(random, 0, world->space.solid_count - 1);
        bool is_new = true;
        for (int32_t j = 0; j < operation->group_count; j++)
            is_new = is_new && operation->group[j] != solid;
        if (is_new)
            operation->group[operation->group_count++] = solid;
    }
}

struct operation operation_make(const struct world *world, struct random *random)
{
    static const enum operation_kind mix[] = {
        OPERATION_TICK,  OPERATION_TICK,   OPERATION_MOVE_X, OPERATION_MOVE_X, OPERATION_MOVE_Y,  OPERATION_MOVE_Y,
        OPERATION_WALK,  OPERATION_WALK,   OPERATION_WALK,   OPERATION_SHIFT,  OPERATION_SHIFT,   OPERATION_SHIFT,
        OPERATION_SHIFT, OPERATION_SHIFT,  OPERATION_STEP,   OPERATION_STEP,   OPERATION_BOUNCE,  OPERATION_PLACE,
        OPERATION_DROP,  OPERATION_RESIZE, OPERATION_VANISH, OPERATION_MEND,   OPERATION_QUERIES, OPERATION_ATTACH};
    struct df_box all = area(world);
    static const enum operation_kind ball_mix[] = {OPERATION_STEP, OPERATION_STEP, OPERATION_SHIFT};
    struct operation operation = {.kind = mix[random_in(random, 0, (int32_t)(sizeof mix / sizeof mix[0]) - 1)]};
    operation.body = random_in(random, 0, world->large ? world->space.actor_count : 5);
    if (world->space.ball_count > 0 && random_one_in(random, 2)) {
        operation.kind = ball_mix[random_in(random, 0, 2)];
        operation.body = random_in(random, 0, world->space.ball_count - 1);
    }
    operation.a = random_amount(random);
    operation.b = random_one_in(random, 3) ? 0 : random_amount(random);
    if (operation.kind == OPERATION_SHIFT) {
        choose_group(world, random, &operation);
        operation.alone = operation.group_count == 1 && random_one_in(random, 2);
        if (random_one_in(random, 3))
            operation.a = 0;
    }
    if (operation.kind == OPERATION_PLACE || operation.kind == OPERATION_RESIZE) {
        operation.a = random_in(random, all.x, all.x + all.w - 1);
        operation.b = random_in(random, all.y, all.y + all.h - 1);
        operation.c = random_size(random, 10, all.w);
        operation.d = random_size(random, 12, all.h);
    }
    return operation;
}

static void place(struct world *world, struct operation operation)
{
    const struct df_actor *actor = &world->actors[operation.body];
    struct df_box box = {true_x(world, operation.a, actor->w), operation.b, actor->w, actor->h};
    if (!world->gentle || !world->physics->space_blocked(&world->space, box))
        world->physics->actor_place(&world->space, operation.body, box.x, box.y);
}

static void resize(struct world *world, struct operation operation)
{
    const struct df_actor *actor = &world->actors[operation.body];
    struct df_box box = {actor->x, actor->y, operation.c, operation.d};
    if (world->mirrored)
        box.x = mirror_x(world, mirror_x(world, actor->x, actor->w), operation.c);
    bool resized = world->physics->actor_resize(&world->space, operation.body, box);
    tell(world, (struct event){.kind = 'r', .body = operation.body, .a = resized});
}

static enum df_result walk(struct world *world, struct operation operation)
{
    struct df_actor_hits hits;
    enum df_result result =
        world->physics->actor_step(&world->space, operation.body, operation.a * sign(world), operation.b, &hits);
    if (result == DF_OK) {
        tell_hit(world, 'x', operation.body, hits.x);
        tell_hit(world, 'y', operation.body, hits.y);
        tell_hit(world, 'g', operation.body, hits.ground);
    }
    return result;
}

static void query(struct world *world, struct operation operation)
{
    const struct implementation *physics = world->physics;
    int32_t actor = operation.body, px = operation.a / 64, x = 0, y = 0;
    tell_hit(world, 'g', actor, physics->actor_ground(&world->space, actor));
    tell_hit(world, 'X', actor, physics->actor_probe(&world->space, actor, px * sign(world), 0));
    tell_hit(world, 'Y', actor, physics->actor_probe(&world->space, actor, 0, px));
    bool found = physics->find_free(&world->space, actor, 6, &x, &y);
    tell(
        world,
        (struct event){
            .kind = 'f', .body = actor, .a = found, .b = found ? true_x(world, x, world->actors[actor].w) : 0, .c = y});
    physics->actor_lift(&world->space, actor, &x, &y);
    tell(world, (struct event){.kind = 'l', .body = actor, .a = x * sign(world), .b = y});
}

enum df_result operation_do(struct world *world, struct operation operation)
{
    const struct implementation *physics = world->physics;
    struct df_space *space = &world->space;
    enum df_result result = DF_OK;
    bool has_actor = operation.body < space->actor_count, has_ball = operation.body < space->ball_count;
    world->event_count = 0;
    switch (operation.kind) {
    case OPERATION_TICK:
        physics->tick_begin(space, space->tick + 1);
        break;
    case OPERATION_MOVE_X:
        result = physics->actor_move_x(space, operation.body, operation.a * sign(world), on_hit_x, world);
        break;
    case OPERATION_MOVE_Y:
        result = physics->actor_move_y(space, operation.body, operation.a, on_hit_y, world);
        break;
    case OPERATION_WALK:
        result = walk(world, operation);
        break;
    case OPERATION_SHIFT:
        result = operation.alone
                     ? physics->solid_move(space, operation.group[0], operation.a * sign(world), operation.b)
                     : physics->group_move(space, operation.group, operation.group_count, operation.a * sign(world),
                                           operation.b);
        break;
    case OPERATION_STEP:
        result = physics->ball_step(space, operation.body);
        break;
    case OPERATION_BOUNCE:
        if (has_ball) {
            const struct df_solid *solid = &world->solids[0];
            enum df_bounce bounce = physics->ball_bounce(&world->balls[operation.body],
                                                         (struct df_box){solid->x, solid->y, solid->w, solid->h});
            tell(world, (struct event){.kind = 'B', .a = (int32_t)bounce});
        }
        break;
    case OPERATION_PLACE:
        if (has_actor)
            place(world, operation);
        break;
    case OPERATION_RESIZE:
        if (has_actor)
            resize(world, operation);
        break;
    case OPERATION_DROP:
        if (has_actor) {
            world->actors[operation.body].flags ^= DF_ACTOR_DROP_THROUGH;
            df_actor_changed(space, operation.body);
        }
        break;
    case OPERATION_ATTACH:
        if (has_actor) {
            world->actors[operation.body].ride =
                operation.a > 0 ? DF_RIDE_ATTACHED + (uint32_t)operation.a % 4 : (uint32_t)DF_RIDE_STAND;
            df_actor_changed(space, operation.body);
        }
        break;
    case OPERATION_VANISH:
        if (operation.body < space->solid_count) {
            world->solids[operation.body].flags &= ~(uint32_t)DF_SOLID_PRESENT;
            df_solid_changed(space, operation.body);
        }
        break;
    case OPERATION_MEND:
        if (!world->gentle)
            memset(world->broken, 0, sizeof world->broken);
        break;
    case OPERATION_QUERIES:
        if (has_actor)
            query(world, operation);
        break;
    }
    return result;
}

// ---- in the scenario language ----------------------------------------------------------------------------------

static void print_tiles(const struct world *world, FILE *file)
{
    static const char *const outside[] = {"solid", "empty", "wrap"};
    const struct df_tiles *tiles = &world->space.tiles;
    fprintf(file, "tiles %d outside=%s\n", tiles->edge_px, outside[tiles->outside]);
    for (int32_t i = 0; i < tiles->columns * tiles->rows; i++) {
        bool broken = world->kinds[i] == DF_TILE_BLOCK && (world->broken[i >> 5] >> (i & 31) & 1u) != 0;
        fprintf(file, "%c%s", broken ? '.' : ".#=B^"[world->kinds[i]], (i + 1) % tiles->columns == 0 ? "\n" : "");
    }
    fprintf(file, "end\n");
}

void world_print(const struct world *world, FILE *file)
{
    static const char *const rides[] = {"stand", "cling_left", "cling_right", "never", "cling_up"};
    static const char *const answers[] = {
        "destroy", NULL, "ignore # ", "ignore # escape", "ignore # move another", "ignore # queue"};
    const struct df_space *space = &world->space;
    if (space->tiles.kinds != NULL)
        print_tiles(world, file);
    for (int32_t i = 0; i < space->solid_count; i++) {
        const struct df_solid *s = &space->solids[i];
        fprintf(file, "%s S%d %d %d %d %d rem=%d,%d layers=%u%s\n",
                (s->flags & DF_SOLID_ONEWAY) != 0 ? "oneway" : "solid", i, s->x, s->y, s->w, s->h, s->rem_x, s->rem_y,
                (s->flags & DF_LAYERS) / DF_LAYER(0), (s->flags & DF_SOLID_PRESENT) != 0 ? "" : " # absent");
    }
    for (int32_t i = 0; i < space->actor_count; i++) {
        const struct df_actor *a = &space->actors[i];
        bool is_attached = a->ride >= DF_RIDE_ATTACHED;
        fprintf(file, "actor A%d %d %d %d %d rem=%d,%d %s%s", i, a->x, a->y, a->w, a->h, a->rem_x, a->rem_y,
                is_attached ? "attach=S" : "ride=", is_attached ? "" : rides[a->ride]);
        if (is_attached)
            fprintf(file, "%u", a->ride - DF_RIDE_ATTACHED);
        fprintf(file, " passes=%u squish=", (a->flags & DF_LAYERS) / DF_LAYER(0));
        if (world->answers[i] == ANSWER_WIGGLE)
            fprintf(file, "wiggle:%d,%d", world->reach_px[i], world->reach_px[i] / 2);
        else
            fprintf(file, "%s", answers[world->answers[i]]);
        fprintf(file, " # flags %u\n", a->flags);
    }
    for (int32_t i = 0; i < space->ball_count; i++) {
        const struct df_ball *b = &space->balls[i];
        fprintf(file, "ball b%d %d %d %d %d %d\n", i, b->cx, b->cy, b->radius_px, b->vx, b->vy);
    }
    fprintf(file, "# rules: squish %d, rides %d, ball_squish %d\n", space->rules.squish != NULL,
            space->rules.rides != NULL, space->rules.ball_squish != NULL);
}

void operation_print(struct operation operation, FILE *file)
{
    switch (operation.kind) {
    case OPERATION_TICK:
        fprintf(file, "tick\n");
        break;
    case OPERATION_MOVE_X:
        fprintf(file, "move_x A%d %d\n", operation.body, operation.a);
        break;
    case OPERATION_MOVE_Y:
        fprintf(file, "move_y A%d %d\n", operation.body, operation.a);
        break;
    case OPERATION_WALK:
        fprintf(file, "move_x A%d %d\nmove_y A%d %d # as one step\n", operation.body, operation.a, operation.body,
                operation.b);
        break;
    case OPERATION_SHIFT:
        for (int32_t i = 0; i < operation.group_count; i++)
            fprintf(file, "%sS%d", i == 0 ? "shift " : "+", operation.group[i]);
        fprintf(file, " %d %d\n", operation.a, operation.b);
        break;
    case OPERATION_STEP:
        fprintf(file, "step b%d\n", operation.body);
        break;
    case OPERATION_BOUNCE:
        fprintf(file, "bounce b%d S0\n", operation.body);
        break;
    case OPERATION_PLACE:
        fprintf(file, "# place A%d %d %d\n", operation.body, operation.a, operation.b);
        break;
    case OPERATION_RESIZE:
        fprintf(file, "# resize A%d to %d x %d\n", operation.body, operation.c, operation.d);
        break;
    case OPERATION_DROP:
        fprintf(file, "# drop-through of A%d toggled\n", operation.body);
        break;
    case OPERATION_ATTACH:
        fprintf(file, "# A%d is attached to S%d, or stands: %d\n", operation.body, operation.a % 4, operation.a);
        break;
    case OPERATION_VANISH:
        fprintf(file, "# S%d vanishes\n", operation.body);
        break;
    case OPERATION_MEND:
        fprintf(file, "# blocks come back\n");
        break;
    case OPERATION_QUERIES:
        fprintf(file, "# queries about A%d, %d\n", operation.body, operation.a);
        break;
    }
}
