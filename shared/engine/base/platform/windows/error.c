// SPDX-License-Identifier: MIT
#include "error.h"

#include <winsock2.h>

#include <errno.h>
#include <stddef.h>

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

bool windows_error_take(void)
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

bool windows_error_take_socket(void)
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
