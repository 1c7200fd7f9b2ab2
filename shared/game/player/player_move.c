// SPDX-License-Identifier: MIT
#include "player_move.h"

#include <stdlib.h>

#include "base/number.h"
#include "game/event.h"

void player_move_event(const struct player_move *move, enum event_kind kind, uint32_t detail)
{
    const struct df_actor *a = move->actor;
    event_push(move->step->world, kind, a->x + a->w / 2, a->y + a->h / 2, move->slot, EVENT_NOBODY, detail);
}

bool player_move_is_at_wall(const struct player_move *move, int32_t side, int32_t gap_px)
{
    return df_actor_probe(&move->step->space, (int32_t)move->slot, side * (gap_px + 1), 0).kind != DF_HIT_NONE;
}

void player_move_run(struct player_move *move)
{
    struct player *player = move->player;
    bool too_fast = abs(player->vx) > move->tuning->run_max && (player->vx > 0 ? 1 : -1) == move->move_x;
    int32_t reduce = move->grounded ? move->tuning->run_reduce_ground : move->tuning->run_reduce_air;
    int32_t accelerate = move->grounded ? move->tuning->run_accel_ground : move->tuning->run_accel_air;
    player->vx = number_approach(player->vx, move->tuning->run_max * move->move_x, too_fast ? reduce : accelerate);
}

static void slide(struct player_move *move)
{
    struct player *player = move->player;
    uint32_t walls = PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT;
    bool slid = (player->flags & walls) != 0;
    player->flags &= ~walls;
    if (player->vy < 0 || move->move_x == 0 || move->move_y > 0 || !player_move_is_at_wall(move, move->move_x, 0)) {
        if (slid)
            player->fall_cap = move->tuning->fall_max;
        return;
    }
    player->flags |= move->move_x < 0 ? PLAYER_WALL_LEFT : PLAYER_WALL_RIGHT;
    int32_t relaxed = player->fall_cap + move->tuning->wall_slide_relax;
    player->fall_cap = slid ? number_clamp(relaxed, 0, move->tuning->fall_max) : move->tuning->wall_slide_max;
}

void player_move_fall(struct player_move *move)
{
    struct player *player = move->player;
    if (move->grounded) {
        player->fall_cap = move->tuning->fall_max;
        player->flags &= ~(uint32_t)(PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT);
        return;
    }
    slide(move);
    if ((player->flags & (PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT)) == 0) {
        bool fast = move->move_y > 0 && player->vy >= move->tuning->fall_max;
        player->fall_cap = number_approach(
            player->fall_cap, fast ? move->tuning->fall_fast_max : move->tuning->fall_max, move->tuning->fall_cap_step);
    }
    bool glides = move->now < player->wings_until && (player->buttons & BUTTON_JUMP) != 0;
    if (glides && player->fall_cap > move->tuning->wings_fall_max)
        player->fall_cap = move->tuning->wings_fall_max;
    bool apex = (player->buttons & BUTTON_JUMP) != 0 && abs(player->vy) < move->tuning->apex_speed;
    player->vy =
        number_approach(player->vy, player->fall_cap, apex ? move->tuning->gravity_apex : move->tuning->gravity);
}

// Moves `px` to the side and one pixel on, if there is room.
static bool correct_corner(struct player_move *move, int32_t side_x, int32_t side_y, int32_t on_x, int32_t on_y,
                           int32_t px)
{
    struct df_space *space = &move->step->space;
    struct df_box box = step_actor_box(move->step, move->slot);
    box.x += side_x * px + on_x;
    box.y += side_y * px + on_y;
    return !df_space_blocked(space, box) && df_actor_place(space, (int32_t)move->slot, box.x, box.y) == DF_OK;
}

static void hit_x(struct player_move *move, struct df_hit hit)
{
    struct player *player = move->player;
    if (player_move_is_dashing(move) && player->vy == 0)
        for (int32_t px = 1; px <= move->tuning->corner_correction_px; px++)
            if (correct_corner(move, 0, -1, hit.direction, 0, px) || correct_corner(move, 0, 1, hit.direction, 0, px))
                return;
    player->vx = 0;
}

static void hit_y(struct player_move *move, struct df_hit hit)
{
    struct player *player = move->player;
    bool dashes_down = hit.direction > 0 && player_move_is_dashing(move);
    if (hit.direction < 0 || dashes_down) {
        // Forward first, and backward only from a standstill, so that left and right mirror each other.
        int32_t forward = player->vx != 0 ? (player->vx > 0 ? 1 : -1) : player->facing;
        for (int32_t px = 1; px <= move->tuning->corner_correction_px; px++)
            if (correct_corner(move, forward, 0, 0, hit.direction, px) ||
                (player->vx == 0 && correct_corner(move, -forward, 0, 0, hit.direction, px)))
                return;
        player->jump_held_until = 0;
    }
    if (hit.direction > 0)
        player_move_event(move, EVENT_LAND, (uint32_t)player->vy);
    player->vy = 0;
}

// What follows from standing: coyote time, the refilled dash; and from leaving the ground: the lift that they keep.
static void settle(struct player_move *move, bool stands)
{
    struct player *player = move->player;
    bool stood = move->grounded;
    move->grounded = stands;
    player->flags &= ~(uint32_t)PLAYER_GROUNDED;
    if (stands) {
        player->flags |= PLAYER_GROUNDED;
        player->coyote_until = move->now + 1 + move->tuning->coyote_ticks;
        player->flaps = move->now < player->wings_until ? move->tuning->wings_flaps : 0;
        if (!player_move_is_dashing(move))
            player->dashes = move->tuning->dashes;
        return;
    }
    if (!stood || player->vy < 0 || player_move_is_dashing(move))
        return;
    int32_t lift_x, lift_y;
    df_actor_lift(&move->step->space, (int32_t)move->slot, &lift_x, &lift_y);
    if (lift_y < 0)
        player->vy = lift_y;
}

void player_move_collide(struct player_move *move)
{
    struct df_space *space = &move->step->space;
    struct player *player = move->player;
    struct df_actor_hits hits;
    player->vx = number_clamp(player->vx, -move->tuning->speed_max, move->tuning->speed_max);
    player->vy = number_clamp(player->vy, -move->tuning->speed_max, move->tuning->speed_max);
    df_actor_step(space, (int32_t)move->slot, player->vx, player->vy, &hits);
    int32_t x = move->actor->x, y = move->actor->y;
    // Along x, a corner is forgiven only in a dash that is level: then nothing moves along y before it.
    if (hits.x.kind != DF_HIT_NONE)
        hit_x(move, hits.x);
    if (hits.y.kind != DF_HIT_NONE)
        hit_y(move, hits.y);
    bool drops = (move->actor->flags & DF_ACTOR_DROP_THROUGH) != 0;
    move->actor->flags &= ~(uint32_t)DF_ACTOR_DROP_THROUGH;
    if (drops || move->actor->x != x || move->actor->y != y)
        hits.ground = df_actor_ground(space, (int32_t)move->slot);
    settle(move, player->vy >= 0 && hits.ground.kind != DF_HIT_NONE);
}
