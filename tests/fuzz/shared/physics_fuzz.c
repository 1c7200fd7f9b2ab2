// SPDX-License-Identifier: MIT
//
// Calls every public function of the physics library with any integers, flags and bodies, also out of its rules, and
// with bodies written by hand. Each call answers as its header says: what it refuses, and every query, changes nothing;
// bodies within the limits stay there. The rule physics_fuzzer sees to it that no function is missing.
// With FUZZ_CALLS set, the number of calls is printed at the end.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "physics_arguments.h"
#include "physics_checks.h"

#define SOLIDS 6
#define ACTORS 6
#define BALLS  3
#define TILES  (PHYSICS_ARGUMENTS_SIDE * PHYSICS_ARGUMENTS_SIDE)

// Calls out of rules that one call may lead to.
#define NESTED_MAX 6

static uint64_t calls;

// All that a space looks at, and the bytes that decide what happens.
struct fuzz {
    struct physics_arguments from;
    struct df_space space;
    struct bodies {
        struct df_solid solids[SOLIDS];
        struct df_actor actors[ACTORS];
        struct df_ball balls[BALLS];
    } bodies, before;
    uint8_t kinds[TILES];
    uint32_t broken[TILES / 32];
    void *memory;
    bool is_ready;    ///< the space has an index
    bool was_written; ///< a rule has run in this call, and may have written bodies
    int32_t nested;   ///< calls out of rules that are left
};

static uint8_t byte(struct fuzz *fuzz)
{
    return physics_arguments_byte(&fuzz->from);
}

static int32_t number(struct fuzz *fuzz)
{
    return physics_arguments_number(&fuzz->from);
}

static int32_t index_of(struct fuzz *fuzz)
{
    return physics_arguments_index(&fuzz->from);
}

static struct df_box box(struct fuzz *fuzz)
{
    return physics_arguments_box(&fuzz->from);
}

// Mostly near: a search looks at up to a quarter of a million places.
static int32_t reach(struct fuzz *fuzz)
{
    uint8_t near = byte(fuzz);
    return near < 254 ? near % 8 : number(fuzz);
}

static void check_bodies(const struct fuzz *fuzz, bool changes_nothing)
{
    if (changes_nothing)
        require(memcmp(&fuzz->before, &fuzz->bodies, sizeof fuzz->before) == 0);
    else if (!fuzz->was_written) {
        for (int32_t i = 0; i < ACTORS; i++)
            require(!physics_checks_actor_is_sound(&fuzz->before.actors[i]) ||
                    physics_checks_actor_is_sound(&fuzz->bodies.actors[i]));
        for (int32_t i = 0; i < SOLIDS; i++)
            require(!physics_checks_solid_is_sound(&fuzz->before.solids[i]) ||
                    physics_checks_solid_is_sound(&fuzz->bodies.solids[i]));
    }
}

// --- bodies and rules

static void write_body(struct fuzz *fuzz)
{
    uint8_t kind = byte(fuzz), i = byte(fuzz);
    bool is_indexed = i < 224 && fuzz->is_ready; // else the caller forgets it
    fuzz->was_written = true;
    if (kind < 100) {
        fuzz->bodies.solids[i % SOLIDS] = physics_arguments_solid(&fuzz->from);
        if (is_indexed)
            df_solid_changed(&fuzz->space, i % SOLIDS);
    } else if (kind < 200) {
        fuzz->bodies.actors[i % ACTORS] = physics_arguments_actor(&fuzz->from);
        if (is_indexed)
            df_actor_changed(&fuzz->space, i % ACTORS);
    } else {
        fuzz->bodies.balls[i % BALLS] = physics_arguments_ball(&fuzz->from);
    }
}

static void call(struct fuzz *fuzz, bool in_rule);

// A rule does what a caller may do, and this so often that every call ends.
static int rule(struct fuzz *fuzz)
{
    fuzz->was_written = true;
    uint8_t does = byte(fuzz);
    if (fuzz->nested > 0 && does % 4 == 0) {
        fuzz->nested--;
        call(fuzz, true);
    }
    return does / 4 % 3;
}

