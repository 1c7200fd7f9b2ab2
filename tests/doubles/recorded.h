// SPDX-License-Identifier: MIT
//
// Recorders with one recording, begun and on the disk, for tests that need no second one.
#ifndef DOUBLES_RECORDED_H
#define DOUBLES_RECORDED_H

#include "recording/recorder.h"

/// Opens a recorder that records into a new file of a folder. Null with an error.
struct recorder *recorded_in(const char *folder, int64_t unix_time, const struct map *map, const struct world *first,
                             struct error *error);

/// The same with a path.
struct recorder *recorded_at(const char *path, const struct map *map, const struct world *first, struct error *error);

/// Returns where the newest recording is, until the next call.
const char *recorded_path(struct recorder *recorder);

/// Returns the fault of the newest recording, until the next call; null: none.
const char *recorded_fault(struct recorder *recorder);

#endif
