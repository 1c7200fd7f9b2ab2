// SPDX-License-Identifier: MIT
#include "../process.h"

#include <windows.h>

#include <errno.h>
#include <io.h>
#include <psapi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <timeapi.h>

#include "system.h"

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
    if (length == 0 || length >= WINDOWS_PATH_UNITS || !windows_system_utf8(wide, path, path_bytes))
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
        windows_system_utf8(wide, machine.name, sizeof machine.name);
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
    windows_system_take_stop(stop);
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
    windows_system_take_stop(terminate);
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

#define SECOND_NS  UINT64_C(1000000000)
#define WINDOWS_NS 100 // its unit of time

#ifndef CREATE_WAITABLE_TIMER_HIGH_RESOLUTION // since Windows 10, version 1803
#define CREATE_WAITABLE_TIMER_HIGH_RESOLUTION 2
#endif

static uint64_t now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

// The usual timers are as exact as the period that the whole system agrees on: 15.6 ms unless somebody asks for less.
static HANDLE open_timer(void)
{
    HANDLE timer = CreateWaitableTimerExW(NULL, NULL, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, TIMER_ALL_ACCESS);
    if (timer)
        return timer;
    timeBeginPeriod(1);
    return CreateWaitableTimerExW(NULL, NULL, 0, TIMER_ALL_ACCESS);
}

void process_sleep_until(uint64_t deadline_ns)
{
    static _Thread_local HANDLE timer; // a thread that sleeps runs about as long as its program
    uint64_t now = now_ns(CLOCK_MONOTONIC);
    LARGE_INTEGER after = {.QuadPart = -(LONGLONG)((deadline_ns - now) / WINDOWS_NS)};
    if (now >= deadline_ns)
        return;
    if (!timer)
        timer = open_timer();
    if (timer && SetWaitableTimer(timer, &after, 0, NULL, NULL, FALSE))
        WaitForSingleObject(timer, INFINITE);
}

// Conditions know the wall clock only.
int process_condition_open(pthread_cond_t *condition)
{
    return pthread_cond_init(condition, NULL);
}

bool process_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline_ns)
{
    uint64_t now = now_ns(CLOCK_MONOTONIC);
    if (now >= deadline_ns)
        return false;
    uint64_t until_ns = now_ns(CLOCK_REALTIME) + (deadline_ns - now);
    struct timespec until = {(time_t)(until_ns / SECOND_NS), (long)(until_ns % SECOND_NS)};
    pthread_cond_timedwait(condition, lock, &until);
    return now_ns(CLOCK_MONOTONIC) < deadline_ns;
}

bool process_find_authorities(const char **file)
{
    *file = NULL;
    return true;
}

#define SCHEME_UNITS  32
#define KEY_UNITS     (SCHEME_UNITS + 64)
#define COMMAND_UNITS (WINDOWS_PATH_UNITS + 16)

// What begins with HKEY_CURRENT_USER is the user's own.
static bool find_key(const char *scheme, const wchar_t *rest, wchar_t key[KEY_UNITS])
{
    wchar_t wide[SCHEME_UNITS];
    if (!windows_system_wide(scheme, wide, SCHEME_UNITS))
        return false;
    swprintf(key, KEY_UNITS, L"Software\\Classes\\%ls%ls", wide, rest);
    return true;
}

static bool is_done(LSTATUS status)
{
    SetLastError((DWORD)status);
    return status == ERROR_SUCCESS || windows_system_take_error();
}

// `name` null: the value that the key itself has.
static bool set(const char *scheme, const wchar_t *rest, const wchar_t *name, const wchar_t *text)
{
    wchar_t key[KEY_UNITS];
    DWORD byte_count = (DWORD)((wcslen(text) + 1) * sizeof *text);
    return find_key(scheme, rest, key) &&
           is_done(RegSetKeyValueW(HKEY_CURRENT_USER, key, name, REG_SZ, text, byte_count));
}

// A link can have quotes in it, and so end its own: "--" leaves no option to what follows.
bool process_open_links(const char *scheme, const char *program)
{
    wchar_t path[WINDOWS_PATH_UNITS], text[COMMAND_UNITS];
    if (!windows_system_program(program, path) || !set(scheme, L"", NULL, L"URL:Deadfall") ||
        !set(scheme, L"", L"URL Protocol", L""))
        return false;
    swprintf(text, COMMAND_UNITS, L"\"%ls\",0", path);
    if (!set(scheme, L"\\DefaultIcon", NULL, text))
        return false;
    swprintf(text, COMMAND_UNITS, L"\"%ls\" -- \"%%1\"", path);
    return set(scheme, L"\\shell\\open\\command", NULL, text);
}

bool process_open_no_links(const char *scheme)
{
    wchar_t key[KEY_UNITS];
    if (!find_key(scheme, L"", key))
        return false;
    LSTATUS status = RegDeleteTreeW(HKEY_CURRENT_USER, key);
    return status == ERROR_FILE_NOT_FOUND || is_done(status);
}
