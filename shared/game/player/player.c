// SPDX-License-Identifier: MIT
#include "player.h"

#include <string.h>

#include "game/entities/entities.h"
#include "game/rules/round.h"
#include "game/tuning.h"

struct player_record player_record(const struct player *player)
{
    return (struct player_record){
        .team = player->team, .handicap = player->handicap, .score = player->score, .stats = player->stats};
}

bool player_plays(const struct player *player)
{
    return player->state == PLAYER_ALIVE || player->state == PLAYER_DEAD;
}

bool player_record_is_valid(const struct player_record *record)
{
    return record->team <= 2 && record->handicap < HANDICAPS && record->score >= -TUNING.score_max &&
           record->score <= TUNING.score_max;
}

// What a player keeps after a death: who they are and what they have done.
static struct player kept(const struct player *player)
{
    struct player next = {.state = PLAYER_DEAD,
                          .generation = player->generation,
                          .flags = player->flags & PLAYER_BOT,
                          .colour = player->colour,
                          .team = player->team,
                          .team_choice = player->team_choice,
                          .handicap = player->handicap,
                          .buttons = player->buttons,
                          .buttons_before = player->buttons_before,
                          .facing = player->facing,
                          .score = player->score,
                          .stats = player->stats};
    memcpy(next.name, player->name, sizeof next.name);
    return next;
}

void player_spawn(struct step *step, uint32_t slot, int32_t x, int32_t y, tick shield_until)
{
    struct world *world = step->world;
    struct player *player = &world->players[slot];
    *player = kept(player);
    player->state = PLAYER_ALIVE;
    player->aim_x = player->facing;
    player->dashes = step->tuning->dashes;
    player->fall_cap = step->tuning->fall_max;
    bool hindered = player->handicap == HANDICAP_ARROW && step->tuning->arrows_start > 1;
    player_add_arrows(player, step->tuning, ARROW_NORMAL, hindered ? 1 : step->tuning->arrows_start);
    player->shield_until = shield_until;
    player->shield = player->handicap == HANDICAP_SHIELD ? 1 : step->tuning->spawn_shield;
    player->wings_until = step->tuning->spawn_wings_ticks > 0 ? world->tick + step->tuning->spawn_wings_ticks : 0;
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

void player_reset_statistics(struct world *world, uint32_t slot)
{
    struct player *player = &world->players[slot];
    player->score = 0;
    player->stats = (struct player_stats){0};
}

void player_lay_down(struct step *step, uint32_t slot, tick respawn_tick)
{
    struct player *player = &step->world->players[slot];
    *player = kept(player);
    player->respawn_tick = respawn_tick;
    struct df_actor body = step->world->actors[slot];
    body.flags = 0;
    step_put_actor(step, slot, body);
}

void player_shove(struct world *world, uint32_t slot, uint32_t by)
{
    world->players[slot].shover = by + 1;
    world->players[slot].shoved_tick = world->tick;
}

// How many special arrows of a kind they carry.
static uint32_t *carried(const struct player *player, enum arrow_kind kind)
{
    return (uint32_t *)(void *)((char *)player + ARROW_KIND_TABLE[kind].carried);
}

static enum arrow_kind becomes(const struct tuning *tuning, enum arrow_kind kind)
{
    return tuning->arrow_kind == ARROW_NORMAL ? kind : (enum arrow_kind)tuning->arrow_kind;
}

uint32_t player_special_arrows(const struct player *player)
{
    uint32_t special = 0;
    for (enum arrow_kind kind = ARROW_NORMAL + 1; kind < ARROW_KINDS; kind++)
        special += *carried(player, kind);
    return special;
}

bool player_has_room(const struct player *player, const struct tuning *tuning, enum arrow_kind kind)
{
    uint32_t most = tuning->arrows_max;
    return (becomes(tuning, kind) == ARROW_NORMAL ? player->arrows : player_special_arrows(player)) < most;
}

void player_add_arrows(struct player *player, const struct tuning *tuning, enum arrow_kind kind, uint32_t count)
{
    kind = becomes(tuning, kind);
    for (; count > 0 && player_has_room(player, tuning, kind); count--) {
        if (kind != ARROW_NORMAL)
            ++*carried(player, kind);
        player->arrows += player->arrows < tuning->arrows_max;
    }
}

// --- the tick

void player_note_inputs(struct world *world, const struct player_input *inputs)
{
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        struct player *player = &world->players[slot];
        if (player->state == PLAYER_ABSENT)
            continue;
        player->buttons_before = player->buttons;
        player->buttons = inputs[slot].buttons & ((1u << BUTTON_BITS) - 1);
    }
}

static void shoot(struct step *step, uint32_t slot)
{
    struct player *player = &step->world->players[slot];
    if (player->arrows == 0 || step->world->tick < player->shoot_ready_tick)
        return;
    enum arrow_kind kind = ARROW_NORMAL + 1; // special ones first
    while (kind < ARROW_KINDS && *carried(player, kind) == 0)
        kind++;
    if (kind < ARROW_KINDS)
        --*carried(player, kind);
    else
        kind = ARROW_NORMAL;
    player->arrows--;
    if (step->tuning->arrows_endless)
        player_add_arrows(player, step->tuning, kind, 1);
    player->stats.shots += round_keeps_count(step->world);
    player->shoot_ready_tick = step->world->tick + step->tuning->shoot_cooldown_ticks;
    arrow_shoot(step, kind, slot, step_hurt_box(step, slot), player->aim_x, player->aim_y);
    const struct df_actor *a = &step->world->actors[slot];
    event_push(step->world, EVENT_SHOOT, a->x + a->w / 2, a->y + a->h / 2, slot, EVENT_NOBODY, kind);
}

void player_step(struct step *step)
{
    uint32_t refill_ticks = step->tuning->arrow_refill_ticks;
    bool refills = refill_ticks > 0 && step->world->tick % refill_ticks == 0;
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++) {
        struct player *player = &step->world->players[slot];
        if (player->state != PLAYER_ALIVE)
            continue;
        struct movement move = {.space = &step->space,
                                .actor = (int32_t)slot,
                                .body = &step->world->actors[slot],
                                .player = player,
                                .tuning = step->tuning,
                                .world = step->world,
                                .now = step->world->tick};
        movement_begin(&move, round_is_frozen(step->world) ? 0 : player->buttons);
        player->aim_x = move.move_x != 0 || move.move_y != 0 ? move.move_x : player->facing;
        player->aim_y = move.move_y;
        if (refills && player->arrows < step->tuning->arrows_start)
            player_add_arrows(player, step->tuning, ARROW_NORMAL, 1);
        if (move.pressed & BUTTON_SHOOT)
            shoot(step, slot);
        int32_t y = move.body->y;
        movement_step(&move);
        int32_t down_px = step_distance(step, y, move.body->y, step->map->rows * MAP_EDGE_PX);
        if (down_px > 0 && round_counts(step->world))
            player->stats.fallen_px += (uint32_t)down_px;
    }
}
