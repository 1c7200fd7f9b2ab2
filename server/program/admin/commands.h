// SPDX-License-Identifier: MIT
//
// The commands that people give a running server as lines of text: one list for chat lines that begin with '/' and for
// the admin socket. Lines are hostile input. Answers go to the caller alone.
//
// Some answers come later, such as from the database of records or when the map of the next match is ready. Then the
// command gives its caller a question; the caller keeps it and asks for the answer now and then.
//
// Every command is a function that takes a call and returns whether it was carried out; a refusal is
// `return command_call_refuse(call, ...)`. A word names a player by #SLOT, by their name in any case and in "quotes" if
// it has blanks, or by their key.
#ifndef ADMIN_COMMANDS_H
#define ADMIN_COMMANDS_H

#include "admin_state.h"
#include "base/log.h"
#include "command_list.h"
#include "match/match.h"

/// The peer of a caller who is not in the match.
#define COMMAND_CALLER_OUTSIDE UINT32_MAX
/// Bytes of a command's line at most, and of one line of its answer.
#define COMMAND_LINE_BYTES_MAX   ADMIN_STATE_LINE_BYTES_MAX
#define COMMAND_ANSWER_BYTES_MAX 700

/// The caller of a command, and how to answer.
struct command_caller {
    uint32_t peer;    ///< their connection to the match, or COMMAND_CALLER_OUTSIDE
    uint32_t slot;    ///< theirs in the match, if they are in it
    bool is_admin;    ///< may give every command that needs no seat in the match
    const char *name; ///< for the audit log: a fingerprint, or "socket"
    void (*answer)(void *context, const char *line, const struct fields *fields); ///< fields null: only text
    bool (*wait)(void *context, struct command_question question); ///< waits for a later answer; false or null: cannot
    void *context;
};

/// A command while it is carried out.
struct command_call {
    struct admin_state *admin;
    const struct command_caller *caller;
    const char *argument;                           ///< the line after the command's name, "" if nothing follows
    char last_answer[COMMAND_ANSWER_BYTES_MAX + 1]; ///< the last line of the answer, for the audit log
    bool only_reads;                                ///< changes nothing, so the audit log leaves it out
    struct command_question question;               ///< the caller waits for its answer
};

/// Sends the caller one line.
void command_call_answer(struct command_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Sends the caller one line with values in it; `event` says what the line is about.
void command_call_report(struct command_call *call, const struct fields *fields);
/// The same for a line that is made already; that of the fields does not count.
void command_call_report_text(struct command_call *call, const char *text, const struct fields *fields);
/// Sends the caller the reason why the command is refused. Always returns false.
bool command_call_refuse(struct command_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Lets the caller wait for the answer to a question. False if they cannot.
bool command_call_wait(struct command_call *call, enum command_subject subject, uint64_t number);
/// Queues a command for the match's next tick. False after it has refused the call because the queue is full.
bool command_call_enqueue(struct command_call *call, const struct command *command);

/// Bytes of a word, with the final zero.
#define COMMAND_WORD_BYTES 80

/// Reads the next word of a line, or the text in "quotes", and returns the rest of the line. The word is empty if there
/// is none, or if it is too long.
const char *command_call_word(const char *line, char word[COMMAND_WORD_BYTES]);
/// Returns the slot of the player in the match that a word names; PLAYER_CAPACITY: nobody.
uint32_t command_call_player(const struct match *match, const char *word);
/// Refuses a call because its word names nobody. Always returns false.
bool command_call_refuse_word(struct command_call *call, const char *word);
/// Writes the name of the player in a slot.
void command_call_name(const struct match *match, uint32_t slot, char name[PLAYER_NAME_BYTES + 1]);

/// Executes one line (clean text, without '/'). Returns whether it was carried out; if not, the answer says why.
bool command_run(struct admin_state *admin, const struct command_caller *caller, const char *line);

/// The listener for match_config: executes the commands of players, who are admins by their keys.
struct command_listener command_listener_of(struct admin_state *admin);

/// Sends the answer to a question, line by line, as a command does. ANSWER_OPEN while there is none; ANSWER_DONE if the
/// command was carried out, else ANSWER_FAILED.
enum answer_outcome command_question_answer(const struct admin_state *admin, struct command_question question,
                                            const struct command_caller *caller);

/// Keeps the question of a player in the match until its answer comes. False if too many wait.
bool command_question_keep(struct admin_state *admin, uint32_t peer, struct command_question question);

/// Sends the answers that have come to the players who asked, and writes them to the audit log. Call between ticks.
void command_question_send_answers(struct admin_state *admin);

/// Each carries out the command of its name and returns whether it did: command_help() and so on.
#define COMMAND_FUNCTION(name, arguments, help, right) bool command_##name(struct command_call *call);
COMMAND_LIST(COMMAND_FUNCTION)

/// Answer to a command once its outcome is known, as command_question_answer() does: whether a recording has begun or
/// ended, options have changed, a ban is on the disk, another match begins, the server restarts.
typedef enum answer_outcome command_outcome(const struct admin_state *admin, struct command_question question,
                                            const struct command_caller *caller);
command_outcome command_recorded, command_changed, command_saved, command_began, command_restarted;

#endif
