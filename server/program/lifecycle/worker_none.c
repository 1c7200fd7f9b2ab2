// SPDX-License-Identifier: MIT
//
// Where there are no threads: a job is done when somebody asks for it, or looks whether it is done.
#include <stdlib.h>

#include "worker.h"

struct worker {
    struct worker_job *first, *last;
};

struct worker *worker_open(void)
{
    return calloc(1, sizeof(struct worker));
}

void worker_ask(struct worker *worker, struct worker_job *job)
{
    if (!worker) {
        job->run(job);
        return;
    }
    if (job->waits)
        return;
    struct worker_job **end = worker->first ? &worker->last->next : &worker->first;
    *end = worker->last = job;
    job->next = NULL;
    job->waits = true;
}

static void run_first(struct worker *worker)
{
    struct worker_job *job = worker->first;
    worker->first = job->next;
    job->waits = false;
    job->run(job);
}

bool worker_is_busy(struct worker *worker, const struct worker_job *job)
{
    while (worker && job->waits)
        run_first(worker);
    return false;
}

void worker_wait(struct worker *worker)
{
    while (worker->first)
        run_first(worker);
}

void worker_close(struct worker *worker)
{
    if (worker)
        worker_wait(worker);
    free(worker);
}
