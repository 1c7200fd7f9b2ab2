// SPDX-License-Identifier: MIT
//
// Changes options while the server runs: one at a command, or all when they are read again. Changes come one after
// another; the worker reads the files that they name, and nothing here waits for it. Each has a number, by which
// somebody who waits finds its outcome.
#ifndef ADMIN_OPTION_CHANGE_H
#define ADMIN_OPTION_CHANGE_H

#include "admin_state.h"
#include "base/log.h"

/// Sets one option that may change while the server runs. Returns the number of the change; 0: too many wait.
uint64_t option_change_set(struct admin_state *admin, const char *key, const char *value);

/// Reads all options again and applies those that may change. What was set stays, unless the value that is read has
/// changed since it was last read. Returns the number of the change; 0: too many wait.
uint64_t option_change_reload(struct admin_state *admin);

/// Adopts what has been read, and begins with the next change. Call between ticks.
void option_change_update(struct admin_state *admin);

/// Returns what has become of a change, and in `fields` the answer, with its values, which stay until the next change;
/// none while it is open.
enum answer_outcome option_change_outcome(const struct admin_state *admin, uint64_t number, struct fields *fields);

#endif
