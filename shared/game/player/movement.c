// SPDX-License-Identifier: MIT
//
// How a player moves. A tick sets speeds and timers in a fixed order (the dash, the ledge, running and falling, the
// jump); then collide() moves the body, and settles what follows from standing. What is pressed a little too early or
// too late still counts: coyote time, the buffered jump, forgiven corners. Each timer is the tick until which it holds.
#include "player.h"

#include <stdlib.h>

#include "base/number.h"
#include "game/rules/round.h"

#define WALLS ((uint32_t)(PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT))

static bool is_dashing(const struct movement *move)
{
    return move->now < move->player->dash_until;
}

static bool hangs(const struct movement *move)
{
    return (move->player->flags & PLAYER_HANGING) != 0;
}

static void tell(const struct movement *move, enum event_kind kind, uint32_t detail)
{
    if (move->world == NULL)
        return;
    const struct df_actor *a = move->body;
    event_push(move->world, kind, a->x + a->w / 2, a->y + a->h / 2, (uint32_t)move->actor, EVENT_NOBODY, detail);
    if (kind == EVENT_JUMP)
        move->player->stats.jumps += round_counts(move->world);
}

// Returns true if something solid is on that side, at most `gap_px` away; 0 is flush.
static bool is_at_wall(const struct movement *move, int32_t side, int32_t gap_px)
{
    return df_actor_probe(move->space, move->actor, side * (gap_px + 1), 0).kind != DF_HIT_NONE;
}

// --- the dash

static int32_t along(int32_t direction, bool diagonal, int32_t straight_speed, int32_t diagonal_speed)
{
    return direction * (diagonal ? diagonal_speed : straight_speed);
}

static void begin_dash(struct movement *move)
{
    const struct tuning *tuning = move->tuning;
    struct player *player = move->player;
    if ((move->pressed & BUTTON_DASH) == 0 || player->dashes == 0 || move->now < player->dash_ready_tick)
        return;
    player->dash_x = move->move_x != 0 || move->move_y != 0 ? move->move_x : player->facing;
    player->dash_y = move->move_y;
    bool diagonal = player->dash_x != 0 && player->dash_y != 0;
    player->vx = along(player->dash_x, diagonal, tuning->dash_speed, tuning->dash_diagonal);
    player->vy = along(player->dash_y, diagonal, tuning->dash_speed, tuning->dash_diagonal);
    player->dashes--;
    player->dash_until = move->now + tuning->dash_ticks;
    player->dash_ready_tick = move->now + tuning->dash_cooldown_ticks;
    player->jump_held_until = 0;
    player->flags &= ~WALLS;
    player->fall_cap = tuning->fall_max;
    tell(move, EVENT_DASH, 0);
}

static void end_dash(struct movement *move)
{
    const struct tuning *tuning = move->tuning;
    struct player *player = move->player;
    if (is_dashing(move) || (player->dash_x == 0 && player->dash_y == 0))
        return;
    bool diagonal = player->dash_x != 0 && player->dash_y != 0;
    if (player->vx != 0) // an axis that was blocked stays so
        player->vx = along(player->dash_x, diagonal, tuning->dash_end_speed, tuning->dash_end_diagonal);
    if (player->vy != 0)
        player->vy = along(player->dash_y, diagonal, tuning->dash_end_speed, tuning->dash_end_diagonal);
    player->dash_x = player->dash_y = 0;
}

// --- the ledge: who falls along a wall and holds toward it grabs its upper edge, and hangs there while the wall moves

// Returns true if the wall beside the player has its upper edge at this row.
static bool is_edge(const struct movement *move, int32_t side, int32_t y)
{
    int32_t x = side < 0 ? move->body->x - 1 : move->body->x + move->body->w, air_px = move->tuning->ledge_air_px;
    return !df_space_blocked(move->space, (struct df_box){x, y - air_px, 1, air_px}) &&
           df_space_blocked(move->space, (struct df_box){x, y, 1, 1});
}

