// SPDX-License-Identifier: MIT
#include "dash.h"

static int32_t along(int32_t direction, bool diagonal, int32_t straight_speed, int32_t diagonal_speed)
{
    return direction * (diagonal ? diagonal_speed : straight_speed);
}

void dash_try(struct player_move *move)
{
    struct player *player = move->player;
    if ((move->pressed & BUTTON_DASH) == 0 || player->dashes == 0 || move->now < player->dash_ready_tick)
        return;
    player->dash_x = move->move_x != 0 || move->move_y != 0 ? move->move_x : player->facing;
    player->dash_y = move->move_y;
    bool diagonal = player->dash_x != 0 && player->dash_y != 0;
    player->vx = along(player->dash_x, diagonal, move->tuning->dash_speed, move->tuning->dash_diagonal);
    player->vy = along(player->dash_y, diagonal, move->tuning->dash_speed, move->tuning->dash_diagonal);
    player->dashes--;
    player->dash_until = move->now + move->tuning->dash_ticks;
    player->dash_ready_tick = move->now + move->tuning->dash_cooldown_ticks;
    player->jump_held_until = 0;
    player->flags &= ~(uint32_t)(PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT);
    player->fall_cap = move->tuning->fall_max;
    player_move_event(move, EVENT_DASH, 0);
}

void dash_end(struct player_move *move)
{
    struct player *player = move->player;
    if (player_move_is_dashing(move) || (player->dash_x == 0 && player->dash_y == 0))
        return;
    bool diagonal = player->dash_x != 0 && player->dash_y != 0;
    if (player->vx != 0) // an axis that was blocked stays so
        player->vx = along(player->dash_x, diagonal, move->tuning->dash_end_speed, move->tuning->dash_end_diagonal);
    if (player->vy != 0)
        player->vy = along(player->dash_y, diagonal, move->tuning->dash_end_speed, move->tuning->dash_end_diagonal);
    player->dash_x = player->dash_y = 0;
}
