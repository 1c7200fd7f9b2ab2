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

// --- skill.c
//
// The skills have names, and the choice "adaptive" follows the score: bots begin easy. Once the best human leads the
// best bot by a step of points they play normally, by two steps hard; once the bots lead by as much, they become easier
// in the same way. A new match begins as the last one ended. Decided from the world alone and recorded as a change of
// the rules, so clients predict the bots, and replays and restarts know their skill.

/// The names of the skills, by enum skill.
#define AI_SKILL_WORDS "idle", "random", "easy", "normal", "hard"
/// A choice of servers beside the skills: the skill follows the score, ai_skill_next().
#define AI_SKILL_ADAPTIVE SKILLS
/// The names of the skills and of that choice, "adaptive"; NULL ends them.
extern const char *const AI_SKILL_CHOICES[SKILLS + 2];
/// Returns the name of a skill; "unknown" for any other value.
const char *ai_skill_name(enum skill skill);

/// Returns the points by which humans lead the bots (negative: bots lead). In a mode with teams, the lead of the team
/// with more humans. 0 without a human or without a bot.
int32_t ai_skill_lead(const struct world *world);

/// Returns the points of a step: a sixth of the score limit, at least 1.
int32_t ai_skill_step_points(const struct world *world);

/// Returns the skill that bots should have next.
enum skill ai_skill_next(const struct world *world);

#endif
