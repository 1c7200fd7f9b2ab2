// SPDX-License-Identifier: MIT
#include "verdict.h"

#include "player.h"
#include "team.h"
#include "tuning.h"

bool verdict_is_shielded(const struct step *step, uint32_t slot)
{
    return step->world->tick < step->world->players[slot].shield_until;
}

bool verdict_stands(const struct step *step, uint32_t slot)
{
    return step->verdicts[slot].cause != 0;
}

void verdict_pass(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer)
{
    if (!verdict_stands(step, slot))
        step->verdicts[slot] = (struct verdict){(uint32_t)cause + 1, killer};
}

void verdict_hit(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer)
{
    struct player *player = &step->world->players[slot];
    if (verdict_is_shielded(step, slot) || verdict_stands(step, slot) || team_spares(step->world, killer, slot))
        return;
    if (player->shield == 0) {
        verdict_pass(step, slot, cause, killer);
        return;
    }
    const struct df_box box = step_hurt_box(step, slot);
    player->shield = 0;
    player->shield_until = step->world->tick + TUNING.shield_broken_ticks;
    event_push(step->world, EVENT_SHIELD, box.x + box.w / 2, box.y + box.h / 2, slot, killer, cause);
}

void verdicts_carry_out(struct step *step)
{
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (verdict_stands(step, slot))
            player_kill(step, slot, (enum death_cause)(step->verdicts[slot].cause - 1), step->verdicts[slot].killer);
}