// Returns true if there is something to hold beside the player or up to their reach above: mostly nothing is.
static bool is_wall_in_reach(const struct movement *move, int32_t side)
{
    int32_t x = side < 0 ? move->body->x - 1 : move->body->x + move->body->w, reach_px = move->tuning->ledge_reach_px;
    return df_space_blocked(move->space, (struct df_box){x, move->body->y - reach_px, 1, reach_px + 1});
}

static void grab(struct movement *move)
{
    struct player *player = move->player;
    int32_t side = move->move_x;
    if (side == 0 || move->move_y > 0 || player->vy < 0 || move->grounded || is_dashing(move) ||
        !is_wall_in_reach(move, side) ||
        df_actor_probe(move->space, move->actor, 0, move->tuning->ledge_ground_px).kind != DF_HIT_NONE)
        return;
    struct df_box box = df_actor_box(move->body);
    for (int32_t px = 0; px <= move->tuning->ledge_reach_px; px++, box.y--) {
        if (!is_edge(move, side, box.y))
            continue;
        if (df_space_blocked(move->space, box) || df_actor_place(move->space, move->actor, box.x, box.y) != DF_OK)
            return;
        player->flags |= PLAYER_HANGING;
        player->facing = side;
        move->body->ride = side < 0 ? DF_RIDE_CLING_LEFT : DF_RIDE_CLING_RIGHT;
        tell(move, EVENT_GRAB, 0);
        return;
    }
}

static void let_go(struct movement *move)
{
    move->player->flags &= ~(uint32_t)PLAYER_HANGING;
    move->body->ride = DF_RIDE_STAND;
}

// Grabs a ledge in reach, keeps hold of it, or lets go. A hanging player has no speed of their own.
static void hold_ledge(struct movement *move)
{
    int32_t side = move->player->facing;
    if (!hangs(move))
        grab(move);
    else if (move->move_x == -side || move->move_y > 0 || is_dashing(move) || move->grounded ||
             !is_edge(move, side, move->body->y))
        let_go(move);
    if (!hangs(move))
        return;
    move->player->vx = move->player->vy = 0;
    move->player->fall_cap = move->tuning->fall_max;
    move->player->flags &= ~WALLS;
}

// --- running and falling

static void run(struct movement *move)
{
    const struct tuning *tuning = move->tuning;
    struct player *player = move->player;
    bool too_fast = abs(player->vx) > tuning->run_max && (player->vx > 0 ? 1 : -1) == move->move_x;
    int32_t reduce = move->grounded ? tuning->run_reduce_ground : tuning->run_reduce_air;
    int32_t accelerate = move->grounded ? tuning->run_accel_ground : tuning->run_accel_air;
    player->vx = number_approach(player->vx, tuning->run_max * move->move_x, too_fast ? reduce : accelerate);
}

static void slide(struct movement *move)
{
    struct player *player = move->player;
    bool slid = (player->flags & WALLS) != 0;
    player->flags &= ~WALLS;
    if (player->vy < 0 || move->move_x == 0 || move->move_y > 0 || !is_at_wall(move, move->move_x, 0)) {
        if (slid)
            player->fall_cap = move->tuning->fall_max;
        return;
    }
    player->flags |= move->move_x < 0 ? PLAYER_WALL_LEFT : PLAYER_WALL_RIGHT;
    int32_t relaxed = player->fall_cap + move->tuning->wall_slide_relax;
    player->fall_cap = slid ? number_clamp(relaxed, 0, move->tuning->fall_max) : move->tuning->wall_slide_max;
}

static void fall(struct movement *move)
{
    const struct tuning *tuning = move->tuning;
    struct player *player = move->player;
    if (move->grounded) {
        player->fall_cap = tuning->fall_max;
        player->flags &= ~WALLS;
        return;
    }
    slide(move);
    if ((player->flags & WALLS) == 0) {
        bool fast = move->move_y > 0 && player->vy >= tuning->fall_max;
        player->fall_cap =
            number_approach(player->fall_cap, fast ? tuning->fall_fast_max : tuning->fall_max, tuning->fall_cap_step);
    }
    bool holds = (player->buttons & BUTTON_JUMP) != 0;
    if (holds && move->now < player->wings_until && player->fall_cap > tuning->wings_fall_max)
        player->fall_cap = tuning->wings_fall_max; // glides
    bool apex = holds && abs(player->vy) < tuning->apex_speed;
    player->vy = number_approach(player->vy, player->fall_cap, apex ? tuning->gravity_apex : tuning->gravity);
}

