// SPDX-License-Identifier: MIT
//
// The state that the commands of a running server act on: the lock of the state directory, the bans, the admins' keys
// and the audit log. main.c opens it before the match; nothing here is called in a tick.
#ifndef ADMIN_ADMIN_STATE_H
#define ADMIN_ADMIN_STATE_H

#include "audit_log.h"
#include "ban_file.h"
#include "base/error.h"
#include "lifecycle/bracket.h"
#include "lifecycle/settings_reader.h"
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
/// Bytes of a command's line at most.
#define ADMIN_STATE_LINE_BYTES_MAX 512
/// Commands that may wait for their outcome before they are in the audit log.
#define PENDING_AUDIT_CAPACITY 16

/// A command without an outcome in the audit log yet; number 0: none.
struct pending_audit {
    uint64_t number;                  ///< of its question
    char who[FINGERPRINT_TEXT_BYTES]; ///< gave it
    char line[ADMIN_STATE_LINE_BYTES_MAX + 1];
};

/// Changes of options that may wait, and outcomes that are remembered.
#define OPTION_CHANGE_CAPACITY 16

/// A change of options, and what has become of it.
struct option_change {
    char key[40]; ///< ""; all options are read again
    char value[ADMIN_STATE_LINE_BYTES_MAX + 1];
    bool done;                             ///< otherwise `answer` says why not
    struct settings_changes changes;       ///< none after an error
    char answer[ADMIN_STATE_ANSWER_BYTES]; ///< the same as a sentence; after an error, why nothing changed
};

/// The newest changes; option_change.h makes them.
struct option_changes {
    uint64_t asked, finished; ///< numbers of changes, from 1
    struct option_change rows[OPTION_CHANGE_CAPACITY];
};

/// Bans and liftings with answers that may wait for the disk.
#define BAN_CHANGE_CAPACITY 16

/// A ban, or the lifting of one, which is in force.
struct ban_change {
    uint64_t number; ///< of the request to write the file
    struct ban ban;  ///< a lifted one has only a target
    bool lifts;
    uint32_t kicked; ///< players
};

/// Whether the file of bans has a change.
enum ban_saving { BANS_PENDING, BANS_SAVED, BANS_LOST };

/// About 750 KB: keep it static. Set the fields up to argv, open it, and set the match once there is one.
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
    struct bracket bracket;    ///< the tournament
    struct restart restart;
    struct pending_question questions[PENDING_QUESTION_CAPACITY];
    struct pending_audit audits[PENDING_AUDIT_CAPACITY];
    struct option_changes option_changes;
    struct settings_reader reader; ///< for these
    char bans_path[ADMIN_STATE_PATH_BYTES];
    struct audit_log audit;
    struct ban_list bans;
    struct ban_file ban_file;
    struct ban_change ban_changes[BAN_CHANGE_CAPACITY];
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

#endif
