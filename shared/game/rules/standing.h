// SPDX-License-Identifier: MIT
//
// How a match stands: who leads, who needs one point more, who of a round is left. Pure functions of the world, so the
// scoreboard, the music, the announcer and the bots' skill agree about it.
#ifndef GAME_STANDING
#define GAME_STANDING

#include "mode.h"

/// Returns the player or team that leads, all zero if several do, and writes their points; INT32_MIN if nobody plays.
struct outcome standing_leader(const struct world *world, int32_t *score);

/// Returns true if the leaders, one or several, need one more point to win by the score limit.
bool standing_is_match_point(const struct world *world);

/// Returns how many players live.
uint32_t standing_alive(const struct world *world);

#endif
