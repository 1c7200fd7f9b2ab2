// SPDX-License-Identifier: MIT
//
// Programs that this one starts, what they say, and how they end. A child is asked to stop when this program ends,
// even by a crash.
#ifndef PLATFORM_CHILD_H
#define PLATFORM_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHILD_LINE_BYTES 256

/// What child_wait() and child_stop() return for a child that was killed.
#define CHILD_KILLED (-1)

/// A program that runs. Zero-initialise.
struct child {
    long process; ///< 0: none runs
    int input;    ///< to be written to, or -1
    int output;   ///< that child_line() reads, or -1
    size_t line_bytes;
    char line[CHILD_LINE_BYTES]; ///< that is being read
};

/// What to start.
struct child_command {
    const char *program;          ///< a path, or a name to be looked for where programs are
    const char *const *arguments; ///< the first is the name; NULL is behind the last
    bool takes_input;             ///< from `input`; else it reads what this program does
    bool gives_output;            ///< to child_line(); else it says it where this program does
    bool gives_errors;            ///< to child_line(), too
};

/// Returns whether a program is where programs are, by its name alone.
bool child_is_installed(const char *program);
/// Starts a program. False with errno. Whether the program can be run shows by its end.
bool child_start(struct child *child, const struct child_command *command);
/// Returns the next line that the child has said, without its end, valid until the next call; a longer one is cut.
/// Waits for each byte at most so long. Null if there is no whole line yet, or none any more.
const char *child_line(struct child *child, int timeout_ms);
/// Ends the child's input, as the end of a file.
void child_close_input(struct child *child);
/// Returns whether this system can wait for a child, so that child_line() and child_stop() do: a page cannot.
bool child_can_wait(void);
/// Looks whether the child has ended; if so, none runs after this call, and `*code` is its exit code or CHILD_KILLED.
bool child_has_ended(struct child *child, int *code);
/// Waits for the end of the child, after that of its input. Returns its exit code, or CHILD_KILLED.
int child_wait(struct child *child);
/// Asks the child to stop, and kills it if it still runs after `patience_ms`. Returns its exit code, or CHILD_KILLED.
int child_stop(struct child *child, int patience_ms);

#endif
