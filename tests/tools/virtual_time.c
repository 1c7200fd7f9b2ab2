// SPDX-License-Identifier: MIT
//
// The processes share a page: the time, which of them runs, and until when each of the others waits. Who has the turn
// runs until it waits. Then it looks whether what it waits for is there, and if not, hands the turn to the next
// process. When as many as there are have looked in vain one after another, nothing can happen before the nearest
// deadline, so the last of them moves the time there. A datagram or a byte in a pipe is there for its receiver before
// the sender's call returns, so no look comes too early.
//
// The kernel knows nothing of this. What it dates, when datagrams have arrived, is translated by a list of the jumps.
// A process that has ended is heard of by the kernel later than by us, so the next one waits until its parent can find
// it dead; one that ended without a word is found after a while by those who wait for their turn.
#include "virtual_time.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS  UINT64_C(1000000000)
#define BEGIN_NS   (1000 * SECOND_NS)       // on the monotonic clock
#define UNIX_NS    (1800000000 * SECOND_NS) // of the date, at 0 on the monotonic clock
#define PROBE_NS   (SECOND_NS / 5)          // real: then a process that waits looks whether the one before it lives
#define JUMPS      4096
#define READS_MAX  4096 // of the clock without a wait; then a microsecond has passed, so that a loop over it ends
#define NUMBER_MAX 8

enum state { FREE, ALIVE, ENDING };

static struct page {
    _Atomic uint64_t now_ns;
    _Atomic uint32_t turn; ///< slot of the process that runs
    uint32_t vain;         ///< looks in vain since something was found
    uint64_t jumps, forks;
    struct {
        enum state state;
        pid_t process;
        _Atomic uint32_t runs; ///< it has the turn: what it sleeps on
        uint64_t until_ns;     ///< of its wait
    } slots[VIRTUAL_TIME_PROCESSES];
    struct {
        uint64_t unix_ns; ///< of the kernel, at the jump
        uint64_t now_ns;  ///< behind it
    } at[JUMPS];
} * page;
static uint32_t own, reads;
static uint64_t chance;             // of this process
static _Thread_local bool is_first; // of the threads of this process

bool virtual_time_runs(void)
{
    return page && is_first;
}

static uint64_t to_ns(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * SECOND_NS + (uint64_t)time->tv_nsec;
}

static struct timespec to_timespec(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS)};
}

static uint64_t kernel_unix_ns(void)
{
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    return to_ns(&now);
}

// ---- turns -----------------------------------------------------------------------------------------------------

static bool is_dead(pid_t process)
{
    char path[32], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return true;
    ssize_t length = syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
    const char *name_end = length > 0 ? strrchr(text, ')') : NULL;
    return !name_end || name_end[2] == 'Z' || name_end[2] == 'X';
}

// Waits in real time until those that are ending can be found dead by their parents.
static void bury(void)
{
    for (uint32_t i = 0; i < VIRTUAL_TIME_PROCESSES; i++) {
        if (page->slots[i].state != ENDING || i == own)
            continue;
        int file = (int)syscall(SYS_pidfd_open, page->slots[i].process, 0);
        struct pollfd end = {.fd = file, .events = POLLIN};
        if (file >= 0) {
            while (syscall(SYS_ppoll, &end, 1, NULL, NULL, 0) < 0 && errno == EINTR)
                continue;
            syscall(SYS_close, file);
        }
        page->slots[i].state = FREE;
        page->vain = 0;
    }
}

// A process that waits for its turn looks now and then whether the one that has it still lives, and takes its place.
static void await_turn(void)
{
    static const struct timespec PROBE = {PROBE_NS / SECOND_NS, PROBE_NS % SECOND_NS};
    while (!page->slots[own].runs) {
        uint32_t turn = page->turn;
        bool timed_out =
            syscall(SYS_futex, &page->slots[own].runs, FUTEX_WAIT, 0, &PROBE, NULL, 0) < 0 && errno == ETIMEDOUT;
        if (!timed_out || turn == own || page->turn != turn || !is_dead(page->slots[turn].process))
            continue;
        if (atomic_compare_exchange_strong(&page->turn, &turn, own)) {
            page->slots[turn].state = ENDING;
            page->slots[own].runs = 1;
        }
    }
    bury();
}

