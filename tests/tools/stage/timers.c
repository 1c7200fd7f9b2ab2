// SPDX-License-Identifier: MIT
//
// timerfd, alarm, setitimer and timer_create, as far as they send a signal to their process. A timer is known to its
// own process alone: each wait of a thread ends at the nearest one.
#include "stage.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { TIMERS = 64, ALARM = 0 };

enum timer_kind { TIMER_NONE, TIMER_SIGNAL, TIMER_FILE, TIMER_SILENT };

struct timer {
    enum timer_kind kind;
    int what; // the signal, or the file
    uint64_t due_ns, period_ns;
};

static struct timer timers[TIMERS] = {[ALARM] = {TIMER_SIGNAL, SIGALRM, NEVER_NS, 0}};

static bool is_armed(const struct timer *timer)
{
    return timer->kind != TIMER_NONE && timer->due_ns != NEVER_NS;
}

uint64_t timers_next_ns(void)
{
    uint64_t least_ns = NEVER_NS;
    for (int i = 0; i < TIMERS; i++)
        if (is_armed(&timers[i]) && timers[i].due_ns < least_ns)
            least_ns = timers[i].due_ns;
    return least_ns;
}

// The kernel's own timer becomes due at once; then it is read and polled as ever.
static void fire_file(struct timer *timer)
{
    struct itimerspec soon = {.it_value = {0, 1}};
    if (REAL(timerfd_settime)(timer->what, 0, &soon, NULL)) { // it was closed
        timer->kind = TIMER_NONE;
        return;
    }
    struct pollfd file = {timer->what, POLLIN, 0};
    while (kernel_look(&file, 1) == 0)
        kernel_nap_us(1);
}

void timers_fire(void)
{
    for (int i = 0; i < TIMERS; i++) {
        struct timer *timer = &timers[i];
        if (!is_armed(timer) || timer->due_ns > stage->now_ns)
            continue;
        timer->due_ns = timer->period_ns ? timer->due_ns + timer->period_ns : NEVER_NS;
        if (timer->kind == TIMER_FILE)
            fire_file(timer);
        else if (timer->kind == TIMER_SIGNAL)
            syscall(SYS_kill, (long)own_pid, (long)timer->what);
    }
}

void timers_forget(void)
{
    for (int i = 0; i < TIMERS; i++) {
        timers[i].due_ns = NEVER_NS;
        if (i != ALARM)
            timers[i].kind = TIMER_NONE;
    }
}

static struct timer *new_timer(enum timer_kind kind, int what)
{
    for (int i = ALARM + 1; i < TIMERS; i++)
        if (timers[i].kind == TIMER_NONE || (kind == TIMER_FILE && timers[i].kind == kind && timers[i].what == what)) {
            timers[i] = (struct timer){kind, what, NEVER_NS, 0};
            return &timers[i];
        }
    return NULL;
}

static struct itimerspec left_of(const struct timer *timer)
{
    uint64_t left_ns = is_armed(timer) && timer->due_ns > stage->now_ns ? timer->due_ns - stage->now_ns : 0;
    return (struct itimerspec){timespec_of(timer->period_ns), timespec_of(left_ns)};
}

static void set_timer(struct timer *timer, bool is_absolute, const struct itimerspec *new, struct itimerspec *old)
{
    if (old)
        *old = left_of(timer);
    uint64_t ns = timespec_ns(&new->it_value);
    timer->due_ns = ns == 0 ? NEVER_NS : is_absolute ? deadline_of(&new->it_value) : after_ns(ns);
    timer->period_ns = timespec_ns(&new->it_interval);
}

int timerfd_create(clockid_t clock, int flags)
{
    int file = REAL(timerfd_create)(clock, flags);
    if (file >= 0 && acts() && !new_timer(TIMER_FILE, file)) {
        close(file);
        errno = EMFILE;
        return -1;
    }
    return file;
}

static struct timer *timer_of_file(int file)
{
    for (int i = 0; i < TIMERS; i++)
        if (timers[i].kind == TIMER_FILE && timers[i].what == file)
            return &timers[i];
    return NULL;
}

int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old)
{
    struct timer *timer = acts() ? timer_of_file(file) : NULL;
    if (!timer)
        return REAL(timerfd_settime)(file, flags, new, old);
    struct itimerspec none = {0};
    if (REAL(timerfd_settime)(file, 0, &none, NULL)) // forgets what was not read
        return -1;
    set_timer(timer, flags & TFD_TIMER_ABSTIME, new, old);
    return 0;
}

int timerfd_gettime(int file, struct itimerspec *left)
{
    struct timer *timer = acts() ? timer_of_file(file) : NULL;
    if (!timer)
        return REAL(timerfd_gettime)(file, left);
    *left = left_of(timer);
    return 0;
}

int setitimer(__itimer_which_t which, const struct itimerval *restrict new, struct itimerval *restrict old)
{
    if (which != ITIMER_REAL || !acts())
        return REAL(setitimer)(which, new, old);
    struct itimerspec before = left_of(&timers[ALARM]);
    if (old)
        *old = (struct itimerval){{before.it_interval.tv_sec, before.it_interval.tv_nsec / 1000},
                                  {before.it_value.tv_sec, before.it_value.tv_nsec / 1000}};
    struct itimerspec wanted = {{new->it_interval.tv_sec, new->it_interval.tv_usec * 1000},
                                {new->it_value.tv_sec, new->it_value.tv_usec * 1000}};
    set_timer(&timers[ALARM], false, &wanted, NULL);
    return 0;
}

unsigned alarm(unsigned s)
{
    struct itimerval wanted = {.it_value.tv_sec = s}, before;
    if (!acts())
        return REAL(alarm)(s);
    setitimer(ITIMER_REAL, &wanted, &before);
    return (unsigned)before.it_value.tv_sec + (before.it_value.tv_usec > 0);
}

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict id)
{
    if (!acts())
        return REAL(timer_create)(clock, event, id);
    if (event && event->sigev_notify != SIGEV_SIGNAL && event->sigev_notify != SIGEV_NONE) {
        errno = ENOTSUP;
        return -1;
    }
    bool is_silent = event && event->sigev_notify == SIGEV_NONE;
    struct timer *timer = new_timer(is_silent ? TIMER_SILENT : TIMER_SIGNAL, event ? event->sigev_signo : SIGALRM);
    if (!timer) {
        errno = EAGAIN;
        return -1;
    }
    *id = timer;
    return 0;
}

int timer_settime(timer_t id, int flags, const struct itimerspec *restrict new, struct itimerspec *restrict old)
{
    if (!acts())
        return REAL(timer_settime)(id, flags, new, old);
    set_timer(id, flags & TIMER_ABSTIME, new, old);
    return 0;
}

int timer_gettime(timer_t id, struct itimerspec *left)
{
    if (!acts())
        return REAL(timer_gettime)(id, left);
    *left = left_of(id);
    return 0;
}

int timer_delete(timer_t id)
{
    if (!acts())
        return REAL(timer_delete)(id);
    ((struct timer *)id)->kind = TIMER_NONE;
    return 0;
}
