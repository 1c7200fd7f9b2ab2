// SPDX-License-Identifier: MIT
#include "../stream.h"

#include <winsock2.h>

#include <windows.h>

#include <accctrl.h>
#include <aclapi.h>
#include <errno.h>
#include <limits.h>
#include <sddl.h>
#include <stdlib.h>

#include "system.h"

int stream_open(bool is_ipv6)
{
    u_long on = 1;
    int opened = windows_system_open_socket(is_ipv6, SOCK_STREAM);
    if (opened >= 0)
        ioctlsocket((SOCKET)opened, (long)FIONBIO, &on);
    return opened;
}

bool stream_bind(int socket, const struct net_address *own)
{
    struct sockaddr_storage address;
    int size = (int)ip_address_to_socket(own, &address);
    return bind((SOCKET)socket, (const struct sockaddr *)&address, size) == 0 || windows_system_take_socket_error();
}

bool stream_connect(int socket, const struct net_address *to)
{
    struct sockaddr_storage address;
    int size = (int)ip_address_to_socket(to, &address);
    return connect((SOCKET)socket, (const struct sockaddr *)&address, size) == 0 ||
           windows_system_take_socket_error() || errno == EAGAIN;
}

static int64_t counted(int count)
{
    if (count < 0)
        windows_system_take_socket_error();
    return count;
}

static int limited(size_t byte_count)
{
    return byte_count < INT_MAX ? (int)byte_count : INT_MAX;
}

int64_t stream_send(int socket, const void *bytes, size_t byte_count)
{
    return counted(send((SOCKET)socket, bytes, limited(byte_count), 0));
}

int64_t stream_receive(int socket, void *bytes, size_t capacity)
{
    return counted(recv((SOCKET)socket, bytes, limited(capacity), 0));
}

void stream_wait(int socket, bool to_send, int timeout_ms)
{
    WSAPOLLFD connection = {.fd = (SOCKET)socket, .events = to_send ? POLLOUT : POLLIN};
    WSAPoll(&connection, 1, timeout_ms);
}

void stream_end(int socket)
{
    shutdown((SOCKET)socket, SD_BOTH);
}

void stream_close(int socket)
{
    closesocket((SOCKET)socket);
}

#define NAME_PREFIX  L"\\\\.\\pipe\\"
#define NAME_UNITS   256 // that Windows takes
#define BUFFER_BYTES 65536
#define CHUNK_BYTES  4096 // a pipe that does not wait takes a piece as a whole, or nothing of it
#define PROBE_MS     2    // between two looks into a pipe, which cannot be waited for
#define BUSY_MS      2000 // until a program takes the connection before
#define USER_BYTES   256
#define RULE_UNITS   512

struct local_socket {
    HANDLE waits; // null: none could be made, so that is tried again
    unsigned capacity;
    wchar_t name[NAME_UNITS];
};

// The user of this process; null with errno.
static const TOKEN_USER *find_user(uint64_t room[USER_BYTES / sizeof(uint64_t)])
{
    HANDLE token;
    DWORD length;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return windows_system_take_error(), NULL;
    bool found = GetTokenInformation(token, TokenUser, room, USER_BYTES, &length);
    if (!found)
        windows_system_take_error();
    CloseHandle(token);
    return found ? (const TOKEN_USER *)(const void *)room : NULL;
}

// A path is the same file in capitals, and from another folder. A name of a pipe has no backslash.
static bool write_name(const char *path, wchar_t name[NAME_UNITS])
{
    wchar_t given[WINDOWS_PATH_UNITS], whole[WINDOWS_PATH_UNITS];
    size_t prefix_units = wcslen(NAME_PREFIX);
    if (!windows_system_wide(path, given, WINDOWS_PATH_UNITS))
        return false;
    bool is_name = wcsncmp(given, NAME_PREFIX, prefix_units) == 0;
    DWORD length = is_name ? 0 : GetFullPathNameW(given, WINDOWS_PATH_UNITS, whole, NULL);
    const wchar_t *rest = is_name ? given + prefix_units : whole;
    errno = ENAMETOOLONG;
    if (length >= WINDOWS_PATH_UNITS || (!is_name && length == 0) || wcslen(rest) >= NAME_UNITS - prefix_units)
        return false;
    wcscpy(name, NAME_PREFIX);
    wcscat(name, rest);
    CharLowerW(name + prefix_units);
    for (wchar_t *at = name + prefix_units; *at; at++)
        if (wcschr(L"\\/:", *at))
            *at = L'!';
    return true;
}

