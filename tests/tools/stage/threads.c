// SPDX-License-Identifier: MIT
//
// Threads and what they wait for among themselves. Locks, semaphores and joins are looked at without being taken. The
// conditions of the C library are not used at all: who waits for one is known from the slots, and who came first goes
// on first.
#include "stage.h"

#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHARED_LOCK 128 // of a lock between processes, as the C library marks it

struct birth {
    void *(*work)(void *);
    void *argument;
    struct slot *slot;
};

static void end_thread(void *none)
{
    (void)none;
    if (own_slot && acts())
        leave_stage(false);
}

static void *live(void *argument)
{
    struct birth birth = *(struct birth *)argument;
    void *result;
    free(argument);
    own_slot = birth.slot;
    own_slot->tid = (int)syscall(SYS_gettid);
    take_turn(own_slot);
    pthread_cleanup_push(end_thread, NULL); // also by pthread_exit
    result = birth.work(birth.argument);
    pthread_cleanup_pop(1);
    return result;
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*work)(void *),
                   void *restrict argument)
{
    if (!acts())
        return REAL(pthread_create)(thread, attributes, work, argument);
    struct birth *birth = malloc(sizeof *birth);
    if (!birth)
        return EAGAIN;
    struct slot *slot = reserve_slot(own_pid, own_pid);
    *birth = (struct birth){work, argument, slot};
    int error = REAL(pthread_create)(thread, attributes, live, birth);
    if (error) {
        slot->state = SLOT_FREE;
        free(birth);
        return error;
    }
    slot->thread = *thread;
    slot->state = SLOT_WAITS;
    return 0;
}

struct join_wait {
    struct wait wait;
    pthread_t thread;
};

static bool thread_has_ended(const struct wait *wait)
{
    const struct join_wait *w = (const void *)wait;
    for (int i = 0; i < stage->high; i++) {
        const struct slot *slot = &stage->slots[i];
        if (slot->state && slot->pid == own_pid && slot->thread == w->thread)
            return false;
    }
    return true;
}

int pthread_join(pthread_t thread, void **result)
{
    if (acts()) {
        struct join_wait w = {{thread_has_ended, "pthread_join", NEVER_NS, false}, thread};
        while (await(&w.wait) == EINTR) {
        }
        // The kernel still has to end it, which takes long where a sanitizer clears its stack.
        int error;
        while ((error = REAL(pthread_tryjoin_np)(thread, result)) == EBUSY)
            kernel_nap_us(200);
        return error;
    }
    return REAL(pthread_join)(thread, result);
}

struct object_wait {
    struct wait wait;
    void *object;
    uint64_t ticket; // who has the least goes on first
    _Atomic bool woken;
};

static bool mutex_is_free(const struct wait *wait)
{
    const pthread_mutex_t *mutex = ((const struct object_wait *)(const void *)wait)->object;
    return *(const volatile int *)&mutex->__data.__lock == 0;
}

// A thread of this process that stays outside, and lets go in real time.
static bool is_outside(int tid)
{
    for (int i = 0; i < stage->high; i++)
        if (stage->slots[i].state && stage->slots[i].tid == tid)
            return false;
    return tid != 0;
}

static int lock_until(pthread_mutex_t *mutex, uint64_t deadline_ns)
{
    bool is_shared = mutex->__data.__kind & SHARED_LOCK;
    while (1) {
        int error = REAL(pthread_mutex_trylock)(mutex);
        if (error != EBUSY)
            return error;
        if (mutex->__data.__owner == own_slot->tid)
            return EDEADLK;
        if (!is_shared && is_outside(mutex->__data.__owner)) {
            syscall(SYS_sched_yield); // it is not asleep, so nobody seizes the token
            continue;
        }
        struct object_wait w = {.wait = {mutex_is_free, "pthread_mutex_lock", deadline_ns, is_shared}, .object = mutex};
        if (await(&w.wait) == ETIMEDOUT)
            return ETIMEDOUT;
    }
}

// A thread that has not yet entered the scene need not enter it for a lock.
int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    bool is_here = own_slot && own_slot->state == SLOT_RUNS;
    return is_here ? lock_until(mutex, NEVER_NS) : REAL(pthread_mutex_lock)(mutex);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict time)
{
    return acts() ? lock_until(mutex, deadline_of(time)) : REAL(pthread_mutex_timedlock)(mutex, time);
}

static bool reader_may_enter(const struct wait *wait)
{
    pthread_rwlock_t *lock = ((const struct object_wait *)(const void *)wait)->object;
    return REAL(pthread_rwlock_tryrdlock)(lock) == 0 && REAL(pthread_rwlock_unlock)(lock) == 0;
}

