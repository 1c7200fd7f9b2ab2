// SPDX-License-Identifier: MIT
//
// What the modes differ in, one table of functions for each: mode_ffa.c, mode_lms.c, mode_teams.c, mode_breakout.c.
// round.c is the line that all of them follow. There are two kinds: ffa and teams are one long round to a score or a
// time; lms and breakout are rounds of their own, each worth a point, until somebody has enough of them.
#ifndef GAME_MODE
#define GAME_MODE

#include "game/step.h"

/// How a round ended. All zero: a draw.
struct outcome {
    uint32_t winner; ///< slot + 1
    uint32_t team;   ///< 1 or 2
};

/// One mode.
struct mode_play {
    bool teams;          ///< two teams, which have the scores that count
    bool one_life;       ///< who dies in a round waits for the next one
    int32_t score_limit; ///< that is usual
    /// Counts a death in play. Killer: another player's slot, or EVENT_NOBODY: his own fault. May be null.
    void (*killed)(struct world *world, uint32_t slot, uint32_t killer);
    /// True if the round is decided, in a mode of rounds; null in others.
    bool (*decided)(const struct step *step, struct outcome *outcome);
    /// Null if the map has what the mode needs, else the sentence that says what it lacks. May be null.
    const char *(*map_validate)(const struct map *map);
};

extern const struct mode_play MODE_FFA_PLAY, MODE_LMS_PLAY, MODE_TEAMS_PLAY, MODE_BREAKOUT_PLAY;

/// The table of a mode.
const struct mode_play *mode_play(enum mode mode);

/// The table of the mode that a world plays.
const struct mode_play *mode_of(const struct world *world);

/// Null if a map has all that a mode needs, else the sentence that says what it lacks. To be asked before world_init.
const char *mode_map_fault(enum mode mode, const struct map *map);

/// Adds points to a player within the limits of a score.
void mode_add_score(struct world *world, uint32_t slot, int32_t points);

/// The same for a team; team 0 has no score.
void mode_add_team_score(struct world *world, uint32_t team, int32_t points);

/// "ffa", "lms", "teams", "breakout".
const char *mode_name(enum mode mode);

#endif
