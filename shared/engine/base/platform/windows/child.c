// SPDX-License-Identifier: MIT
#include "../child.h"
#include "../disk.h"

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"

#define PROBE_MS    2 // between two looks into a pipe, which cannot be waited for
#define LINE_UNITS  32768
#define PATH_UNITS  32768
#define KILLED_CODE 0xdeadu

// Windows ends the processes in it when the last handle of it closes, as this program's does at its end.
static HANDLE family;

static void open_family(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {.BasicLimitInformation.LimitFlags =
                                                       JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    family = CreateJobObjectW(NULL, NULL);
    if (family)
        SetInformationJobObject(family, JobObjectExtendedLimitInformation, &limits, sizeof limits);
}

// Finds a program by its path, or by its name where programs are: never in the current folder.
static bool find(const char *program, wchar_t path[WINDOWS_PATH_UNITS])
{
    wchar_t name[WINDOWS_PATH_UNITS];
    if (strpbrk(program, "/\\:"))
        return windows_system_program(program, path) &&
               (GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES || windows_system_take_error());
    wchar_t *folders = malloc(PATH_UNITS * sizeof *folders);
    DWORD length = folders ? GetEnvironmentVariableW(L"PATH", folders, PATH_UNITS) : 0;
    bool found = length > 0 && length < PATH_UNITS && windows_system_program(program, name) &&
                 SearchPathW(folders, name, NULL, WINDOWS_PATH_UNITS, path, NULL) > 0;
    free(folders);
    errno = ENOENT;
    return found;
}

bool child_is_installed(const char *program)
{
    wchar_t path[WINDOWS_PATH_UNITS];
    return find(program, path);
}

// Adds an argument so that the program's main gets it as it is: in quotes, with a backslash before each quote, and
// twice as many before it as there were.
static wchar_t *quote(wchar_t *at, const wchar_t *end, const wchar_t *argument)
{
    size_t backslashes = 0;
    if (at + 2 * wcslen(argument) + 4 > end)
        return NULL;
    *at++ = L'"';
    for (; *argument; argument++) {
        if (*argument == L'"')
            for (size_t i = 0; i <= backslashes; i++)
                *at++ = L'\\';
        backslashes = *argument == L'\\' ? backslashes + 1 : 0;
        *at++ = *argument;
    }
    while (backslashes-- > 0)
        *at++ = L'\\';
    *at++ = L'"';
    *at++ = L' ';
    *at = 0;
    return at;
}

static bool write_line(const char *const *arguments, wchar_t line[LINE_UNITS])
{
    wchar_t argument[WINDOWS_PATH_UNITS], *at = line;
    *line = 0;
    for (; at && *arguments; arguments++) {
        if (!windows_system_wide(*arguments, argument, WINDOWS_PATH_UNITS))
            return false;
        at = quote(at, line + LINE_UNITS, argument);
    }
    errno = E2BIG;
    return at != NULL;
}

// A pipe with one end for the child, which inherits it, and one for this program.
struct pipe {
    HANDLE theirs, ours;
};

static bool open_pipe(struct pipe *pipe, bool they_read)
{
    HANDLE read_end, write_end;
    if (!CreatePipe(&read_end, &write_end, NULL, 0))
        return windows_system_take_error();
    *pipe = they_read ? (struct pipe){read_end, write_end} : (struct pipe){write_end, read_end};
    SetHandleInformation(pipe->theirs, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    return true;
}

static void close_handle(HANDLE handle)
{
    if (handle)
        CloseHandle(handle);
}

static bool run(const struct child_command *command, const struct pipe *input, const struct pipe *output,
                PROCESS_INFORMATION *process)
{
    wchar_t path[WINDOWS_PATH_UNITS];
    wchar_t *line = malloc(LINE_UNITS * sizeof *line);
    STARTUPINFOW start = {
        .cb = sizeof start,
        .dwFlags = STARTF_USESTDHANDLES,
        .hStdInput = input->theirs ? input->theirs : GetStdHandle(STD_INPUT_HANDLE),
        .hStdOutput = command->gives_output ? output->theirs : GetStdHandle(STD_OUTPUT_HANDLE),
        .hStdError = command->gives_errors ? output->theirs : GetStdHandle(STD_ERROR_HANDLE),
    };
    DWORD flags = CREATE_SUSPENDED | (GetConsoleCP() == 0 ? CREATE_NO_WINDOW : 0u);
    bool good = line && find(command->program, path) && write_line(command->arguments, line);
    if (good && !CreateProcessW(path, line, NULL, NULL, TRUE, flags, NULL, NULL, &start, process))
        good = windows_system_take_error();
    free(line);
    return good;
}

bool child_start(struct child *child, const struct child_command *command)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct pipe input = {0}, output = {0};
    PROCESS_INFORMATION process;
    pthread_once(&once, open_family);
    *child = (struct child){.input = -1, .output = -1};
    bool has_output = command->gives_output || command->gives_errors;
    bool good = (!command->takes_input || open_pipe(&input, true)) && (!has_output || open_pipe(&output, false)) &&
                run(command, &input, &output, &process);
    close_handle(input.theirs);
    close_handle(output.theirs);
    if (!good) {
        close_handle(input.ours);
        close_handle(output.ours);
        return false;
    }
    if (family)
        AssignProcessToJobObject(family, process.hProcess);
    ResumeThread(process.hThread);
    CloseHandle(process.hThread);
    child->process = (long)(intptr_t)process.hProcess; // a handle has 32 bits that count
    child->input = input.ours ? _open_osfhandle((intptr_t)input.ours, _O_BINARY | _O_NOINHERIT) : -1;
    child->output = output.ours ? _open_osfhandle((intptr_t)output.ours, _O_RDONLY | _O_BINARY | _O_NOINHERIT) : -1;
    return true;
}

// Returns whether a byte can be read without waiting. False at the end, too.
static bool wait_for_output(const struct child *child, int timeout_ms)
{
    DWORD byte_count;
    for (int waited_ms = 0;; waited_ms += PROBE_MS) {
        if (!PeekNamedPipe((HANDLE)_get_osfhandle(child->output), NULL, 0, NULL, &byte_count, NULL))
            return false;
        if (byte_count > 0 || waited_ms >= timeout_ms)
            return byte_count > 0;
        Sleep(PROBE_MS);
    }
}

bool child_can_wait(void)
{
    return true;
}

const char *child_line(struct child *child, int timeout_ms)
{
    char byte;
    while (child->process > 0 && child->output >= 0 && wait_for_output(child, timeout_ms) &&
           _read(child->output, &byte, 1) == 1) {
        if (byte == '\n') {
            bool has_return = child->line_bytes > 0 && child->line[child->line_bytes - 1] == '\r';
            child->line[child->line_bytes - has_return] = 0;
            child->line_bytes = 0;
            return child->line;
        }
        if (child->line_bytes < sizeof child->line - 1)
            child->line[child->line_bytes++] = byte;
    }
    return NULL;
}

static void close_end(int *file)
{
    if (*file >= 0)
        disk_close_quietly(*file);
    *file = -1;
}

void child_close_input(struct child *child)
{
    close_end(&child->input);
}

static HANDLE handle_of(const struct child *child)
{
    return (HANDLE)(intptr_t)child->process;
}

// Forgets a child that has ended. What it has said until then is lost. A crash's code is an error of Windows.
static int forget(struct child *child)
{
    DWORD code = KILLED_CODE;
    GetExitCodeProcess(handle_of(child), &code);
    CloseHandle(handle_of(child));
    close_end(&child->input);
    close_end(&child->output);
    child->process = 0;
    return code == KILLED_CODE || code > UINT16_MAX ? CHILD_KILLED : (int)code;
}

bool child_has_ended(struct child *child, int *code)
{
    if (WaitForSingleObject(handle_of(child), 0) != WAIT_OBJECT_0)
        return false;
    *code = forget(child);
    return true;
}

int child_wait(struct child *child)
{
    child_close_input(child);
    WaitForSingleObject(handle_of(child), INFINITE);
    return forget(child);
}

int child_stop(struct child *child, int patience_ms)
{
    bool is_asked = windows_system_ask_to_stop(GetProcessId(handle_of(child)));
    DWORD wait_ms = is_asked && patience_ms > 0 ? (DWORD)patience_ms : 0;
    if (WaitForSingleObject(handle_of(child), wait_ms) != WAIT_OBJECT_0)
        TerminateProcess(handle_of(child), KILLED_CODE);
    WaitForSingleObject(handle_of(child), INFINITE);
    return forget(child);
}
