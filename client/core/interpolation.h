// SPDX-License-Identifier: MIT
//
// When to draw others if they are drawn from what the server told and not from what was guessed: as late as snapshots
// usually are, so that there is nearly always one on either side of the moment. Called by the client for each snapshot
// and each view; reads no clock, knows no worlds.
#ifndef CLIENT_INTERPOLATION_H
#define CLIENT_INTERPOLATION_H

#include <stdbool.h>

#include "game/input.h"

/// Ticks whose lateness is remembered: 4 s.
#define INTERPOLATION_TICKS 240
/// Ticks to look for a told world on either side of the moment; a longer gap is a blackout, not lateness.
#define INTERPOLATION_GAP_TICKS 12
/// Ticks past the newest told world for which a guess is drawn before all stands still.
#define INTERPOLATION_GUESS_TICKS 3

/// A moment of the match: `between` 0 is the tick itself, 256 the next.
struct interpolation_moment {
    tick tick;
    uint32_t between;
};

/// Zero-initialise. Times in ns on the caller's clock.
struct interpolation {
    tick origin;                             ///< the first that was told; 0: none was
    tick newest;                             ///< of the told
    uint32_t count;                          ///< offsets measured
    int64_t offsets_ns[INTERPOLATION_TICKS]; ///< when a tick was known, less its time in the match since the origin
    int64_t target_ns;                       ///< the offset to draw with
    int64_t offset_ns;                       ///< the one drawn with
    int64_t drawn_ns;                        ///< newest moment drawn, in the match since the origin
    int64_t moved_ns;                        ///< when it was
};

/// The world of tick `number` has arrived. Ticks that were left out became known with it. Older ones are ignored.
void interpolation_arrived(struct interpolation *interpolation, tick number, uint64_t now_us);

/// The moment to draw, 1.5 to 12 ticks later than the fastest snapshots would allow. Never goes back: when the delay
/// must grow it stands still for that long; shrinking, it runs 2 % faster. Not before the first arrival.
struct interpolation_moment interpolation_moment(struct interpolation *interpolation, uint64_t now_us);

#endif