// Only this user may open it, from this machine; of the first instance, nobody else may have one of that name.
static HANDLE make_instance(const struct local_socket *listener, bool is_first)
{
    uint64_t room[USER_BYTES / sizeof(uint64_t)];
    wchar_t *user, rule[RULE_UNITS];
    HANDLE made = INVALID_HANDLE_VALUE;
    PSECURITY_DESCRIPTOR descriptor;
    const TOKEN_USER *own = find_user(room);
    if (!own || !ConvertSidToStringSidW(own->User.Sid, &user))
        return NULL;
    swprintf(rule, RULE_UNITS, L"O:%lsD:P(A;;GA;;;%ls)", user, user);
    LocalFree(user);
    if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(rule, SDDL_REVISION_1, &descriptor, NULL))
        return NULL;
    SECURITY_ATTRIBUTES security = {.nLength = sizeof security, .lpSecurityDescriptor = descriptor};
    made = CreateNamedPipeW(listener->name, PIPE_ACCESS_DUPLEX | (is_first ? FILE_FLAG_FIRST_PIPE_INSTANCE : 0),
                            PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_NOWAIT | PIPE_REJECT_REMOTE_CLIENTS,
                            PIPE_UNLIMITED_INSTANCES, BUFFER_BYTES, BUFFER_BYTES, 0, &security);
    DWORD reason = GetLastError();
    LocalFree(descriptor);
    SetLastError(reason);
    return made == INVALID_HANDLE_VALUE ? NULL : made;
}

// Wine makes another first instance of a name.
static bool is_taken(const wchar_t *name)
{
    return WaitNamedPipeW(name, 1) || GetLastError() == ERROR_SEM_TIMEOUT;
}

// Who connects while another connection is taken waits for the next instance, so there is no capacity.
struct local_socket *stream_local_open(const char *path, unsigned capacity, const char **fault)
{
    struct local_socket *listener = calloc(1, sizeof *listener);
    (void)capacity;
    *fault = "out of memory";
    if (!listener)
        return NULL;
    bool has_name = write_name(path, listener->name), taken = has_name && is_taken(listener->name);
    listener->waits = has_name && !taken ? make_instance(listener, true) : NULL;
    if (listener->waits)
        return listener;
    *fault = !has_name                                        ? "no named pipe can have that path"
             : taken || GetLastError() == ERROR_ACCESS_DENIED ? "another server answers there"
                                                              : "its named pipe cannot be made";
    free(listener);
    return NULL;
}

static int number_of(HANDLE handle)
{
    return (int)(intptr_t)handle; // a handle has 32 bits that count
}

static HANDLE handle_of(int connection)
{
    return (HANDLE)(intptr_t)connection;
}

int stream_local_accept(struct local_socket *listener)
{
    if (!listener->waits)
        listener->waits = make_instance(listener, false);
    if (!listener->waits || ConnectNamedPipe(listener->waits, NULL) || GetLastError() == ERROR_PIPE_LISTENING)
        return -1;
    bool is_there = GetLastError() == ERROR_PIPE_CONNECTED || GetLastError() == ERROR_NO_DATA;
    HANDLE connection = listener->waits;
    listener->waits = make_instance(listener, false);
    if (is_there) // one that has sent something and gone is there until that is read
        return number_of(connection);
    CloseHandle(connection);
    return -1;
}

