// SPDX-License-Identifier: MIT
#include "../timer.h"

#include <windows.h>

#include <errno.h>
#include <time.h>
#include <timeapi.h>

#define SECOND_NS  UINT64_C(1000000000)
#define WINDOWS_NS 100 // its unit of time

#ifndef CREATE_WAITABLE_TIMER_HIGH_RESOLUTION // since Windows 10, version 1803
#define CREATE_WAITABLE_TIMER_HIGH_RESOLUTION 2
#endif

static uint64_t now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

// The usual timers are as exact as the period that the whole system agrees on: 15.6 ms unless somebody asks for less.
static HANDLE open_timer(void)
{
    HANDLE timer = CreateWaitableTimerExW(NULL, NULL, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, TIMER_ALL_ACCESS);
    if (timer)
        return timer;
    timeBeginPeriod(1);
    return CreateWaitableTimerExW(NULL, NULL, 0, TIMER_ALL_ACCESS);
}

void timer_sleep_until(uint64_t deadline_ns)
{
    static _Thread_local HANDLE timer; // a thread that sleeps runs about as long as its program
    uint64_t now = now_ns(CLOCK_MONOTONIC);
    LARGE_INTEGER after = {.QuadPart = -(LONGLONG)((deadline_ns - now) / WINDOWS_NS)};
    if (now >= deadline_ns)
        return;
    if (!timer)
        timer = open_timer();
    if (timer && SetWaitableTimer(timer, &after, 0, NULL, NULL, FALSE))
        WaitForSingleObject(timer, INFINITE);
}

// Conditions know the wall clock only.
int timer_condition_open(pthread_cond_t *condition)
{
    return pthread_cond_init(condition, NULL);
}

bool timer_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_ns)
{
    uint64_t now = now_ns(CLOCK_MONOTONIC);
    if (now >= deadline_ns)
        return false;
    uint64_t until_ns = now_ns(CLOCK_REALTIME) + (deadline_ns - now);
    struct timespec until = {(time_t)(until_ns / SECOND_NS), (long)(until_ns % SECOND_NS)};
    pthread_cond_timedwait(condition, lock, &until);
    return now_ns(CLOCK_MONOTONIC) < deadline_ns;
}
