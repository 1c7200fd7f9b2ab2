// SPDX-License-Identifier: MIT
#include "aim_shoot.h"

#include "ammo.h"
#include "game/entities/arrow.h"
#include "game/rules/round.h"
#include "game/tuning.h"

void aim_shoot_aim(struct player_move *move)
{
    struct player *player = move->player;
    player->aim_x = move->move_x != 0 || move->move_y != 0 ? move->move_x : player->facing;
    player->aim_y = move->move_y;
}

void aim_shoot_fire(struct player_move *move)
{
    struct player *player = move->player;
    if ((move->pressed & BUTTON_SHOOT) == 0 || player->arrows == 0 || move->now < player->shoot_ready_tick)
        return;
    enum arrow_kind kind = ammo_draw(player);
    player->shots += round_keeps_count(move->step->world);
    player->shoot_ready_tick = move->now + TUNING.shoot_cooldown_ticks;
    arrow_shoot(move->step, kind, move->slot, step_hurt_box(move->step, move->slot), player->aim_x, player->aim_y);
    player_move_event(move, EVENT_SHOOT, kind);
}
