// SPDX-License-Identifier: MIT
#include "move_collide.h"

#include "game/scalar.h"
#include "game/tuning.h"

/// Goes `px` to the side and one px on, if he fits there.
static bool correct_corner(struct turn *turn, int32_t side_x, int32_t side_y, int32_t on_x, int32_t on_y, int32_t px)
{
    struct df_space *space = &turn->step->space;
    struct df_box box = step_actor_box(turn->step, turn->slot);
    box.x += side_x * px + on_x;
    box.y += side_y * px + on_y;
    return !df_space_blocked(space, box) && df_actor_place(space, (int32_t)turn->slot, box.x, box.y) == DF_OK;
}

static void hit_x(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space, (void)actor;
    struct turn *turn = context;
    struct player *player = turn->player;
    if (turn_is_dashing(turn) && player->vy == 0)
        for (int32_t px = 1; px <= TUNING.corner_correction_px; px++)
            if (correct_corner(turn, 0, -1, hit.direction, 0, px) || correct_corner(turn, 0, 1, hit.direction, 0, px))
                return;
    player->vx = 0;
}

static void hit_y(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space, (void)actor;
    struct turn *turn = context;
    struct player *player = turn->player;
    const bool dashes_down = hit.direction > 0 && turn_is_dashing(turn);
    if (hit.direction < 0 || dashes_down) {
        // Forward first, and backward only from a standstill, so that left and right mirror.
        const int32_t forward = player->vx != 0 ? (player->vx > 0 ? 1 : -1) : player->facing;
        for (int32_t px = 1; px <= TUNING.corner_correction_px; px++)
            if (correct_corner(turn, forward, 0, 0, hit.direction, px) ||
                (player->vx == 0 && correct_corner(turn, -forward, 0, 0, hit.direction, px)))
                return;
        player->jump_held_until = 0;
    }
    if (hit.direction > 0)
        turn_event(turn, EVENT_LAND, (uint32_t)player->vy);
    player->vy = 0;
}

void walk_step(struct turn *turn)
{
    struct df_space *space = &turn->step->space;
    struct player *player = turn->player;
    player->vx = scalar_clamp(player->vx, -TUNING.speed_max, TUNING.speed_max);
    player->vy = scalar_clamp(player->vy, -TUNING.speed_max, TUNING.speed_max);
    if (player->vx != 0)
        df_actor_move_x(space, (int32_t)turn->slot, player->vx, hit_x, turn);
    if (player->vy != 0)
        df_actor_move_y(space, (int32_t)turn->slot, player->vy, hit_y, turn);
    turn->actor->flags &= ~(uint32_t)DF_ACTOR_DROP_THROUGH;
}

void walk_settle(struct turn *turn)
{
    struct df_space *space = &turn->step->space;
    struct player *player = turn->player;
    const bool stood = turn->grounded;
    turn->grounded = player->vy >= 0 && df_actor_ground(space, (int32_t)turn->slot).kind != DF_HIT_NONE;
    player->flags &= ~(uint32_t)PLAYER_GROUNDED;
    if (turn->grounded) {
        player->flags |= PLAYER_GROUNDED;
        player->coyote_until = turn->now + 1 + TUNING.coyote_ticks;
        player->flaps = turn->now < player->wings_until ? TUNING.wings_flaps : 0;
        if (!turn_is_dashing(turn))
            player->dashes = 1;
        return;
    }
    if (!stood || player->vy < 0 || turn_is_dashing(turn))
        return;
    int32_t lift_x, lift_y;
    df_actor_lift(space, (int32_t)turn->slot, &lift_x, &lift_y);
    if (lift_y < 0)
        player->vy = lift_y;
}
