// SPDX-License-Identifier: MIT
//
// In a page this process is a tab: nobody asks it to stop, and the page keeps its memory from others.
#include "process.h"

#include <emscripten.h>

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
    (void)take;
}

void process_ignore_write_signals(void)
{
}

// What a page repeats, with each frame of its display.
static struct {
    bool (*step)(void *context);
    void *context;
} loop;

static void run_once(void)
{
    if (!loop.step(loop.context))
        emscripten_cancel_main_loop();
}

void process_repeat(bool (*step)(void *context), void *context)
{
    loop.step = step;
    loop.context = context;
    emscripten_set_main_loop(run_once, 0, true);
}

void process_forbid_core_dumps(void)
{
}

void process_lock_memory(const void *bytes, size_t byte_count)
{
    (void)bytes, (void)byte_count;
}
