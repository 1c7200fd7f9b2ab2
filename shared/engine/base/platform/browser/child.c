// SPDX-License-Identifier: MIT
//
// Programs beside the page run in workers: see child.js. A page cannot wait for them, so what waits elsewhere
// returns at once here.
#include "../child.h"

#include <errno.h>

int browser_child_start(const char *program, const char *const *arguments);
int browser_child_line(int number, char *line, size_t line_bytes);
int browser_child_has_ended(int number, int *code);
void browser_child_stop(int number, int patience_ms);

bool child_is_installed(const char *program)
{
    (void)program;
    return false;
}

bool child_start(struct child *child, const struct child_command *command)
{
    *child = (struct child){.process = browser_child_start(command->program, command->arguments + 1), -1, -1};
    errno = child->process ? 0 : ENOTSUP;
    return child->process;
}

bool child_can_wait(void)
{
    return false;
}

const char *child_line(struct child *child, int timeout_ms)
{
    (void)timeout_ms;
    return child->process && browser_child_line((int)child->process, child->line, sizeof child->line) ? child->line
                                                                                                      : NULL;
}

void child_close_input(struct child *child)
{
    (void)child;
}

bool child_has_ended(struct child *child, int *code)
{
    *code = CHILD_KILLED;
    if (child->process && !browser_child_has_ended((int)child->process, code))
        return false;
    child->process = 0;
    return true;
}

int child_wait(struct child *child)
{
    return child_stop(child, 0);
}

int child_stop(struct child *child, int patience_ms)
{
    int code = 0;
    if (!child_has_ended(child, &code))
        browser_child_stop((int)child->process, patience_ms);
    child->process = 0;
    return code;
}
