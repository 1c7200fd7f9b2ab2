// SPDX-License-Identifier: MIT
//
// Keeps secrets inside the process: no core dumps, and memory that is neither swapped out nor dumped. Both are as good
// as the system allows, and never an error. A debugger works as usual, so those who may use one can read everything.
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stddef.h>

/// Forbids core dumps of this process and of those that it starts.
void process_forbid_core_dumps(void);

/// Keeps the pages with these bytes in memory, and out of core dumps that somebody else makes. They stay so when the
/// bytes are freed, because other secrets may be on the same pages; the heap uses them again.
void process_lock_memory(const void *bytes, size_t byte_count);

#endif
