// SPDX-License-Identifier: MIT
#include "move_ground_air.h"

#include <stdlib.h>

#include "game/scalar.h"
#include "game/tuning.h"

void move_ground_air_run(struct player_move *move)
{
    struct player *player = move->player;
    bool too_fast = abs(player->vx) > TUNING.run_max && (player->vx > 0 ? 1 : -1) == move->move_x;
    int32_t reduce = move->grounded ? TUNING.run_reduce_ground : TUNING.run_reduce_air;
    int32_t accelerate = move->grounded ? TUNING.run_accel_ground : TUNING.run_accel_air;
    player->vx = scalar_approach(player->vx, TUNING.run_max * move->move_x, too_fast ? reduce : accelerate);
}

static void slide(struct player_move *move)
{
    struct player *player = move->player;
    uint32_t walls = PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT;
    bool slid = (player->flags & walls) != 0;
    player->flags &= ~walls;
    if (player->vy < 0 || move->move_x == 0 || move->move_y > 0 || !player_move_is_at_wall(move, move->move_x, 0)) {
        if (slid)
            player->fall_cap = TUNING.fall_max;
        return;
    }
    player->flags |= move->move_x < 0 ? PLAYER_WALL_LEFT : PLAYER_WALL_RIGHT;
    int32_t relaxed = player->fall_cap + TUNING.wall_slide_relax;
    player->fall_cap = slid ? scalar_clamp(relaxed, 0, TUNING.fall_max) : TUNING.wall_slide_max;
}

void move_ground_air_fall(struct player_move *move)
{
    struct player *player = move->player;
    if (move->grounded) {
        player->fall_cap = TUNING.fall_max;
        player->flags &= ~(uint32_t)(PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT);
        return;
    }
    slide(move);
    if ((player->flags & (PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT)) == 0) {
        bool fast = move->move_y > 0 && player->vy >= TUNING.fall_max;
        player->fall_cap =
            scalar_approach(player->fall_cap, fast ? TUNING.fall_fast_max : TUNING.fall_max, TUNING.fall_cap_step);
    }
    bool glides = move->now < player->wings_until && (player->buttons & BUTTON_JUMP) != 0;
    if (glides && player->fall_cap > TUNING.wings_fall_max)
        player->fall_cap = TUNING.wings_fall_max;
    bool apex = (player->buttons & BUTTON_JUMP) != 0 && abs(player->vy) < TUNING.apex_speed;
    player->vy = scalar_approach(player->vy, player->fall_cap, apex ? TUNING.gravity_apex : TUNING.gravity);
}
