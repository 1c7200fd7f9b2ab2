// SPDX-License-Identifier: MIT
//
// Who runs. Two traps shaped it. A jump may not pass a datagram that has just been sent to somebody who had looked
// already: so it comes only after a whole round since the last thread that ran. And "it ended" may not come when the
// kernel pleases: so who inherits the token of a process that exits waits until that is a zombie.
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CHECK_MS     20
#define CHECK_MS_MAX 1000
#define REST_MS_MAX  20
#define SILENCE_NS   (5 * NS_PER_S) // real: then it is said who holds time up
#define BARREN_CALLS 4096
#define EXIT_STAGE   98

struct stage *stage;
OWN struct slot *own_slot;
OWN volatile uint32_t own_signals;
OWN volatile int own_restarts;
OWN bool own_vforks;
static OWN uint32_t own_barren; // calls since it last waited
static OWN bool own_end;        // it has left and only cleans up, or stays outside
static OWN bool own_parked;     // it waits for the token
int own_pid;
bool own_cage;
static bool has_left;

static void open_stage(void)
{
    const char *path = getenv("STAGE");
    if (stage || has_left || !path)
        return;
    int file = (int)syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_RDWR | O_CLOEXEC), 0L);
    if (file < 0)
        return;
    void *page = mmap(NULL, sizeof *stage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, (long)file);
    if (page == MAP_FAILED)
        return;
    own_pid = (int)getpid();
    stage = page;
}

static int number_of(const struct slot *slot)
{
    return (int)(slot - stage->slots) + 1;
}

static void ring(void)
{
    stage->bell++;
    kernel_futex(&stage->bell, FUTEX_WAKE, 1, 0);
}

static void set_call(struct slot *slot, const char *call)
{
    strncpy(slot->call, call, CALL_BYTES - 1);
}

struct slot *reserve_slot(int pid, int tid)
{
    for (int i = 0; i < SLOTS; i++) {
        struct slot *slot = &stage->slots[i];
        int none = SLOT_FREE;
        if (!atomic_compare_exchange_strong(&slot->state, &none, SLOT_RUNS))
            continue;
        slot->pid = pid;
        slot->tid = tid;
        slot->thread = 0;
        slot->wait = NULL;
        slot->outward = false;
        slot->deadline_ns = NEVER_NS;
        slot->seen = 0;
        slot->go = 0;
        slot->stopped = 0;
        slot->poked = 1;
        set_call(slot, "its beginning");
        int high = stage->high;
        while (high < i + 1 && !atomic_compare_exchange_weak(&stage->high, &high, i + 1)) {
        }
        return slot;
    }
    kernel_report("there are more threads than slots");
    syscall(SYS_exit_group, (long)EXIT_STAGE);
    return NULL;
}

void poke_process(int pid)
{
    for (int i = 0; i < stage->high; i++)
        if (stage->slots[i].pid == pid)
            stage->slots[i].poked = 1;
}

void drop_process(int pid, const struct slot *but)
{
    for (int i = 0; i < stage->high; i++)
        if (stage->slots[i].pid == pid && &stage->slots[i] != but)
            stage->slots[i].state = SLOT_FREE;
}

static void hand_over(struct slot *slot)
{
    stage->switches++;
    stage->holder = number_of(slot);
    slot->go = 1;
    kernel_futex(&slot->go, FUTEX_WAKE, 1, 0);
}

static bool is_dead(char state)
{
    return !state || state == 'Z' || state == 'X';
}

// Takes the token from a holder that cannot go on.
static void seize(struct slot *mine, struct slot *holder, char state)
{
    int number = number_of(holder);
    if (!atomic_compare_exchange_strong(&stage->holder, &number, number_of(mine)))
        return;
    if (is_dead(state)) {
        if (is_dead(kernel_state(holder->pid, holder->pid)))
            drop_process(holder->pid, NULL);
        holder->state = SLOT_FREE;
    } else if (state == 'T') { // stopped from outside the scene
        for (int i = 0; i < stage->high; i++)
            if (stage->slots[i].pid == holder->pid)
                stage->slots[i].stopped = 1;
        if (holder->state == SLOT_RUNS)
            holder->state = SLOT_OUTSIDE;
    } else {
        holder->state = SLOT_OUTSIDE;
        stage->seizures++;
        if (getenv("STAGE_TELLS"))
            kernel_report("somebody blocks in a call that the stage does not know");
    }
    holder->go = 0;
    stage->moves++;
    mine->go = 1;
}

