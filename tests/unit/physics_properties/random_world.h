// SPDX-License-Identifier: MIT
//
// Small random physics worlds and random operations on them, both from a seed, for the property tests.
// No actor begins inside a wall. A world logs the calls of its rules, so that two runs can be compared.
#ifndef RANDOM_WORLD_H
#define RANDOM_WORLD_H

#include <stdio.h>

#include "implementation.h"

#define WORLD_SOLIDS 192 ///< those beyond the count are walls everywhere, so that a look beyond the end is seen
#define WORLD_ACTORS 70
#define WORLD_BALLS  66
#define WORLD_TILES  1024
#define WORLD_EVENTS 2048

/// xorshift64*; never 0.
struct random {
    uint64_t state;
};

/// A number in [low, high].
int32_t random_in(struct random *random, int32_t low, int32_t high);
/// True once in `n` times.
bool random_one_in(struct random *random, int32_t n);
/// A generator for the n-th world of a run.
struct random random_seeded(uint64_t seed, uint64_t n);

/// The arguments of a rule or a collision callback; numbers by kind, in the coordinates of the unmirrored world.
struct event {
    int32_t kind; ///< 'x', 'y': a hit; 's', 'S': a squish of an actor, of a ball; 'b': a bounce
    int32_t body, other;
    int32_t a, b, c, d;
    int32_t tile_column, tile_row; ///< not compared between mirrored worlds
};

/// What an actor's squish rule does.
enum answer {
    ANSWER_DESTROY,
    ANSWER_WIGGLE,
    ANSWER_IGNORE,       ///< the last of the gentle ones
    ANSWER_ESCAPE,       ///< to where find_free says
    ANSWER_MOVE_ANOTHER, ///< moves and kills other actors in the callback
    ANSWER_QUEUE,        ///< asks for another solid's move
    ANSWER_KINDS
};

/// One world with all its memory. Plain data: copied by world_copy().
struct world {
    struct df_space space;
    struct df_solid solids[WORLD_SOLIDS];
    struct df_actor actors[WORLD_ACTORS];
    struct df_ball balls[WORLD_BALLS];
    uint8_t kinds[WORLD_TILES];
    uint32_t broken[WORLD_TILES / 32];
    enum answer answers[WORLD_ACTORS];
    int32_t reach_px[WORLD_ACTORS]; ///< of the wiggle
    bool gentle, large;             ///< see struct taste
    bool mirrored;                  ///< x is mirrored; events are logged as if it were not
    const struct implementation *physics;
    int32_t event_count;
    int32_t ride_questions;   ///< how often the rule of riding was called
    uint64_t memory[1 << 14]; ///< of the index; it and the events are last, because copies have their own
    struct event events[WORLD_EVENTS];
};

/// What the worlds of a test may contain.
struct taste {
    bool gentle; ///< squish answers touch nobody else, and only a squish embeds: for the laws that need it
    bool balls;
    bool large; ///< many cells of the broadphase, and more bodies than a word has bits
};

/// Makes the world of a generator, to be moved by `physics`.
void world_make(struct world *world, struct random *random, struct taste taste, const struct implementation *physics);
/// Copies a world with its own arrays and a new index, to be moved by `physics`.
void world_copy(struct world *to, const struct world *from, const struct implementation *physics);
/// Copies a world mirrored in x.
void world_mirror(struct world *to, const struct world *from, const struct implementation *physics);

enum operation_kind {
    OPERATION_TICK,
    OPERATION_MOVE_X,
    OPERATION_MOVE_Y,
    OPERATION_WALK, ///< an actor steps on both axes, and says what it met
    OPERATION_SHIFT,
    OPERATION_STEP,
    OPERATION_BOUNCE,
    OPERATION_PLACE,
    OPERATION_RESIZE,
    OPERATION_DROP,    ///< toggles drop-through by hand
    OPERATION_ATTACH,  ///< an actor is attached to a solid, or let go, by hand
    OPERATION_VANISH,  ///< a solid is removed by hand
    OPERATION_MEND,    ///< all broken blocks come back
    OPERATION_QUERIES, ///< ground, probe, find_free, lift: their answers become events
};

/// One operation, the same for every copy of a world.
struct operation {
    enum operation_kind kind;
    int32_t body;
    int32_t group[4];
    int32_t group_count;
    bool alone; ///< a shift by df_solid_move() instead of df_group_move()
    int32_t a, b, c, d;
};

/// A random operation for this world.
struct operation operation_make(const struct world *world, struct random *random);
/// Prints a world, and an operation, in the scenario language as far as that can say it (the rest as comments).
void world_print(const struct world *world, FILE *file);
/// See world_print().
void operation_print(struct operation operation, FILE *file);

/// Runs an operation (mirrored in a mirrored world); its events replace those of the last one.
enum df_result operation_do(struct world *world, struct operation operation);

#endif
