// SPDX-License-Identifier: MIT
//
// What people tell a running server in words: one table of commands for all entrances (lines of players that begin with
// '/', the admin socket), each with its arguments, who may give it, its sentence for help, and what it does. Lines come
// from anyone and may say anything. Answers go to who asked.
#ifndef ADMIN_COMMANDS_H
#define ADMIN_COMMANDS_H

#include "admin_state.h"
#include "match/match.h"

/// Of a caller who is not in the match.
#define CALLER_OUTSIDE UINT32_MAX
/// Bytes of a line of a command at most, and of a line of its answer.
#define COMMAND_LINE_BYTES_MAX   512
#define COMMAND_ANSWER_BYTES_MAX 700

/// Who gives a command, and where the answer goes.
struct caller {
    uint32_t peer;    ///< his connection to the match, or CALLER_OUTSIDE
    bool admin;       ///< may do everything
    const char *name; ///< for the audit log: his fingerprint, or "socket"
    void (*answer)(void *context, const char *line);
    bool (*wait)(void *context, uint64_t question); ///< keeps a question to the records; null, false: he cannot wait
    void *context;
};

/// A command that is being done.
struct call {
    struct admin_state *desk;
    const struct caller *caller;
    const char *argument;                        ///< all after the name, "" if nothing
    char answered[COMMAND_ANSWER_BYTES_MAX + 1]; ///< the last line of the answer, for the audit log
};

/// Who may give a command.
enum command_right {
    COMMAND_RIGHT_PLAYER, ///< who is in the match
    COMMAND_RIGHT_ANYONE,
    COMMAND_RIGHT_ADMIN,
};

struct command_row {
    const char *name, *arguments, *help;
    enum command_right right;
    bool (*run)(struct call *call); ///< true: it has been done
};

/// Does what a line (clean text, without '/') says. True if it has been done; otherwise the answer says why not.
bool commands_run(struct admin_state *desk, const struct caller *caller, const char *line);

/// Tells the caller a line. False, so that a refusal is `return call_refuse(...)`.
void call_answer(struct call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool call_refuse(struct call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// The listener for match_config: the commands of players, who are admins by their keys.
struct command_listener commands_listener(struct admin_state *desk);

#endif
