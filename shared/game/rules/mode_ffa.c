// SPDX-License-Identifier: MIT
//
// Everybody against everybody: a kill is a point, a death by one's own hand or a trap costs one. The best wins; equal
// best scores at the end of the time are a draw.
#include "mode.h"

static void killed(struct world *world, uint32_t slot, uint32_t killer)
{
    if (killer == EVENT_NOBODY)
        mode_add_score(world, slot, -1);
    else
        mode_add_score(world, killer, 1);
}

const struct mode_play MODE_FFA_PLAY = {.score_limit = 20, .killed = killed};
