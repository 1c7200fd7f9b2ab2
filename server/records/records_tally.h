// SPDX-License-Identifier: MIT
//
// Counts what players earn while a match runs: looks at the match after each tick and makes rows of what each known
// player did since their last row. Rows come when a player leaves, when the match ends, and every half minute, so that
// a killed server loses little. Warm-up and pauses between rounds do not count, bots have no rows. Reads the match,
// allocates nothing.
#ifndef RECORDS_RECORDS_TALLY_H
#define RECORDS_RECORDS_TALLY_H

#include "match/match.h"

/// Ticks between two rows of a player who stays.
#define TALLY_BOOK_TICKS ((uint32_t)30 * TICKS_PER_SECOND)
/// A player who played this long in a match, or half of it if that is less, took part in it.
#define TALLY_PART_TICKS ((uint32_t)60 * TICKS_PER_SECOND)
/// Most rows that come at once.
#define TALLY_ROWS_MAX (PLAYER_CAPACITY + DISCONNECTED_PLAYERS_CAPACITY)

/// What a player did since the row before.
struct records_row {
    struct seat_key key; ///< whose
    uint32_t name[PLAYER_NAME_BYTES / 4];
    struct player_record earned; ///< counts; score and team as the match ended, where one did: who left has INT32_MIN
    uint32_t played_ticks;       ///< present and no spectator
    uint32_t match_rows;         ///< a match has ended, and this row and those after it are the results of so many
    uint32_t won;                ///< 1: won that match, alone or with their team
};

/// A player that the tally counts.
struct tally_player {
    bool here;
    struct records_row row;    ///< what they earned since the last one
    struct player_record seen; ///< their counts one tick ago
    uint32_t match_ticks;      ///< that they have played in this match
};

/// Zero-initialise, set the sink. About 110 KB.
struct records_tally {
    /// Takes rows; those of one match come at once. Called on the tick's thread.
    void (*sink)(void *context, const struct records_row *rows, uint32_t count);
    void *context;
    uint32_t phase;                              ///< enum round_phase after the tick before
    uint32_t match_ticks;                        ///< that this match has been seen playing
    uint32_t unbooked_ticks;                     ///< since the last rows of all
    struct tally_player seated[PLAYER_CAPACITY]; ///< by slot
    uint32_t gone_count;
    struct tally_player gone[DISCONNECTED_PLAYERS_CAPACITY]; ///< who played in this match and left
    struct records_row rows[TALLY_ROWS_MAX];                 ///< while they are made
};

/// Looks at the match. Call after each tick.
void records_tally_update(struct records_tally *tally, const struct match *match);
/// Makes the rows that are due at the end of a server.
void records_tally_end(struct records_tally *tally);

#endif
