// SPDX-License-Identifier: MIT
//
// Rates how strong players are by Elo's method. A match counts as one game between every two players: the one with the
// higher standing at the end wins it; team mates do not play each other. What one player gains another loses, so
// ratings stay around RATING_START. Pure.
#ifndef RECORDS_RATING_H
#define RECORDS_RATING_H

#include <stdint.h>

/// The rating before the first match.
#define RATING_START 1500.0
/// The most that a rating changes in one match.
#define RATING_STEP 32.0
/// A player with a rating this much higher is ten times as likely to win.
#define RATING_SCALE 400.0

/// A player who took part in a match.
struct rating_player {
    double rating;    ///< before it
    uint32_t team;    ///< 0: alone
    int32_t standing; ///< points at its end; only compared
    double change;    ///< out: of the rating, -RATING_STEP to RATING_STEP
};

/// Computes the change of every player's rating by one match.
void rating_match(struct rating_player *players, uint32_t count);

#endif
