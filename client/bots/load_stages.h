// SPDX-License-Identifier: MIT
//
// How many bots there should be at a time: straight ramps one after the other, "10:30s,100:60s", each from what was
// before (at first nobody) to its count. Pure; main.c asks it at each pulse.
#ifndef BOTS_LOAD_STAGES_H
#define BOTS_LOAD_STAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/// Ramps at most.
#define LOAD_STAGES_CAPACITY 32

struct load_stages {
    uint32_t count;
    struct load_stage {
        uint32_t bots;        ///< at its end
        uint64_t duration_us; ///< of the ramp
    } rows[LOAD_STAGES_CAPACITY];
};

/// Reads "10:30s,100:60s"; no stage may want more than `most` bots, one must want some. False with a sentence.
bool load_stages_read(struct load_stages *stages, const char *text, uint32_t most, struct error *error);
/// `count` bots that come at `rate` a second, and stay until the end at `duration_us`.
void load_stages_steady(struct load_stages *stages, uint32_t count, uint32_t rate, uint64_t duration_us);

/// Bots wanted at a time since the start; after the end as at the end.
uint32_t load_stages_wanted(const struct load_stages *stages, uint64_t elapsed_us);
/// Bots wanted at the most crowded time.
uint32_t load_stages_most(const struct load_stages *stages);
/// When the last stage ends, us.
uint64_t load_stages_duration_us(const struct load_stages *stages);

#endif
