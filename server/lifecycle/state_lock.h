// SPDX-License-Identifier: MIT
//
// One server to a state directory: whoever holds its lock keeps the journal, the bans and the audit log there. The
// kernel takes the lock back when the program ends, however it ends.
#ifndef LIFECYCLE_STATE_LOCK_H
#define LIFECYCLE_STATE_LOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/// Takes the lock in the file at `path` for the rest of this program; makes file and folders. False with a sentence: a
/// server that runs has it, or there can be no such file.
bool state_lock_take(const char *path, struct error *error);

#endif