static void on_collide(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    require(actor >= 0 && actor < space->actor_count && hit.kind != DF_HIT_NONE);
    physics_checks_hit(space, actor, hit);
    rule(context);
}

static enum df_squish_answer on_squish(struct df_space *space, struct df_squish squish, void *context)
{
    require(squish.actor >= 0 && squish.actor < space->actor_count);
    require(squish.missing_px > 0 && squish.solid >= 0 && squish.solid < space->solid_count);
    require(abs(squish.direction_x) + abs(squish.direction_y) == 1);
    require((space->solids[squish.solid].flags & space->actors[squish.actor].flags & DF_LAYERS) == 0);
    physics_checks_hit(space, squish.actor, squish.by);
    return (enum df_squish_answer)rule(context);
}

static int on_rides(const struct df_space *space, int32_t actor, int32_t solid, void *context)
{
    (void)context;
    require(actor >= 0 && actor < space->actor_count && solid >= 0 && solid < space->solid_count);
    return (actor + solid) % 3 - 1;
}

static void on_ball_hit(struct df_space *space, int32_t ball, struct df_ball_hit hit, void *context)
{
    struct fuzz *fuzz = context;
    require(ball >= 0 && ball < space->ball_count && hit.bounce != DF_BOUNCE_NONE);
    if (rule(fuzz) == 0)
        fuzz->broken[ball % 2] ^= UINT32_C(1) << (hit.column & 31);
}

static void on_ball_squish(struct df_space *space, int32_t ball, int32_t solid, void *context)
{
    require(ball >= 0 && ball < space->ball_count && solid >= 0 && solid < space->solid_count);
    rule(context);
}

static void begin(struct fuzz *fuzz)
{
    struct df_space *space = &fuzz->space;
    for (size_t i = 0; i < TILES / 4; i++) {
        uint8_t kind = byte(fuzz);
        fuzz->kinds[4 * i + kind % 4] = kind < 128 ? kind / 4 % 8 : DF_TILE_EMPTY;
    }
    *space = (struct df_space){.tiles = physics_arguments_tiles(&fuzz->from, fuzz->kinds, fuzz->broken),
                               .solids = fuzz->bodies.solids,
                               .actors = fuzz->bodies.actors,
                               .balls = fuzz->bodies.balls,
                               .solid_count = SOLIDS,
                               .actor_count = ACTORS,
                               .ball_count = BALLS,
                               .context = fuzz};
    uint8_t rules = byte(fuzz);
    space->rules.squish = rules % 4 != 0 ? on_squish : NULL;
    space->rules.rides = rules / 4 % 8 == 0 ? on_rides : NULL;
    space->rules.ball_hit = rules / 32 % 2 != 0 ? on_ball_hit : NULL;
    space->rules.ball_squish = rules / 64 % 2 != 0 ? on_ball_squish : NULL;
    uint8_t count = byte(fuzz);
    if (count < 8)
        *(count % 2 != 0 ? &space->actor_count : &space->solid_count) = -1 - count;
    size_t bytes = df_index_bytes(space);
    fuzz->memory = malloc(bytes + 8);
    require(fuzz->memory != NULL);
    require(df_space_init(space, fuzz->memory, bytes - 1) == DF_OUT_OF_RANGE || bytes == 0);
    require(df_space_init(space, (unsigned char *)fuzz->memory + 1, bytes + 7) == DF_OUT_OF_RANGE);
    fuzz->is_ready = df_space_init(space, fuzz->memory, bytes) == DF_OK;
    for (int32_t i = 0; i < ACTORS && !fuzz->is_ready; i++) // what it refused may have been a body
        fuzz->bodies.actors[i].flags = 0;
    for (int32_t i = 0; i < SOLIDS && !fuzz->is_ready; i++)
        fuzz->bodies.solids[i].flags = 0;
    if (!fuzz->is_ready)
        fuzz->is_ready = df_space_init(space, fuzz->memory, bytes) == DF_OK;
}

// --- calls

