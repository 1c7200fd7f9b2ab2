// SPDX-License-Identifier: MIT
#include "../timer.h"

#include <errno.h>
#include <time.h>

#define SECOND_NS UINT64_C(1000000000)

static struct timespec timespec_of(uint64_t time_ns)
{
    return (struct timespec){(time_t)(time_ns / SECOND_NS), (long)(time_ns % SECOND_NS)};
}

void timer_sleep_until(uint64_t deadline_ns)
{
    struct timespec until = timespec_of(deadline_ns);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

int timer_condition_open(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    int reason = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    int other_reason = pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return reason ? reason : other_reason;
}

bool timer_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_ns)
{
    struct timespec until = timespec_of(deadline_ns);
    return pthread_cond_timedwait(condition, lock, &until) != ETIMEDOUT;
}
