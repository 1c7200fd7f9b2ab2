// SPDX-License-Identifier: MIT
//
// The state that the commands of a running server act on: the lock of the state directory, the bans, the admins' keys,
// the options, and the audit log. main.c opens it before the match; nothing here is called in a tick. Files are read
// and written by the worker, so that a slow disk holds nothing up: changes of options one after another, each with a
// number by which somebody finds its outcome.
//
// The audit log says who gave the server which command, and with what result: one line each. Each line opens the file,
// because it may have been moved away since the last. A file of 1 MiB is renamed to PATH.1 first; five such files are
// kept.
#ifndef ADMIN_ADMIN_STATE_H
#define ADMIN_ADMIN_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "ban.h"
#include "base/error.h"
#include "base/log.h"
#include "game/map/map.h"
#include "game/rules/mode.h"
#include "lifecycle/bracket.h"
#include "lifecycle/settings.h"
#include "lifecycle/worker.h"
#include "monitor/status.h"
#include "options/options.h"
#include "records/records.h"

struct recorder;
struct rotation;

/// Questions of players that may wait for an answer at once.
#define PENDING_QUESTION_CAPACITY 8

/// What a command that is answered later has asked for.
enum command_subject {
    COMMAND_ASKS_NOTHING,
    COMMAND_ASKS_RECORDS, ///< about players
    COMMAND_BEGINS_MATCH,
    COMMAND_BEGINS_RECORDING,
    COMMAND_ENDS_RECORDING,
    COMMAND_RESTARTS, ///< the server
    COMMAND_CHANGES_OPTIONS,
    COMMAND_CHANGES_BANS,
    COMMAND_SUBJECTS
};

/// A question, by which its answer is found: commands.h. Zero: none.
struct command_question {
    enum command_subject subject;
    uint64_t number; ///< among those about its subject
};

/// A question that waits; COMMAND_ASKS_NOTHING: none.
struct pending_question {
    struct command_question question;
    uint32_t peer;
    uint8_t identity[IDENTITY_BYTES]; ///< of the player who asked; the peer may have another by then
};

/// Bytes of a path in the state directory.
#define ADMIN_STATE_PATH_BYTES (2 * OPTION_TEXT_BYTES)
/// Bytes of the text that says what a command has done, or why it failed.
#define ADMIN_STATE_ANSWER_BYTES ERROR_TEXT_BYTES
/// Bytes of a command's line at most.
#define ADMIN_STATE_LINE_BYTES_MAX 512
/// Commands that may wait for their outcome before they are in the audit log.
#define PENDING_AUDIT_CAPACITY 16

/// A command without an outcome in the audit log yet; COMMAND_ASKS_NOTHING: none.
struct pending_audit {
    struct command_question question;
    char who[FINGERPRINT_TEXT_BYTES]; ///< gave it
    char line[ADMIN_STATE_LINE_BYTES_MAX + 1];
};

/// Reads from the disk what a change of options needs: all options again, a password, the maps of a rotation. About
/// 220 KB: keep it static. option_change.c fills it in; `worker` is the caller's to set.
struct option_reader {
    struct worker_job job;
    struct worker *worker; ///< null: read at once
    const struct admin_state *admin;
    bool again;        ///< all options are read; otherwise one is set
    bool checks_maps;  ///< there is a match
    enum mode mode;    ///< of that
    bool good;         ///< what follows may be adopted; otherwise `error` says why not
    bool has_password; ///< `password` was read
    struct error error;
    struct settings read;            ///< by the last reading of all options
    struct settings fresh;           ///< to adopt
    struct settings_changes changes; ///< `kept` and `overridden`, if all options are read
    char password[PASSWORD_TEXT_BYTES];
    struct map map; ///< scratch: a map that is opened only as a check
};

/// A change of options.
struct option_change {
    char key[40]; ///< ""; all options are read again
    char value[ADMIN_STATE_LINE_BYTES_MAX + 1];
    struct settings_changes changes; ///< none until it is done
};

/// The newest changes; option_change.c makes them.
struct option_changes {
    struct answers answers; ///< what has changed as a sentence, or why nothing has
    struct option_change rows[ANSWERS_CAPACITY];
};

/// A ban, or the lifting of one, which is in force.
struct ban_change {
    uint64_t number; ///< of the request to write the file
    struct ban ban;  ///< a lifted one has only a target
    bool lifts;
    uint32_t kicked; ///< players
};

/// Whether the file of bans has a change.
enum ban_saving { BANS_PENDING, BANS_SAVED, BANS_LOST };

