// SPDX-License-Identifier: MIT
#include "ledge.h"

#include "game/tuning.h"

/// True if the wall beside him ends at this row: nothing above it, something from it on downward.
static bool is_edge(const struct turn *turn, int32_t side, int32_t y)
{
    const struct df_box body = step_actor_box(turn->step, turn->slot);
    const int32_t x = side < 0 ? body.x - 1 : body.x + body.w;
    const struct df_box air = {x, y - TUNING.ledge_air_px, 1, TUNING.ledge_air_px}, hand = {x, y, 1, 1};
    return !df_space_blocked(&turn->step->space, air) && df_space_blocked(&turn->step->space, hand);
}

static bool lets_go(const struct turn *turn)
{
    const int32_t side = turn->player->facing;
    return turn->move_x == -side || turn->move_y > 0 || turn_is_dashing(turn) || turn->grounded ||
           !is_edge(turn, side, turn->actor->y);
}

static void take_hold(struct turn *turn)
{
    struct player *player = turn->player;
    const int32_t side = turn->move_x;
    if (side == 0 || turn->move_y > 0 || player->vy < 0 || turn->grounded || turn_is_dashing(turn) ||
        df_actor_probe(&turn->step->space, (int32_t)turn->slot, 0, TUNING.ledge_ground_px).kind != DF_HIT_NONE)
        return;
    struct df_box body = step_actor_box(turn->step, turn->slot);
    for (int32_t px = 0; px <= TUNING.ledge_reach_px; px++, body.y--) {
        if (!is_edge(turn, side, body.y))
            continue;
        if (df_space_blocked(&turn->step->space, body) ||
            df_actor_place(&turn->step->space, (int32_t)turn->slot, body.x, body.y) != DF_OK)
            return;
        player->flags |= PLAYER_HANGING;
        player->facing = side;
        turn->actor->ride = side < 0 ? DF_RIDE_CLING_LEFT : DF_RIDE_CLING_RIGHT;
        turn_event(turn, EVENT_GRAB, 0);
        return;
    }
}

void ledge_leave(struct turn *turn)
{
    turn->player->flags &= ~(uint32_t)PLAYER_HANGING;
    turn->actor->ride = DF_RIDE_STAND;
}

void ledge_try(struct turn *turn)
{
    if (!ledge_hangs(turn))
        take_hold(turn);
    else if (lets_go(turn))
        ledge_leave(turn);
    if (!ledge_hangs(turn))
        return;
    turn->player->vx = turn->player->vy = 0;
    turn->player->fall_cap = TUNING.fall_max;
    turn->player->flags &= ~(uint32_t)(PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT);
}
