// SPDX-License-Identifier: MIT
#include "player_move.h"

#include "game/event.h"

void turn_event(const struct turn *turn, enum event_kind kind, uint32_t detail)
{
    const struct df_actor *a = turn->actor;
    event_push(turn->step->world, kind, a->x + a->w / 2, a->y + a->h / 2, turn->slot, EVENT_NOBODY, detail);
}

bool turn_is_at_wall(const struct turn *turn, int32_t side, int32_t gap_px)
{
    return df_actor_probe(&turn->step->space, (int32_t)turn->slot, side * (gap_px + 1), 0).kind != DF_HIT_NONE;
}
