// SPDX-License-Identifier: MIT
//
// What a player has done in all matches of this window: counted from confirmed worlds while they play, so a death that
// the server takes back never counts, and kept in a file. Only what a match counts is counted: no warm-up, nothing
// after its end. Of several players at the window it is the first.
#ifndef APP_CONFIG_STATISTICS_H
#define APP_CONFIG_STATISTICS_H

#include "base/error.h"
#include "core/view.h"
#include "game/rules/standing.h"
#include "options/options.h"

/// The figures of the file.
struct statistics {
    int64_t matches, matches_won, rounds_won; ///< matches that the player saw end
    int64_t played_ticks;                     ///< in rounds
    int64_t kills, deaths, squishes, catches, shots, hits;
    int64_t deaths_by[DEATH_CAUSES]; ///< enum death_cause
    int64_t streak_best;             ///< most kills of one life
    int64_t awards[AWARD_KINDS];     ///< enum award_kind
    struct option_list maps;         ///< "NAME:MATCHES", as far as there is room
};

/// What is known of the present match. Zero-initialise for each.
struct statistics_match {
    bool begun;          ///< `stats` and what follows are set
    bool counts;         ///< the last view was of a match, not of its warm-up
    uint32_t generation; ///< of the player
    struct player_stats stats;
    tick tick; ///< up to which the time is counted
    uint32_t paused_ticks;
    uint32_t streak;
};

/// Counts what a view brings. Returns true if a match has ended with it, so that it is worth writing the file.
bool statistics_count(struct statistics *statistics, struct statistics_match *match, const struct view *view);

/// Writes the map with the most matches to `name`, of several the first in the list, and returns how many; 0: none yet.
uint32_t statistics_favourite_map(const struct statistics *statistics, char *name, size_t name_bytes);

/// Reads the file; one that is not there gives zeros. Returns false with an error and zeros if it is wrong.
bool statistics_read(struct statistics *statistics, const char *path, struct error *error);
/// Replaces the file. Returns false with an error.
bool statistics_write(const struct statistics *statistics, const char *path, struct error *error);

#endif
