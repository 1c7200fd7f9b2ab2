// SPDX-License-Identifier: MIT
//
// A computer player: looks at the world as a player does and returns an input. A pure function without memory: its
// random numbers come from the world's tick and seed, and the slot. Servers fill seats with bots, and the load tester
// plays with them.
#ifndef AI_AI
#define AI_AI

#include "game/state.h"

struct nav_graph;

/// Returns what the player in `slot` holds in the next step. `graph` is the map's; with NULL a bot finds no paths and
/// goes straight to what it sees.
struct player_input ai_think(const struct world *world, const struct map *map, const struct nav_graph *graph,
                             uint32_t slot, enum skill skill);

/// Returns whether a computer player of the server is in the world.
bool ai_has_bots(const struct world *world);

/// The names of the skills, by enum skill.
#define AI_SKILL_WORDS "idle", "random", "easy", "normal", "hard"
/// A choice of servers beside the skills: the skill follows the score (bot_skill.h).
#define AI_SKILL_ADAPTIVE SKILLS
/// The names of the skills and of that choice, "adaptive"; NULL ends them.
extern const char *const AI_SKILL_CHOICES[SKILLS + 2];
/// Returns the name of a skill; "unknown" for any other value.
const char *ai_skill_name(enum skill skill);

#endif
