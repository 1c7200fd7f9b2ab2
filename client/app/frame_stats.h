// SPDX-License-Identifier: MIT
//
// How long frames took to draw, as a histogram: a run of any length takes the same memory.
#ifndef APP_FRAME_STATS_H
#define APP_FRAME_STATS_H

#include <stdint.h>

#define FRAME_STATS_STEP_US 20
#define FRAME_STATS_STEPS   2500 ///< up to 50 ms; what takes longer counts as that

/// All frames so far.
struct frame_stats {
    uint32_t counts[FRAME_STATS_STEPS];
    uint64_t frames, sum_us;
};

/// Counts one frame.
void frame_stats_add(struct frame_stats *stats, uint64_t us);
/// Mean, us; 0 without frames.
uint64_t frame_stats_mean_us(const struct frame_stats *stats);
/// What 99 of 100 frames did not exceed, us, up to FRAME_STATS_STEP_US too high; 0 without frames.
uint64_t frame_stats_p99_us(const struct frame_stats *stats);

#endif