static void hand_over(void)
{
    uint32_t next = own;
    do
        next = (next + 1) % VIRTUAL_TIME_PROCESSES;
    while (page->slots[next].state != ALIVE && next != own);
    if (next == own)
        return;
    page->slots[own].runs = 0;
    page->turn = next;
    page->slots[next].runs = 1;
    syscall(SYS_futex, &page->slots[next].runs, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static uint32_t count_alive(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < VIRTUAL_TIME_PROCESSES; i++)
        count += page->slots[i].state == ALIVE;
    return count;
}

static void jump(void)
{
    uint64_t nearest_ns = UINT64_MAX;
    for (uint32_t i = 0; i < VIRTUAL_TIME_PROCESSES; i++)
        if (page->slots[i].state == ALIVE && page->slots[i].until_ns < nearest_ns)
            nearest_ns = page->slots[i].until_ns;
    if (nearest_ns == UINT64_MAX) {
        fputs("virtual time: all processes wait, and none until any time\n", stderr);
        abort();
    }
    page->vain = 0;
    if (nearest_ns <= page->now_ns)
        return;
    page->now_ns = nearest_ns;
    page->at[page->jumps % JUMPS].unix_ns = kernel_unix_ns();
    page->at[page->jumps++ % JUMPS].now_ns = nearest_ns;
}

// Waits until one of the files is ready, or until a time. Returns what poll() does.
static int wait_for(struct pollfd *files, nfds_t count, uint64_t until_ns)
{
    static const struct timespec AT_ONCE = {0};
    reads = 0;
    for (;;) {
        int ready = count ? (int)syscall(SYS_ppoll, files, count, &AT_ONCE, NULL, 0) : 0;
        if (ready || page->now_ns >= until_ns) {
            page->vain = 0;
            return ready;
        }
        page->slots[own].until_ns = until_ns;
        if (++page->vain >= count_alive())
            jump();
        hand_over();
        await_turn();
    }
}

// ---- processes -------------------------------------------------------------------------------------------------

static bool open_page(const char *path, int flags)
{
    int file = open(path, flags | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof *page) != 0)
        return false;
    void *shared = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    page = shared == MAP_FAILED ? NULL : shared;
    return page;
}

// This program was executed by a process that has the turn.
__attribute__((constructor)) static void take_part(void)
{
    const char *path = getenv("VIRTUAL_TIME"), *slot = getenv("VIRTUAL_TIME_SLOT");
    is_first = true;
    if (!path || !slot || !open_page(path, 0))
        return;
    own = (uint32_t)atoi(slot) % VIRTUAL_TIME_PROCESSES;
    chance = page->forks;
    await_turn();
}

__attribute__((destructor)) static void end(void)
{
    if (!virtual_time_runs() || page->turn != own)
        return;
    page->slots[own].state = ENDING;
    page->vain = 0;
    hand_over();
    page = NULL;
}

bool virtual_time_begin(const char *path)
{
    if (!open_page(path, O_CREAT | O_EXCL))
        return false;
    page->now_ns = BEGIN_NS;
    page->slots[0].state = ALIVE;
    page->slots[0].process = getpid();
    page->slots[0].runs = 1;
    return setenv("VIRTUAL_TIME", path, 1) == 0;
}

// The child runs when it is its turn.
pid_t fork(void)
{
    pid_t (*next)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    uint32_t slot = 0;
    char number[NUMBER_MAX];
    if (!virtual_time_runs())
        return next();
    while (slot < VIRTUAL_TIME_PROCESSES && page->slots[slot].state != FREE)
        slot++;
    if (slot == VIRTUAL_TIME_PROCESSES) {
        errno = EAGAIN;
        return -1;
    }
    page->slots[slot].state = ALIVE;
    page->slots[slot].until_ns = 0;
    page->slots[slot].runs = 0;
    page->vain = 0;
    pid_t process = next();
    if (process > 0)
        page->slots[slot].process = process;
    if (process < 0)
        page->slots[slot].state = FREE;
    if (process != 0)
        return process;
    own = slot;
    chance = ++page->forks;
    snprintf(number, sizeof number, "%u", slot % VIRTUAL_TIME_PROCESSES);
    setenv("VIRTUAL_TIME_SLOT", number, 1);
    await_turn();
    return 0;
}

