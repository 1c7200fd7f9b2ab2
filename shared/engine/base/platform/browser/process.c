// SPDX-License-Identifier: MIT
//
// A tab, or a worker of it (child.js). Nobody asks a tab to stop, and it keeps its memory from others.
#include "../process.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define MS_NS 1e6

void browser_repeat(void (*turn)(void));
void browser_repeat_end(void);
void browser_requests(void (*take)(enum process_request request));
void browser_sleep(double until_ms);

long process_id(void)
{
    return 1;
}

bool process_path(char *path, size_t path_bytes)
{
    return snprintf(path, path_bytes, "/deadfall") < (int)path_bytes;
}

struct process_machine process_machine(void)
{
    return (struct process_machine){.name = "browser", .system = "wasm", .processors = 1};
}

char **process_environment(void)
{
    return environ;
}

bool process_is_terminal(FILE *stream)
{
    (void)stream;
    return false;
}

void process_catch_stop(void)
{
}

bool process_is_stopping(void)
{
    return false;
}

void process_take_requests(void (*take)(enum process_request request))
{
    browser_requests(take);
}

void process_ignore_write_signals(void)
{
}

// What is repeated: by page.js, or by worker.js.
static struct {
    bool (*step)(void *context);
    int (*end)(void *context);
    void *context;
} loop;

static void turn(void)
{
    if (loop.step(loop.context))
        return;
    browser_repeat_end();
    if (loop.end)
        exit(loop.end(loop.context));
}

int process_repeat(bool (*step)(void *context), int (*end)(void *context), void *context)
{
    loop.step = step;
    loop.end = end;
    loop.context = context;
    browser_repeat(turn);
    return 0;
}

void process_forbid_core_dumps(void)
{
}

void process_lock_memory(const void *bytes, size_t byte_count)
{
    (void)bytes, (void)byte_count;
}

// A page cannot wait, and has one thread: these return at once. A program beside it is called again at that moment.
void process_sleep_until(uint64_t deadline_ns)
{
    browser_sleep((double)deadline_ns / MS_NS);
}

int process_condition_open(pthread_cond_t *condition)
{
    return pthread_cond_init(condition, NULL);
}

bool process_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_ns)
{
    (void)condition, (void)lock, (void)deadline_ns;
    return false;
}

bool process_open_links(const char *scheme, const char *program)
{
    (void)scheme, (void)program;
    errno = ENOSYS;
    return false;
}

bool process_open_no_links(const char *scheme)
{
    return process_open_links(scheme, NULL);
}
