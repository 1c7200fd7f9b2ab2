// SPDX-License-Identifier: MIT
//
// The two implementations of the physics contract as tables of their calls, so that a test or a scenario can be run
// through either. A rule that calls back into the physics takes the table from its context.
#ifndef IMPLEMENTATION_H
#define IMPLEMENTATION_H

#include "physics/physics.h"

/// Every call that changes or asks a space; each as documented in shared/physics.
struct implementation {
    enum df_result (*actor_move_x)(struct df_space *, int32_t, int32_t, df_collide *, void *);
    enum df_result (*actor_move_y)(struct df_space *, int32_t, int32_t, df_collide *, void *);
    enum df_result (*actor_step)(struct df_space *, int32_t, int32_t, int32_t, struct df_actor_hits *);
    struct df_hit (*actor_ground)(const struct df_space *, int32_t);
    struct df_hit (*actor_probe)(const struct df_space *, int32_t, int32_t, int32_t);
    bool (*space_blocked)(const struct df_space *, struct df_box);
    bool (*actor_resize)(struct df_space *, int32_t, struct df_box);
    enum df_result (*actor_place)(struct df_space *, int32_t, int32_t, int32_t);
    bool (*actor_is_embedded)(const struct df_space *, int32_t);
    bool (*find_free)(const struct df_space *, int32_t, int32_t, int32_t *, int32_t *);
    bool (*actor_wiggle)(struct df_space *, int32_t, int32_t, int32_t);
    void (*actor_lift)(const struct df_space *, int32_t, int32_t *, int32_t *);
    enum df_result (*solid_move)(struct df_space *, int32_t, int32_t, int32_t);
    enum df_result (*group_move)(struct df_space *, const int32_t *, int32_t, int32_t, int32_t);
    enum df_bounce (*ball_against)(const struct df_ball *, struct df_box);
    enum df_bounce (*ball_bounce)(struct df_ball *, struct df_box);
    enum df_result (*ball_step)(struct df_space *, int32_t);
    void (*tick_begin)(struct df_space *, uint32_t);
};

/// The library of shared/physics.
extern const struct implementation implementation_fast;
/// The pixel-by-pixel one of literal.h.
extern const struct implementation implementation_literal;

#endif
