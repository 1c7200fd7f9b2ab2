// SPDX-License-Identifier: MIT
//
// The state that the commands of a running server act on: the lock of the state directory, the bans, the admins' keys
// and the audit log. It also changes options at run time: one at a command, or all when they are read again. main.c
// opens it before the match; nothing here is called in a tick.
#ifndef ADMIN_ADMIN_STATE_H
#define ADMIN_ADMIN_STATE_H

#include "audit_log.h"
#include "ban_list.h"
#include "base/error.h"
#include "lifecycle/settings.h"
#include "monitor/tick_stats.h"
#include "records/records.h"

struct recorder;
struct rotation;

/// Questions of players that may wait for an answer at once.
#define PENDING_QUESTION_CAPACITY 8

/// A question that waits; number 0: none.
struct pending_question {
    uint64_t number;
    uint32_t peer;
    uint8_t identity[IDENTITY_BYTES]; ///< of the player who asked; the peer may have another by then
};

/// A restart of the server that commands or a signal have asked for. main.c checks the next program and answers.
struct restart {
    uint64_t asked;     ///< number of the newest request; 0: none
    uint64_t answered;  ///< the newest one that has an outcome
    bool begins;        ///< the server restarts
    struct error error; ///< why it does not
};

/// Bytes of a path in the state directory.
#define ADMIN_STATE_PATH_BYTES (2 * OPTION_TEXT_BYTES)
/// Bytes of the text that says what a command has done, or why it failed.
#define ADMIN_STATE_ANSWER_BYTES ERROR_TEXT_BYTES

/// About 250 KB: keep it static. Set the fields up to argv, open it, and set the match once there is one.
struct admin_state {
    struct settings *settings;
    struct log *log;
    const struct tick_stats *status;
    const struct tick_clock *clock;
    int64_t (*unix_time)(void);
    int argc; ///< and argv: admin_state_reload reads them again
    char **argv;
    struct settings read; ///< as last read, without what was set since
    struct match *match;
    struct rotation *rotation; ///< which match comes next
    struct records *records;   ///< null: off
    struct recorder *recorder; ///< for recordings of the match
    bool keeps;                ///< this server owns the state directory, so it writes bans and the audit log
    bool ends;                 ///< a command has asked the server to end
    uint32_t changes;          ///< counts how often options have changed since the start
    struct restart restart;
    struct pending_question questions[PENDING_QUESTION_CAPACITY];
    char bans_path[ADMIN_STATE_PATH_BYTES];
    struct audit_log audit;
    struct ban_list bans;
};

/// Locks the state directory, unless the settings keep nothing, and reads the bans. EXIT_OK, or the exit code of an
/// error that has been logged.
int admin_state_open(struct admin_state *admin);
/// Refuses banned clients unless they are admins. For net_server_config; `admin` must outlive the transport.
struct net_admission admin_state_admission(struct admin_state *admin);
/// Returns whether --admin-key names this client's key.
bool admin_state_is_admin(const struct admin_state *admin, const struct net_client *client);

/// Writes the bans. False: they hold only until this server ends, and `answer` says why.
bool admin_state_save_bans(struct admin_state *admin, char answer[ADMIN_STATE_ANSWER_BYTES]);
/// Appends a line to the audit log: who gave which command, and with what result.
void admin_state_audit(struct admin_state *admin, const char *who, const char *line, bool done, const char *answer);

/// Finds the folder for recordings that an admin starts: --record, else "replays" in a state directory that this server
/// owns. False if there is neither.
bool admin_state_record_folder(const struct admin_state *admin, char path[ADMIN_STATE_PATH_BYTES]);

/// Finds the path of a file in the state directory. False if there is no such directory.
bool admin_state_find(const struct admin_state *admin, const char *file, char path[ADMIN_STATE_PATH_BYTES]);
/// Applies the limits of the settings to the running match, at its next tick.
void admin_state_limit(struct admin_state *admin);

/// Sets one option that may change while the server runs. `answer` says what changed, or why nothing did.
bool admin_state_set(struct admin_state *admin, const char *key, const char *value,
                     char answer[ADMIN_STATE_ANSWER_BYTES]);
/// What a reload has done.
struct admin_state_reload {
    struct settings_changes changes;       ///< none after an error
    char answer[ADMIN_STATE_ANSWER_BYTES]; ///< the same as a sentence; after an error, why nothing changed
};

/// Reads all options again and applies those that may change. What was set stays, unless the value that is read has
/// changed since it was last read. Returns whether the options could be read.
bool admin_state_reload(struct admin_state *admin, struct admin_state_reload *reload);
/// Returns a line about a reload and its values; the line may name {answer}. `reload` must stay as long.
struct fields admin_state_reload_fields(const struct admin_state_reload *reload, const char *line);

#endif
