// SPDX-License-Identifier: MIT
//
// Gives a state directory to one server: the holder of its lock keeps the journal, the bans and the audit log there.
// The kernel releases the lock when the program ends, however it ends.
#ifndef LIFECYCLE_STATE_LOCK_H
#define LIFECYCLE_STATE_LOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/// Takes the lock in the file at `path` until this program ends; creates the file and its folders. Returns false with
/// an error if a running server has the lock, or the file cannot be created.
bool state_lock_take(const char *path, struct error *error);

#endif
