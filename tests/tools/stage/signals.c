// SPDX-License-Identifier: MIT
//
// Signals. What a signal does to others is done when kill() returns: one that ends a process has ended it, a stopped
// one has no turn and no deadline until SIGCONT, a handler runs at the next turn of its thread, before any jump. It may
// set flags and write, as handlers may, but not wait.
#include "stage.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sigaction handlers[NSIG];

// The program's handler, and a note that it ran: a wait that it interrupts ends with EINTR, wherever the kernel has
// found the thread.
static void on_signal(int number, siginfo_t *info, void *context)
{
    int error = errno;
    bool waited = begin_handler();
    own_signals++;
    own_restarts = handlers[number].sa_flags & SA_RESTART;
    if (handlers[number].sa_flags & SA_SIGINFO)
        handlers[number].sa_sigaction(number, info, context);
    else
        handlers[number].sa_handler(number);
    end_handler(waited);
    errno = error;
}

int sigaction(int number, const struct sigaction *restrict new, struct sigaction *restrict old)
{
    if (number <= 0 || number >= NSIG || !stage)
        return REAL(sigaction)(number, new, old);
    struct sigaction before = handlers[number], ours;
    if (new &&new->sa_handler != SIG_DFL &&new->sa_handler != SIG_IGN) {
        ours = *new;
        ours.sa_sigaction = on_signal;
        ours.sa_flags |= SA_SIGINFO;
        handlers[number] = *new;
        new = &ours;
    }
    int result = REAL(sigaction)(number, new, old);
    if (!result && old && old->sa_sigaction == on_signal)
        *old = before;
    return result;
}

sighandler_t signal(int number, sighandler_t handler)
{
    struct sigaction new = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(number, &new, &old) ? SIG_ERR : old.sa_handler;
}

// Does a signal end a process? It is deadly, and neither caught nor ignored nor blocked.
static bool ends_by(int pid, int number)
{
    static const int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGABRT, SIGPIPE,
                                 SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGSEGV};
    char path[64], text[4096];
    bool is = false;
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        is |= deadly[i] == number;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    if (!is || kernel_read_file(path, text, sizeof text) <= 0)
        return false;
    static const char *const masks[] = {"SigBlk:", "SigIgn:", "SigCgt:"};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        const char *line = strstr(text, masks[i]);
        if (!line || strtoull(line + strlen(masks[i]), NULL, 16) >> (number - 1) & 1)
            return false;
    }
    return true;
}

int kill(pid_t pid, int number)
{
    if (!acts() || pid == own_pid || number == 0)
        return REAL(kill)(pid, number);
    bool is_lethal = pid > 0 && number != SIGKILL && ends_by(pid, number);
    if (REAL(kill)(pid, number))
        return -1;
    pid_t group = pid == 0 ? getpgrp() : pid < -1 ? -pid : 0;
    for (int i = 0; i < stage->high; i++) {
        struct slot *slot = &stage->slots[i];
        if (!slot->state || slot->pid == own_pid || (pid > 0 ? slot->pid != pid : group && getpgid(slot->pid) != group))
            continue;
        if (number == SIGSTOP || number == SIGCONT)
            slot->stopped = number == SIGSTOP;
        if (number == SIGKILL || (is_lethal && !slot->stopped)) {
            kernel_await_death(slot->pid);
            drop_process(slot->pid, NULL);
        } else if (number != SIGSTOP) {
            slot->poked = 1;
        }
    }
    stage->moves++;
    return 0;
}

int killpg(pid_t group, int number)
{
    return kill(-group, number);
}

struct signal_wait {
    struct wait wait;
    const sigset_t *set;
    siginfo_t *info;
    long *number;
};

// Pending signals belong to the thread that asks, so only that one may look.
static bool signal_has_come(const struct wait *wait)
{
    const struct signal_wait *w = (const void *)wait;
    struct timespec none = {0, 0};
    if (own_slot->wait != wait)
        return false;
    *w->number = syscall(SYS_rt_sigtimedwait, w->set, w->info, &none, 8L);
    return *w->number > 0;
}

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict most)
{
    if (!acts())
        return REAL(sigtimedwait)(set, info, most);
    long number = -1;
    struct signal_wait w = {
        {signal_has_come, "sigwait", most ? after_ns(timespec_ns(most)) : NEVER_NS, true}, set, info, &number};
    int error = await(&w.wait);
    if (!error)
        return (int)number;
    errno = error == ETIMEDOUT ? EAGAIN : error;
    return -1;
}

int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return sigtimedwait(set, info, NULL);
}

int sigwait(const sigset_t *restrict set, int *restrict number)
{
    while ((*number = sigtimedwait(set, NULL, NULL)) < 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

// Behind it a process may call nearly nothing of the system, and the stage in it does without.
int seccomp_load(void *filter);
int seccomp_load(void *filter)
{
    acts();
    int result = REAL(seccomp_load)(filter);
    own_cage |= result == 0;
    return result;
}
