// SPDX-License-Identifier: MIT
//
// Clocks and sleeps. The time of a processor is that of virtual work: so long for each turn of this process.
#include "stage.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#define WORK_NS 10000 // of a processor, for a look at a clock

static uint64_t looks;

static bool is_wall(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

static uint64_t work_ns(void)
{
    return looks * WORK_NS;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!acts())
        return REAL(clock_gettime)(clock, now);
    looks++;
    count_barren();
    bool is_work = clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
    *now = timespec_of(is_work ? work_ns() : stage->now_ns);
    if (is_wall(clock))
        now->tv_sec += (time_t)DATE_S;
    return 0;
}

int timespec_get(struct timespec *now, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

time_t time(time_t *now)
{
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    if (now)
        *now = wall.tv_sec;
    return wall.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    *now = (struct timeval){wall.tv_sec, wall.tv_nsec / 1000};
    return 0;
}

clock_t clock(void)
{
    return acts() ? (clock_t)(work_ns() * CLOCKS_PER_SEC / NS_PER_S) : REAL(clock)();
}

int getrusage(__rusage_who_t who, struct rusage *used)
{
    int result = REAL(getrusage)(who, used);
    if (!result && acts()) {
        used->ru_utime = (struct timeval){(time_t)(work_ns() / NS_PER_S), (suseconds_t)(work_ns() % NS_PER_S / 1000)};
        used->ru_stime = (struct timeval){0, 0};
    }
    return result;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
    if (!acts() || (!is_wall(clock) && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME))
        return REAL(clock_nanosleep)(clock, flags, time, rest);
    uint64_t deadline_ns = flags & TIMER_ABSTIME ? deadline_of(time) : after_ns(timespec_ns(time));
    struct wait wait = {.deadline_ns = deadline_ns, .call = "sleep"};
    if (await(&wait) != EINTR)
        return 0;
    if (rest && !(flags & TIMER_ABSTIME))
        *rest = timespec_of(deadline_ns > stage->now_ns ? deadline_ns - stage->now_ns : 0);
    return EINTR;
}

int nanosleep(const struct timespec *time, struct timespec *rest)
{
    int error = clock_nanosleep(CLOCK_MONOTONIC, 0, time, rest);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

int usleep(useconds_t us)
{
    return nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

unsigned sleep(unsigned s)
{
    struct timespec left = {0};
    return nanosleep(&(struct timespec){s, 0}, &left) ? (unsigned)left.tv_sec + 1 : 0;
}

int sched_yield(void)
{
    if (!acts())
        return REAL(sched_yield)();
    count_barren();
    give_way();
    return 0;
}

int pause(void)
{
    if (!acts())
        return REAL(pause)();
    sleep_until(NEVER_NS, "pause");
    errno = EINTR;
    return -1;
}

int sigsuspend(const sigset_t *mask)
{
    if (!acts())
        return REAL(sigsuspend)(mask);
    sigset_t old;
    uint32_t before = own_signals;
    pthread_sigmask(SIG_SETMASK, mask, &old); // a signal that was pending comes here
    if (own_signals == before)
        sleep_until(NEVER_NS, "sigsuspend");
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = EINTR;
    return -1;
}