pid_t waitpid(pid_t process, int *status, int options)
{
    for (;;) {
        pid_t ended = (pid_t)syscall(SYS_wait4, process, status, options | (page ? WNOHANG : 0), NULL);
        if (ended != 0 || options & WNOHANG || !virtual_time_runs())
            return ended;
        wait_for(NULL, 0, page->now_ns + SECOND_NS / 1000);
    }
}

// ---- time ------------------------------------------------------------------------------------------------------

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!virtual_time_runs() || (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME))
        return (int)syscall(SYS_clock_gettime, clock, now);
    if (++reads > READS_MAX) {
        reads = 0;
        page->now_ns += 1000;
    }
    *now = to_timespec(page->now_ns + (clock == CLOCK_REALTIME ? UNIX_NS : 0));
    return 0;
}

time_t time(time_t *seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds)
        *seconds = now.tv_sec;
    return now.tv_sec;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *signals)
{
    if (!virtual_time_runs())
        return (int)syscall(SYS_ppoll, files, count, timeout, signals, sizeof(uint64_t));
    return wait_for(files, count, timeout ? page->now_ns + to_ns(timeout) : UINT64_MAX);
}

int poll(struct pollfd *files, nfds_t count, int timeout_ms)
{
    struct timespec timeout = to_timespec((uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * (SECOND_NS / 1000));
    return ppoll(files, count, timeout_ms < 0 ? NULL : &timeout, NULL);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *rest)
{
    if (!virtual_time_runs())
        return syscall(SYS_clock_nanosleep, clock, flags, until, rest) == 0 ? 0 : errno;
    wait_for(NULL, 0, to_ns(until) + (flags & TIMER_ABSTIME ? 0 : page->now_ns));
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *rest)
{
    int reason = clock_nanosleep(CLOCK_MONOTONIC, 0, duration, rest);
    errno = reason ? reason : errno;
    return reason ? -1 : 0;
}

// ---- chance ----------------------------------------------------------------------------------------------------

// The same in each run, another in each process: SplitMix64.
static uint64_t next_random(void)
{
    uint64_t mixed = chance += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ (mixed >> 31);
}

ssize_t getrandom(void *bytes, size_t byte_count, unsigned flags)
{
    if (!virtual_time_runs())
        return syscall(SYS_getrandom, bytes, byte_count, flags);
    for (size_t i = 0; i < byte_count; i++)
        ((uint8_t *)bytes)[i] = (uint8_t)next_random();
    return (ssize_t)byte_count;
}

int getentropy(void *bytes, size_t byte_count)
{
    return getrandom(bytes, byte_count, 0) == (ssize_t)byte_count ? 0 : -1;
}

// ---- what the kernel dates -------------------------------------------------------------------------------------

// Returns what time it was here at a date of the kernel.
static uint64_t translate(uint64_t unix_ns)
{
    uint64_t oldest = page->jumps > JUMPS ? page->jumps - JUMPS : 0;
    for (uint64_t i = page->jumps; i-- > oldest;)
        if (page->at[i % JUMPS].unix_ns <= unix_ns)
            return page->at[i % JUMPS].now_ns;
    return BEGIN_NS;
}

int recvmmsg(int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout)
{
    int taken = (int)syscall(SYS_recvmmsg, file, messages, count, flags, timeout);
    for (int i = 0; i < taken && virtual_time_runs(); i++)
        for (struct cmsghdr *part = CMSG_FIRSTHDR(&messages[i].msg_hdr); part;
             part = CMSG_NXTHDR(&messages[i].msg_hdr, part)) {
            struct timespec stamp;
            if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS)
                continue;
            memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
            stamp = to_timespec(translate(to_ns(&stamp)) + UNIX_NS);
            memcpy(CMSG_DATA(part), &stamp, sizeof stamp);
        }
    return taken;
}
