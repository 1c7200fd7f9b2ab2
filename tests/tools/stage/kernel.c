// SPDX-License-Identifier: MIT
#include "stage.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SIGNAL_BYTES 8 // of a set, as the kernel has it

// Libraries that call the kernel by number for what the C library has, and the stage itself.
long syscall(long number, ...)
{
    va_list list;
    va_start(list, number);
    long a[6];
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_getrandom)
        return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
    return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// Not FUTEX_PRIVATE: the page is shared.
long kernel_futex(_Atomic uint32_t *word, int what, uint32_t value, long ms)
{
    struct timespec most = {ms / 1000, ms % 1000 * 1000000};
    return syscall(SYS_futex, word, (long)what, (long)value, &most, NULL, 0L);
}

uint64_t kernel_ns(clockid_t clock)
{
    struct timespec now;
    REAL(clock_gettime)(clock, &now);
    return timespec_ns(&now);
}

void kernel_nap_us(long us)
{
    struct timespec most = {0, us * 1000};
    syscall(SYS_ppoll, NULL, 0L, &most, NULL, (long)SIGNAL_BYTES);
}

int kernel_look(struct pollfd *files, unsigned long count)
{
    struct timespec none = {0, 0};
    return (int)syscall(SYS_ppoll, files, count, &none, NULL, (long)SIGNAL_BYTES);
}

ssize_t kernel_read_file(const char *path, char *text, size_t size)
{
    int file = (int)syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_RDONLY | O_CLOEXEC), 0L);
    ssize_t count = file < 0 ? -1 : syscall(SYS_read, (long)file, text, size - 1);
    if (file >= 0)
        syscall(SYS_close, (long)file);
    text[count > 0 ? count : 0] = 0;
    return count;
}

char kernel_state(int pid, int tid)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid ? tid : pid);
    char *end = kernel_read_file(path, line, sizeof line) > 0 ? strrchr(line, ')') : NULL;
    return end ? end[2] : '\0';
}

bool kernel_waits_for_others(int pid, int tid)
{
    static const int calls[] = {SYS_read,           SYS_write,     SYS_readv,
                                SYS_writev,         SYS_poll, // ppoll: kernel_await_death(), kernel_nap_us()
                                SYS_select,         SYS_pselect6,  SYS_epoll_wait,
                                SYS_epoll_pwait,    SYS_connect,   SYS_accept,
                                SYS_accept4,        SYS_recvfrom,  SYS_recvmsg,
                                SYS_recvmmsg,       SYS_sendto,    SYS_sendmsg,
                                SYS_flock,          SYS_fcntl,     SYS_futex,
                                SYS_wait4,          SYS_waitid,    SYS_pause,
                                SYS_rt_sigsuspend,  SYS_nanosleep, SYS_clock_nanosleep,
                                SYS_rt_sigtimedwait};
    char path[64], call[128];
    snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", pid, tid);
    if (kernel_read_file(path, call, sizeof call) <= 0 || call[0] < '0' || call[0] > '9') // "running"
        return false;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (atoi(call) == calls[i])
            return true;
    return false;
}

void kernel_await_death(int pid)
{
    int file = (int)syscall(SYS_pidfd_open, (long)pid, 0L);
    if (file < 0)
        return;
    struct timespec most = {2, 0};
    struct pollfd wanted = {file, POLLIN, 0};
    syscall(SYS_ppoll, &wanted, 1L, &most, NULL, (long)SIGNAL_BYTES);
    syscall(SYS_close, (long)file);
}

// The 12th column, of each processor.
bool kernel_holds_datagrams(void)
{
    char text[4096], *end;
    if (kernel_read_file("/proc/net/softnet_stat", text, sizeof text) <= 0)
        return false;
    for (const char *line = text; *line; line = *end ? end + 1 : end) {
        unsigned held = 0;
        end = strchrnul(line, '\n');
        if (sscanf(line, "%*x %*x %*x %*x %*x %*x %*x %*x %*x %*x %*x %x", &held) == 1 && held)
            return true;
    }
    return false;
}

static void say(const char *line)
{
    syscall(SYS_write, 2L, line, strlen(line));
}

static void report_slot(const struct slot *slot, bool holds)
{
    char path[64], name[32], call[128], line[320];
    int tid = slot->tid ? slot->tid : slot->pid;
    snprintf(path, sizeof path, "/proc/%d/task/%d/comm", slot->pid, tid);
    kernel_read_file(path, name, sizeof name);
    name[strcspn(name, "\n")] = '\0';
    snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", slot->pid, tid);
    kernel_read_file(path, call, sizeof call);
    call[strcspn(call, " \n")] = '\0';
    const char *does = slot->state == SLOT_RUNS      ? "runs since"
                       : slot->state == SLOT_OUTSIDE ? "outside since"
                                                     : "waits by";
    int length =
        snprintf(line, sizeof line, "stage:  %c %s, process %d, thread %d: %s%s %s; the kernel has it %c in call %s",
                 holds ? '*' : ' ', name, slot->pid, slot->tid, slot->stopped ? "stopped, " : "", does, slot->call,
                 kernel_state(slot->pid, slot->tid), call);
    if (slot->state == SLOT_WAITS && slot->deadline_ns != NEVER_NS)
        snprintf(line + length, sizeof line - (size_t)length, "; until %.6f s\n",
                 ((double)slot->deadline_ns - (double)BEGIN_NS) / 1e9);
    else
        strcat(line, "\n");
    say(line);
}

void kernel_report(const char *why)
{
    char line[256];
    snprintf(line, sizeof line, "stage: at %.6f virtual s %s (* has the token):\n",
             (double)(stage->now_ns - BEGIN_NS) / 1e9, why);
    say(line);
    for (int i = 0; i < stage->high; i++)
        if (stage->slots[i].state)
            report_slot(&stage->slots[i], stage->holder == i + 1);
}
