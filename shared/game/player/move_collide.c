// SPDX-License-Identifier: MIT
#include "move_collide.h"

#include "game/scalar.h"
#include "game/tuning.h"

// Goes `px` to the side and one px on, if he fits there.
static bool correct_corner(struct player_move *move, int32_t side_x, int32_t side_y, int32_t on_x, int32_t on_y,
                           int32_t px)
{
    struct df_space *space = &move->step->space;
    struct df_box box = step_actor_box(move->step, move->slot);
    box.x += side_x * px + on_x;
    box.y += side_y * px + on_y;
    return !df_space_blocked(space, box) && df_actor_place(space, (int32_t)move->slot, box.x, box.y) == DF_OK;
}

static void hit_x(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space, (void)actor;
    struct player_move *move = context;
    struct player *player = move->player;
    if (player_move_is_dashing(move) && player->vy == 0)
        for (int32_t px = 1; px <= TUNING.corner_correction_px; px++)
            if (correct_corner(move, 0, -1, hit.direction, 0, px) || correct_corner(move, 0, 1, hit.direction, 0, px))
                return;
    player->vx = 0;
}

static void hit_y(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space, (void)actor;
    struct player_move *move = context;
    struct player *player = move->player;
    bool dashes_down = hit.direction > 0 && player_move_is_dashing(move);
    if (hit.direction < 0 || dashes_down) {
        // Forward first, and backward only from a standstill, so that left and right mirror.
        int32_t forward = player->vx != 0 ? (player->vx > 0 ? 1 : -1) : player->facing;
        for (int32_t px = 1; px <= TUNING.corner_correction_px; px++)
            if (correct_corner(move, forward, 0, 0, hit.direction, px) ||
                (player->vx == 0 && correct_corner(move, -forward, 0, 0, hit.direction, px)))
                return;
        player->jump_held_until = 0;
    }
    if (hit.direction > 0)
        player_move_event(move, EVENT_LAND, (uint32_t)player->vy);
    player->vy = 0;
}

void move_collide_step(struct player_move *move)
{
    struct df_space *space = &move->step->space;
    struct player *player = move->player;
    player->vx = scalar_clamp(player->vx, -TUNING.speed_max, TUNING.speed_max);
    player->vy = scalar_clamp(player->vy, -TUNING.speed_max, TUNING.speed_max);
    if (player->vx != 0)
        df_actor_move_x(space, (int32_t)move->slot, player->vx, hit_x, move);
    if (player->vy != 0)
        df_actor_move_y(space, (int32_t)move->slot, player->vy, hit_y, move);
    move->actor->flags &= ~(uint32_t)DF_ACTOR_DROP_THROUGH;
}

void move_collide_settle(struct player_move *move)
{
    struct df_space *space = &move->step->space;
    struct player *player = move->player;
    bool stood = move->grounded;
    move->grounded = player->vy >= 0 && df_actor_ground(space, (int32_t)move->slot).kind != DF_HIT_NONE;
    player->flags &= ~(uint32_t)PLAYER_GROUNDED;
    if (move->grounded) {
        player->flags |= PLAYER_GROUNDED;
        player->coyote_until = move->now + 1 + TUNING.coyote_ticks;
        player->flaps = move->now < player->wings_until ? TUNING.wings_flaps : 0;
        if (!player_move_is_dashing(move))
            player->dashes = 1;
        return;
    }
    if (!stood || player->vy < 0 || player_move_is_dashing(move))
        return;
    int32_t lift_x, lift_y;
    df_actor_lift(space, (int32_t)move->slot, &lift_x, &lift_y);
    if (lift_y < 0)
        player->vy = lift_y;
}
