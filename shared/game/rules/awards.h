// SPDX-License-Identifier: MIT
//
// The awards on the scoreboard: the players who did most of something in a match. A pure function of the players'
// counters, so everybody sees the same awards and none has to be sent.
#ifndef GAME_AWARDS
#define GAME_AWARDS

#include "game/state.h"

/// What an award is for.
enum award_kind {
    AWARD_KILLS,    ///< most kills
    AWARD_SQUISHES, ///< most players squished
    AWARD_CATCHES,  ///< most arrows caught
    AWARD_ACCURACY, ///< best share of hits in at least AWARD_SHOTS_LEAST shots; value: per cent
    AWARD_KINDS
};

/// Accuracy over fewer shots than these proves nothing.
#define AWARD_SHOTS_LEAST 5

/// One award.
struct award {
    enum award_kind kind;
    uint32_t slot;  ///< of the player who gets it
    uint32_t value; ///< how many; never 0
};

/// Writes the awards of the present match in the order of their kinds, without those that nobody earned. Players who
/// left get none. Of equals the player with the higher score gets it, then the lower slot. Returns how many there are.
uint32_t awards_compute(const struct world *world, struct award awards[AWARD_KINDS]);

#endif
