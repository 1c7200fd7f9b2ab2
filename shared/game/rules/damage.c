// SPDX-License-Identifier: MIT
#include "rules.h"

#include "game/entities/entities.h"
#include "game/entities/entity_list.h"
#include "game/player/player.h"
#include "game/tuning.h"
#include "mode.h"
#include "round.h"
#include "team.h"

bool damage_is_shielded(const struct step *step, uint32_t slot)
{
    return step->world->tick < step->world->players[slot].shield_until;
}

bool damage_is_fatal(const struct step *step, uint32_t slot)
{
    return step->damages[slot].cause != 0;
}

void damage_apply_unshielded(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer)
{
    if (!damage_is_fatal(step, slot))
        step->damages[slot] = (struct damage){(uint32_t)cause + 1, killer};
}

void damage_apply(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer)
{
    struct player *player = &step->world->players[slot];
    if (damage_is_shielded(step, slot) || damage_is_fatal(step, slot) || team_spares(step->world, killer, slot))
        return;
    if (player->shield == 0) {
        damage_apply_unshielded(step, slot, cause, killer);
        return;
    }
    struct df_box box = step_hurt_box(step, slot);
    player->shield = 0;
    player->shield_until = step->world->tick + TUNING.shield_broken_ticks;
    event_push(step->world, EVENT_SHIELD, box.x + box.w / 2, box.y + box.h / 2, slot, killer, cause);
}

void damage_kill(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer)
{
    struct world *world = step->world;
    struct player *player = &world->players[slot];
    if (player->state != PLAYER_ALIVE || team_spares(world, killer, slot))
        return;
    uint32_t shover = step_slot_of(player->shover);
    if (killer == EVENT_NOBODY && shover != EVENT_NOBODY && world->tick < player->shoved_tick + TUNING.credit_ticks &&
        !team_spares(world, shover, slot))
        killer = shover;
    struct df_box box = step_actor_box(step, slot);
    event_push(world, EVENT_KILL, box.x + box.w / 2, box.y + box.h / 2, slot, killer, cause);

    player_lay_down(step, slot, world->tick + step->tuning->respawn_ticks);
    if (!round_counts(world))
        return;
    player->stats.deaths++;
    if (killer == slot) {
        player->stats.own_kills++;
        killer = EVENT_NOBODY;
    }
    if (mode_of(world)->killed != NULL)
        mode_of(world)->killed(world, slot, killer);
    if (killer == EVENT_NOBODY)
        return;
    world->players[killer].stats.kills++;
    world->players[killer].stats.squishes += cause == DEATH_SQUISH;
}

void damage_squeezed(struct step *step)
{
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (step->world->players[slot].state == PLAYER_ALIVE &&
            (step->world->actors[slot].flags & DF_ACTOR_EMBEDDED) != 0)
            damage_kill(step, slot, DEATH_SQUISH, EVENT_NOBODY);
}

void damage_resolve(struct step *step)
{
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (damage_is_fatal(step, slot))
            damage_kill(step, slot, (enum death_cause)(step->damages[slot].cause - 1), step->damages[slot].killer);
}

void damage_leave_bombs(struct step *step)
{
    const struct world *world = step->world;
    uint32_t fuse_ticks = step->tuning->death_fuse_ticks;
    for (uint32_t back = 1; fuse_ticks > 0 && back <= EVENT_CAPACITY && back <= world->event_count; back++) {
        struct event event = world->events[(world->event_count - back) % EVENT_CAPACITY];
        if (event.tick != world->tick)
            return;
        if (event.kind == EVENT_KILL)
            arrow_leave_bomb(step, event.subject, event.x, event.y, fuse_ticks);
    }
}

// --- explosions

static void explode_near_players(struct step *step, const struct explosion *explosion)
{
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++) {
        struct player *player = &step->world->players[slot];
        struct df_box box = step_hurt_box(step, slot);
        if (player->state != PLAYER_ALIVE || !step_explosion_hits(step, explosion, TUNING.bomb_shove_px, box))
            continue;
        step_explosion_push(step, explosion, box, TUNING.bomb_shove_speed, &player->vx, &player->vy);
        player->jump_held_until = 0;
        player->dash_until = 0;
        player->dash_x = player->dash_y = 0;
        if (explosion->owner != 0 && explosion->owner != slot + 1)
            player_shove(step->world, slot, explosion->owner - 1);
        if (step_is_within(step, explosion->from, TUNING.bomb_kill_px, box))
            damage_apply(step, slot, DEATH_BOMB, step_slot_of(explosion->owner));
    }
}

static void break_blocks(struct step *step, const struct explosion *explosion)
{
    int32_t r = TUNING.bomb_break_px;
    struct df_box from = explosion->from;
    int32_t left = df_floor_div(from.x - r, MAP_EDGE_PX), right = df_floor_div(from.x + from.w + r, MAP_EDGE_PX);
    int32_t top = df_floor_div(from.y - r, MAP_EDGE_PX), bottom = df_floor_div(from.y + from.h + r, MAP_EDGE_PX);
    for (int32_t row = top; row <= bottom; row++)
        for (int32_t column = left; column <= right; column++) {
            struct df_box tile = {column * MAP_EDGE_PX, row * MAP_EDGE_PX, MAP_EDGE_PX, MAP_EDGE_PX};
            if (step_is_within(step, from, r, tile))
                block_break(step, column, row, step_slot_of(explosion->owner));
        }
}

void damage_explode(struct step *step)
{
    for (uint32_t i = 0; i < step->explosion_count; i++)
        break_blocks(step, &step->explosions[i]);
    for (uint32_t i = 0; i < step->explosion_count; i++) {
        explode_near_players(step, &step->explosions[i]);
        entity_list_explode(step, &step->explosions[i]);
    }
}
