// SPDX-License-Identifier: MIT
#include "player_step.h"

#include "dash.h"
#include "game/entities/arrow.h"
#include "game/rules/round.h"
#include "jump.h"
#include "ledge.h"
#include "player.h"
#include "player_move.h"

void player_step_take_inputs(struct world *world, const struct player_input *inputs)
{
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        struct player *player = &world->players[slot];
        if (player->state == PLAYER_ABSENT)
            continue;
        player->buttons_before = player->buttons;
        player->buttons = inputs[slot].buttons & ((1u << BUTTON_BITS) - 1);
    }
}

static int32_t axis(uint32_t buttons, uint32_t negative, uint32_t positive)
{
    return ((buttons & positive) != 0) - ((buttons & negative) != 0);
}

static struct player_move turn_begin(struct step *step, uint32_t slot)
{
    struct player *player = &step->world->players[slot];
    uint32_t buttons = round_is_frozen(step->world) ? 0 : player->buttons;
    struct player_move move = {
        .step = step,
        .tuning = step->tuning,
        .player = player,
        .actor = &step->world->actors[slot],
        .slot = slot,
        .now = step->world->tick,
        .move_x = axis(buttons, BUTTON_LEFT, BUTTON_RIGHT) * step->tuning->steering,
        .move_y = axis(buttons, BUTTON_UP, BUTTON_DOWN),
        .pressed = buttons & ~player->buttons_before,
        .grounded = (player->flags & PLAYER_GROUNDED) != 0,
    };
    if (move.move_x != 0 && !player_move_is_dashing(&move) && !ledge_hangs(&move))
        player->facing = move.move_x;
    return move;
}

static void aim(struct player_move *move)
{
    struct player *player = move->player;
    player->aim_x = move->move_x != 0 || move->move_y != 0 ? move->move_x : player->facing;
    player->aim_y = move->move_y;
}

static void shoot(struct player_move *move)
{
    struct player *player = move->player;
    if ((move->pressed & BUTTON_SHOOT) == 0 || player->arrows == 0 || move->now < player->shoot_ready_tick)
        return;
    enum arrow_kind kind = player_draw_arrow(player);
    if (move->tuning->arrows_endless)
        player_add_arrows(player, move->tuning, kind, 1);
    player->stats.shots += round_keeps_count(move->step->world);
    player->shoot_ready_tick = move->now + move->tuning->shoot_cooldown_ticks;
    arrow_shoot(move->step, kind, move->slot, step_hurt_box(move->step, move->slot), player->aim_x, player->aim_y);
    player_move_event(move, EVENT_SHOOT, kind);
}

static void refill(struct player_move *move)
{
    uint32_t ticks = move->tuning->arrow_refill_ticks;
    if (ticks > 0 && move->now % ticks == 0 && move->player->arrows < move->tuning->arrows_start)
        player_add_arrows(move->player, move->tuning, ARROW_NORMAL, 1);
}

static void force_direction(struct player_move *move)
{
    if (move->now >= move->player->forced_until || player_move_is_dashing(move))
        return;
    move->move_x = move->player->forced_direction;
    if (move->move_x != 0)
        move->player->facing = move->move_x;
}

static void step_player(struct step *step, uint32_t slot)
{
    struct player_move move = turn_begin(step, slot);
    aim(&move);
    refill(&move);
    shoot(&move);
    jump_buffer(&move);
    dash_end(&move);
    dash_try(&move);
    force_direction(&move);
    ledge_try(&move);
    if (!player_move_is_dashing(&move) && !ledge_hangs(&move)) {
        player_move_run(&move);
        player_move_fall(&move);
        jump_hold(&move);
    }
    jump_try(&move);
    int32_t y = move.actor->y;
    player_move_collide(&move);
    int32_t down_px = step_distance(step, y, move.actor->y, step->map->rows * MAP_EDGE_PX);
    if (down_px > 0 && round_counts(step->world))
        move.player->stats.fallen_px += (uint32_t)down_px;
}

void player_step(struct step *step)
{
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (step->world->players[slot].state == PLAYER_ALIVE)
            step_player(step, slot);
}
