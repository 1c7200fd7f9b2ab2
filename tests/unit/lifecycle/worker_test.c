// SPDX-License-Identifier: MIT
//
// Tests that a worker does every job, in order and off its caller's thread, and that it is nice.
#include "lifecycle/worker.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lock_check.h"
#include "test.h"

struct counted {
    struct worker_job job;
    atomic_uint runs;
    unsigned order; // of its last run, among all
    pthread_t thread;
    int nice;
};

static struct worker *worker;
static atomic_uint runs;
static atomic_bool closed; // jobs do not end

static void count(struct worker_job *job)
{
    struct counted *counted = (struct counted *)job;
    while (atomic_load(&closed))
        usleep(1000);
    counted->order = atomic_fetch_add(&runs, 1);
    counted->thread = pthread_self();
    counted->nice = getpriority(PRIO_PROCESS, (id_t)gettid());
    atomic_fetch_add(&counted->runs, 1);
}

static void begin(void)
{
    worker = worker_open();
    assert_true(worker);
}

static void end(void)
{
    worker_close(worker);
}

EACH_TEST(begin, end);

TEST(jobs_are_done_in_order_by_a_nice_thread)
{
    struct counted jobs[3] = {{.job.run = count}, {.job.run = count}, {.job.run = count}};
    atomic_store(&closed, true);
    for (int i = 0; i < 3; i++)
        worker_ask(worker, &jobs[i].job);
    for (int i = 0; i < 3; i++)
        assert_true(worker_is_busy(worker, &jobs[i].job));
    atomic_store(&closed, false);
    worker_wait(worker);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(atomic_load(&jobs[i].runs), 1);
        assert_int_equal(jobs[i].order, jobs[0].order + i);
        assert_false(pthread_equal(jobs[i].thread, pthread_self()));
        assert_true(jobs[i].nice > getpriority(PRIO_PROCESS, 0) || jobs[i].nice == 19);
        assert_false(worker_is_busy(worker, &jobs[i].job));
    }
}

TEST(a_job_that_is_asked_for_while_it_runs_runs_again)
{
    struct counted job = {.job.run = count};
    atomic_store(&closed, true);
    worker_ask(worker, &job.job);
    while (!job.job.runs) // until the thread has begun with it
        usleep(1000);
    for (int i = 0; i < 5; i++)
        worker_ask(worker, &job.job); // four of which are one
    atomic_store(&closed, false);
    worker_wait(worker);
    assert_int_equal(atomic_load(&job.runs), 2);
}

TEST(a_worker_that_closes_does_what_waits)
{
    struct counted jobs[3] = {{.job.run = count}, {.job.run = count}, {.job.run = count}};
    for (int i = 0; i < 3; i++)
        worker_ask(worker, &jobs[i].job);
    worker_close(worker);
    worker = NULL;
    for (int i = 0; i < 3; i++)
        assert_int_equal(atomic_load(&jobs[i].runs), 1);
    assert_int_equal(lock_check_living(), 0);
}