/// Bytes of a line with its end.
#define AUDIT_LOG_LINE_BYTES 1500
/// Lines that may wait for the disk.
#define AUDIT_LOG_LINES 32

/// About 50 KB: keep it static. Zero-initialise; `path`, `log` and `worker` are the caller's to set.
struct audit_log {
    struct worker_job job;
    struct worker *worker; ///< null: lines are written at once
    const struct log *log; ///< for failures, each of which is logged once
    char path[1024];
    atomic_uint put, taken; ///< lines so far
    bool failed;            ///< the job's
    char lines[AUDIT_LOG_LINES][AUDIT_LOG_LINE_BYTES];
};

/// About 880 KB: keep it static. Set the fields up to argv, open it, and set the match once there is one.
struct admin_state {
    struct settings *settings;
    struct log *log;
    const struct tick_stats *status;
    const struct tick_clock *clock;
    int64_t (*unix_time)(void);
    int argc; ///< and argv: the command line, which is read again
    char **argv;
    struct settings read; ///< as last read, without what was set since
    struct match *match;
    struct rotation *rotation; ///< which match comes next
    struct records *records;   ///< null: off
    struct recorder *recorder; ///< for recordings of the match
    bool keeps;                ///< this server owns the state directory, so it writes bans and the audit log
    bool ends;                 ///< a command has asked the server to end
    uint32_t changes;          ///< counts how often options have changed since the start
    struct bracket bracket;    ///< the tournament
    struct answers restarts;   ///< of the server, which commands or a signal ask for; main.c checks the next program
    struct pending_question questions[PENDING_QUESTION_CAPACITY];
    struct pending_audit audits[PENDING_AUDIT_CAPACITY];
    struct option_changes option_changes;
    struct option_reader reader; ///< for these
    char bans_path[ADMIN_STATE_PATH_BYTES];
    struct audit_log audit;
    struct ban_list bans;
    struct ban_file ban_file;
    struct ban_change ban_changes[ANSWERS_CAPACITY]; ///< by their numbers
};

/// Locks the state directory, unless the settings keep nothing, and reads the bans. EXIT_OK, or the exit code of an
/// error that has been logged.
int admin_state_open(struct admin_state *admin);
/// Refuses banned clients unless they are admins. For net_server_config; `admin` must outlive the transport.
struct net_admission admin_state_admission(struct admin_state *admin);
/// Returns whether --admin-key names this client's key.
bool admin_state_is_admin(const struct admin_state *admin, const struct net_client *client);

/// Asks that the bans be written. Returns the number of the request; 0: this server keeps none.
uint64_t admin_state_save_bans(struct admin_state *admin);
/// Returns whether the file has the bans of a request. BANS_LOST: they hold only until this server ends, and `answer`
/// says why.
enum ban_saving admin_state_saved_bans(const struct admin_state *admin, uint64_t number,
                                       char answer[ADMIN_STATE_ANSWER_BYTES]);
/// Appends a line to the audit log: who gave which command, and with what result.
void admin_state_audit(struct admin_state *admin, const char *who, const char *line, bool done, const char *answer);

/// Finds the folder for recordings that an admin starts: --record, else "replays" in a state directory that this server
/// owns. False if there is neither.
bool admin_state_record_folder(const struct admin_state *admin, char path[ADMIN_STATE_PATH_BYTES]);

/// Finds the path of a file in the state directory. False if there is no such directory.
bool admin_state_find(const struct admin_state *admin, const char *file, char path[ADMIN_STATE_PATH_BYTES]);
/// Applies the limits of the settings to the running match, at its next tick.
void admin_state_limit(struct admin_state *admin);

/// Takes the lock in the file at `path` until this program ends; creates the file and its folders. Returns false with
/// an error if a running server has the lock, or the file cannot be created.
bool admin_state_lock(const char *path, struct error *error);

/// Sets one option that may change while the server runs. Returns the number of the change; 0: too many wait.
uint64_t option_change_set(struct admin_state *admin, const char *key, const char *value);

/// Reads all options again and applies those that may change. What was set stays, unless the value that is read has
/// changed since it was last read. Returns the number of the change; 0: too many wait.
uint64_t option_change_reload(struct admin_state *admin);

/// Adopts what has been read, and begins with the next change. Call between ticks.
void option_change_update(struct admin_state *admin);

/// Returns what has become of a change, and in `fields` the answer, with its values, which stay until the next change;
/// none while it is open.
enum answer_outcome option_change_outcome(const struct admin_state *admin, uint64_t number, struct fields *fields);

#endif
