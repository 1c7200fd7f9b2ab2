// SPDX-License-Identifier: MIT
#include "player_move.h"

#include "game/event.h"

void player_move_event(const struct player_move *move, enum event_kind kind, uint32_t detail)
{
    const struct df_actor *a = move->actor;
    event_push(move->step->world, kind, a->x + a->w / 2, a->y + a->h / 2, move->slot, EVENT_NOBODY, detail);
}

bool player_move_is_at_wall(const struct player_move *move, int32_t side, int32_t gap_px)
{
    return df_actor_probe(&move->step->space, (int32_t)move->slot, side * (gap_px + 1), 0).kind != DF_HIT_NONE;
}
