// SPDX-License-Identifier: MIT
//
// The desk of a running server: what commands act on, whoever gives them, and what is kept of them. It holds the state
// directory's lock, the bans, and who is an admin; it reads the options again and puts to work what may change. The
// main opens it before the match; nothing here is called in a tick.
#ifndef OPERATIONS_DESK_H
#define OPERATIONS_DESK_H

#include "bans.h"
#include "records.h"
#include "settings.h"
#include "status.h"

struct rotation;

/// Bytes of a path in the state directory.
#define DESK_PATH_BYTES (2 * OPTION_TEXT_BYTES)
/// Bytes of a sentence that says what became of something.
#define DESK_SENTENCE_BYTES 640

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

/// Sets one option that may change while the server runs. The sentence says what became of it.
bool desk_set(struct desk *desk, const char *key, const char *value, char sentence[DESK_SENTENCE_BYTES]);
/// Reads all options again; what may change changes, a fault changes nothing. The sentence says what became of it.
bool desk_reload(struct desk *desk, char sentence[DESK_SENTENCE_BYTES]);

#endif
