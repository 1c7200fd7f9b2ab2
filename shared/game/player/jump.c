// SPDX-License-Identifier: MIT
#include "jump.h"

#include "game/scalar.h"
#include "game/tuning.h"
#include "ledge.h"

void jump_buffer(struct turn *turn)
{
    if (turn->pressed & BUTTON_JUMP)
        turn->player->jump_buffered_until = turn->now + TUNING.jump_buffer_ticks + 1;
}

void jump_hold(struct turn *turn)
{
    struct player *player = turn->player;
    if (turn->now >= player->jump_held_until)
        return;
    if ((player->buttons & BUTTON_JUMP) == 0)
        player->jump_held_until = 0;
    else if (player->vy > player->jump_vy)
        player->vy = player->jump_vy;
}

static void leave(struct turn *turn, int32_t vx, int32_t vy)
{
    struct player *player = turn->player;
    int32_t lift_x, lift_y;
    df_actor_lift(&turn->step->space, (int32_t)turn->slot, &lift_x, &lift_y);
    player->vx = scalar_clamp(vx + lift_x, -TUNING.speed_max, TUNING.speed_max);
    player->vy = vy + lift_y;
    player->jump_vy = player->vy;
    player->jump_held_until = turn->now + TUNING.jump_hold_ticks;
    player->jump_buffered_until = 0;
    player->coyote_until = 0;
    player->dash_until = 0;
    player->dash_x = player->dash_y = 0;
    player->fall_cap = TUNING.fall_max;
    turn->grounded = false;
}

static bool drop(struct turn *turn)
{
    if (turn->move_y <= 0 || !turn->grounded)
        return false;
    // Only what carries him alone may be dropped through: with the switch on, nothing else must hold him.
    turn->actor->flags |= DF_ACTOR_DROP_THROUGH;
    if (df_actor_ground(&turn->step->space, (int32_t)turn->slot).kind != DF_HIT_NONE) {
        turn->actor->flags &= ~(uint32_t)DF_ACTOR_DROP_THROUGH;
        return false;
    }
    struct player *player = turn->player;
    player->vy = TUNING.drop_vy;
    player->jump_buffered_until = 0;
    player->coyote_until = 0;
    turn->grounded = false;
    return true;
}

static bool wall_jump(struct turn *turn)
{
    struct player *player = turn->player;
    for (int32_t side = player->facing, tries = 0; tries < 2; side = -side, tries++) {
        if (!turn_is_at_wall(turn, side, TUNING.wall_jump_gap_px))
            continue;
        if (turn->move_x != 0) {
            player->forced_direction = -side;
            player->forced_until = turn->now + TUNING.wall_jump_forced_ticks + 1;
        }
        leave(turn, -side * TUNING.wall_jump_vx, TUNING.wall_jump_vy);
        player->facing = -side;
        turn_event(turn, EVENT_JUMP, 1);
        return true;
    }
    return false;
}

/// Up from the ledge he hangs on.
static bool hop(struct turn *turn)
{
    ledge_leave(turn);
    leave(turn, 0, TUNING.ledge_hop_vy);
    turn_event(turn, EVENT_JUMP, 3);
    return true;
}

/// With wings, from the air.
static bool flap(struct turn *turn)
{
    struct player *player = turn->player;
    if (turn->now >= player->wings_until || player->flaps == 0)
        return false;
    player->flaps--;
    leave(turn, player->vx, TUNING.wings_vy);
    turn_event(turn, EVENT_JUMP, 2);
    return true;
}

bool jump_try(struct turn *turn)
{
    struct player *player = turn->player;
    if (turn->now >= player->jump_buffered_until)
        return false;
    if (drop(turn))
        return true;
    if (ledge_hangs(turn))
        return hop(turn);
    if (!turn->grounded && turn->now >= player->coyote_until)
        return wall_jump(turn) || flap(turn);
    leave(turn, player->vx + TUNING.jump_vx * turn->move_x, TUNING.jump_vy);
    turn_event(turn, EVENT_JUMP, 0);
    return true;
}
