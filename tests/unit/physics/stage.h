// SPDX-License-Identifier: MIT
//
// Every test of this room includes this header. It includes cmocka, and declares a stage: a space of a few bodies with
// its own arrays and index memory. Tiles are drawn in characters as in the scenario language.
#ifndef STAGE_H
#define STAGE_H

#include <string.h>

#include "physics/physics.h"
#include "test.h"

struct stage {
    struct df_space space;
    struct df_solid solids[80];
    struct df_actor actors[4];
    struct df_ball balls[2];
    uint8_t kinds[64];
    uint32_t broken[2];
    uint64_t memory[2048];
};

/// Adds a present solid; returns its index.
static inline int32_t stage_solid(struct stage *stage, int32_t x, int32_t y, int32_t w, int32_t h)
{
    stage->solids[stage->space.solid_count] =
        (struct df_solid){.x = x, .y = y, .w = w, .h = h, .flags = DF_SOLID_PRESENT};
    return stage->space.solid_count++;
}

/// Adds a living actor that stands; returns its index.
static inline int32_t stage_actor(struct stage *stage, int32_t x, int32_t y, int32_t w, int32_t h)
{
    stage->actors[stage->space.actor_count] =
        (struct df_actor){.x = x, .y = y, .w = w, .h = h, .flags = DF_ACTOR_ALIVE};
    return stage->space.actor_count++;
}

/// Adds a living ball, in sub; returns its index.
static inline int32_t stage_ball(struct stage *stage, int32_t cx, int32_t cy, int32_t radius_px, int32_t vx, int32_t vy)
{
    stage->balls[stage->space.ball_count] =
        (struct df_ball){.cx = cx, .cy = cy, .radius_px = radius_px, .vx = vx, .vy = vy, .flags = DF_BALL_ALIVE};
    return stage->space.ball_count++;
}

/// Draws the tiles: rows of equal length, all in one string, `columns` a row.
static inline void stage_tiles(struct stage *stage, int32_t columns, const char *drawn, enum df_outside outside)
{
    static const char kinds[] = ".#=B^";
    for (size_t i = 0; drawn[i] != 0; i++)
        stage->kinds[i] = (uint8_t)(strchr(kinds, drawn[i]) - kinds);
    stage->space.tiles = (struct df_tiles){.kinds = stage->kinds,
                                           .broken = stage->broken,
                                           .columns = columns,
                                           .rows = (int32_t)strlen(drawn) / columns,
                                           .edge_px = 8,
                                           .outside = outside};
}

/// Builds the index when all bodies are there; tick 1 begins.
static inline void stage_begin(struct stage *stage)
{
    stage->space.solids = stage->solids;
    stage->space.actors = stage->actors;
    stage->space.balls = stage->balls;
    stage->space.context = stage;
    assert_int_equal(df_space_init(&stage->space, stage->memory, sizeof stage->memory), DF_OK);
    df_tick_begin(&stage->space, 1);
}

#endif
