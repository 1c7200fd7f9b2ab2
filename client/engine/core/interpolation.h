// SPDX-License-Identifier: MIT
//
// Shows other players between confirmed worlds, a little late: decides which moment to draw, picks the confirmed
// worlds on either side of it, and puts what lies between them into a view. The moment is as late as snapshots usually
// are, so that a confirmed world almost always lies on both sides. Used by the client for views of that kind. Reads no
// clock.
#ifndef CORE_INTERPOLATION_H
#define CORE_INTERPOLATION_H

#include <stdbool.h>

#include "prediction.h"
#include "snapshots.h"
#include "view.h"

/// Ticks whose lateness is remembered: 4 s.
#define INTERPOLATION_TICKS 240
/// Ticks to search for a confirmed world on either side of the moment. A longer gap is a blackout, not lateness.
#define INTERPOLATION_GAP_TICKS 12
/// Ticks past the newest confirmed world for which predicted worlds are drawn before remote players stand still.
#define INTERPOLATION_PREDICTED_TICKS 3

/// A moment of the match.
struct interpolation_moment {
    tick tick;
    uint32_t between; ///< 0: the tick itself, 256: the next
};

/// When confirmed worlds arrive, and which moment to draw. Times in ns on the caller's clock. Zero-initialise.
struct interpolation {
    tick origin;                             ///< the tick before the first confirmed world
    tick newest;                             ///< newest confirmed tick
    uint32_t count;                          ///< offsets measured
    int64_t offsets_ns[INTERPOLATION_TICKS]; ///< arrival of a tick minus its time in the match since the origin
    int64_t target_ns;                       ///< the offset to reach
    int64_t offset_ns;                       ///< the offset drawn with
    int64_t drawn_ns;                        ///< newest moment drawn, in the match since the origin
    int64_t moved_ns;                        ///< when it was drawn
    struct world shown;                      ///< that the view points to
};

/// Records that the world of a tick has arrived. Ticks that were left out count as known from then on. Older ticks are
/// ignored.
void interpolation_arrived(struct interpolation *interpolation, tick number, uint64_t now_us);

/// Returns the moment to draw, 1.5 to 12 ticks later than the fastest snapshots would allow. The moment never goes
/// back: it stands still while the delay grows, and runs 2 % faster while the delay shrinks. Valid after the first
/// arrival.
struct interpolation_moment interpolation_moment(struct interpolation *interpolation, uint64_t now_us);

/// Puts the remote players of that moment into a filled view. Needs at least one confirmed world. Returns the tick that
/// they are shown at.
tick interpolation_show(struct interpolation *interpolation, const struct snapshot_history *history,
                        const struct prediction *prediction, uint64_t now_us, struct view *view);

#endif