// Called by a thread that waits for the token and has not got it for a while: is its holder able to go on at all?
static void check_holder(struct slot *mine)
{
    static OWN int last_holder;
    static OWN uint64_t last_moves, since_ns;
    int number = stage->holder;
    if (number == 0 || number == number_of(mine) || own_cage)
        return;
    struct slot *holder = &stage->slots[number - 1];
    if (number != last_holder || stage->moves != last_moves) {
        last_holder = number;
        last_moves = stage->moves;
        since_ns = kernel_ns(CLOCK_MONOTONIC);
        return;
    }
    char state = kernel_state(holder->pid, holder->tid);
    bool blocks = state == 'S' && holder->state == SLOT_RUNS && kernel_waits_for_others(holder->pid, holder->tid);
    if (is_dead(state) || state == 'T' || blocks) {
        seize(mine, holder, state);
        last_holder = 0;
    } else if (kernel_ns(CLOCK_MONOTONIC) - since_ns > SILENCE_NS && stage->reported != stage->moves) {
        stage->reported = stage->moves;
        kernel_report("nothing has moved for five real seconds");
    }
}

static void log_turn(const struct slot *slot)
{
    struct turn *turn = &stage->turn[stage->turns++ % TURNS];
    turn->now_ns = stage->now_ns;
    turn->slot = (uint32_t)number_of(slot);
    turn->pid = (uint32_t)slot->pid;
    memcpy(turn->call, slot->call, CALL_BYTES);
}

static void await_turn(struct slot *slot)
{
    bool parked = own_parked;
    long ms =
        CHECK_MS; // who has just handed the token over looks after its heir; those that wait for long look every second
    own_parked = true;
    while (!atomic_exchange(&slot->go, 0)) {
        int nobody = 0;
        if (atomic_compare_exchange_strong(&stage->holder, &nobody, number_of(slot)))
            break;
        if (kernel_futex(&slot->go, FUTEX_WAIT, 0, ms) && errno == ETIMEDOUT)
            check_holder(slot);
        ms = ms < CHECK_MS_MAX / 2 ? ms * 2 : CHECK_MS_MAX;
    }
    own_parked = parked;
    if (stage->dying) {
        kernel_await_death(stage->dying);
        stage->dying = 0;
        stage->moves++;
    }
}

bool begin_handler(void)
{
    if (!own_slot || !stage || own_slot->state != SLOT_WAITS)
        return false;
    own_slot->poked = 1;
    ring();
    bool waits = own_parked && stage->holder != number_of(own_slot);
    if (waits)
        await_turn(own_slot);
    return waits;
}

void end_handler(bool waited)
{
    if (waited)
        own_slot->go = 1;
}

// How often somebody looks in vain may differ, and is nobody's turn.
static void go_on(struct slot *slot)
{
    log_turn(slot);
    slot->wait = NULL;
    slot->poked = 0;
    slot->state = SLOT_RUNS;
    stage->moves++;
}

void take_turn(struct slot *slot)
{
    await_turn(slot);
    go_on(slot);
}

// A thread that has no token (it is new, or was outside) asks for it.
static void enter(struct slot *slot)
{
    slot->deadline_ns = NEVER_NS;
    slot->outward = false;
    slot->poked = 1;
    slot->state = SLOT_WAITS;
    ring();
    take_turn(slot);
}

// The place that a parent, or an earlier image of this process, has left for its first thread.
static struct slot *inherited_slot(void)
{
    bool may_come;
    do {
        may_come = false;
        for (int i = 0; i < stage->high; i++) {
            struct slot *slot = &stage->slots[i];
            if (slot->state && slot->pid == own_pid)
                return slot;
            may_come |= slot->state == SLOT_RUNS && slot->pid == 0; // a posix_spawn that has not yet told its process
        }
        if (may_come)
            kernel_nap_us(50);
    } while (may_come);
    return NULL;
}

