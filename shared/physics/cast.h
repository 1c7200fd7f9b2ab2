// SPDX-License-Identifier: MIT
//
// Casts: what a box or a ray meets first on a straight way, where, and on which side. Exact: no step of the way is left
// out, and times are compared as fractions. A cast needs no actor and changes nothing. It takes time for the solids and
// tiles near its way.
#ifndef DF_CAST_H
#define DF_CAST_H

#include "types.h"

/// Bits of the `flags` of a cast. The layers that it passes are there, too (DF_LAYER).
enum df_cast_flags {
    DF_CAST_ONEWAYS = 1u << 0, ///< one-ways stop it as they stop an actor: on the way down, from above
};

/// What a cast met. Of several things met at the same time: a side before a corner, the solid of the lowest index, then
/// the topmost tile, then the leftmost.
struct df_cast {
    enum df_hit_kind kind;      ///< what sort of thing it met
    int32_t index;              ///< of the solid, else -1
    int32_t column, row;        ///< of the tile, else 0
    int32_t normal_x, normal_y; ///< the side that was met: (-1, 0) left, (1, 0) right, (0, -1) top, (0, 1) bottom; both
                                ///< not 0: exactly a corner; both 0: it overlapped from the start
    int32_t dx_sub, dy_sub;     ///< how far it came, sub: there it is flush with that side, and overlaps nothing
};

/// Casts a box (px) along a straight line, at most DF_AMOUNT_SUB_MAX on each axis. What it only brushes does not stop
/// it. DF_HIT_NONE if the way is free; also, with a way of 0, if an argument is beyond the limits.
DF_API struct df_cast df_cast_box(const struct df_space *space, struct df_box box, int32_t dx_sub, int32_t dy_sub,
                                  uint32_t flags);

/// Casts a ray from a place in sub: a box that is one sub wide and high, so it belongs to one pixel everywhere.
DF_API struct df_cast df_cast_ray(const struct df_space *space, int32_t x_sub, int32_t y_sub, int32_t dx_sub,
                                  int32_t dy_sub, uint32_t flags);

/// Casts a solid from where it is: what it would run into, itself left out. Solids run into nothing by themselves, so
/// this is how a falling block finds its floor: df_solid_move() by the way of the answer ends flush with what was met,
/// its fraction included. DF_HIT_NONE with a way of 0 also for a bad index or fraction.
DF_API struct df_cast df_cast_solid(const struct df_space *space, int32_t solid, int32_t dx_sub, int32_t dy_sub,
                                    uint32_t flags);

#endif
