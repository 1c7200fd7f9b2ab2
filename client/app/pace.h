// SPDX-License-Identifier: MIT
//
// How long frames took to draw, as a histogram: a run of any length takes the same memory.
#ifndef APP_PACE_H
#define APP_PACE_H

#include <stdint.h>

#define PACE_STEP_US 20
#define PACE_STEPS   2500 ///< up to 50 ms; what takes longer counts as that

/// All frames so far.
struct pace {
    uint32_t counts[PACE_STEPS];
    uint64_t frames, sum_us;
};

/// Counts one frame.
void pace_add(struct pace *pace, uint64_t us);
/// Mean, us; 0 without frames.
uint64_t pace_mean_us(const struct pace *pace);
/// What 99 of 100 frames did not exceed, us, up to PACE_STEP_US too high; 0 without frames.
uint64_t pace_p99_us(const struct pace *pace);

#endif
