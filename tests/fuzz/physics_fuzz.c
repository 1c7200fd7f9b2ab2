// SPDX-License-Identifier: MIT
//
// Calls every public function of the physics library with any integers, flags and bodies, also out of its rules, and
// with bodies written by hand. Each call answers as its header says: what it refuses, and every query, changes nothing;
// bodies within the limits stay there. With FUZZ_CALLS set, the number of calls is printed at the end.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "physics/physics.h"
#include "require.h"

#define SOLIDS 6
#define ACTORS 6
#define BALLS  3
#define SIDE   8 ///< largest number of columns and of rows

static uint64_t calls;

// All that a space looks at, and the bytes that decide what happens.
struct fuzz {
    const uint8_t *data;
    size_t left;
    struct df_space space;
    struct bodies {
        struct df_solid solids[SOLIDS];
        struct df_actor actors[ACTORS];
        struct df_ball balls[BALLS];
    } bodies, before;
    uint8_t kinds[SIDE * SIDE];
    uint32_t broken[SIDE * SIDE / 32];
    void *memory;
    bool is_ready;    ///< the space has an index
    bool was_written; ///< a rule has run in this call, and may have written bodies
    int32_t nested;   ///< calls out of rules that are left
};

static uint8_t byte(struct fuzz *fuzz)
{
    if (fuzz->left == 0)
        return 0;
    fuzz->left--;
    return *fuzz->data++;
}

static int32_t word(struct fuzz *fuzz)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits = bits << 8 | byte(fuzz);
    return (int32_t)bits;
}

// Mostly small; often at a limit; sometimes anything.
static int32_t number(struct fuzz *fuzz)
{
    static const int32_t limits[] = {INT32_MIN,
                                     INT32_MAX,
                                     DF_COORDINATE_PX_MAX,
                                     -DF_COORDINATE_PX_MAX,
                                     DF_AMOUNT_SUB_MAX,
                                     DF_COORDINATE_PX_MAX * DF_SUB,
                                     -DF_COORDINATE_PX_MAX * DF_SUB,
                                     64 * DF_SUB};
    uint8_t kind = byte(fuzz);
    if (kind < 160)
        return (int8_t)byte(fuzz);
    if (kind < 232)
        return (int16_t)((unsigned)byte(fuzz) << 8 | byte(fuzz)) / 8;
    if (kind < 252)
        return (int32_t)((uint32_t)limits[kind % 8] + byte(fuzz) % 5 - 2);
    return word(fuzz);
}

static int32_t index_of(struct fuzz *fuzz)
{
    uint8_t kind = byte(fuzz);
    return kind < 250 ? kind % 8 - 1 : word(fuzz);
}

static struct df_box box(struct fuzz *fuzz)
{
    struct df_box box = {number(fuzz), number(fuzz), number(fuzz), number(fuzz)};
    return box;
}

static struct df_ball ball(struct fuzz *fuzz)
{
    struct df_ball ball = {.cx = number(fuzz), .cy = number(fuzz), .radius_px = 1 + byte(fuzz) % 9};
    ball.vx = number(fuzz);
    ball.vy = number(fuzz);
    ball.flags = byte(fuzz);
    if (byte(fuzz) % 16 == 0)
        ball.radius_px = number(fuzz);
    return ball;
}

static void write_body(struct fuzz *fuzz)
{
    uint8_t kind = byte(fuzz), i = byte(fuzz);
    struct df_box at = box(fuzz);
    bool is_indexed = i < 224; // else the caller forgets it
    fuzz->was_written = true;
    if (kind < 100) {
        struct df_solid *solid = &fuzz->bodies.solids[i % SOLIDS];
        *solid = (struct df_solid){at.x, at.y, at.w, at.h, number(fuzz), number(fuzz), byte(fuzz)};
        if (is_indexed && fuzz->is_ready)
            df_solid_changed(&fuzz->space, i % SOLIDS);
    } else if (kind < 200) {
        struct df_actor *actor = &fuzz->bodies.actors[i % ACTORS];
        *actor =
            (struct df_actor){.x = at.x, .y = at.y, .w = at.w, .h = at.h, .rem_x = number(fuzz), .rem_y = number(fuzz)};
        actor->lift_x = number(fuzz);
        actor->lift_tick = byte(fuzz);
        actor->carried_tick = byte(fuzz);
        actor->carrier = byte(fuzz);
        actor->ride = byte(fuzz) % 8 < 6 ? byte(fuzz) % 4 : (uint32_t)word(fuzz);
        actor->flags = byte(fuzz);
        if (is_indexed && fuzz->is_ready)
            df_actor_changed(&fuzz->space, i % ACTORS);
    } else {
        fuzz->bodies.balls[i % BALLS] = ball(fuzz);
    }
}

