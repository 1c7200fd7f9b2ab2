// SPDX-License-Identifier: MIT
//
// The skill of bots that follows the score. They begin easy. Once the best human leads the best bot by a step of points
// they play normally, by two steps hard; once the bots lead by as much, they become easier in the same way. A new match
// begins as the last one ended. Decided from the world alone and recorded as a change of the rules, so clients predict
// the bots, and replays and restarts know their skill.
#ifndef AI_BOT_SKILL
#define AI_BOT_SKILL

#include "game/state.h"

/// Returns the points by which humans lead the bots (negative: bots lead). In a mode with teams, the lead of the team
/// with more humans. 0 without a human or without a bot.
int32_t bot_skill_lead(const struct world *world);

/// Returns the points of a step: a sixth of the score limit, at least 1.
int32_t bot_skill_step_points(const struct world *world);

/// Returns the skill that bots should have next.
enum skill bot_skill_next(const struct world *world);

#endif
