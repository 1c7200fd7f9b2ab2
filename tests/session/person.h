// SPDX-License-Identifier: MIT
//
// Hands like a person's, for session tests and benchmarks: what the AI would do reaches the buttons 150 to 250 ms later
// and unevenly. Presses last 70 to 150 ms, directions are held for 200 to 900 ms, and some of them are let go for as
// long. Deterministic: the same seed and decisions give the same buttons.
#ifndef SESSION_PERSON_H
#define SESSION_PERSON_H

#include "game/input.h"

/// Decisions kept: more than the longest reaction, ticks.
#define PERSON_DECISIONS 32

/// Zero-initialise with a seed in `random`.
struct person {
    uint32_t random;                      ///< state of random.h
    tick now;                             ///< own ticks so far
    tick lag_ticks;                       ///< present time of reaction
    uint32_t decisions[PERSON_DECISIONS]; ///< buttons, by own tick
    uint32_t direction;                   ///< held now
    tick direction_until;                 ///< when they choose another
    tick press_until[BUTTON_BITS];        ///< by bit: the end of the present or last press
};

/// Takes the decision of a tick and returns what the hands hold.
struct player_input person_input(struct person *person, struct player_input decision);

#endif
