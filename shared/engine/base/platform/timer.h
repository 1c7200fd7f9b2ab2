// SPDX-License-Identifier: MIT
//
// Waiting until a moment, as exactly as the system can. base/clock.h has it for everybody.
#ifndef PLATFORM_TIMER_H
#define PLATFORM_TIMER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/// Sleeps until a moment of the monotonic clock, ns. A signal ends it early, where the system has signals.
void timer_sleep_until(uint64_t deadline_ns);

/// Initialises a condition for timer_wait(). Returns 0, or a number as errno has them; it is to be destroyed even then.
int timer_condition_open(pthread_cond_t *condition);
/// Waits for a condition until a moment of the monotonic clock, ns. False if that has come.
bool timer_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_ns);

#endif