static bool step_velocity(struct fuzz *fuzz, int32_t actor)
{
    struct df_velocity velocity = physics_arguments_velocity(&fuzz->from), before = velocity;
    struct df_actor_hits hits = {.x = {.kind = DF_HIT_NONE, .index = -1}, .y = {.kind = DF_HIT_NONE, .index = -1}};
    bool was_refused =
        physics_checks_refused(df_velocity_step(&fuzz->space, actor, &velocity, byte(fuzz) % 2 != 0 ? &hits : NULL));
    require(!was_refused || memcmp(&velocity, &before, sizeof velocity) == 0);
    require(abs(velocity.vx) <= abs(before.vx) || was_refused);
    require(abs(velocity.vy) <= abs(before.vy) || was_refused);
    physics_checks_hit(&fuzz->space, actor, hits.x);
    physics_checks_hit(&fuzz->space, actor, hits.y);
    return was_refused;
}

static bool step_actor(struct fuzz *fuzz, int32_t actor, int32_t dx_sub)
{
    struct df_actor_hits hits;
    if (physics_checks_refused(df_actor_step(&fuzz->space, actor, dx_sub, number(fuzz), &hits)))
        return true;
    physics_checks_hit(&fuzz->space, actor, hits.x);
    physics_checks_hit(&fuzz->space, actor, hits.y);
    physics_checks_hit(&fuzz->space, actor, hits.ground);
    return false;
}

static bool move_group(struct fuzz *fuzz)
{
    int32_t group[4];
    for (int i = 0; i < 4; i++)
        group[i] = index_of(fuzz);
    uint8_t count = byte(fuzz);
    int32_t a = number(fuzz), b = number(fuzz);
    return physics_checks_refused(df_group_move(&fuzz->space, group, count < 250 ? count % 5 : 5 - count * 1000, a, b));
}

static bool clear_fractions(struct fuzz *fuzz, int32_t i)
{
    fuzz->was_written = true; // a body that was not sound may be now
    bool is_actor = df_actor_clear_rem_x(&fuzz->space, i) == DF_OK;
    require(df_actor_clear_rem_y(&fuzz->space, i) == (is_actor ? DF_OK : DF_OUT_OF_RANGE));
    require(!is_actor || (fuzz->bodies.actors[i].rem_x == 0 && fuzz->bodies.actors[i].rem_y == 0));
    bool is_solid = df_solid_clear_rem(&fuzz->space, i) == DF_OK;
    require(!is_solid || (fuzz->bodies.solids[i].rem_x == 0 && fuzz->bodies.solids[i].rem_y == 0));
    return !is_actor && !is_solid;
}

// Calls a function that may change bodies. Returns true if it has refused.
static bool act(struct fuzz *fuzz, uint8_t which)
{
    struct df_space *space = &fuzz->space;
    int32_t i = index_of(fuzz), a = number(fuzz), b;
    switch (which) {
    case 0:
        return physics_checks_refused(df_actor_move_x(space, i, a, a % 4 != 0 ? on_collide : NULL, fuzz));
    case 1:
        return physics_checks_refused(df_actor_move_y(space, i, a, a % 4 != 0 ? on_collide : NULL, fuzz));
    case 2:
        return step_actor(fuzz, i, a);
    case 3:
        b = number(fuzz);
        return physics_checks_refused(df_solid_move(space, i, a, b));
    case 4:
        return move_group(fuzz);
    case 5:
    case 6:
        return physics_checks_refused(df_ball_step(space, i));
    case 7:
        b = number(fuzz);
        return physics_checks_refused(df_actor_place(space, i, a, b));
    case 8:
        return !df_actor_resize(space, i, box(fuzz));
    case 9:
        b = reach(fuzz);
        return !df_actor_wiggle(space, i, b, reach(fuzz));
    case 10:
        return step_velocity(fuzz, i);
    case 11:
        return clear_fractions(fuzz, i);
    case 12:
        df_tick_begin(space, (uint32_t)a);
        return false;
    case 13:
        df_space_refresh(space);
        return false;
    case 14:
        df_actor_changed(space, i);
        df_solid_changed(space, a);
        return false;
    default:
        write_body(fuzz);
        return false;
    }
}