static void call(struct fuzz *fuzz, bool in_rule);

// A rule does what a caller may do, and this so often that every call ends.
static int rule(struct fuzz *fuzz)
{
    fuzz->was_written = true;
    if (fuzz->nested > 0 && byte(fuzz) % 4 == 0) {
        fuzz->nested--;
        call(fuzz, true);
    }
    return (int8_t)byte(fuzz) % 3;
}

static void on_collide(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    require(actor >= 0 && actor < space->actor_count && hit.left_px > 0 && hit.kind != DF_HIT_NONE);
    rule(context);
}

static enum df_squish_answer on_squish(struct df_space *space, struct df_squish squish, void *context)
{
    require(squish.missing_px > 0 && squish.solid >= 0 && squish.solid < space->solid_count);
    return (enum df_squish_answer)rule(context);
}

static int on_rides(const struct df_space *space, int32_t actor, int32_t solid, void *context)
{
    (void)space, (void)context;
    return (actor + solid) % 3 - 1;
}

static void on_ball_hit(struct df_space *space, int32_t ball, struct df_ball_hit hit, void *context)
{
    require(ball >= 0 && ball < space->ball_count && hit.bounce != DF_BOUNCE_NONE);
    rule(context);
}

static void on_ball_squish(struct df_space *space, int32_t ball, int32_t solid, void *context)
{
    require(ball < space->ball_count && solid < space->solid_count);
    rule(context);
}

static bool is_box(struct df_box box)
{
    int32_t far = DF_COORDINATE_PX_MAX;
    return box.x >= -far && box.x <= far && box.y >= -far && box.y <= far && box.w >= 1 && box.w <= far && box.h >= 1 &&
           box.h <= far;
}

static bool is_rem(int32_t rem)
{
    return rem >= -DF_SUB / 2 && rem <= DF_SUB / 2;
}

static bool is_sound(const struct df_actor *actor)
{
    return is_box((struct df_box){actor->x, actor->y, actor->w, actor->h}) && is_rem(actor->rem_x) &&
           is_rem(actor->rem_y);
}

static void check(const struct fuzz *fuzz, bool changes_nothing)
{
    if (changes_nothing)
        require(memcmp(&fuzz->before, &fuzz->bodies, sizeof fuzz->before) == 0);
    for (int32_t i = 0; i < ACTORS && !fuzz->was_written; i++)
        require(!is_sound(&fuzz->before.actors[i]) || is_sound(&fuzz->bodies.actors[i]));
    for (int32_t i = 0; i < SOLIDS && !fuzz->was_written; i++) {
        const struct df_solid *from = &fuzz->before.solids[i], *to = &fuzz->bodies.solids[i];
        require(!is_box((struct df_box){from->x, from->y, from->w, from->h}) ||
                is_box((struct df_box){to->x, to->y, to->w, to->h}));
    }
}

static bool is_refused(enum df_result result)
{
    return result == DF_OUT_OF_RANGE || result == DF_QUEUE_FULL || result == DF_QUEUED;
}

