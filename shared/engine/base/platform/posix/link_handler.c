// SPDX-License-Identifier: MIT
#include "../link_handler.h"

#include <errno.h>

bool link_handler_register(const char *scheme, const char *program)
{
    (void)scheme, (void)program;
    errno = ENOSYS;
    return false;
}

bool link_handler_remove(const char *scheme)
{
    (void)scheme;
    errno = ENOSYS;
    return false;
}
