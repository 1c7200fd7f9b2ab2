// SPDX-License-Identifier: MIT
#include "player_step.h"

#include "aim_shoot.h"
#include "dash.h"
#include "game/rules/round.h"
#include "jump.h"
#include "ledge.h"
#include "move_collide.h"
#include "move_ground_air.h"
#include "player_move.h"

void players_take_inputs(struct world *world, const struct player_input *inputs)
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

static struct turn turn_begin(struct step *step, uint32_t slot)
{
    struct player *player = &step->world->players[slot];
    const uint32_t buttons = round_is_frozen(step->world) ? 0 : player->buttons;
    struct turn turn = {
        .step = step,
        .player = player,
        .actor = &step->world->actors[slot],
        .slot = slot,
        .now = step->world->tick,
        .move_x = axis(buttons, BUTTON_LEFT, BUTTON_RIGHT),
        .move_y = axis(buttons, BUTTON_UP, BUTTON_DOWN),
        .pressed = buttons & ~player->buttons_before,
        .grounded = (player->flags & PLAYER_GROUNDED) != 0,
    };
    if (turn.move_x != 0 && !turn_is_dashing(&turn) && !ledge_hangs(&turn))
        player->facing = turn.move_x;
    return turn;
}

static void force_direction(struct turn *turn)
{
    if (turn->now >= turn->player->forced_until || turn_is_dashing(turn))
        return;
    turn->move_x = turn->player->forced_direction;
    if (turn->move_x != 0)
        turn->player->facing = turn->move_x;
}

static void player_step(struct step *step, uint32_t slot)
{
    struct turn turn = turn_begin(step, slot);
    bow_aim(&turn);
    bow_shoot(&turn);
    jump_buffer(&turn);
    dash_end(&turn);
    dash_try(&turn);
    force_direction(&turn);
    ledge_try(&turn);
    if (!turn_is_dashing(&turn) && !ledge_hangs(&turn)) {
        run_step(&turn);
        run_fall(&turn);
        jump_hold(&turn);
    }
    jump_try(&turn);
    walk_step(&turn);
    walk_settle(&turn);
}

void players_step(struct step *step)
{
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (step->world->players[slot].state == PLAYER_ALIVE)
            player_step(step, slot);
}
