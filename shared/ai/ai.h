// SPDX-License-Identifier: MIT
//
// A computer player: takes the world as a player sees it and returns an input. Pure: it remembers nothing and its
// dice come from the world's tick, its seed and the slot. The server fills places with it and the load tester plays
// with it.
#ifndef AI_AI
#define AI_AI

#include "game/state.h"

/// How well it plays.
enum skill { SKILL_IDLE, SKILL_RANDOM, SKILL_EASY, SKILL_NORMAL, SKILL_HARD, SKILLS };

struct nav_graph;

/// What the player of `slot` should hold in the next step. `ways`: the map's, drawn by nav_graph_build(); null: he goes
/// by sight.
struct player_input ai_think(const struct world *world, const struct map *map, const struct nav_graph *ways,
                             uint32_t slot, enum skill skill);

/// The names of the skills, by enum skill: "idle", "random", "easy", "normal", "hard"; NULL ends them.
extern const char *const SKILL_NAMES[SKILLS + 1];
/// Returns the name of a skill; "unknown" for any other value.
const char *ai_skill_name(enum skill skill);

#endif
