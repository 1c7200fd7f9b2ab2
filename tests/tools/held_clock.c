// SPDX-License-Identifier: MIT
//
// Preloaded into a program, holds its monotonic clock from the moment that the file DEADFALL_HELD_CLOCK exists. What
// the program still does then, it does not do because some time is over. So a test can prove that without a clock,
// however busy the machine is.
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static _Atomic(long long) held_ns;
    const char *path = getenv("DEADFALL_HELD_CLOCK");
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock != CLOCK_MONOTONIC || !path || access(path, F_OK) != 0)
        return result;
    long long none = 0, now_ns = now->tv_sec * 1000000000LL + now->tv_nsec;
    if (!atomic_compare_exchange_strong(&held_ns, &none, now_ns))
        *now = (struct timespec){none / 1000000000, none % 1000000000};
    return result;
}
