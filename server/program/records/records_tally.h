// SPDX-License-Identifier: MIT
//
// Counts what players earn while a match runs: reads the match after each tick and makes rows of what each player with
// an account did since their last row. It makes rows when a player leaves, when the match ends, and every half minute,
// so that a crash loses little. Only time in play counts, not warm-up or the time between rounds. Bots have no rows.
// Allocates nothing.
#ifndef RECORDS_RECORDS_TALLY_H
#define RECORDS_RECORDS_TALLY_H

#include "match/match.h"

/// Ticks between two rows of a player who stays.
#define TALLY_ROW_TICKS ((uint32_t)30 * TICKS_PER_SECOND)
/// A player takes part in a match by playing this long, ticks, or half of the match if that is less.
#define TALLY_PART_TICKS ((uint32_t)60 * TICKS_PER_SECOND)
/// The most rows in one call of the sink.
#define TALLY_ROWS_MAX (PLAYER_CAPACITY + DISCONNECTED_PLAYERS_CAPACITY)

/// What a player did since their row before.
struct records_row {
    struct seat_key key; ///< of the player
    uint32_t name[PLAYER_NAME_BYTES / 4];
    struct player_record earned; ///< counts; in a result also team and score
    uint32_t played_ticks;       ///< in the match and no spectator
    uint32_t match_rows;         ///< in the first result of a match: how many rows from this one on are results
    uint32_t match_kills;        ///< in a result: kills in the whole match
    uint32_t won;                ///< 1: the player or their team won the match
    bool left;                   ///< in a result: the player gave up the match
};

/// The counts of one player.
struct tally_player {
    bool here;
    struct records_row row;   ///< what they earned since their last row
    struct player_stats seen; ///< one tick ago
    uint32_t match_ticks;     ///< that they have played of this match
    uint32_t team;            ///< in which they played last
};

/// Zero-initialise and set the sink. About 110 KB.
struct records_tally {
    /// Receives rows; the results of a match come in one call.
    void (*sink)(void *context, const struct records_row *rows, uint32_t count);
    void *context;
    uint32_t phase;                              ///< enum round_phase, one tick ago
    uint32_t match_ticks;                        ///< played in this match so far
    uint32_t row_ticks;                          ///< since everybody's last row
    struct tally_player seated[PLAYER_CAPACITY]; ///< by slot
    uint32_t gone_count;
    struct tally_player gone[DISCONNECTED_PLAYERS_CAPACITY]; ///< played in this match and left
    struct records_row rows[TALLY_ROWS_MAX];                 ///< for the sink
};

/// Counts one tick. Call after each tick of the match.
void records_tally_update(struct records_tally *tally, const struct match *match);
/// Makes the rows of everybody now, such as when the server ends.
void records_tally_flush(struct records_tally *tally);

#endif
