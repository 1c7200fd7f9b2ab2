// SPDX-License-Identifier: MIT
//
// Which players die in this tick, and of what. All deaths of a tick happen together at its end, so two players who kill
// each other both die, whatever their slots are. Shields are here too: a hit that they take hurts nobody.
#ifndef GAME_DAMAGE
#define GAME_DAMAGE

#include "game/step.h"

/// Hits a player. They will die at the end of the tick unless they are shielded; the shield of a chest takes the hit
/// and breaks. `killer` is a slot or EVENT_NOBODY. The first hit of a tick counts.
void damage_apply(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer);

/// Hits a player without a shield.
void damage_apply_unshielded(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer);

/// Returns true while nothing can kill the player.
bool damage_is_shielded(const struct step *step, uint32_t slot);

/// Returns true if the player will die at the end of this tick.
bool damage_is_fatal(const struct step *step, uint32_t slot);

/// Kills a living player at once and counts it. `killer` is a slot or EVENT_NOBODY; the latter credits the player who
/// last shoved the victim, if that was less than TUNING.credit_ticks ago, else it is the victim's own fault.
void damage_kill(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer);

/// Phase: kills players that a solid caught twice in one move. Physics asks only once for each actor and move of a
/// solid what a squish does; a player who slipped away and was caught again in the same move is flagged embedded.
void damage_squeezed(struct step *step);

/// Kills every player who has been hit in this tick.
void damage_resolve(struct step *step);

/// Leaves a lit bomb for each player who died in this tick, if the match has explosive deaths. Called once a tick,
/// after damage_resolve().
void damage_leave_bombs(struct step *step);

#endif
