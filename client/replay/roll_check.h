// SPDX-License-Identifier: MIT
//
// Checks that a server did not choose what it rolled. With the secret of a finished match, each roll of a replay must
// be what the dice give for its number, none may be left out, and the secret must be the one that the server committed
// itself to before the first roll.
#ifndef REPLAY_ROLL_CHECK_H
#define REPLAY_ROLL_CHECK_H

#include "replay/playback.h"

/// What is known about the dice of a replay.
enum roll_check_proof {
    ROLL_CHECK_NO_DICE,   ///< it has no commitment
    ROLL_CHECK_NO_SECRET, ///< the match was not over when the recording ended
    ROLL_CHECK_NO_SODIUM, ///< this build cannot compute the hashes
    ROLL_CHECK_FORGED,    ///< the secret is not the one of the commitment
    ROLL_CHECK_PROVEN,    ///< every roll can be checked
};

/// The check of one replay.
struct roll_check {
    enum roll_check_proof proof;
    uint8_t secret[REPLAY_DICE_BYTES];
    uint32_t rolls;   ///< so far
    uint32_t number;  ///< of the next roll, before the tick
    uint32_t waiting; ///< chests that were opening, before the tick
};

/// Returns what is known about the dice of a replay that was read to its end.
enum roll_check_proof roll_check_proof(const struct replay_reader *reader);

/// Reads a replay to its end to find the secret, and opens it again.
void roll_check_begin(struct roll_check *check, struct playback *playback);

/// Plays the next tick.
enum replay_fault roll_check_next(struct roll_check *check, struct playback *playback);

/// Returns whether a roll of that tick is wrong or missing, and writes to `text` what is wrong.
bool roll_check_differs(struct roll_check *check, const struct playback *playback, char *text, size_t text_bytes);

/// Returns whether rolls are proven, or why not.
const char *roll_check_text(enum roll_check_proof proof);

#endif
