// SPDX-License-Identifier: MIT
//
// One random world of a property test with its operations, and how a law that it breaks is reported: with the seed and
// the number that make it again, and in the scenario language. DEADFALL_WORLDS (or the first argument of a test) is the
// number of worlds, DEADFALL_SEED their seed.
#ifndef TRIAL_H
#define TRIAL_H

#include "random_world.h"

/// Operations on a world, and on a large one.
#define TRIAL_OPERATIONS          16
#define TRIAL_OPERATIONS_OF_LARGE 64

/// One world of a test: its number, its first state and its operations.
struct trial {
    uint64_t number;
    struct world start;
    struct operation done[TRIAL_OPERATIONS_OF_LARGE];
    int32_t count;
};

/// Reads the number of worlds and their seed from DEADFALL_WORLDS and DEADFALL_SEED, and prints both.
void trial_set(void);
/// Returns the number of worlds.
uint64_t trial_worlds(void);
/// Makes the first state of a world. `random` goes on with its operations.
void trial_begin(struct trial *trial, struct random *random, uint64_t number, struct taste taste);
/// Makes the next operation.
struct operation trial_next(struct trial *trial, struct random *random);
/// Fails the test: prints the world, its operations, and the state of one or two worlds after them.
void trial_fail(const struct trial *trial, const char *law, const struct world *a, const struct world *b);

#endif
