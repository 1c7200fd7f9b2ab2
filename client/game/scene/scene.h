// SPDX-License-Identifier: MIT
//
// What is drawn and is not part of a world: figures, particles, the camera, the kill feed. Events of a view set it
// going.
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "camera.h"
#include "draw_player.h"
#include "frame.h"
#include "looks/display_options.h"

// --- particles.c
//
// Short-lived particles: dust, sparks, drops in a player's colour that stick to walls and slide down, shock rings. They
// live in map pixels, move once a tick and never affect the game. A full pool replaces its oldest.

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

// --- kill_feed.c
//
// The kill feed: the last deaths with their causes, newest first, in the top right corner. A scene owns one and adds
// each death; the HUD draws it.

#define KILL_FEED_LINES 5

/// One death. Starts as zeros.
struct kill_feed_line {
    char killer[PLAYER_NAME_BYTES + 1]; ///< empty: nobody
    char victim[PLAYER_NAME_BYTES + 1]; ///< empty: no line
    uint32_t killer_colour, victim_colour;
    uint32_t cause; ///< enum death_cause
    uint32_t until; ///< the tick from which it is no longer shown
};

/// Adds a death, EVENT_KILL, above the others.
void kill_feed_add(struct kill_feed_line feed[KILL_FEED_LINES], const struct view *view, const struct event *kill);
/// Draws the lines that are still shown.
void kill_feed_draw(const struct frame *frame, const struct kill_feed_line feed[KILL_FEED_LINES]);

/// The state of one screen, about 300 KB.
struct scene {
    const struct display_options *display; ///< null: DISPLAY_OPTIONS_DEFAULT
    bool started;
    uint32_t tick; ///< of the last view
    struct camera camera;
    struct particles particles;
    struct player_figure figures[PLAYER_CAPACITY];
    struct kill_feed_line feed[KILL_FEED_LINES]; ///< newest first
    struct tile_looks looks;
};

/// Returns the display options of a scene.
const struct display_options *scene_display(const struct scene *scene);

/// Turns the events of a view into effects and moves the scene by the ticks since the last view.
void scene_update(struct scene *scene, const struct view *view);

#endif
