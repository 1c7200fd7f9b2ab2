// SPDX-License-Identifier: MIT
//
// What happens when things meet, who dies of it and comes back, and how a match goes on: the last phases of a tick.
// What these rules and entities ask alike is in round.h, team.h and mode.h.
#ifndef RULES_RULES_H
#define RULES_RULES_H

#include "game/step.h"

// --- contact.c
//
// What happens when moving things touch: stomps, shoves, arrows that hit, are caught or picked up, hazards, balls.
// All deaths of a tick happen together, so two players who kill each other both die, whatever their slots are.
//
// The grid says which living players are near a place: each column of 32 px is a set of slots, and so is each row; who
// is near is in both. Built once a tick, after everybody has moved, so that hundreds of arrows need not look at every
// player. It gives candidates; the caller compares boxes.

/// Width of a column and height of a row, px; the last may be larger. A box that is asked for must not be.
#define CONTACT_GRID_CELL_PX 32
/// Columns, and rows, of the largest map.
#define CONTACT_GRID_CELLS (MAP_SIDE_CAPACITY * MAP_EDGE_PX / CONTACT_GRID_CELL_PX)
/// 64-bit words of a set of slots.
#define CONTACT_GRID_WORDS (PLAYER_CAPACITY / 64)

/// A set of player slots.
struct player_set {
    uint64_t words[CONTACT_GRID_WORDS];
};

/// The living players of one tick.
struct player_grid {
    struct player_set columns[CONTACT_GRID_CELLS];
    struct player_set rows[CONTACT_GRID_CELLS];
};

/// Enters the hurt box of every living player.
void contact_grid_build(struct player_grid *grid, const struct step *step);

/// Returns every player who may overlap the box, and perhaps others.
struct player_set contact_grid_near(const struct player_grid *grid, const struct step *step, struct df_box box);

/// Removes the lowest slot from a set and returns it; PLAYER_CAPACITY if the set is empty.
uint32_t contact_grid_next(struct player_set *set);

/// Phase: finds all contacts of the tick and applies their effects.
void contact_step(struct step *step);

// --- damage.c
//
// Which players die in this tick, and of what. All deaths of a tick happen together at its end, so two players who kill
// each other both die, whatever their slots are. Shields are here too: a hit that they take hurts nobody.

/// Hits a player. They will die at the end of the tick unless they are shielded; a shield that was a gift takes the hit
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

/// Applies the explosions of the tick. All of them go off together after everybody has moved: first blocks break, then
/// everything that an explosion reaches through the air dies, breaks or is shoved. Walls and solids give cover; blocks
/// do not.
void damage_explode(struct step *step);

// --- spawn.c
//
// Where and when dead players come back: at the free spawn farthest from their living enemies, never beneath a crusher
// that is about to come down, and at most TUNING.spawns_per_tick of them in a tick.

/// Phase: brings back the players who are due to respawn.
void spawn_step(struct step *step);

// --- match_flow.c
//
// The course of a match: a warm-up until enough players are there, countdown, play, the end of a round, the next round,
// and at the end of the match its scoreboard; then the next match begins by itself. mode.h holds what the modes differ
// in.

/// Phase: changes the phase of the round when its time is over or the mode has decided it.
void match_flow_step(struct step *step);

#endif
