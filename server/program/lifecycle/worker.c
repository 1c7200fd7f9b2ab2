// SPDX-License-Identifier: MIT
#include "worker.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/platform/process.h"

struct worker {
    pthread_t thread;
    pthread_mutex_t lock; // of the rest, and of the jobs' fields but `run`
    pthread_cond_t work;  // for the thread: there is a job, or the end has come
    pthread_cond_t idle;  // for worker_wait()
    struct worker_job *first, *last;
    bool runs, ending;
};

static void *run(void *context)
{
    struct worker *worker = context;
    process_lower_thread();
    pthread_mutex_lock(&worker->lock);
    while (worker->first || !worker->ending) {
        struct worker_job *job = worker->first;
        if (!job) {
            pthread_cond_signal(&worker->idle);
            pthread_cond_wait(&worker->work, &worker->lock);
            continue;
        }
        worker->first = job->next;
        job->waits = false;
        job->runs = worker->runs = true;
        pthread_mutex_unlock(&worker->lock);
        job->run(job);
        pthread_mutex_lock(&worker->lock);
        job->runs = worker->runs = false;
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

static void destroy(struct worker *worker)
{
    pthread_cond_destroy(&worker->idle);
    pthread_cond_destroy(&worker->work);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
}

struct worker *worker_open(void)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return NULL;
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->work, NULL);
    pthread_cond_init(&worker->idle, NULL);
    if (pthread_create(&worker->thread, NULL, run, worker) == 0)
        return worker;
    destroy(worker);
    return NULL;
}

void worker_ask(struct worker *worker, struct worker_job *job)
{
    if (!worker) {
        job->run(job);
        return;
    }
    pthread_mutex_lock(&worker->lock);
    if (!job->waits) {
        struct worker_job **end = worker->first ? &worker->last->next : &worker->first;
        *end = worker->last = job;
        job->next = NULL;
        job->waits = true;
        pthread_cond_signal(&worker->work);
    }
    pthread_mutex_unlock(&worker->lock);
}

bool worker_is_busy(struct worker *worker, const struct worker_job *job)
{
    if (!worker)
        return false;
    pthread_mutex_lock(&worker->lock);
    bool busy = job->waits || job->runs;
    pthread_mutex_unlock(&worker->lock);
    return busy;
}

void worker_wait(struct worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    while (worker->first || worker->runs)
        pthread_cond_wait(&worker->idle, &worker->lock);
    pthread_mutex_unlock(&worker->lock);
}

void worker_close(struct worker *worker)
{
    if (!worker)
        return;
    pthread_mutex_lock(&worker->lock);
    worker->ending = true;
    pthread_cond_signal(&worker->work);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->thread, NULL);
    destroy(worker);
}
