// SPDX-License-Identifier: MIT
//
// A page starts no programs.
#include "child.h"

#include <errno.h>

bool child_is_installed(const char *program)
{
    (void)program;
    return false;
}

bool child_start(struct child *child, const struct child_command *command)
{
    (void)child, (void)command;
    errno = ENOTSUP;
    return false;
}

const char *child_line(struct child *child, int timeout_ms)
{
    (void)child, (void)timeout_ms;
    return NULL;
}

void child_close_input(struct child *child)
{
    (void)child;
}

bool child_has_ended(struct child *child, int *code)
{
    (void)child;
    *code = CHILD_KILLED;
    return true;
}

int child_wait(struct child *child)
{
    (void)child;
    return CHILD_KILLED;
}

int child_stop(struct child *child, int patience_ms)
{
    (void)child, (void)patience_ms;
    return CHILD_KILLED;
}
