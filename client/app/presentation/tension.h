// SPDX-License-Identifier: MIT
//
// How tense a match is: the music grows by it. Reads a confirmed world alone, so the music never knows of a death that
// the server takes back. Pure.
#ifndef APP_PRESENTATION_TENSION_H
#define APP_PRESENTATION_TENSION_H

#include <stdint.h>

struct world;

/// The most; sudden death.
#define TENSION_MAX 256

/// Returns 0 (nothing counts yet) to TENSION_MAX. Grows with few players alive in a mode of one life, with little time
/// left, and with somebody a point from winning the match.
uint32_t tension_of(const struct world *confirmed);

/// Players of a round in a mode of one life.
struct tension_players {
    uint32_t all, alive;
};

/// Counts those who began the round and those of them who live. Zeros in a mode in which players come back.
struct tension_players tension_players(const struct world *confirmed);

#endif
