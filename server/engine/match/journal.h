// SPDX-License-Identifier: MIT
//
// Lets a match survive its server. The running match is written to a journal, a replay that also holds the seats; a
// server that starts plays the journal to its end and restores the match. Its players wait there for their clients, and
// leave if these do not come back in time. A torn end of the file is cut off. A new journal replaces the old one only
// when its head is on the disk, so that there is a complete one at every moment.
#ifndef MATCH_JOURNAL_H
#define MATCH_JOURNAL_H

#include "base/error.h"
#include "match_state.h"

/// How long the players of a restored match have to come back, ticks.
#define JOURNAL_RETURN_TICKS (30 * TICKS_PER_SECOND)
/// How long a restored match stands still for its players at most, ticks. A client that waits needs six round trips,
/// so this is enough for 160 ms each. Who takes longer must not keep the others from playing.
#define JOURNAL_WAIT_TICKS TICKS_PER_SECOND

/// Where a journal ends. About 230 KB: keep it static or on the heap.
struct journal_end {
    struct map map;
    struct world world;                        ///< after its last good tick
    struct replay_seat seats[PLAYER_CAPACITY]; ///< of its players
    uint32_t seat_count;
    uint8_t hats[PLAYER_CAPACITY]; ///< enum hat, by slot
    struct journal_note {
        size_t byte_count; ///< 0: none
        uint8_t bytes[REPLAY_NOTE_BYTES_MAX];
    } notes[REPLAY_NOTES]; ///< by enum replay_note
    bool has_secret;       ///< the match was torn from its dice: it goes on with them
    uint8_t secret[DICE_BYTES];
};

/// Result of reading a journal.
enum journal_outcome {
    JOURNAL_NONE,   ///< there is no file
    JOURNAL_READ,   ///< `end` is filled
    JOURNAL_FAULTY, ///< it cannot be read; the error says why
};

/// Plays a journal to its last good tick, checking its hashes. Takes time and memory: before a match begins only.
enum journal_outcome journal_read(const char *path, struct journal_end *end, struct error *error);

/// Brings a match that was just created, with the map and rules of `end`, to the point where the journal ended. Players
/// beyond the seats of this server leave.
void journal_restore(struct match *match, const struct journal_end *end);

/// Lets a restored match stand still until all its players are back and their inputs arrive, for JOURNAL_WAIT_TICKS at
/// most. A pause that an operator has ordered stays. Call each tick, before its commands are applied.
void journal_await_players(struct match *match);

/// Removes the players of a restored match who have not come back in time. Call each tick.
void journal_expire_players(struct match *match);

/// Writes the seats to the journal if they have changed. Call each tick.
void journal_write_seats(struct match *match);
/// The same for the open vote.
void journal_write_vote(struct match *match);

#endif
