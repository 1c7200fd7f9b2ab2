// SPDX-License-Identifier: MIT
//
// Inside the platform's room only: the errors of the calls of Windows as errno has them, its sockets, its texts, which
// are UTF-16, its paths, with backslashes, and how a process asks another one to end, as SIGTERM does elsewhere: a
// process that can be asked has an event in its session, named by its number.
#ifndef PLATFORM_WINDOWS_SYSTEM_H
#define PLATFORM_WINDOWS_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/// Sets errno to what the last call of Windows has failed for. Returns false.
bool windows_system_take_error(void);
/// The same after a call of its sockets.
bool windows_system_take_socket_error(void);

/// Makes sockets usable, and waits exact to 1 ms. Call it before the first socket of a program; again is allowed.
void windows_system_begin_sockets(void);
/// Opens a socket of a type, SOCK_DGRAM or SOCK_STREAM, that no child gets. Returns its number, or -1 with errno.
int windows_system_open_socket(bool is_ipv6, int type);

/// UTF-16 units of a path with its final zero.
#define WINDOWS_PATH_UNITS 4096

/// Converts UTF-8. False with errno if it is none, or too long.
bool windows_system_wide(const char *text, wchar_t *wide, size_t unit_count);
/// Converts a path as this project has it into one that Windows takes, however long. False with errno.
bool windows_system_path(const char *path, wchar_t wide[WINDOWS_PATH_UNITS]);
/// The same for a program; its name here has no ending.
bool windows_system_program(const char *path, wchar_t wide[WINDOWS_PATH_UNITS]);
/// Converts UTF-16. False with errno if it does not fit.
bool windows_system_utf8(const wchar_t *wide, char *text, size_t text_bytes);

/// From now on calls `stop`, in a thread of its own, for Ctrl-C, for the end of the session, and when another process
/// asks.
void windows_system_take_stop(void (*stop)(void));
/// Asks a process. False if it cannot be asked.
bool windows_system_ask_to_stop(unsigned long process);

#endif
