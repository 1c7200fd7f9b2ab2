// SPDX-License-Identifier: MIT
#include "stop.h"

#include <windows.h>

#include <stdio.h>

#define NAME_UNITS 40

static void (*on_stop)(void);

static void name_of(unsigned long process, wchar_t name[NAME_UNITS])
{
    swprintf(name, NAME_UNITS, L"Local\\deadfall-stop-%lu", process);
}

static BOOL WINAPI take_console(DWORD kind)
{
    (void)kind;
    on_stop();
    // Windows ends a process as soon as the handler of a closed window returns, and after some seconds anyway.
    if (kind != CTRL_C_EVENT && kind != CTRL_BREAK_EVENT)
        Sleep(INFINITE);
    return TRUE;
}

static DWORD WINAPI wait_to_be_asked(void *asked)
{
    while (WaitForSingleObject(asked, INFINITE) == WAIT_OBJECT_0)
        on_stop();
    return 0;
}

void windows_stop_take(void (*stop)(void))
{
    wchar_t name[NAME_UNITS];
    on_stop = stop;
    SetConsoleCtrlHandler(take_console, TRUE);
    name_of(GetCurrentProcessId(), name);
    HANDLE asked = CreateEventW(NULL, FALSE, FALSE, name);
    HANDLE thread = asked ? CreateThread(NULL, 0, wait_to_be_asked, asked, 0, NULL) : NULL;
    if (thread)
        CloseHandle(thread);
}

bool windows_stop_ask(unsigned long process)
{
    wchar_t name[NAME_UNITS];
    name_of(process, name);
    HANDLE asked = OpenEventW(EVENT_MODIFY_STATE, FALSE, name);
    bool good = asked && SetEvent(asked);
    if (asked)
        CloseHandle(asked);
    return good;
}
