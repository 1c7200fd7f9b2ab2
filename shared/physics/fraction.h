// SPDX-License-Identifier: MIT
//
// The fractions of bodies: where a body is exactly, for drawing, and how to make it forget its fraction. A body
// collides at whole pixels. To draw it there looks best at low resolution; at a high one, the exact place moves more
// smoothly.
#ifndef DF_FRACTION_H
#define DF_FRACTION_H

#include "types.h"

/// Reads the exact place of an actor's top-left corner, sub: its pixel and the fraction that its moves still owe. Zero
/// for a bad index, and for an actor beyond the limits.
DF_API void df_actor_exact(const struct df_space *space, int32_t actor, int32_t *x_sub, int32_t *y_sub);

/// Reads the exact place of a solid's top-left corner, sub, in the same way.
DF_API void df_solid_exact(const struct df_space *space, int32_t solid, int32_t *x_sub, int32_t *y_sub);

/// Makes an actor forget its fraction along x: at a turn, or when it has been snapped to something. DF_OUT_OF_RANGE for
/// a bad index.
DF_API enum df_result df_actor_clear_rem_x(struct df_space *space, int32_t actor);

/// Makes an actor forget its fraction along y.
DF_API enum df_result df_actor_clear_rem_y(struct df_space *space, int32_t actor);

/// Makes a solid forget its fractions: when a lift has arrived, and shall stand exactly there.
DF_API enum df_result df_solid_clear_rem(struct df_space *space, int32_t solid);

#endif