// Only the first thread of a process can come without having been begun by the stage (posix_spawn of another library).
// Another one (of jemalloc, which looks behind the stage for pthread_create) would come when the kernel pleases, so it
// stays outside, in real time.
static void begin_thread(void)
{
    own_end = (int)syscall(SYS_gettid) != own_pid;
    if (own_end)
        return;
    own_slot = inherited_slot();
    if (!own_slot) {
        own_slot = reserve_slot(own_pid, (int)syscall(SYS_gettid));
        enter(own_slot);
    } else {
        drop_process(own_pid, own_slot);
        own_slot->tid = own_pid;
        if (own_slot->state != SLOT_RUNS || stage->holder != number_of(own_slot)) // an exec keeps its turn
            await_turn(own_slot);
        go_on(own_slot);
    }
    own_slot->thread = pthread_self();
}

bool acts(void)
{
    if (!stage)
        open_stage();
    if (!stage || has_left || own_end || own_vforks)
        return false;
    if (!own_slot)
        begin_thread();
    else if (own_slot->state == SLOT_OUTSIDE)
        enter(own_slot);
    return own_slot;
}

// Does a process work that cannot load the stage? That takes no virtual time either.
static bool somebody_works_outside(void)
{
    bool works = false;
    for (int i = 0; i < stage->high; i++) {
        struct slot *slot = &stage->slots[i];
        if (slot->state != SLOT_OUTSIDE || slot->stopped)
            continue;
        char state = kernel_state(slot->pid, slot->tid);
        if (is_dead(state)) {
            slot->state = SLOT_FREE;
            works = true;
        }
        works |= state == 'R' || state == 'D' ||
                 (state == 'S' && slot->tid && !kernel_waits_for_others(slot->pid, slot->tid));
    }
    return works;
}

// All have looked and found nothing: moves time to the nearest deadline. Whose it is, in the order of the slots and not
// of those who looked, goes on first. NULL: nobody has one.
static struct slot *jump(void)
{
    struct slot *next = NULL;
    for (int i = 0; i < stage->high; i++) {
        struct slot *slot = &stage->slots[i];
        if (slot->state == SLOT_WAITS && !slot->stopped && slot->deadline_ns < (next ? next->deadline_ns : NEVER_NS))
            next = slot;
    }
    if (!next)
        return NULL;
    stage->now_ns = next->deadline_ns;
    stage->jump[stage->jumps % JUMPS].real_ns = kernel_ns(CLOCK_REALTIME);
    stage->jump[stage->jumps % JUMPS].now_ns = next->deadline_ns;
    stage->jumps++;
    return next;
}

// Whose turn is it now? First those of this process, who are looked at here: what a condition, a lock or a join waits
// for only changes while its own process runs. Then those of others: the answer is a thread that looks there.
static struct slot *next_now(const struct slot *from)
{
    for (int k = 0, high = stage->high, first = number_of(from); k < 2 * high; k++) {
        struct slot *slot = &stage->slots[(first + k) % high];
        bool is_sibling = k < high;
        if (slot->state != SLOT_WAITS || slot->stopped || (slot->pid == own_pid) != is_sibling)
            continue;
        if (slot->poked || slot->deadline_ns <= stage->now_ns)
            return slot;
        if (slot->seen == stage->moves || (!is_sibling && !slot->outward))
            continue;
        if (!is_sibling || !slot->wait)
            return slot;
        slot->seen = stage->moves;
        if (slot->wait->is_ready && slot->wait->is_ready(slot->wait)) {
            slot->poked = 1;
            return slot;
        }
    }
    return NULL;
}

static struct slot *next_of(const struct slot *from)
{
    struct slot *next;
    while (!(next = next_now(from)) && !own_cage && (somebody_works_outside() || kernel_holds_datagrams())) {
        kernel_nap_us(100);
        stage->moves++;
    }
    return next ? next : jump();
}

static bool anybody_is_outside(void)
{
    for (int i = 0; i < stage->high; i++)
        if (stage->slots[i].state == SLOT_OUTSIDE || stage->slots[i].stopped)
            return true;
    return false;
}

