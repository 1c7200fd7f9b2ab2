// SPDX-License-Identifier: MIT
//
// What clients already hold: the worlds of the last 64 ticks, and the fresh world that everybody can make. A snapshot
// is a difference from one of them.
#ifndef MATCH_BASELINES_H
#define MATCH_BASELINES_H

#include "game/world.h"

/// Ticks that are kept.
#define BASELINE_TICKS 64

/// Some 7 MB, of which only what worlds use is ever touched. Zero-initialise.
struct baselines {
    struct world fresh; ///< of the map and rules, tick 0
    struct world worlds[BASELINE_TICKS];
};

/// Keeps a world that has just been stepped; the oldest makes room.
void baselines_keep(struct baselines *baselines, const struct world *world);

/// The world of a tick; 0 is the fresh one. Null if it is not held any more, or never was.
const struct world *baselines_find(const struct baselines *baselines, tick number);

#endif
