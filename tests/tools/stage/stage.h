// SPDX-License-Identifier: MIT
//
// The stage: virtual time for a scene of real, unchanged programs. stage.so is loaded before the C library into every
// process of a scene (LD_PRELOAD), and takes over each call by which a program waits, asks for the time or throws dice.
//
// All threads of all processes share one page of memory, and in it ONE TOKEN: only the thread that has it runs. A
// thread gives it up where it would wait. Whoever gives it up asks, in the order of the slots, who finds what it waits
// for, and hands the token over. When all have looked since a thread last ran, and nobody has found anything, time
// jumps to the nearest deadline. So time costs nothing, nothing is ever late, and the order of all threads is that of
// the slots and not of the kernel: a scene that runs twice goes the same way. The price: a scene uses one core.
//
// What is in the page belongs to the holder of the token and needs no lock; the exceptions are _Atomic. README.md says
// how to use the stage, and what it cannot do.
#pragma once

#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)
#define NEVER_NS UINT64_MAX
#define BEGIN_NS (1000 * NS_PER_S)             ///< the monotonic clock when a scene begins
#define DATE_S   (UINT64_C(1800000000) - 1000) ///< the wall clock is this much ahead: January 2027, in every run

enum { SLOTS = 512, JUMPS = 1 << 15, TURNS = 1 << 16, CALL_BYTES = 20 };

enum slot_state {
    SLOT_FREE,
    SLOT_RUNS,
    SLOT_WAITS,
    SLOT_OUTSIDE ///< blocks unknown to the stage, or cannot load it: the state of the kernel counts until its next call
};

/// What a thread waits for. It lies on the thread's stack and its siblings look at it, too, so that a round costs one
/// switch for each process and not for each thread. They only look; the thread itself takes what there is.
struct wait {
    bool (*is_ready)(const struct wait *wait); ///< looks without taking anything; NULL: nothing but the deadline
    const char *call;                          ///< for reports
    uint64_t deadline_ns;
    bool outward; ///< it may come from another process
};

/// One thread.
struct slot {
    _Atomic int state;
    _Atomic uint32_t go; ///< a futex: 1 hands the token over
    _Atomic int poked;   ///< it has to look, whatever it waits for: it is new, or a signal came
    _Atomic int stopped; ///< by SIGSTOP: no turn, and its deadline does not count
    int pid, tid;        ///< tid 0: a program that cannot load this library
    bool outward;
    uint64_t deadline_ns;
    uint64_t seen; ///< the move after which it has looked
    pthread_t thread;
    struct wait *wait; ///< valid in its own process
    char call[CALL_BYTES];
};

/// A thread that went on, to compare two runs.
struct turn {
    uint64_t now_ns;
    uint32_t slot, pid;
    char call[CALL_BYTES];
};

// The virtual line between the processes of a scene: datagrams to loopback addresses wait in the page until they
// arrive. The postman, a process of the scene with a raw socket, puts each into its receiver's socket, with its
// sender's address. What has been sent arrives even if its sender has died.
enum { LINE_DATAGRAMS = 4096, LINE_BYTES = 1500 };

struct line_datagram {
    uint64_t due_ns, number;      ///< those that are due at the same time arrive in the order in which they were sent
    struct sockaddr_in6 from, to; ///< or a sockaddr_in
    uint16_t size;
    uint8_t bytes[LINE_BYTES];
};

struct line {
    _Atomic uint64_t delay_ns, jitter_ns;
    _Atomic uint32_t loss_ppm, duplicate_ppm, late_ppm; ///< late: overtaken by what was sent up to late_ns after it
    _Atomic uint64_t late_ns;
    _Atomic uint32_t port; ///< only datagrams to or from this port; 0: all
    _Atomic int is_on;
    int postman; ///< 1 + its slot
    uint64_t random, number;
    uint64_t sent, lost, duplicated, overtaken;
    uint32_t count;
    uint16_t heap[LINE_DATAGRAMS], free[LINE_DATAGRAMS]; ///< of datagrams; the next to arrive is the first of the heap
    struct line_datagram datagrams[LINE_DATAGRAMS];
};

/// The page. scene.c reads it when the scene is over.
struct stage {
    _Atomic uint64_t now_ns;
    _Atomic uint64_t moves; ///< how often a thread went on; after a move everybody has to look again
    _Atomic int holder;     ///< 1 + its slot; 0: nobody is there
    _Atomic int high;       ///< slots that were ever used
    _Atomic int dying;      ///< a process that has left and is ending; the next thread waits until it is dead
    _Atomic uint32_t bell;  ///< a futex: wakes a scene at rest
    _Atomic uint64_t switches, jumps, seizures, reported, ticket;
    _Atomic uint64_t random, seed;
    _Atomic uint32_t port; ///< the last that was given to a socket without one
    uint64_t turns;
    struct {
        uint64_t real_ns, now_ns;
    } jump[JUMPS]; ///< for the kernel's stamps of arrival
    struct {
        _Atomic uint64_t delay_ns;
        char path[256]; ///< of the files on it: what begins like this
    } disk;
    struct line line;
    struct slot slots[SLOTS];
    struct turn turn[TURNS]; ///< the last ones
};

