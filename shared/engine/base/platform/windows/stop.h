// SPDX-License-Identifier: MIT
//
// Inside the family of Windows only: how a process asks another one to end, as SIGTERM does elsewhere. A process that
// can be asked has an event in its session, named by its number.
#ifndef PLATFORM_WINDOWS_STOP_H
#define PLATFORM_WINDOWS_STOP_H

#include <stdbool.h>

/// From now on calls `stop`, in a thread of its own, for Ctrl-C, for the end of the session, and when another process
/// asks.
void windows_stop_take(void (*stop)(void));
/// Asks a process. False if it cannot be asked.
bool windows_stop_ask(unsigned long process);

#endif
