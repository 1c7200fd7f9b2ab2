// SPDX-License-Identifier: MIT
#include "drill.h"

#include <stdlib.h>

#include "game/event.h"
#include "game/tuning.h"

static void tell(struct step *step, struct df_box box, const struct arrow *arrow)
{
    event_push(step->world, EVENT_DRILL, box.x + box.w / 2, box.y + box.h / 2, step_slot_of(arrow->owner), EVENT_NOBODY,
               0);
}

// A speed across the wall as px for each px into it, no steeper than a diagonal, times `px`.
static int32_t aside(int32_t across, int32_t into, int32_t px)
{
    int32_t longer = abs(across) > abs(into) ? abs(across) : abs(into);
    return longer == 0 ? 0 : across * px / longer;
}

bool drill_pass(struct step *step, uint32_t arrow_slot, int32_t dx, int32_t dy)
{
    struct arrow *arrow = &step->world->arrows[arrow_slot];
    uint32_t actor = PLAYER_CAPACITY + arrow_slot;
    struct df_box here = step_actor_box(step, actor);
    if (arrow->kind != ARROW_DRILL || arrow->spent != 0)
        return false;
    for (int32_t px = 1; px <= TUNING.drill_px + TUNING.arrow_edge_px; px++) {
        struct df_box there = here;
        there.x += dx != 0 ? dx * px : aside(arrow->vx, arrow->vy, px);
        there.y += dy != 0 ? dy * px : aside(arrow->vy, arrow->vx, px);
        if (df_space_blocked(&step->space, there))
            continue;
        if (df_actor_place(&step->space, (int32_t)actor, there.x, there.y) != DF_OK)
            return false;
        arrow->spent = 1;
        tell(step, here, arrow);
        tell(step, there, arrow);
        return true;
    }
    return false;
}