void stream_local_close(struct local_socket *listener)
{
    if (listener && listener->waits)
        CloseHandle(listener->waits);
    free(listener);
}

// Somebody else could have made a pipe of that name first, but not as this user.
static bool is_of_user(HANDLE connection)
{
    uint64_t room[USER_BYTES / sizeof(uint64_t)];
    PSECURITY_DESCRIPTOR descriptor;
    PSID owner;
    const TOKEN_USER *own = find_user(room);
    if (!own || GetSecurityInfo(connection, SE_KERNEL_OBJECT, OWNER_SECURITY_INFORMATION, &owner, NULL, NULL, NULL,
                                &descriptor) != ERROR_SUCCESS)
        return false;
    bool is_own = owner && EqualSid(owner, own->User.Sid);
    LocalFree(descriptor);
    return is_own;
}

// The other side learns who this is and cannot act as them.
static HANDLE open_pipe(const wchar_t *name)
{
    return CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                       SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, NULL);
}

int stream_local_connect(const char *path)
{
    wchar_t name[NAME_UNITS];
    DWORD mode = PIPE_READMODE_BYTE | PIPE_NOWAIT;
    ULONG process;
    if (!write_name(path, name))
        return -1;
    HANDLE connection = open_pipe(name);
    for (int waited_ms = 0;
         connection == INVALID_HANDLE_VALUE && GetLastError() == ERROR_PIPE_BUSY && waited_ms < BUSY_MS;
         waited_ms += PROBE_MS) {
        Sleep(PROBE_MS);
        connection = open_pipe(name);
    }
    if (connection == INVALID_HANDLE_VALUE) {
        windows_system_take_error();
        return -1;
    }
    if (!is_of_user(connection) || !SetNamedPipeHandleState(connection, &mode, NULL, NULL)) {
        CloseHandle(connection);
        errno = EACCES;
        return -1;
    }
    if (GetNamedPipeServerProcessId(connection, &process))
        AllowSetForegroundWindow(process); // its window may come to the front for what this program asks
    return number_of(connection);
}

int64_t stream_local_send(int connection, const void *bytes, size_t byte_count)
{
    size_t done = 0;
    while (done < byte_count) {
        DWORD wanted = (DWORD)(byte_count - done < CHUNK_BYTES ? byte_count - done : CHUNK_BYTES), count = 0;
        bool good = WriteFile(handle_of(connection), (const char *)bytes + done, wanted, &count, NULL);
        done += count;
        if (!good && done == 0)
            return windows_system_take_error(), -1;
        if (!good || count < wanted)
            break;
    }
    errno = EAGAIN;
    return done > 0 || byte_count == 0 ? (int64_t)done : -1;
}

int64_t stream_local_receive(int connection, void *bytes, size_t capacity)
{
    DWORD count = 0, wanted = (DWORD)(capacity < BUFFER_BYTES ? capacity : BUFFER_BYTES);
    bool good = ReadFile(handle_of(connection), bytes, wanted, &count, NULL);
    if (good && count > 0)
        return count;
    DWORD reason = good ? ERROR_NO_DATA : GetLastError();
    if (reason == ERROR_BROKEN_PIPE || reason == ERROR_PIPE_NOT_CONNECTED)
        return 0;
    windows_system_take_error();
    errno = reason == ERROR_NO_DATA ? EAGAIN : errno;
    return -1;
}

bool stream_local_wait(int connection, int timeout_ms)
{
    DWORD byte_count;
    for (int waited_ms = 0;; waited_ms += PROBE_MS) {
        if (!PeekNamedPipe(handle_of(connection), NULL, 0, NULL, &byte_count, NULL) || byte_count > 0)
            return true; // the end, or something
        if (timeout_ms >= 0 && waited_ms >= timeout_ms)
            return false;
        Sleep(PROBE_MS);
    }
}

void stream_local_hang_up(int connection)
{
    CloseHandle(handle_of(connection));
}