static bool writer_may_enter(const struct wait *wait)
{
    pthread_rwlock_t *lock = ((const struct object_wait *)(const void *)wait)->object;
    return REAL(pthread_rwlock_trywrlock)(lock) == 0 && REAL(pthread_rwlock_unlock)(lock) == 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    if (!acts())
        return REAL(pthread_rwlock_rdlock)(lock);
    int error;
    while ((error = REAL(pthread_rwlock_tryrdlock)(lock)) == EBUSY) {
        struct object_wait w = {.wait = {reader_may_enter, "pthread_rwlock_rdlock", NEVER_NS, false}, .object = lock};
        await(&w.wait);
    }
    return error;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    if (!acts())
        return REAL(pthread_rwlock_wrlock)(lock);
    int error;
    while ((error = REAL(pthread_rwlock_trywrlock)(lock)) == EBUSY) {
        struct object_wait w = {.wait = {writer_may_enter, "pthread_rwlock_wrlock", NEVER_NS, false}, .object = lock};
        await(&w.wait);
    }
    return error;
}

static bool is_woken(const struct wait *wait)
{
    return ((const struct object_wait *)(const void *)wait)->woken;
}

// Wakes those of this process that wait for a condition or a word, who came first first. Returns how many.
static int wake(const void *object, int most)
{
    int woken = 0;
    for (; woken < most; woken++) {
        struct object_wait *first = NULL;
        for (int i = 0; i < stage->high; i++) {
            struct slot *slot = &stage->slots[i];
            if (slot->state != SLOT_WAITS || slot->pid != own_pid || !slot->wait || slot->wait->is_ready != is_woken)
                continue;
            struct object_wait *w = (void *)slot->wait;
            if (w->object == object && !w->woken && (!first || w->ticket < first->ticket))
                first = w;
        }
        if (!first)
            break;
        first->woken = true;
    }
    return woken;
}

static int await_wake(void *object, uint64_t deadline_ns, const char *call)
{
    struct object_wait w = {.wait = {is_woken, call, deadline_ns, false}, .object = object, .ticket = stage->ticket++};
    return await(&w.wait);
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    if (!acts())
        return REAL(pthread_cond_signal)(condition);
    return wake(condition, 1) ? 0 : REAL(pthread_cond_signal)(condition); // somebody outside may wait
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    if (!acts())
        return REAL(pthread_cond_broadcast)(condition);
    wake(condition, SLOTS);
    return REAL(pthread_cond_broadcast)(condition);
}

static int cond_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline_ns)
{
    REAL(pthread_mutex_unlock)(mutex); // nobody else runs before await
    int error = await_wake(condition, deadline_ns, "pthread_cond_wait");
    lock_until(mutex, NEVER_NS);
    return error == EINTR ? 0 : error; // may wake without reason
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return acts() ? cond_until(condition, mutex, NEVER_NS) : REAL(pthread_cond_wait)(condition, mutex);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict time)
{
    return acts() ? cond_until(condition, mutex, deadline_of(time))
                  : REAL(pthread_cond_timedwait)(condition, mutex, time);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *time)
{
    return acts() ? cond_until(condition, mutex, deadline_of(time))
                  : REAL(pthread_cond_clockwait)(condition, mutex, clock, time);
}

static bool semaphore_is_up(const struct wait *wait)
{
    int value = 0;
    return sem_getvalue(((const struct object_wait *)(const void *)wait)->object, &value) == 0 && value > 0;
}

static int sem_until(sem_t *semaphore, uint64_t deadline_ns)
{
    bool is_shared = ((const int *)(const void *)semaphore)[2] != 0; // as the C library marks it
    while (sem_trywait(semaphore) != 0) {
        struct object_wait w = {.wait = {semaphore_is_up, "sem_wait", deadline_ns, is_shared}, .object = semaphore};
        int error = await(&w.wait);
        if (error == ETIMEDOUT || (error == EINTR && !own_restarts)) {
            errno = error;
            return -1;
        }
    }
    return 0;
}

int sem_wait(sem_t *semaphore)
{
    return acts() ? sem_until(semaphore, NEVER_NS) : REAL(sem_wait)(semaphore);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict time)
{
    return acts() ? sem_until(semaphore, deadline_of(time)) : REAL(sem_timedwait)(semaphore, time);
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict time)
{
    return acts() ? sem_until(semaphore, deadline_of(time)) : REAL(sem_clockwait)(semaphore, clock, time);
}
