// SPDX-License-Identifier: MIT
#include "jump.h"

#include "base/number.h"
#include "game/rules/round.h"
#include "ledge.h"

void jump_buffer(struct player_move *move)
{
    if (move->pressed & BUTTON_JUMP)
        move->player->jump_buffered_until = move->now + move->tuning->jump_buffer_ticks + 1;
}

void jump_hold(struct player_move *move)
{
    struct player *player = move->player;
    if (move->now >= player->jump_held_until)
        return;
    if ((player->buttons & BUTTON_JUMP) == 0)
        player->jump_held_until = 0;
    else if (player->vy > player->jump_vy)
        player->vy = player->jump_vy;
}

static void leave(struct player_move *move, int32_t vx, int32_t vy)
{
    struct player *player = move->player;
    int32_t lift_x, lift_y;
    df_actor_lift(&move->step->space, (int32_t)move->slot, &lift_x, &lift_y);
    player->vx = number_clamp(vx + lift_x, -move->tuning->speed_max, move->tuning->speed_max);
    player->vy = vy + lift_y;
    player->jump_vy = player->vy;
    player->jump_held_until = move->now + move->tuning->jump_hold_ticks;
    player->jump_buffered_until = 0;
    player->coyote_until = 0;
    player->dash_until = 0;
    player->dash_x = player->dash_y = 0;
    player->fall_cap = move->tuning->fall_max;
    player->stats.jumps += round_counts(move->step->world);
    move->grounded = false;
}

static bool drop(struct player_move *move)
{
    if (move->move_y <= 0 || !move->grounded)
        return false;
    // A player drops only if nothing but one-ways is below: with the flag set, nothing blocks the way down.
    move->actor->flags |= DF_ACTOR_DROP_THROUGH;
    if (df_actor_ground(&move->step->space, (int32_t)move->slot).kind != DF_HIT_NONE) {
        move->actor->flags &= ~(uint32_t)DF_ACTOR_DROP_THROUGH;
        return false;
    }
    struct player *player = move->player;
    player->vy = move->tuning->drop_vy;
    player->jump_buffered_until = 0;
    player->coyote_until = 0;
    move->grounded = false;
    return true;
}

static bool wall_jump(struct player_move *move)
{
    struct player *player = move->player;
    for (int32_t side = player->facing, tries = 0; tries < 2; side = -side, tries++) {
        if (!player_move_is_at_wall(move, side, move->tuning->wall_jump_gap_px))
            continue;
        if (move->move_x != 0) {
            player->forced_direction = -side;
            player->forced_until = move->now + move->tuning->wall_jump_forced_ticks + 1;
        }
        leave(move, -side * move->tuning->wall_jump_vx, move->tuning->wall_jump_vy);
        player->facing = -side;
        player_move_event(move, EVENT_JUMP, 1);
        return true;
    }
    return false;
}

// Jumps up from a ledge.
static bool hop(struct player_move *move)
{
    ledge_leave(move);
    leave(move, 0, move->tuning->ledge_hop_vy);
    player_move_event(move, EVENT_JUMP, 3);
    return true;
}

// Jumps in the air with wings.
static bool flap(struct player_move *move)
{
    struct player *player = move->player;
    if (move->now >= player->wings_until || player->flaps == 0)
        return false;
    player->flaps--;
    leave(move, player->vx, move->tuning->wings_vy);
    player_move_event(move, EVENT_JUMP, 2);
    return true;
}

bool jump_try(struct player_move *move)
{
    struct player *player = move->player;
    if (move->now >= player->jump_buffered_until)
        return false;
    if (drop(move))
        return true;
    if (ledge_hangs(move))
        return hop(move);
    if (!move->grounded && move->now >= player->coyote_until)
        return wall_jump(move) || flap(move);
    leave(move, player->vx + move->tuning->jump_vx * move->move_x, move->tuning->jump_vy);
    player_move_event(move, EVENT_JUMP, 0);
    return true;
}