static void list(struct fuzz *fuzz)
{
    struct df_box place = box(fuzz);
    int32_t indices[SOLIDS + 1] = {0}, capacity = byte(fuzz) % (SOLIDS + 1);
    bool solids = byte(fuzz) % 2 != 0;
    int32_t count = solids ? df_list_solids(&fuzz->space, place, indices, capacity)
                           : df_list_actors(&fuzz->space, place, indices, capacity);
    require(count >= 0 && count <= (solids ? fuzz->space.solid_count : fuzz->space.actor_count));
    require(count == 0 || physics_checks_is_box(place));
    for (int32_t i = 0; i < count && i < capacity; i++) {
        require(i == 0 || indices[i - 1] < indices[i]);
        require(solids ? fuzz->bodies.solids[indices[i]].flags & DF_SOLID_PRESENT
                       : fuzz->bodies.actors[indices[i]].flags & DF_ACTOR_ALIVE);
    }
    require(indices[capacity] == 0);
    require(df_list_solids(&fuzz->space, place, NULL, 0) >= (solids ? count : 0));
}

static void cast(struct fuzz *fuzz, uint8_t which)
{
    const struct df_space *space = &fuzz->space;
    int32_t dx = number(fuzz), dy = number(fuzz), solid = -1;
    uint32_t flags = physics_arguments_flags(&fuzz->from);
    struct df_cast cast;
    if (which == 0) {
        cast = df_cast_box(space, box(fuzz), dx, dy, flags);
    } else if (which == 1) {
        int32_t x = number(fuzz);
        cast = df_cast_ray(space, x, number(fuzz), dx, dy, flags);
    } else {
        solid = index_of(fuzz);
        cast = df_cast_solid(space, solid, dx, dy, flags);
    }
    physics_checks_cast(space, cast, dx, dy, flags, solid);
}

static void walk(struct fuzz *fuzz, int32_t after)
{
    const struct df_space *space = &fuzz->space;
    int32_t solid = df_next_solid(space, after), actor = df_next_actor(space, after), ball = df_next_ball(space, after);
    require(solid == -1 || (solid > after && (fuzz->bodies.solids[solid].flags & DF_SOLID_PRESENT) != 0));
    require(actor == -1 || (actor > after && (fuzz->bodies.actors[actor].flags & DF_ACTOR_ALIVE) != 0));
    require(ball == -1 || (ball > after && (fuzz->bodies.balls[ball].flags & DF_BALL_ALIVE) != 0));
}

static void read_exact(struct fuzz *fuzz, int32_t i)
{
    int32_t x, y;
    df_actor_exact(&fuzz->space, i, &x, &y);
    require(i >= 0 && i < fuzz->space.actor_count && physics_checks_actor_is_sound(&fuzz->bodies.actors[i])
                ? x == fuzz->bodies.actors[i].x * DF_SUB + fuzz->bodies.actors[i].rem_x
                : x == 0 && y == 0);
    df_solid_exact(&fuzz->space, i, &x, &y);
    require(i >= 0 && i < fuzz->space.solid_count && physics_checks_solid_is_sound(&fuzz->bodies.solids[i])
                ? y == fuzz->bodies.solids[i].y * DF_SUB + fuzz->bodies.solids[i].rem_y
                : x == 0 && y == 0);
}

// Calls a function that asks something about the space.
static void query(struct fuzz *fuzz, uint8_t which)
{
    const struct df_space *space = &fuzz->space;
    int32_t i = index_of(fuzz), x, y;
    struct df_box place;
    switch (which) {
    case 0:
        physics_checks_hit(space, i, df_actor_ground(space, i));
        break;
    case 1:
        x = number(fuzz);
        physics_checks_hit(space, i, df_actor_probe(space, i, x, x % 2 != 0 ? 0 : number(fuzz)));
        break;
    case 2:
        df_actor_is_embedded(space, i);
        break;
    case 3:
        if (df_find_free(space, i, reach(fuzz), &x, &y))
            require(physics_checks_is_box((struct df_box){x, y, 1, 1}));
        break;
    case 4:
        df_actor_lift(space, i, &x, &y);
        break;
    case 5:
        place = box(fuzz);
        require(df_space_blocked(space, place) || physics_checks_is_box(place));
        break;
    case 6:
    case 7:
    case 8:
        cast(fuzz, which - 6);
        break;
    case 9:
        list(fuzz);
        break;
    case 10:
        walk(fuzz, i);
        break;
    default:
        read_exact(fuzz, i);
        break;
    }
}