// --- the jump

// Keeps a jump rising while its button is held.
static void hold_jump(struct movement *move)
{
    struct player *player = move->player;
    if (move->now >= player->jump_held_until)
        return;
    if ((player->buttons & BUTTON_JUMP) == 0)
        player->jump_held_until = 0;
    else if (player->vy > player->jump_vy)
        player->vy = player->jump_vy;
}

static void leave_ground(struct movement *move, int32_t vx, int32_t vy)
{
    struct player *player = move->player;
    int32_t lift_x, lift_y;
    df_actor_lift(move->space, move->actor, &lift_x, &lift_y);
    player->vx = number_clamp(vx + lift_x, -move->tuning->speed_max, move->tuning->speed_max);
    player->vy = vy + lift_y;
    player->jump_vy = player->vy;
    player->jump_held_until = move->now + move->tuning->jump_hold_ticks;
    player->jump_buffered_until = 0;
    player->coyote_until = 0;
    player->dash_until = 0;
    player->dash_x = player->dash_y = 0;
    player->fall_cap = move->tuning->fall_max;
    move->grounded = false;
}

static bool drop(struct movement *move)
{
    if (move->move_y <= 0 || !move->grounded)
        return false;
    // A player drops only if nothing but one-ways is below: with the flag set, nothing blocks the way down.
    move->body->flags |= DF_ACTOR_DROP_THROUGH;
    if (df_actor_ground(move->space, move->actor).kind != DF_HIT_NONE) {
        move->body->flags &= ~(uint32_t)DF_ACTOR_DROP_THROUGH;
        return false;
    }
    struct player *player = move->player;
    player->vy = move->tuning->drop_vy;
    player->jump_buffered_until = 0;
    player->coyote_until = 0;
    move->grounded = false;
    return true;
}

static bool jump_off_wall(struct movement *move)
{
    struct player *player = move->player;
    for (int32_t side = player->facing, tries = 0; tries < 2; side = -side, tries++) {
        if (!is_at_wall(move, side, move->tuning->wall_jump_gap_px))
            continue;
        if (move->move_x != 0) {
            player->forced_direction = -side;
            player->forced_until = move->now + move->tuning->wall_jump_forced_ticks + 1;
        }
        leave_ground(move, -side * move->tuning->wall_jump_vx, move->tuning->wall_jump_vy);
        player->facing = -side;
        tell(move, EVENT_JUMP, 1);
        return true;
    }
    return false;
}

static void jump(struct movement *move)
{
    const struct tuning *tuning = move->tuning;
    struct player *player = move->player;
    if (move->now >= player->jump_buffered_until || drop(move))
        return;
    if (hangs(move)) {
        let_go(move);
        leave_ground(move, 0, tuning->ledge_hop_vy);
        tell(move, EVENT_JUMP, 3);
    } else if (move->grounded || move->now < player->coyote_until) {
        leave_ground(move, player->vx + tuning->jump_vx * move->move_x, tuning->jump_vy);
        tell(move, EVENT_JUMP, 0);
    } else if (!jump_off_wall(move) && move->now < player->wings_until && player->flaps > 0) {
        player->flaps--;
        leave_ground(move, player->vx, tuning->wings_vy);
        tell(move, EVENT_JUMP, 2);
    }
}

// --- the body

// Moves `px` to the side and one pixel on, if there is room.
static bool correct_corner(struct movement *move, int32_t side_x, int32_t side_y, int32_t on_x, int32_t on_y,
                           int32_t px)
{
    struct df_box box = df_actor_box(move->body);
    box.x += side_x * px + on_x;
    box.y += side_y * px + on_y;
    return !df_space_blocked(move->space, box) && df_actor_place(move->space, move->actor, box.x, box.y) == DF_OK;
}

