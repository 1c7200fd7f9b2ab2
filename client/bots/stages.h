// SPDX-License-Identifier: MIT
//
// How many bots there should be at a time: straight ramps one after the other, "10:30s,100:60s", each from what was
// before (at first nobody) to its count. Pure; main.c asks it at each pulse.
#ifndef BOTS_STAGES_H
#define BOTS_STAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/// Ramps at most.
#define STAGES_CAPACITY 32

struct stages {
    uint32_t count;
    struct stage {
        uint32_t bots;        ///< at its end
        uint64_t duration_us; ///< of the ramp
    } rows[STAGES_CAPACITY];
};

/// Reads "10:30s,100:60s"; no stage may want more than `most` bots, one must want some. False with a sentence.
bool stages_read(struct stages *stages, const char *text, uint32_t most, struct error *error);
/// `count` bots that come at `rate` a second, and stay until the end at `duration_us`.
void stages_steady(struct stages *stages, uint32_t count, uint32_t rate, uint64_t duration_us);

/// Bots wanted at a time since the start; after the end as at the end.
uint32_t stages_wanted(const struct stages *stages, uint64_t elapsed_us);
/// Bots wanted at the most crowded time.
uint32_t stages_most(const struct stages *stages);
/// When the last stage ends, us.
uint64_t stages_duration_us(const struct stages *stages);

#endif
