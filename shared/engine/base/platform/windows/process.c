// SPDX-License-Identifier: MIT
#include "../process.h"

#include <windows.h>

#include <io.h>
#include <psapi.h>
#include <stdatomic.h>

#include "stop.h"
#include "text.h"

#define PER_SECOND 1e7                          // of the units of time
#define EPOCH      UINT64_C(116444736000000000) // from 1601 to 1970

static atomic_bool is_stopping;

long process_id(void)
{
    return (long)GetCurrentProcessId();
}

bool process_path(char *path, size_t path_bytes)
{
    wchar_t wide[WINDOWS_PATH_UNITS];
    DWORD length = GetModuleFileNameW(NULL, wide, WINDOWS_PATH_UNITS);
    if (length == 0 || length >= WINDOWS_PATH_UNITS || !windows_text_utf8(wide, path, path_bytes))
        return false;
    for (char *at = path; *at; at++)
        if (*at == '\\')
            *at = '/';
    return true;
}

struct process_machine process_machine(void)
{
    struct process_machine machine = {.system = "Windows"};
    wchar_t wide[MAX_COMPUTERNAME_LENGTH + 1];
    DWORD length = MAX_COMPUTERNAME_LENGTH + 1;
    SYSTEM_INFO facts;
    GetNativeSystemInfo(&facts);
    machine.processors = facts.dwNumberOfProcessors;
    if (GetComputerNameW(wide, &length))
        windows_text_utf8(wide, machine.name, sizeof machine.name);
    DWORD version = GetVersion();
    snprintf(machine.release, sizeof machine.release, "%lu.%lu.%lu", version & 0xff, version >> 8 & 0xff,
             version >> 16);
    snprintf(machine.hardware, sizeof machine.hardware, "%s",
             facts.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_AMD64 ? "x86_64" : "");
    return machine;
}

static uint64_t number_of(const FILETIME *time)
{
    return (uint64_t)time->dwHighDateTime << 32 | time->dwLowDateTime;
}

void process_find_usage(struct process_usage *usage)
{
    FILETIME created, ended, kernel, user;
    PROCESS_MEMORY_COUNTERS memory;
    DWORD handles = 0;
    *usage = (struct process_usage){0};
    if (GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user)) {
        usage->cpu_s = (double)(number_of(&kernel) + number_of(&user)) / PER_SECOND;
        usage->start_s = (double)(number_of(&created) - EPOCH) / PER_SECOND;
    }
    if (GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof memory))
        usage->resident_bytes = memory.WorkingSetSize;
    if (GetProcessHandleCount(GetCurrentProcess(), &handles))
        usage->open_files = handles;
}

char **process_environment(void)
{
    return _environ;
}

bool process_is_terminal(FILE *stream)
{
    return _isatty(_fileno(stream)) != 0;
}

static void stop(void)
{
    atomic_store(&is_stopping, true);
}

void process_catch_stop(void)
{
    windows_stop_take(stop);
}

bool process_is_stopping(void)
{
    return atomic_load(&is_stopping);
}

static void (*take_request)(enum process_request request);

static void terminate(void)
{
    take_request(PROCESS_REQUEST_TERMINATE);
}

void process_take_requests(void (*take)(enum process_request request))
{
    take_request = take;
    windows_stop_take(terminate);
}

// Errors of writing are only errors.
void process_ignore_write_signals(void)
{
}

void process_lower_thread(void)
{
    SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL);
}

// Nor a window that says what has crashed and keeps the process waiting.
int process_repeat(bool (*step)(void *context), int (*end)(void *context), void *context)
{
    while (step(context))
        ;
    return end ? end(context) : 0;
}

void process_forbid_core_dumps(void)
{
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
}

void process_lock_memory(const void *bytes, size_t byte_count)
{
    VirtualLock((void *)(uintptr_t)bytes, byte_count);
}
