// SPDX-License-Identifier: MIT
//
// Which program opens the links of a scheme for this user, where the system keeps that in a list of its own (Windows).
// Elsewhere a file of the package says it to desktops.
#ifndef PLATFORM_LINK_HANDLER_H
#define PLATFORM_LINK_HANDLER_H

#include <stdbool.h>

/// Has a program open the links of a scheme, such as "deadfall", as the only operand of its command line, behind "--".
/// False with errno: ENOSYS where there is no such list.
bool link_handler_register(const char *scheme, const char *program);
/// Has no program open them, if one did. False with errno, as above.
bool link_handler_remove(const char *scheme);

#endif
