// SPDX-License-Identifier: MIT
#include "aim_shoot.h"

#include "ammo.h"
#include "game/entities/arrow.h"
#include "game/rules/round.h"
#include "game/tuning.h"

void bow_aim(struct turn *turn)
{
    struct player *player = turn->player;
    player->aim_x = turn->move_x != 0 || turn->move_y != 0 ? turn->move_x : player->facing;
    player->aim_y = turn->move_y;
}

void bow_shoot(struct turn *turn)
{
    struct player *player = turn->player;
    if ((turn->pressed & BUTTON_SHOOT) == 0 || player->arrows == 0 || turn->now < player->shoot_ready_tick)
        return;
    const enum arrow_kind kind = quiver_draw(player);
    player->shots += round_keeps_count(turn->step->world);
    player->shoot_ready_tick = turn->now + TUNING.shoot_cooldown_ticks;
    arrow_shoot(turn->step, kind, turn->slot, step_hurt_box(turn->step, turn->slot), player->aim_x, player->aim_y);
    turn_event(turn, EVENT_SHOOT, kind);
}