// Calls a function that knows no space.
static void compute(struct fuzz *fuzz, uint8_t which)
{
    struct df_ball ball = physics_arguments_ball(&fuzz->from), before = ball;
    struct df_box place = box(fuzz);
    struct df_tiles tiles = physics_arguments_tiles(&fuzz->from, fuzz->kinds, fuzz->broken);
    struct df_velocity velocity = physics_arguments_velocity(&fuzz->from);
    const struct df_actor *actor = &fuzz->bodies.actors[(uint32_t)place.x % ACTORS];
    const struct df_solid *solid = &fuzz->bodies.solids[(uint32_t)place.y % SOLIDS];
    switch (which) {
    case 0:
        df_tiles_at(&tiles, place.x, place.y);
        df_tiles_touch(&tiles, place, (enum df_tile)byte(fuzz));
        require(df_tiles_block(&tiles, place) || physics_checks_is_box(place));
        break;
    case 1:
        df_actor_rides(actor, solid, &tiles);
        require(df_actor_box(actor).x == actor->x && df_actor_box(actor).h == actor->h);
        require(df_solid_box(solid).y == solid->y && df_solid_box(solid).w == solid->w);
        break;
    case 2:
        require(df_ball_against(&ball, place) == df_ball_bounce(&ball, place));
        require(before.cx == ball.cx && before.cy == ball.cy && before.flags == ball.flags);
        break;
    default:
        df_velocity_hold(&velocity, byte(fuzz) % 2 != 0);
        df_velocity_jump(&velocity, place.x, place.y);
        require(velocity.vy == place.x && velocity.jump_ticks == place.y);
        df_velocity_hold(&velocity, true);
        require(velocity.vy == place.x && velocity.jump_ticks < (place.y > 0 ? place.y : 1));
        df_box_overlaps(place, box(fuzz));
        require((df_group_carrier(&place.x, 1) & UINT32_C(1) << 31) == 0 || place.x < 0 || place.x == INT32_MAX);
        df_group_carrier(&place.x, byte(fuzz) % 5);
        require(df_floor_div(place.x, place.y) <= place.x || place.x < 0 || place.y < 1);
        require(df_round_px(place.x) <= INT32_MAX / DF_SUB + 1);
        require(df_version_matches() && df_version() == DF_VERSION);
        break;
    }
}

static void call(struct fuzz *fuzz, bool in_rule)
{
    struct bodies before = fuzz->before; // of the call around
    bool was_written = fuzz->was_written;
    uint8_t which = byte(fuzz) % 32;
    calls++;
    fuzz->was_written = false;
    memcpy(&fuzz->before, &fuzz->bodies, sizeof fuzz->before);
    if (which < 16) {
        bool was_refused = act(fuzz, which);
        check_bodies(fuzz, was_refused);
    } else {
        if (which < 28)
            query(fuzz, which - 16);
        else
            compute(fuzz, which - 28);
        check_bodies(fuzz, true);
    }
    fuzz->was_written = was_written || in_rule;
    fuzz->before = before;
}

static void print_calls(void)
{
    fprintf(stderr, "physics_fuzz: %" PRIu64 " calls\n", calls);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz fuzz;
    static bool prints;
    if (!prints && getenv("FUZZ_CALLS") != NULL)
        prints = atexit(print_calls) == 0;
    memset(&fuzz, 0, sizeof fuzz);
    fuzz.from = (struct physics_arguments){data, size};
    for (int i = byte(&fuzz) % 24; i > 0; i--)
        write_body(&fuzz);
    begin(&fuzz);
    while (fuzz.is_ready && fuzz.from.left > 0) {
        fuzz.nested = NESTED_MAX;
        call(&fuzz, false);
    }
    free(fuzz.memory);
    return 0;
}
