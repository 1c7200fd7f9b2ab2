// SPDX-License-Identifier: MIT
//
// Who dies in this tick, by what and by whom. All of a tick's deaths happen at once at its end, so two who kill each
// other both die whatever their slots. Shields stand here too: what they take is no verdict.
#ifndef GAME_VERDICT_H
#define GAME_VERDICT_H

#include "step.h"

/// He is hit: he will die, unless he is shielded; a chest's shield takes the hit and breaks. Killer: a slot or
/// EVENT_NOBODY. The first verdict of a tick stands.
void verdict_hit(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer);

/// The same without regard to shields.
void verdict_pass(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer);

/// True while nothing can kill him.
bool verdict_is_shielded(const struct step *step, uint32_t slot);

/// True if he will die at the end of this tick.
bool verdict_stands(const struct step *step, uint32_t slot);

/// Carries them all out.
void verdicts_carry_out(struct step *step);

#endif
