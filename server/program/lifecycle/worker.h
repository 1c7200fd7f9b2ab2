// SPDX-License-Identifier: MIT
//
// A thread that does what the main loop must not wait for: reading maps, computing navigation graphs, appending to
// logs. It does one job after another, and it is nice: the ticks come first, but it always gets on.
#ifndef LIFECYCLE_WORKER_H
#define LIFECYCLE_WORKER_H

#include <stdbool.h>

struct worker;

/// A job. Set `run` and zero the rest; the worker uses it until it is closed.
struct worker_job {
    void (*run)(struct worker_job *job); ///< on the worker's thread
    bool waits, runs;                    ///< the worker's
    struct worker_job *next;
};

/// Starts the thread. Null when out of memory or threads.
struct worker *worker_open(void);

/// Lets the job run once from now on: if it runs already, then again afterwards. Without a worker (null) it runs at
/// once.
void worker_ask(struct worker *worker, struct worker_job *job);

/// Returns whether the job waits or runs. If not, all that it has written can be read. Without a worker it never does.
bool worker_is_busy(struct worker *worker, const struct worker_job *job);

/// Waits until all jobs are done. Not while a match runs.
void worker_wait(struct worker *worker);

/// Does all jobs that wait, ends the thread and frees the worker. Null is allowed.
void worker_close(struct worker *worker);

#endif
