// SPDX-License-Identifier: MIT
//
// How many clients there should be at a time: linear ramps one after the other, "10:30s,100:60s", each from the count
// before it (at first 0) to its own. Pure; load_test.c asks at each pulse.
#ifndef BOTS_LOAD_STAGES_H
#define BOTS_LOAD_STAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/// Stages at most.
#define LOAD_STAGES_CAPACITY 32

/// The stages of a run.
struct load_stages {
    uint32_t count;
    struct load_stage {
        uint32_t clients;     ///< at the end of the stage
        uint64_t duration_us; ///< of the stage
    } rows[LOAD_STAGES_CAPACITY];
};

/// Reads "10:30s,100:60s". No stage may have more than `most` clients, and at least one must have some. False with an
/// error.
bool load_stages_read(struct load_stages *stages, const char *text, uint32_t most, struct error *error);
/// Sets stages in which `count` clients join at `rate` a second and stay until the end at `duration_us`.
void load_stages_steady(struct load_stages *stages, uint32_t count, uint32_t rate, uint64_t duration_us);

/// Returns how many clients there should be, by the time since the start; after the end as at the end.
uint32_t load_stages_wanted(const struct load_stages *stages, uint64_t elapsed_us);
/// Returns the largest number of clients.
uint32_t load_stages_most(const struct load_stages *stages);
/// Returns when the last stage ends, us.
uint64_t load_stages_duration_us(const struct load_stages *stages);

#endif
