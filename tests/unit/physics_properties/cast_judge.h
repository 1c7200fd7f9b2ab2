// SPDX-License-Identifier: MIT
//
// A judge of casts that shares no code with them: it looks at every solid and every tile around the whole way, and
// finds the moment of contact by asking at each possible moment whether two boxes overlap shortly after it.
#ifndef CAST_JUDGE_H
#define CAST_JUDGE_H

#include "physics/physics.h"

/// A cast: where it starts and its way, in sub.
struct cast_judge_way {
    int32_t x, y, w, h;
    int32_t dx, dy;
    bool oneways;
    int32_t left_out; ///< a solid that is not met, or -1
    uint32_t passes;  ///< layers
};

/// Returns what df_cast_box() and df_cast_ray() shall return.
struct df_cast cast_judge(const struct df_space *space, struct cast_judge_way way);

#endif
