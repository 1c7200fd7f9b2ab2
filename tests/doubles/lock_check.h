// SPDX-License-Identifier: MIT
//
// Checks how a program uses mutexes and conditions. The linker redirects the calls to this file (lock_check() in
// CMake). The test ends with a sentence if a thread releases or waits with a mutex that it does not hold, takes one
// that it holds already, or uses one that has not been initialised.
#ifndef TEST_LOCK_CHECK_H
#define TEST_LOCK_CHECK_H

#include <stdatomic.h>
#include <stddef.h>

/// Returns how many mutexes, conditions and attributes of conditions have been initialised but not destroyed.
size_t lock_check_living(void);

/// While it is not 0, a thread pauses for so many microseconds after it has released a lock, and other threads run
/// until they wait. If a program forgets to signal a condition, it then hangs instead of going on by luck.
extern atomic_uint lock_check_pause_us;

#endif