static void hit_x(struct movement *move, struct df_hit hit)
{
    struct player *player = move->player;
    if (is_dashing(move) && player->vy == 0)
        for (int32_t px = 1; px <= move->tuning->corner_correction_px; px++)
            if (correct_corner(move, 0, -1, hit.direction, 0, px) || correct_corner(move, 0, 1, hit.direction, 0, px))
                return;
    player->vx = 0;
}

static void hit_y(struct movement *move, struct df_hit hit)
{
    struct player *player = move->player;
    bool dashes_down = hit.direction > 0 && is_dashing(move);
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
        tell(move, EVENT_LAND, (uint32_t)player->vy);
    player->vy = 0;
}

// What follows from standing: coyote time, the refilled dash; and from leaving the ground: the lift that they keep.
static void settle(struct movement *move, bool stands)
{
    struct player *player = move->player;
    bool stood = move->grounded;
    move->grounded = stands;
    player->flags &= ~(uint32_t)PLAYER_GROUNDED;
    if (stands) {
        player->flags |= PLAYER_GROUNDED;
        player->coyote_until = move->now + 1 + move->tuning->coyote_ticks;
        player->flaps = move->now < player->wings_until ? move->tuning->wings_flaps : 0;
        if (!is_dashing(move))
            player->dashes = move->tuning->dashes;
        return;
    }
    if (!stood || player->vy < 0 || is_dashing(move))
        return;
    int32_t lift_x, lift_y;
    df_actor_lift(move->space, move->actor, &lift_x, &lift_y);
    if (lift_y < 0)
        player->vy = lift_y;
}

static void collide(struct movement *move)
{
    struct player *player = move->player;
    struct df_actor_hits hits;
    player->vx = number_clamp(player->vx, -move->tuning->speed_max, move->tuning->speed_max);
    player->vy = number_clamp(player->vy, -move->tuning->speed_max, move->tuning->speed_max);
    df_actor_step(move->space, move->actor, player->vx, player->vy, &hits);
    int32_t x = move->body->x, y = move->body->y;
    // Along x, a corner is forgiven only in a dash that is level: then nothing moves along y before it.
    if (hits.x.kind != DF_HIT_NONE)
        hit_x(move, hits.x);
    if (hits.y.kind != DF_HIT_NONE)
        hit_y(move, hits.y);
    bool drops = (move->body->flags & DF_ACTOR_DROP_THROUGH) != 0;
    move->body->flags &= ~(uint32_t)DF_ACTOR_DROP_THROUGH;
    if (drops || move->body->x != x || move->body->y != y)
        hits.ground = df_actor_ground(move->space, move->actor);
    settle(move, player->vy >= 0 && hits.ground.kind != DF_HIT_NONE);
}

// --- the tick

static int32_t axis(uint32_t buttons, uint32_t negative, uint32_t positive)
{
    return ((buttons & positive) != 0) - ((buttons & negative) != 0);
}

void movement_begin(struct movement *move, uint32_t buttons)
{
    struct player *player = move->player;
    move->move_x = axis(buttons, BUTTON_LEFT, BUTTON_RIGHT) * move->tuning->steering;
    move->move_y = axis(buttons, BUTTON_UP, BUTTON_DOWN);
    move->pressed = buttons & ~player->buttons_before;
    move->grounded = (player->flags & PLAYER_GROUNDED) != 0;
    if (move->move_x != 0 && !is_dashing(move) && !hangs(move))
        player->facing = move->move_x;
}

void movement_step(struct movement *move)
{
    struct player *player = move->player;
    if (move->pressed & BUTTON_JUMP)
        player->jump_buffered_until = move->now + move->tuning->jump_buffer_ticks + 1;
    end_dash(move);
    begin_dash(move);
    if (move->now < player->forced_until && !is_dashing(move)) {
        move->move_x = player->forced_direction;
        if (move->move_x != 0)
            player->facing = move->move_x;
    }
    hold_ledge(move);
    if (!is_dashing(move) && !hangs(move)) {
        run(move);
        fall(move);
        hold_jump(move);
    }
    jump(move);
    collide(move);
}
