// SPDX-License-Identifier: MIT
//
// The desk of a running server: what commands act on, whoever gives them, and what is kept of them. It holds the state
// directory's lock, the bans, and who is an admin; it reads the options again and puts to work what may change. The
// main opens it before the match; nothing here is called in a tick.
#ifndef OPERATIONS_DESK_H
#define OPERATIONS_DESK_H

#include "bans.h"
#include "base/error.h"
#include "records.h"
#include "settings.h"
#include "status.h"

struct rotation;

/// Questions of players to the records that wait for an answer.
#define DESK_QUESTION_CAPACITY 8

/// One; number 0: none.
struct desk_question {
    uint64_t number;
    uint32_t peer;
    uint8_t identity[NET_IDENTITY_BYTES]; ///< of who asked: another may have the peer's number by then
};

/// Bytes of a path in the state directory.
#define DESK_PATH_BYTES (2 * OPTION_TEXT_BYTES)
/// Bytes of a sentence that says what became of something.
#define DESK_SENTENCE_BYTES ERROR_TEXT_BYTES

/// About 200 KB: keep it static. Set what stands first, open the desk, set the match once it stands.
struct desk {
    struct settings *settings;
    struct log *log;
    const struct status *status;
    const struct tick_clock *clock;
    int64_t (*unix_time)(void);
    int argc; ///< and argv: read again when asked to
    char **argv;
    struct match *match;
    struct rotation *rotation; ///< which match comes next
    struct records *records;   ///< null: off
    bool keeps;                ///< the state directory is ours: what is decided outlives the server
    bool ends;                 ///< the server has been told to end
    bool audit_failed;         ///< has been told
    struct desk_question questions[DESK_QUESTION_CAPACITY];
    char bans_path[DESK_PATH_BYTES];
    char audit_path[DESK_PATH_BYTES];
    struct bans bans;
};

/// Takes the state directory, unless the settings want nothing kept, and reads the bans. EXIT_OK, or the exit code of
/// what has been logged.
int desk_open(struct desk *desk);
/// Keeps out who is banned, but no admin. For net_server_config; the desk must outlive the transport.
struct net_admission desk_admission(struct desk *desk);
/// Whether --admin-key names this player.
bool desk_is_admin(const struct desk *desk, const struct net_guest *guest);

/// Writes the bans. False with a sentence: they hold only until this server ends.
bool desk_keep_bans(struct desk *desk, char sentence[DESK_SENTENCE_BYTES]);
/// One line in the audit log: who ordered what, and what became of it. A fault is told once.
void desk_audit(struct desk *desk, const char *who, const char *line, bool done, const char *answer);

/// Where a recording that an operator begins goes: --record, else "replays" in the state directory, if it is ours.
/// False if nowhere.
bool desk_record_folder(const struct desk *desk, char path[DESK_PATH_BYTES]);

/// Where a file of the state directory is. False: there is no such directory.
bool desk_find(const struct desk *desk, const char *file, char path[DESK_PATH_BYTES]);
/// The limits of the match become those of the settings.
void desk_limit(struct desk *desk);

/// Sets one option that may change while the server runs. The sentence says what became of it.
bool desk_set(struct desk *desk, const char *key, const char *value, char sentence[DESK_SENTENCE_BYTES]);
/// Reads all options again; what may change changes, a fault changes nothing. The sentence says what became of it.
bool desk_reload(struct desk *desk, char sentence[DESK_SENTENCE_BYTES]);

#endif