// A grid that the library accepts has its tiles in `kinds`; one that it must refuse has any numbers.
static struct df_tiles grid(struct fuzz *fuzz)
{
    struct df_tiles tiles = {.kinds = byte(fuzz) % 8 != 0 ? fuzz->kinds : NULL,
                             .broken = byte(fuzz) % 2 != 0 ? fuzz->broken : NULL,
                             .columns = 1 + byte(fuzz) % SIDE,
                             .rows = 1 + byte(fuzz) % SIDE,
                             .edge_px = 1 + byte(fuzz) % 16,
                             .outside = (enum df_outside)(byte(fuzz) % 3)};
    switch (byte(fuzz) % 32) {
    case 0:
        tiles.columns = -(number(fuzz) % SIDE);
        break;
    case 1:
        tiles.rows = word(fuzz) | 1 << 30;
        break;
    case 2:
        tiles.edge_px = number(fuzz);
        break;
    case 3:
        tiles.outside = (enum df_outside)word(fuzz);
        break;
    default:
        break;
    }
    return tiles;
}

static void begin(struct fuzz *fuzz)
{
    struct df_space *space = &fuzz->space;
    fuzz->is_ready = false;
    for (size_t i = 0; i < sizeof fuzz->kinds; i++)
        fuzz->kinds[i] = byte(fuzz) % 4 == 0 ? byte(fuzz) % 8 : DF_TILE_EMPTY;
    *space = (struct df_space){.tiles = grid(fuzz),
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
    if (byte(fuzz) % 32 == 0)
        *(byte(fuzz) % 2 != 0 ? &space->actor_count : &space->solid_count) = -1 - byte(fuzz);
    size_t bytes = df_index_bytes(space);
    free(fuzz->memory);
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

static void list(struct fuzz *fuzz, struct df_box place)
{
    int32_t indices[SOLIDS + 1] = {0}, capacity = byte(fuzz) % (SOLIDS + 1);
    bool solids = byte(fuzz) % 2 != 0;
    int32_t count = solids ? df_list_solids(&fuzz->space, place, indices, capacity)
                           : df_list_actors(&fuzz->space, place, indices, capacity);
    require(count >= 0 && count <= (solids ? fuzz->space.solid_count : fuzz->space.actor_count));
    for (int32_t i = 1; i < count && i < capacity; i++)
        require(indices[i - 1] < indices[i]);
    require(indices[capacity] == 0);
}

static void cast(struct fuzz *fuzz, struct df_box place)
{
    int32_t dx = number(fuzz), dy = number(fuzz);
    uint32_t flags = byte(fuzz);
    struct df_cast cast = flags % 2 != 0 ? df_cast_box(&fuzz->space, place, dx, dy, flags / 2)
                                         : df_cast_ray(&fuzz->space, place.x, place.y, dx, dy, flags / 2);
    if (flags % 4 == 2)
        cast = df_cast_solid(&fuzz->space, index_of(fuzz), dx, dy, flags / 4);
    require(abs(cast.dx_sub) <= DF_AMOUNT_SUB_MAX && abs(cast.dy_sub) <= DF_AMOUNT_SUB_MAX);
    require(cast.kind != DF_HIT_SOLID || (cast.index >= 0 && cast.index < fuzz->space.solid_count));
}

// Calls a function that changes nothing.
static void query(struct fuzz *fuzz, uint8_t which)
{
    const struct df_space *space = &fuzz->space;
    int32_t actor = index_of(fuzz), x, y;
    struct df_box place = box(fuzz);
    struct df_tiles tiles = grid(fuzz);
    struct df_ball flying = ball(fuzz);
    switch (which) {
    case 0:
        df_actor_ground(space, actor);
        break;
    case 1:
        df_actor_probe(space, actor, place.x, place.y);
        break;
    case 2:
        df_actor_is_embedded(space, actor);
        break;
    case 3:
        if (df_find_free(space, actor, place.x % 16 != 0 ? place.x % 16 : place.y, &x, &y))
            require(is_box((struct df_box){x, y, 1, 1}));
        break;
    case 4:
        df_actor_lift(space, actor, &x, &y);
        break;
    case 5:
        df_actor_rides(&fuzz->bodies.actors[(uint32_t)actor % ACTORS], &fuzz->bodies.solids[place.x & 3], &tiles);
        break;
    case 6:
        require(df_space_blocked(space, place) || is_box(place));
        break;
    case 7:
        df_tiles_at(&tiles, place.x, place.y);
        break;
    case 8:
        df_tiles_touch(&tiles, place, (enum df_tile)byte(fuzz));
        break;
    case 9:
        require(df_tiles_block(&tiles, place) || is_box(place));
        break;
    case 10:
        df_ball_against(&flying, place);
        break;
    case 11:
        df_ball_bounce(&flying, place);
        break;
    case 12:
        df_box_overlaps(place, box(fuzz));
        break;
    default:
        cast(fuzz, place);
        list(fuzz, place);
        df_actor_exact(space, actor, &x, &y);
        df_solid_exact(space, actor, &x, &y);
        require(df_next_solid(space, actor) < SOLIDS && df_next_actor(space, actor) < ACTORS &&
                df_next_ball(space, actor) < BALLS);
        df_group_carrier(&place.x, 1 + byte(fuzz) % 4);
        require(df_floor_div(place.x, place.y) <= place.x || place.x < 0 || place.y < 1);
        require(df_round_px(place.x) <= INT32_MAX / DF_SUB + 1);
        break;
    }
    require(memcmp(&fuzz->before, &fuzz->bodies, sizeof fuzz->before) == 0);
}

static void call(struct fuzz *fuzz, bool in_rule)
{
    struct df_space *space = &fuzz->space;
    struct bodies before = fuzz->before; // of the call around
    uint8_t which = byte(fuzz) % 32;
    int32_t group[4] = {index_of(fuzz), index_of(fuzz), index_of(fuzz), index_of(fuzz)};
    int32_t a = number(fuzz), b = number(fuzz), i = group[0];
    bool was_refused = false, was_written = fuzz->was_written;
    calls++;
    fuzz->was_written = false;
    memcpy(&fuzz->before, &fuzz->bodies, sizeof fuzz->before);
    switch (which) {
    case 0:
    case 1:
        was_refused = is_refused(df_actor_move_x(space, i, a, b % 2 == 0 ? on_collide : NULL, fuzz));
        break;
    case 2:
    case 3:
        was_refused = is_refused(df_actor_move_y(space, i, a, b % 2 == 0 ? on_collide : NULL, fuzz));
        break;
    case 4:
    case 5:
        was_refused = is_refused(df_solid_move(space, i, a, b));
        break;
    case 6:
    case 7:
        was_refused =
            is_refused(df_group_move(space, group, byte(fuzz) % 6 < 5 ? byte(fuzz) % 5 : word(fuzz) | 128, a, b));
        break;
    case 8:
    case 9:
        was_refused = is_refused(df_ball_step(space, i));
        break;
    case 10:
        was_refused = is_refused(df_actor_place(space, i, a, b));
        break;
    case 11:
        was_refused = !df_actor_resize(space, i, box(fuzz));
        break;
    case 12:
        was_refused = !df_actor_wiggle(space, i, a % 16 != 0 ? a % 16 : a, b % 16);
        break;
    case 13:
        df_tick_begin(space, (uint32_t)a);
        break;
    case 14:
        df_space_refresh(space);
        break;
    case 15:
        df_actor_changed(space, i);
        df_solid_changed(space, i);
        if (a % 8 == 0) {
            df_actor_clear_rem_x(space, i);
            df_actor_clear_rem_y(space, i);
            df_solid_clear_rem(space, i);
        }
        break;
    case 16:
    case 17:
        write_body(fuzz);
        break;
    default:
        query(fuzz, which - 18);
        break;
    }
    check(fuzz, was_refused);
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
    fuzz = (struct fuzz){.data = data, .left = size};
    for (int i = byte(&fuzz) % 24; i > 0; i--)
        write_body(&fuzz);
    begin(&fuzz);
    while (fuzz.is_ready && fuzz.left > 0) {
        fuzz.nested = 6;
        call(&fuzz, false);
    }
    free(fuzz.memory);
    return 0;
}