extern struct stage *stage; ///< NULL: not in a scene, or no longer

/// Of this thread, also in a signal handler.
#define OWN __thread __attribute__((tls_model("initial-exec")))
extern OWN struct slot *own_slot;
extern OWN volatile uint32_t own_signals; ///< handlers that ran
extern OWN volatile int own_restarts;     ///< the last one has SA_RESTART
extern int own_pid;
extern OWN bool own_vforks; ///< a child of vfork() that has not called exec yet, with all memory of its parent
extern bool own_cage;       ///< this process may call nearly nothing of the system (seccomp)

/// The C library's own function of that name.
#define REAL(name)                                                                                                     \
    __extension__({                                                                                                    \
        static __typeof__(&name) real_;                                                                                \
        if (!real_)                                                                                                    \
            real_ = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                                        \
        real_;                                                                                                         \
    })

// turns.c: the token.

/// True: this thread is in a scene and has the token.
bool acts(void);
/// Waits, without the token, until what is waited for is there (0), its deadline comes (ETIMEDOUT) or a signal handler
/// has run (EINTR).
int await(struct wait *wait);
void sleep_until(uint64_t deadline_ns, const char *call);
/// Lets everybody go on who can, at the same virtual time.
void give_way(void);
/// A loop that asks again and again without ever waiting would hold time up: now and then it takes a
/// microsecond.
void count_barren(void);
/// A place for a thread that is about to begin. It is poked, so it gets a turn.
struct slot *reserve_slot(int pid, int tid);
/// A thread that has no token, since it is new, takes its first turn.
void take_turn(struct slot *slot);
/// A signal handler waits for its thread's turn, so that the kernel does not choose when it runs; then the wait that it
/// has interrupted goes on.
bool begin_handler(void);
void end_handler(bool waited);
/// Leaves the scene; dying: with the whole process.
void leave_stage(bool dying);
void drop_process(int pid, const struct slot *but);
/// Gives each waiting thread of a process a turn.
void poke_process(int pid);

static inline uint64_t after_ns(uint64_t ns)
{
    return ns > NEVER_NS / 2 ? NEVER_NS : stage->now_ns + ns;
}

static inline uint64_t timespec_ns(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

static inline struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
}

/// A point in time. Conditions and semaphores do not tell their clock: what lies after 1984 is of the wall clock.
static inline uint64_t deadline_of(const struct timespec *time)
{
    uint64_t ns = timespec_ns(time);
    return ns > DATE_S * NS_PER_S / 4 ? ns - DATE_S * NS_PER_S : ns;
}

// kernel.c: the real world. Nothing in it calls a function that this library takes over.

struct pollfd;
long kernel_futex(_Atomic uint32_t *word, int what, uint32_t value, long ms);
uint64_t kernel_ns(clockid_t clock);
void kernel_nap_us(long us);
/// Which of the files are ready now?
int kernel_look(struct pollfd *files, unsigned long count);
ssize_t kernel_read_file(const char *path, char *text, size_t size);
/// R runs, S sleeps, D disk, T stopped, Z dead; 0: there is none.
char kernel_state(int pid, int tid);
/// Does a sleeping thread wait for others, or does the kernel work for it (mount, unshare, a link that is made)?
bool kernel_waits_for_others(int pid, int tid);
/// Waits in real time until a process is dead (a zombie is), so that the order of "it ended" is not the kernel's.
void kernel_await_death(int pid);
/// Are there datagrams on their way that the kernel delivers later, since it has much to do?
bool kernel_holds_datagrams(void);
/// Says who does what, and who holds time up.
void kernel_report(const char *why);

// files.c

/// Before a call that may block: waits until there is something to read. -1: errno says why that ends.
int await_input(int file, int flags, const char *call);

// timers.c

/// The nearest of this process's timers.
uint64_t timers_next_ns(void);
/// Lets those go off that are due.
void timers_fire(void);
/// A child has none of its parent's.
void timers_forget(void);

// chance.c

/// Gives a socket without a port one, as the kernel would, but the same one in each run.
void give_port(int socket);
/// TCP would hold back what is small until the kernel's timer acknowledges what was sent before.
void send_at_once(int socket);

// line.c

struct msghdr;
/// Takes a datagram that a program sends, if it goes over the virtual line. Returns whether it did.
bool line_takes(int socket, const struct msghdr *message, size_t *bytes);

// What a driver calls (stage.py), and the process that scene.c starts first.

/// The line from now on: each datagram takes its delay and up to the jitter more; some are lost, some come twice, some
/// come late. port 0: all datagrams between loopback addresses. All 0: no line any more, but what is on it arrives.
void stage_line(uint64_t delay_us, uint64_t jitter_us, uint32_t loss_ppm, uint32_t duplicate_ppm, uint32_t late_ppm,
                uint64_t late_us, uint32_t port);
/// From now on files with this beginning of their path are on a disk that takes so long; 0: no longer.
void stage_disk(const char *path, uint64_t delay_us);
/// Carries datagrams for as long as the scene lasts.
void stage_postman(void);
