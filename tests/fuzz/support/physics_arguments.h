// SPDX-License-Identifier: MIT
//
// Arguments for calls of the physics library, made of a fuzzer's bytes: mostly small, often at a limit, sometimes
// anything. When the bytes are used up, all are 0.
#ifndef FUZZ_PHYSICS_ARGUMENTS_H
#define FUZZ_PHYSICS_ARGUMENTS_H

#include "physics/physics.h"

/// Largest number of columns and of rows of a grid that is not refused.
#define PHYSICS_ARGUMENTS_SIDE 8

/// The bytes that are left.
struct physics_arguments {
    const uint8_t *data;
    size_t left;
};

static inline uint8_t physics_arguments_byte(struct physics_arguments *from)
{
    if (from->left == 0)
        return 0;
    from->left--;
    return *from->data++;
}

static inline int32_t physics_arguments_word(struct physics_arguments *from)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits = bits << 8 | physics_arguments_byte(from);
    return (int32_t)bits;
}

/// A coordinate, size, amount or count.
static inline int32_t physics_arguments_number(struct physics_arguments *from)
{
    static const int32_t limits[] = {INT32_MIN,
                                     INT32_MAX,
                                     DF_COORDINATE_PX_MAX,
                                     -DF_COORDINATE_PX_MAX,
                                     DF_AMOUNT_SUB_MAX,
                                     DF_COORDINATE_PX_MAX * DF_SUB,
                                     -DF_COORDINATE_PX_MAX * DF_SUB,
                                     64 * DF_SUB};
    uint8_t kind = physics_arguments_byte(from);
    if (kind < 160)
        return (int8_t)physics_arguments_byte(from);
    if (kind < 232) {
        unsigned high = physics_arguments_byte(from);
        return (int16_t)(high << 8 | physics_arguments_byte(from)) / 8;
    }
    if (kind < 252)
        return (int32_t)((uint32_t)limits[kind % 8] + physics_arguments_byte(from) % 5 - 2);
    return physics_arguments_word(from);
}

/// An index of a body: -1 to 6, or anything.
static inline int32_t physics_arguments_index(struct physics_arguments *from)
{
    uint8_t kind = physics_arguments_byte(from);
    return kind < 250 ? kind % 8 - 1 : physics_arguments_word(from);
}

/// Flags with few layers, so that some bodies share one and others do not; or any bits.
static inline uint32_t physics_arguments_flags(struct physics_arguments *from)
{
    uint8_t flags = physics_arguments_byte(from), layers = physics_arguments_byte(from);
    if (layers >= 248)
        return (uint32_t)physics_arguments_word(from);
    return (flags & 7u) | (layers < 64 ? DF_LAYER(layers % 3) : 0) | (layers < 16 ? DF_LAYER(15) : 0);
}

static inline struct df_box physics_arguments_box(struct physics_arguments *from)
{
    struct df_box box;
    box.x = physics_arguments_number(from);
    box.y = physics_arguments_number(from);
    box.w = physics_arguments_number(from);
    box.h = physics_arguments_number(from);
    return box;
}

static inline struct df_solid physics_arguments_solid(struct physics_arguments *from)
{
    struct df_box box = physics_arguments_box(from);
    struct df_solid solid = {.x = box.x, .y = box.y, .w = box.w, .h = box.h};
    solid.rem_x = physics_arguments_number(from);
    solid.rem_y = physics_arguments_number(from);
    solid.flags = physics_arguments_flags(from);
    return solid;
}

static inline struct df_actor physics_arguments_actor(struct physics_arguments *from)
{
    struct df_box box = physics_arguments_box(from);
    struct df_actor actor = {.x = box.x, .y = box.y, .w = box.w, .h = box.h};
    actor.rem_x = physics_arguments_number(from);
    actor.rem_y = physics_arguments_number(from);
    actor.lift_x = physics_arguments_number(from);
    actor.lift_tick = physics_arguments_byte(from);
    actor.carried_tick = physics_arguments_byte(from);
    actor.carrier = physics_arguments_byte(from);
    uint8_t ride = physics_arguments_byte(from);
    actor.ride = ride < 160   ? ride % (DF_RIDE_CLING_UP + 1)
                 : ride < 240 ? DF_RIDE_ATTACHED + (uint32_t)ride % 8
                              : (uint32_t)physics_arguments_word(from);
    actor.flags = physics_arguments_flags(from);
    return actor;
}

static inline struct df_ball physics_arguments_ball(struct physics_arguments *from)
{
    struct df_ball ball;
    ball.cx = physics_arguments_number(from);
    ball.cy = physics_arguments_number(from);
    ball.radius_px = 1 + physics_arguments_byte(from) % 9;
    ball.vx = physics_arguments_number(from);
    ball.vy = physics_arguments_number(from);
    ball.flags = physics_arguments_byte(from);
    if (ball.flags % 16 == 15)
        ball.radius_px = physics_arguments_number(from);
    return ball;
}

static inline struct df_velocity physics_arguments_velocity(struct physics_arguments *from)
{
    struct df_velocity velocity;
    velocity.vx = physics_arguments_number(from);
    velocity.vy = physics_arguments_number(from);
    velocity.bounce = physics_arguments_byte(from) * 2 - 1;
    velocity.jump_vy = physics_arguments_number(from);
    velocity.jump_ticks = physics_arguments_number(from);
    return velocity;
}

/// A grid over `kinds` and `broken`, which have as many tiles as SIDE allows. One that the library must refuse has any
/// numbers.
static inline struct df_tiles physics_arguments_tiles(struct physics_arguments *from, const uint8_t *kinds,
                                                      const uint32_t *broken)
{
    uint8_t what = physics_arguments_byte(from), size = physics_arguments_byte(from);
    struct df_tiles tiles = {.kinds = what % 8 != 0 ? kinds : NULL,
                             .broken = what / 8 % 2 != 0 ? broken : NULL,
                             .columns = 1 + size % PHYSICS_ARGUMENTS_SIDE,
                             .rows = 1 + size / 8 % PHYSICS_ARGUMENTS_SIDE,
                             .outside = (enum df_outside)(what / 16 % 3)};
    tiles.edge_px = 1 + physics_arguments_byte(from) % 16;
    switch (physics_arguments_byte(from)) {
    case 1:
        tiles.columns = -(physics_arguments_number(from) % PHYSICS_ARGUMENTS_SIDE);
        break;
    case 2:
        tiles.rows = physics_arguments_word(from) | 1 << 30;
        break;
    case 3:
        tiles.edge_px = physics_arguments_number(from);
        break;
    case 4:
        tiles.outside = (enum df_outside)physics_arguments_word(from);
        break;
    default:
        break;
    }
    return tiles;
}

#endif