// Nobody has a deadline: only something from outside the scene can go on, a newcomer or a program outside.
static void rest(uint64_t *since_ns, long *ms)
{
    uint64_t now_ns = kernel_ns(CLOCK_MONOTONIC);
    if (!*since_ns)
        *since_ns = now_ns;
    if (now_ns > *since_ns + SILENCE_NS) {
        kernel_report("everybody waits, and nothing can come");
        if (!anybody_is_outside()) { // nobody can ever go on: the scene has failed
            syscall(SYS_kill, -1L, (long)SIGKILL);
            syscall(SYS_exit_group, 128L + SIGKILL); // that spared this process
        }
        *since_ns = now_ns + 3600 * NS_PER_S;
    }
    kernel_futex(&stage->bell, FUTEX_WAIT, stage->bell, *ms);
    if (*ms < REST_MS_MAX)
        *ms *= 2;
    stage->moves++;
}

int await(struct wait *wait)
{
    uint32_t before = own_signals;
    int result = 0;
    long rest_ms = 1;
    uint64_t resting_ns = 0;
    own_barren = 0;
    own_slot->wait = wait;
    own_slot->outward = wait->outward;
    set_call(own_slot, wait->call);
    own_slot->state = SLOT_WAITS;
    while (1) {
        own_slot->poked = 0;
        timers_fire();
        own_slot->seen = stage->moves;
        uint64_t timer_ns = timers_next_ns();
        own_slot->deadline_ns = timer_ns < wait->deadline_ns ? timer_ns : wait->deadline_ns;
        if (own_signals != before) {
            result = EINTR;
            break;
        }
        if (wait->is_ready && wait->is_ready(wait))
            break;
        if (wait->deadline_ns <= stage->now_ns) {
            result = ETIMEDOUT;
            break;
        }
        struct slot *next = next_of(own_slot);
        if (next == own_slot)
            continue;
        if (!next) {
            rest(&resting_ns, &rest_ms);
            continue;
        }
        hand_over(next);
        await_turn(own_slot);
        resting_ns = 0;
        rest_ms = 1;
    }
    go_on(own_slot);
    return result;
}

void sleep_until(uint64_t deadline_ns, const char *call)
{
    await(&(struct wait){.deadline_ns = deadline_ns, .call = call});
}

void give_way(void)
{
    set_call(own_slot, "giving way");
    own_slot->deadline_ns = NEVER_NS;
    own_slot->outward = false;
    own_slot->seen = ++stage->moves; // others first
    own_slot->state = SLOT_WAITS;
    struct slot *next = next_now(own_slot);
    own_slot->poked = 1;
    if (next) {
        hand_over(next);
        await_turn(own_slot);
    }
    go_on(own_slot);
}

void count_barren(void)
{
    if (own_slot && own_slot->state == SLOT_RUNS && ++own_barren % BARREN_CALLS == 0)
        sleep_until(stage->now_ns + 1000, "asking again");
}

// No jump here: the next thread looks first, at a joined thread or a child that ended.
void leave_stage(bool dying)
{
    int from = number_of(own_slot);
    own_slot->state = SLOT_FREE;
    own_slot = NULL;
    own_end = true;
    stage->moves++;
    if (dying) {
        has_left = true;
        drop_process(own_pid, NULL);
        poke_process((int)getppid()); // which may have a handler, and the kernel would choose its moment
        stage->dying = own_pid;
    }
    for (int k = 0, high = stage->high; k < 2 * high; k++) { // siblings first, as in next_now
        struct slot *slot = &stage->slots[(from + k) % high];
        if (slot->state != SLOT_WAITS || slot->stopped || (slot->pid == own_pid) != (k < high))
            continue;
        slot->poked = 1;
        hand_over(slot);
        return;
    }
    stage->holder = 0;
    ring();
}

__attribute__((constructor)) static void begin(void)
{
    acts();
}

__attribute__((destructor)) static void end(void)
{
    if (own_slot && acts())
        leave_stage(true);
}

_Noreturn void _exit(int code)
{
    end();
    syscall(SYS_exit_group, (long)code);
    __builtin_unreachable();
}

_Noreturn void _Exit(int code)
{
    _exit(code);
}
