// SPDX-License-Identifier: MIT
//
// The modes, one row of a table for each: what they count, when a round of theirs is decided and what their maps need.
// match_flow.c is the course that all of them follow. There are two kinds: ffa and teams are one long round up to a
// score or a time; lms and breakout play rounds, each worth a point, until somebody has enough points.
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
    bool teams;          ///< two teams, and their scores count
    bool one_life;       ///< a player who dies waits for the next round
    bool walls;          ///< sudden death: walls close in when a round lasts long
    bool goals;          ///< balls break the blocks of goals, which stay broken
    bool alone;          ///< a trial: one player is enough, the match begins at once, and bots die once
    int32_t score_limit; ///< the usual one
    uint32_t usual_from; ///< it is the usual mode of so many people at one computer, and of more; 0: of none
    /// Counts a death while the round is played. `killer` is the slot of another player, or EVENT_NOBODY if it was the
    /// victim's own fault. May be NULL.
    void (*killed)(struct world *world, uint32_t slot, uint32_t killer);
    /// Sets the scores in each tick of a round, where they are not counted by deaths. May be NULL.
    void (*count)(struct step *step);
    /// Returns true if the round is decided, in a mode of rounds; NULL in the others.
    bool (*decided)(const struct step *step, struct outcome *outcome);
    /// Returns NULL if the map has what the mode needs, else what it lacks. May be NULL.
    const char *(*validate_map)(const struct map *map);
};

/// Returns the row of a mode.
const struct mode_play *mode_play(enum mode mode);

/// Returns the usual mode of so many people at one computer.
enum mode mode_usual(uint32_t people);

/// Returns the row of the mode that a world plays.
const struct mode_play *mode_of(const struct world *world);

/// Returns NULL if a map has all that a mode needs, else a text that says what it lacks. Ask before world_init.
const char *mode_validate_map(enum mode mode, const struct map *map);

/// Adds points to a player's score, within [-TUNING.score_max, TUNING.score_max].
void mode_add_score(struct world *world, uint32_t slot, int32_t points);

/// Adds points to a team's score, within the same limits; team 0 has no score.
void mode_add_team_score(struct world *world, uint32_t team, int32_t points);

/// Returns the team of the spawns that a player uses: their own; in a trial 2 for a bot and 1 for everybody else.
uint32_t mode_spawn_team(const struct world *world, uint32_t slot);

/// Returns whether a dead player comes back: the bots of a trial do not.
bool mode_revives(const struct world *world, uint32_t slot);

/// Returns the points of a course, apart from catches: its targets, flags and bots.
uint32_t mode_trial_tasks(const struct map *map);

/// Returns whether a switch is to be turned on in a course: a target or a flag.
bool mode_is_trial_task(const struct map_switch *of);

/// The names of the modes that servers offer, in the order of enum mode, for lists of choices.
#define MODE_NAME_LIST "ffa", "lms", "teams", "breakout"
/// The same by enum mode; NULL ends them.
extern const char *const MODE_NAMES[MODES_OFFERED + 1];
/// Returns the mode of such a name; MODES if there is none.
enum mode mode_named(const char *name);
/// Returns the name of any mode; "unknown" for any other value.
const char *mode_name(enum mode mode);

#endif
