// SPDX-License-Identifier: MIT
//
// The desk of a running server: what commands act on, whoever gives them, and what is kept of them. It holds the state
// directory's lock, the bans, and who is an admin; it reads the options again and puts to work what may change. The
// main opens it before the match; nothing here is called in a tick.
#ifndef ADMIN_ADMIN_STATE_H
#define ADMIN_ADMIN_STATE_H

#include "bans.h"
#include "base/error.h"
#include "lifecycle/settings.h"
#include "monitor/tick_stats.h"
#include "records/records.h"

struct rotation;

/// Questions of players to the records that wait for an answer.
#define PENDING_QUESTION_CAPACITY 8

/// One; number 0: none.
struct pending_question {
    uint64_t number;
    uint32_t peer;
    uint8_t identity[NET_IDENTITY_BYTES]; ///< of who asked: another may have the peer's number by then
};

/// Bytes of a path in the state directory.
#define ADMIN_STATE_PATH_BYTES (2 * OPTION_TEXT_BYTES)
/// Bytes of a sentence that says what became of something.
#define ADMIN_STATE_SENTENCE_BYTES ERROR_TEXT_BYTES

/// About 200 KB: keep it static. Set what stands first, open the desk, set the match once it stands.
struct admin_state {
    struct settings *settings;
    struct log *log;
    const struct tick_stats *status;
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
    struct pending_question questions[PENDING_QUESTION_CAPACITY];
    char bans_path[ADMIN_STATE_PATH_BYTES];
    char audit_path[ADMIN_STATE_PATH_BYTES];
    struct bans bans;
};

/// Takes the state directory, unless the settings want nothing kept, and reads the bans. EXIT_OK, or the exit code of
/// what has been logged.
int admin_state_open(struct admin_state *admin);
/// Keeps out who is banned, but no admin. For net_server_config; the desk must outlive the transport.
struct net_admission admin_state_admission(struct admin_state *admin);
/// Whether --admin-key names this player.
bool admin_state_is_admin(const struct admin_state *admin, const struct net_client *client);

/// Writes the bans. False with a sentence: they hold only until this server ends.
bool admin_state_save_bans(struct admin_state *admin, char sentence[ADMIN_STATE_SENTENCE_BYTES]);
/// One line in the audit log: who ordered what, and what became of it. A fault is told once.
void admin_state_audit(struct admin_state *admin, const char *who, const char *line, bool done, const char *answer);

/// Where a recording that an operator begins goes: --record, else "replays" in the state directory, if it is ours.
/// False if nowhere.
bool admin_state_record_folder(const struct admin_state *admin, char path[ADMIN_STATE_PATH_BYTES]);

/// Where a file of the state directory is. False: there is no such directory.
bool admin_state_find(const struct admin_state *admin, const char *file, char path[ADMIN_STATE_PATH_BYTES]);
/// The limits of the match become those of the settings.
void admin_state_limit(struct admin_state *admin);

/// Sets one option that may change while the server runs. The sentence says what became of it.
bool admin_state_set(struct admin_state *admin, const char *key, const char *value,
                     char sentence[ADMIN_STATE_SENTENCE_BYTES]);
/// Reads all options again; what may change changes, a fault changes nothing. The sentence says what became of it.
bool admin_state_reload(struct admin_state *admin, char sentence[ADMIN_STATE_SENTENCE_BYTES]);

#endif
