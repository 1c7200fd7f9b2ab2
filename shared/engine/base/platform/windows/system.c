// SPDX-License-Identifier: MIT
#include "system.h"

#include <winsock2.h>

#include <windows.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <timeapi.h>

struct meaning {
    unsigned long code;
    int reason;
};

static int reason_of(const struct meaning *meanings, size_t count, unsigned long code)
{
    for (size_t i = 0; i < count; i++)
        if (meanings[i].code == code)
            return meanings[i].reason;
    return EIO;
}

bool windows_system_take_error(void)
{
    static const struct meaning MEANINGS[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},      {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},         {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},       {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_WRITE_PROTECT, EROFS},        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},      {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},    {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
        {ERROR_LOCK_VIOLATION, EWOULDBLOCK}, {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_DIRECTORY, ENOTDIR},          {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},   {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_BROKEN_PIPE, EPIPE},          {ERROR_NO_DATA, EPIPE},
        {ERROR_INVALID_HANDLE, EBADF},       {ERROR_INVALID_PARAMETER, EINVAL},
        {ERROR_NOT_SAME_DEVICE, EXDEV},
    };
    errno = reason_of(MEANINGS, sizeof MEANINGS / sizeof *MEANINGS, GetLastError());
    return false;
}

bool windows_system_take_socket_error(void)
{
    static const struct meaning MEANINGS[] = {
        {WSAEWOULDBLOCK, EAGAIN},
        {WSAEINPROGRESS, EINPROGRESS},
        {WSAEALREADY, EALREADY},
        {WSAEINTR, EINTR},
        {WSAEACCES, EACCES},
        {WSAEADDRINUSE, EADDRINUSE},
        {WSAEADDRNOTAVAIL, EADDRNOTAVAIL},
        {WSAEAFNOSUPPORT, EAFNOSUPPORT},
        {WSAECONNREFUSED, ECONNREFUSED},
        {WSAECONNRESET, ECONNRESET},
        {WSAECONNABORTED, ECONNABORTED},
        {WSAENETUNREACH, ENETUNREACH},
        {WSAEHOSTUNREACH, EHOSTUNREACH},
        {WSAETIMEDOUT, ETIMEDOUT},
        {WSAENOTCONN, EAGAIN}, // not yet
        {WSAEISCONN, EISCONN},
        {WSAEMSGSIZE, EMSGSIZE},
        {WSAENOBUFS, ENOBUFS},
        {WSAEMFILE, EMFILE},
        {WSAENOTSOCK, ENOTSOCK},
        {WSAEINVAL, EINVAL},
        {WSAESHUTDOWN, EPIPE},
        {WSAENETDOWN, ENETDOWN},
    };
    errno = reason_of(MEANINGS, sizeof MEANINGS / sizeof *MEANINGS, (unsigned long)WSAGetLastError());
    return false;
}

#define WINSOCK_MAJOR 2
#define WINSOCK_MINOR 2

static void begin_sockets(void)
{
    WSADATA facts;
    WSAStartup(MAKEWORD(WINSOCK_MAJOR, WINSOCK_MINOR), &facts);
    timeBeginPeriod(1);
}

void windows_system_begin_sockets(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin_sockets);
}

int windows_system_open_socket(bool is_ipv6, int type)
{
    windows_system_begin_sockets();
    SOCKET opened =
        WSASocketW(is_ipv6 ? AF_INET6 : AF_INET, type, 0, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    if (opened == INVALID_SOCKET) {
        windows_system_take_socket_error();
        return -1;
    }
    return (int)opened; // a handle has 32 bits that count
}

#define LONG_PREFIX L"\\\\?\\"
#define PLAIN_UNITS 240 // a longer path needs the prefix, and must be absolute then

bool windows_system_wide(const char *text, wchar_t *wide, size_t unit_count)
{
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, (int)unit_count) > 0)
        return true;
    errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
    return false;
}

bool windows_system_path(const char *path, wchar_t wide[WINDOWS_PATH_UNITS])
{
    wchar_t given[WINDOWS_PATH_UNITS];
    if (!windows_system_wide(path, given, WINDOWS_PATH_UNITS))
        return false;
    for (wchar_t *at = given; *at; at++)
        if (*at == L'/')
            *at = L'\\';
    size_t prefix_units = wcslen(given) < PLAIN_UNITS || wcsncmp(given, L"\\\\", 2) == 0 ? 0 : wcslen(LONG_PREFIX);
    wcscpy(wide, prefix_units ? LONG_PREFIX : given);
    if (prefix_units == 0)
        return true;
    DWORD room = (DWORD)(WINDOWS_PATH_UNITS - prefix_units);
    DWORD length = GetFullPathNameW(given, room, wide + prefix_units, NULL);
    if (length > 0 && length < room)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

bool windows_system_program(const char *path, wchar_t wide[WINDOWS_PATH_UNITS])
{
    if (!windows_system_path(path, wide))
        return false;
    const wchar_t *last = wcsrchr(wide, L'\\');
    if (wcschr(last ? last : wide, L'.') == NULL && wcslen(wide) + wcslen(L".exe") < WINDOWS_PATH_UNITS)
        wcscat(wide, L".exe");
    return true;
}

bool windows_system_utf8(const wchar_t *wide, char *text, size_t text_bytes)
{
    if (WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)text_bytes, NULL, NULL) > 0)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

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

void windows_system_take_stop(void (*stop)(void))
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

bool windows_system_ask_to_stop(unsigned long process)
{
    wchar_t name[NAME_UNITS];
    name_of(process, name);
    HANDLE asked = OpenEventW(EVENT_MODIFY_STATE, FALSE, name);
    bool good = asked && SetEvent(asked);
    if (asked)
        CloseHandle(asked);
    return good;
}
