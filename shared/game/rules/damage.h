// SPDX-License-Identifier: MIT
//
// Who dies in this tick, by what and by whom. All of a tick's deaths happen at once at its end, so two who kill each
// other both die whatever their slots. Shields stand here too: what they take hurts nobody.
#ifndef GAME_DAMAGE
#define GAME_DAMAGE

#include "game/step.h"

/// He is hit: he will die, unless he is shielded; a chest's shield takes the hit and breaks. Killer: a slot or
/// EVENT_NOBODY. The first of a tick counts.
void damage_apply(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer);

/// The same without regard to shields.
void damage_apply_unshielded(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer);

/// True while nothing can kill him.
bool damage_is_shielded(const struct step *step, uint32_t slot);

/// True if he will die at the end of this tick.
bool damage_is_fatal(const struct step *step, uint32_t slot);

/// Kills a living player and counts it. Killer: a slot, or EVENT_NOBODY: then whoever last shoved him, if that was not
/// long ago; else it is his own fault.
void damage_kill(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer);

/// Phase: physics asks once for each actor and move of a solid what a squish does. Who slipped out and was caught again
/// in the same move is flagged embedded: here he dies of it.
void damage_squeezed(struct step *step);

/// Kills all who are to die in this tick.
void damage_resolve(struct step *step);

#endif
