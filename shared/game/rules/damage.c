// SPDX-License-Identifier: MIT
#include "rules.h"

#include "game/entities/entities.h"
#include "game/event.h"
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

static uint32_t credited(const struct world *world, const struct player *player, uint32_t killer)
{
    if (killer != EVENT_NOBODY || player->shover == 0 || world->tick >= player->shoved_tick + TUNING.credit_ticks)
        return killer;
    return team_spares(world, player->shover - 1, (uint32_t)(player - world->players)) ? killer : player->shover - 1;
}

void damage_kill(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer)
{
    struct world *world = step->world;
    struct player *player = &world->players[slot];
    if (player->state != PLAYER_ALIVE || team_spares(world, killer, slot))
        return;
    killer = credited(world, player, killer);
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
