// SPDX-License-Identifier: MIT
//
// Short-lived particles: dust, sparks, drops in a player's colour that stick to walls and slide down, shock rings. They
// live in map pixels, move once a tick and never affect the game. A full pool replaces its oldest.
#ifndef APP_RENDER_PARTICLES_H
#define APP_RENDER_PARTICLES_H

#include "frame.h"

#define PARTICLE_CAPACITY 1024

/// How a particle behaves.
enum particle_kind {
    PARTICLE_NONE,
    PARTICLE_DUST,  ///< a puff that slows and shrinks
    PARTICLE_SPARK, ///< a bright streak that falls
    PARTICLE_DROP,  ///< flies, sticks to what it meets, slides down
    PARTICLE_STUCK, ///< such a drop on a wall
    PARTICLE_RING,  ///< a circle that grows
};

/// One particle.
struct particle {
    enum particle_kind kind;
    float x, y, vx, vy; ///< px, and px per tick
    int32_t size;       ///< px
    int32_t age, life;  ///< ticks
    argb colour;
};

/// The pool.
struct particles {
    struct particle all[PARTICLE_CAPACITY];
    uint32_t next; ///< place of the next
    uint32_t random_state;
    _Bool sparse; ///< a third of the particles: reduced motion
};

/// Moves all particles for one tick.
void particles_step(struct particles *particles, const struct tile_view *tiles);

/// Draws the drops on walls, behind players, or all other particles, before them.
void particles_draw_stuck(const struct frame *frame, const struct particles *particles);
void particles_draw_flying(const struct frame *frame, const struct particles *particles);

/// `count` puffs around x, y that drift with vx, vy (px per tick) and scatter.
void particles_dust(struct particles *particles, float x, float y, float vx, float vy, int32_t count);
/// `count` sparks thrown in all directions.
void particles_sparks(struct particles *particles, float x, float y, int32_t count, argb colour);
/// A burst of `count` drops.
void particles_splat(struct particles *particles, float x, float y, int32_t count, argb colour);
/// A growing ring of `size` px in the end.
void particles_ring(struct particles *particles, float x, float y, int32_t size, argb colour);

#endif
