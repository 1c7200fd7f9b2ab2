// SPDX-License-Identifier: MIT
//
// stop_child PROGRAM [ARGUMENT]...: starts a program, waits for its first line, and asks it to stop. Exits with its
// code, or with 99 if it had to be killed, and 98 if it said nothing.
#include <stdio.h>

#include "base/platform/child.h"

#define PATIENCE_MS 60000
#define KILLED      99
#define SILENT      98

int main(int argc, char **argv)
{
    struct child child;
    if (argc < 2)
        return 64;
    const char *const *arguments = (const char *const *)(const void *)(argv + 1);
    if (!child_start(&child, &(struct child_command){argv[1], arguments, .gives_output = true}))
        return 69;
    bool has_begun = child_line(&child, PATIENCE_MS) != NULL;
    int code = child_stop(&child, PATIENCE_MS);
    return !has_begun ? SILENT : code == CHILD_KILLED ? KILLED : code;
}
