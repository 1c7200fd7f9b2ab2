// SPDX-License-Identifier: MIT
#include "implementation.h"

#include "literal.h"

#define CALLS(prefix)                                                                                                  \
    {                                                                                                                  \
        prefix##actor_move_x, prefix##actor_move_y, prefix##actor_step, prefix##actor_ground, prefix##actor_probe,     \
            prefix##space_blocked, prefix##actor_resize, prefix##actor_place, prefix##actor_is_embedded,               \
            prefix##find_free, prefix##actor_wiggle, prefix##actor_lift, prefix##solid_move, prefix##group_move,       \
            prefix##ball_against, prefix##ball_bounce, prefix##ball_step, prefix##tick_begin,                          \
    }

const struct implementation implementation_fast = CALLS(df_);
const struct implementation implementation_literal = CALLS(literal_);
