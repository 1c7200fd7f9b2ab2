// SPDX-License-Identifier: MIT
#include "player.h"

#include <string.h>

#include "bow.h"
#include "dash.h"
#include "jump.h"
#include "ledge.h"
#include "mode.h"
#include "round.h"
#include "run.h"
#include "team.h"
#include "tuning.h"
#include "turn.h"
#include "walk.h"

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

struct player_record player_record(const struct player *player)
{
    return (struct player_record){.team = player->team,
                                  .score = player->score,
                                  .kills = player->kills,
                                  .deaths = player->deaths,
                                  .squishes = player->squishes,
                                  .catches = player->catches,
                                  .shots = player->shots,
                                  .hits = player->hits};
}

bool player_record_is_sound(const struct player_record *record)
{
    return record->team <= 2 && record->score >= -TUNING.score_max && record->score <= TUNING.score_max;
}

void player_join(struct world *world, const struct command *join)
{
    const struct player_record *record = &join->record;
    const uint32_t slot = join->slot;
    event_push(world, EVENT_JOIN, 0, 0, slot, EVENT_NOBODY, join->bot);
    struct player player = {.state = PLAYER_DEAD,
                            .generation = world->event_count,
                            .flags = join->bot ? PLAYER_BOT : 0,
                            .colour = join->colour,
                            .team = !team_mode(world)   ? 0
                                    : record->team != 0 ? record->team
                                                        : team_smaller(world),
                            .facing = 1,
                            .respawn_tick = world->tick,
                            .score = record->score,
                            .kills = record->kills,
                            .deaths = record->deaths,
                            .squishes = record->squishes,
                            .catches = record->catches,
                            .shots = record->shots,
                            .hits = record->hits};
    memcpy(player.name, join->name, sizeof player.name);
    world->players[slot] = player;
    if (world->player_slots <= slot)
        world->player_slots = slot + 1;
}

void player_leave(struct world *world, uint32_t slot)
{
    event_push(world, EVENT_LEAVE, world->actors[slot].x, world->actors[slot].y, slot, EVENT_NOBODY, 0);
    memset(&world->players[slot], 0, sizeof world->players[slot]);
    memset(&world->actors[slot], 0, sizeof world->actors[slot]);
    for (uint32_t i = 0; i < world->player_slots; i++)
        if (world->players[i].shover == slot + 1)
            world->players[i].shover = 0;
    for (uint32_t i = 0; i < world->arrow_slots; i++)
        if (world->arrows[i].owner == slot + 1)
            world->arrows[i].owner = 0;
    for (uint32_t i = 0; i < world->ball_count; i++)
        if (world->strikes[i].by == slot + 1)
            world->strikes[i].by = 0;
    while (world->player_slots > 0 && world->players[world->player_slots - 1].state == PLAYER_ABSENT)
        world->player_slots--;
}

/// What outlives a death: who he is and what he has done. All else begins anew.
static struct player kept(const struct player *player)
{
    struct player next = {.state = PLAYER_DEAD,
                          .generation = player->generation,
                          .flags = player->flags & PLAYER_BOT,
                          .colour = player->colour,
                          .team = player->team,
                          .team_wish = player->team_wish,
                          .buttons = player->buttons,
                          .buttons_before = player->buttons_before,
                          .facing = player->facing,
                          .score = player->score,
                          .kills = player->kills,
                          .deaths = player->deaths,
                          .squishes = player->squishes,
                          .catches = player->catches,
                          .shots = player->shots,
                          .hits = player->hits};
    memcpy(next.name, player->name, sizeof next.name);
    return next;
}

void player_spawn(struct step *step, uint32_t slot, int32_t x, int32_t y)
{
    struct world *world = step->world;
    struct player *player = &world->players[slot];
    *player = kept(player);
    player->state = PLAYER_ALIVE;
    player->aim_x = player->facing;
    player->dashes = 1;
    player->fall_cap = TUNING.fall_max;
    player->arrows = TUNING.arrows_start;
    player->shield_until = world->tick + round_countdown_ticks(world) + TUNING.shield_ticks;
    step_put_actor(step, slot,
                   (struct df_actor){.x = x - TUNING.body_w_px / 2,
                                     .y = y - TUNING.body_h_px,
                                     .w = TUNING.body_w_px,
                                     .h = TUNING.body_h_px,
                                     .ride = DF_RIDE_STAND,
                                     .flags = DF_ACTOR_ALIVE});
    event_push(world, EVENT_SPAWN, x, y, slot, EVENT_NOBODY, 0);
}

void player_withdraw(struct world *world, uint32_t slot, enum player_state state)
{
    struct player *player = &world->players[slot];
    *player = kept(player);
    player->state = state;
    player->respawn_tick = world->tick;
    memset(&world->actors[slot], 0, sizeof world->actors[slot]);
}

void player_forget(struct world *world, uint32_t slot)
{
    struct player *player = &world->players[slot];
    player->score = 0;
    player->kills = player->deaths = player->squishes = player->catches = player->shots = player->hits = 0;
}

static void lay_down(struct step *step, uint32_t slot)
{
    struct df_actor body = step->world->actors[slot];
    body.flags = 0;
    step_put_actor(step, slot, body);
}

void player_requeue(struct step *step, uint32_t slot)
{
    struct player *player = &step->world->players[slot];
    if (!team_plays(player))
        return;
    *player = kept(player);
    player->respawn_tick = step->world->tick;
    lay_down(step, slot);
}

static uint32_t credited(const struct world *world, const struct player *player, uint32_t killer)
{
    if (killer != EVENT_NOBODY || player->shover == 0 || world->tick >= player->shoved_tick + TUNING.credit_ticks)
        return killer;
    return team_spares(world, player->shover - 1, (uint32_t)(player - world->players)) ? killer : player->shover - 1;
}

void player_kill(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer)
{
    struct world *world = step->world;
    struct player *player = &world->players[slot];
    if (player->state != PLAYER_ALIVE || team_spares(world, killer, slot))
        return;
    killer = credited(world, player, killer);
    const struct df_box box = step_actor_box(step, slot);
    event_push(world, EVENT_KILL, box.x + box.w / 2, box.y + box.h / 2, slot, killer, cause);

    *player = kept(player);
    player->respawn_tick = world->tick + TUNING.respawn_ticks;
    lay_down(step, slot);
    if (!round_counts(world))
        return;
    player->deaths++;
    if (killer == slot)
        killer = EVENT_NOBODY;
    if (mode_of(world)->killed != NULL)
        mode_of(world)->killed(world, slot, killer);
    if (killer == EVENT_NOBODY)
        return;
    world->players[killer].kills++;
    world->players[killer].squishes += cause == DEATH_SQUISH;
}

void players_squeezed(struct step *step)
{
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (step->world->players[slot].state == PLAYER_ALIVE &&
            (step->world->actors[slot].flags & DF_ACTOR_EMBEDDED) != 0)
            player_kill(step, slot, DEATH_SQUISH, EVENT_NOBODY);
}

void player_shove(struct world *world, uint32_t slot, uint32_t by)
{
    world->players[slot].shover = by + 1;
    world->players[slot].shoved_tick = world->tick;
}
