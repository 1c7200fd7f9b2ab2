// SPDX-License-Identifier: MIT
//
// Inside the family of Windows only: the errors of its calls as errno has them.
#ifndef PLATFORM_WINDOWS_ERROR_H
#define PLATFORM_WINDOWS_ERROR_H

#include <stdbool.h>

/// Sets errno to what the last call of Windows has failed for. Returns false.
bool windows_error_take(void);
/// The same after a call of its sockets.
bool windows_error_take_socket(void);

#endif
