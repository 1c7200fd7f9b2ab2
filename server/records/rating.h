// SPDX-License-Identifier: MIT
//
// How strong a player is, as one number that matches move: Elo, with a match taken as a game of everybody against
// everybody else. A player who stands higher at the end has won against one who stands lower; team mates do not play
// each other. What one gains another loses, so ratings stay around RATING_START. Pure.
#ifndef RECORDS_RATING_H
#define RECORDS_RATING_H

#include <stdint.h>

/// The rating before the first match.
#define RATING_START 1500.0
/// The most that one match moves a rating.
#define RATING_STEP 32.0
/// A player with this much more is ten times as likely to win.
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
