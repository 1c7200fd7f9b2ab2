// SPDX-License-Identifier: MIT
#include "lock_check.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define OBJECTS_MAX 64

atomic_uint lock_check_pause_us;

int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __real_pthread_mutex_destroy(pthread_mutex_t *mutex);
int __real_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int __real_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __real_pthread_cond_destroy(pthread_cond_t *condition);
int __real_pthread_condattr_init(pthread_condattr_t *attributes);
int __real_pthread_condattr_destroy(pthread_condattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex);
int __wrap_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __wrap_pthread_cond_destroy(pthread_cond_t *condition);
int __wrap_pthread_condattr_init(pthread_condattr_t *attributes);
int __wrap_pthread_condattr_destroy(pthread_condattr_t *attributes);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const void *objects[OBJECTS_MAX]; // that live; null: a free entry

static void require(bool holds, const char *reason)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", reason);
    abort();
}

static void replace(const void *before, const void *after, const char *reason)
{
    size_t i = 0;
    __real_pthread_mutex_lock(&lock);
    while (i < OBJECTS_MAX && objects[i] != before)
        i++;
    require(i < OBJECTS_MAX, reason);
    objects[i] = after;
    __real_pthread_mutex_unlock(&lock);
}

static void add(const void *object)
{
    replace(NULL, object, "There are too many locks and conditions to check.");
}

static void use(const void *object)
{
    replace(object, object, "A lock or condition is used that has not been initialised.");
}

static void drop(const void *object)
{
    replace(object, NULL, "A lock or condition is destroyed that has not been initialised.");
}

size_t lock_check_living(void)
{
    size_t count = 0;
    __real_pthread_mutex_lock(&lock);
    for (size_t i = 0; i < OBJECTS_MAX; i++)
        count += objects[i] != NULL;
    __real_pthread_mutex_unlock(&lock);
    return count;
}

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    pthread_mutexattr_t strict;
    require(attributes == NULL, "A mutex with attributes cannot be checked.");
    add(mutex);
    pthread_mutexattr_init(&strict);
    pthread_mutexattr_settype(&strict, PTHREAD_MUTEX_ERRORCHECK);
    int reason = __real_pthread_mutex_init(mutex, &strict);
    pthread_mutexattr_destroy(&strict);
    return reason;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    use(mutex);
    require(__real_pthread_mutex_lock(mutex) == 0, "A thread takes a lock that it holds already.");
    return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    use(mutex);
    require(__real_pthread_mutex_unlock(mutex) == 0, "A thread releases a lock that it does not hold.");
    unsigned pause_us = atomic_load(&lock_check_pause_us);
    if (pause_us > 0)
        nanosleep(&(struct timespec){.tv_nsec = (long)pause_us * 1000}, NULL);
    return 0;
}

int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    drop(mutex);
    require(__real_pthread_mutex_destroy(mutex) == 0, "A lock is destroyed that somebody holds.");
    return 0;
}

int __wrap_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    add(condition);
    return __real_pthread_cond_init(condition, attributes);
}

int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    use(condition);
    require(__real_pthread_cond_wait(condition, mutex) == 0, "A thread waits with a lock that it does not hold.");
    return 0;
}

int __wrap_pthread_cond_destroy(pthread_cond_t *condition)
{
    drop(condition);
    return __real_pthread_cond_destroy(condition);
}

int __wrap_pthread_condattr_init(pthread_condattr_t *attributes)
{
    add(attributes);
    return __real_pthread_condattr_init(attributes);
}

int __wrap_pthread_condattr_destroy(pthread_condattr_t *attributes)
{
    drop(attributes);
    return __real_pthread_condattr_destroy(attributes);
}
