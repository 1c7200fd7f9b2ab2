// SPDX-License-Identifier: MIT
//
// A page cannot wait, and has one thread: these return at once. A program beside it is called again at that moment.
#include "../timer.h"

#define MS_NS 1e6

void browser_sleep(double until_ms);

void timer_sleep_until(uint64_t deadline_ns)
{
    browser_sleep((double)deadline_ns / MS_NS);
}

int timer_condition_open(pthread_cond_t *condition)
{
    return pthread_cond_init(condition, NULL);
}

bool timer_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_ns)
{
    (void)condition, (void)lock, (void)deadline_ns;
    return false;
}
