// SPDX-License-Identifier: MIT
#include "dance.h"

#define STEP_TICKS 8

struct dance dance_at(uint32_t anim_tick)
{
    // Rows of STEP_TICKS each: step, step, the other way, then two leaps with arms up.
    static const struct dance STEPS[DANCE_TICKS / STEP_TICKS] = {
        {.legs = LEGS_RUN_1},
        {.legs = LEGS_STAND, .squash = 1},
        {.legs = LEGS_RUN_3},
        {.legs = LEGS_STAND, .squash = 1},
        {.legs = LEGS_RUN_1, .mirrored = true},
        {.legs = LEGS_STAND, .squash = 1, .mirrored = true},
        {.legs = LEGS_RUN_3, .mirrored = true},
        {.legs = LEGS_STAND, .squash = 2, .mirrored = true},
        {.legs = LEGS_RISE, .squash = -1, .arms_up = true},
        {.legs = LEGS_STAND, .squash = 2, .arms_up = true},
        {.legs = LEGS_RISE, .squash = -1, .mirrored = true, .arms_up = true},
        {.legs = LEGS_STAND, .squash = 2, .arms_up = true},
    };
    struct dance dance = STEPS[anim_tick % DANCE_TICKS / STEP_TICKS];
    int32_t at = (int32_t)(anim_tick % STEP_TICKS);
    if (dance.legs == LEGS_RISE)
        dance.rise = at * (STEP_TICKS - at) * 7 / 16; // a leap of seven pixels
    return dance;
}
