// SPDX-License-Identifier: MIT
#include "ledge.h"

// Returns true if the wall beside the player has its upper edge at this row.
static bool is_edge(const struct player_move *move, int32_t side, int32_t y)
{
    struct df_box body = step_actor_box(move->step, move->slot);
    int32_t x = side < 0 ? body.x - 1 : body.x + body.w;
    struct df_box air = {x, y - move->tuning->ledge_air_px, 1, move->tuning->ledge_air_px}, hand = {x, y, 1, 1};
    return !df_space_blocked(&move->step->space, air) && df_space_blocked(&move->step->space, hand);
}

// Returns true if there is something to hold beside the player or up to their reach above: mostly nothing is.
static bool is_wall_in_reach(const struct player_move *move, int32_t side)
{
    struct df_box body = step_actor_box(move->step, move->slot);
    int32_t x = side < 0 ? body.x - 1 : body.x + body.w;
    struct df_box grip = {x, body.y - move->tuning->ledge_reach_px, 1, move->tuning->ledge_reach_px + 1};
    return df_space_blocked(&move->step->space, grip);
}

static bool lets_go(const struct player_move *move)
{
    int32_t side = move->player->facing;
    return move->move_x == -side || move->move_y > 0 || player_move_is_dashing(move) || move->grounded ||
           !is_edge(move, side, move->actor->y);
}

static void take_hold(struct player_move *move)
{
    struct player *player = move->player;
    int32_t side = move->move_x;
    if (side == 0 || move->move_y > 0 || player->vy < 0 || move->grounded || player_move_is_dashing(move) ||
        !is_wall_in_reach(move, side) ||
        df_actor_probe(&move->step->space, (int32_t)move->slot, 0, move->tuning->ledge_ground_px).kind != DF_HIT_NONE)
        return;
    struct df_box body = step_actor_box(move->step, move->slot);
    for (int32_t px = 0; px <= move->tuning->ledge_reach_px; px++, body.y--) {
        if (!is_edge(move, side, body.y))
            continue;
        if (df_space_blocked(&move->step->space, body) ||
            df_actor_place(&move->step->space, (int32_t)move->slot, body.x, body.y) != DF_OK)
            return;
        player->flags |= PLAYER_HANGING;
        player->facing = side;
        move->actor->ride = side < 0 ? DF_RIDE_CLING_LEFT : DF_RIDE_CLING_RIGHT;
        player_move_event(move, EVENT_GRAB, 0);
        return;
    }
}

void ledge_leave(struct player_move *move)
{
    move->player->flags &= ~(uint32_t)PLAYER_HANGING;
    move->actor->ride = DF_RIDE_STAND;
}

void ledge_try(struct player_move *move)
{
    if (!ledge_hangs(move))
        take_hold(move);
    else if (lets_go(move))
        ledge_leave(move);
    if (!ledge_hangs(move))
        return;
    move->player->vx = move->player->vy = 0;
    move->player->fall_cap = move->tuning->fall_max;
    move->player->flags &= ~(uint32_t)(PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT);
}
