// SPDX-License-Identifier: MIT
//
// Trials: courses for one player against the clock. A course is done when all its targets and flags are on, each of its
// bots has died (they stand where the map has spawns of team 2), and as many arrows were caught as the score limit has
// points left. The score is what is done of it, so the match ends at the limit like any other.
#ifndef GAME_TRIAL
#define GAME_TRIAL

#include "game/step.h"

/// Returns whether a switch is to be turned on in a course: a target or a flag.
bool trial_is_task(const struct map_switch *of);

/// Returns the points of a course, apart from catches: its targets, flags and bots.
uint32_t trial_tasks(const struct map *map);

/// Sets the score of all who are not bots to what is done of the course.
void trial_count(struct step *step);

/// Returns NULL if a map is a course, else what it lacks.
const char *trial_validate_map(const struct map *map);

/// Returns the team of the spawns that a player uses: their own; in a trial 2 for a bot and 1 for everybody else.
uint32_t trial_spawn_team(const struct world *world, uint32_t slot);

/// Returns whether a dead player of a trial comes back: bots do not.
bool trial_revives(const struct world *world, uint32_t slot);

#endif
