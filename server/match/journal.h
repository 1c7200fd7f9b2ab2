// SPDX-License-Identifier: MIT
//
// Lets a match survive its server. The running match is written to a file as a replay that also holds the seats; a
// server that starts plays the file to its end and continues the match. A torn end is cut off. A new journal replaces
// the old one only when its head is on the disk, so that there is a complete one at every moment.
#ifndef MATCH_JOURNAL_H
#define MATCH_JOURNAL_H

#include "base/error.h"
#include "recorder.h"
#include "wire/replay.h"

/// How long the players of a restored match have to return to their bodies, ticks.
#define JOURNAL_RETURN_TICKS (30 * TICKS_PER_SECOND)

/// Where a journal ends. About 200 KB: keep it static or on the heap.
struct journal_end {
    struct map map;
    struct world world;                        ///< after its last good tick
    struct replay_seat seats[PLAYER_CAPACITY]; ///< whose bodies there are
    uint32_t seat_count;
    uint8_t hats[PLAYER_CAPACITY]; ///< enum hat, by slot
};

/// Result of reading a journal.
enum journal_outcome {
    JOURNAL_NONE,   ///< there is no file
    JOURNAL_READ,   ///< `end` is filled
    JOURNAL_FAULTY, ///< it cannot be read; the error says why
};

/// Plays a journal to its last good tick, checking its hashes. Takes time and memory: before a match begins only.
enum journal_outcome journal_read(const char *path, struct journal_end *end, struct error *error);

/// Begins a journal at `path` in place of any that is there. Returns null on failure, with an error; the old one is
/// left as it is then. Further calls as for any recorder.
struct recorder *journal_begin(const char *path, const struct map *map, const struct world *first, struct error *error);

#endif
