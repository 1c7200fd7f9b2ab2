// SPDX-License-Identifier: MIT
//
// Announces the server to directories, over IPv4 and IPv6 each for itself, every 20 seconds and when something changes,
// and says in the log, the status and the metrics what they answer: where they reach it, or what to do so that they
// can. A directory that is gone, slow or lying changes nothing else. It runs in a thread of its own and reads the
// status snapshot, so the tick never waits.
#ifndef MONITOR_ANNOUNCER_H
#define MONITOR_ANNOUNCER_H

#include "base/host_port.h"
#include "monitor/status.h"
#include "net/crypto/identity.h"
#include "net/punch.h"

/// Directories at most.
#define ANNOUNCER_DIRECTORIES_MAX 8
/// A row for each directory and family.
#define ANNOUNCER_ROWS_MAX (2 * ANNOUNCER_DIRECTORIES_MAX)

/// What a directory has said.
enum announcer_state {
    ANNOUNCER_WAITING,     ///< nothing yet, or it still tries to reach the server
    ANNOUNCER_LISTED,      ///< it lists the server
    ANNOUNCER_PUNCHED,     ///< it cannot reach the server, but lists it and introduces clients to it
    ANNOUNCER_UNREACHABLE, ///< it cannot reach the server
    ANNOUNCER_REFUSED,     ///< it does not want the announcement
    ANNOUNCER_SILENT,      ///< it cannot be found or does not answer
};
/// Their names, for status and metrics.
extern const char *const ANNOUNCER_STATE_NAMES[];

/// One directory over one family.
struct announcer_row {
    char directory[WEB_ADDRESS_AUTHORITY_BYTES];
    bool ipv6;
    enum announcer_state state;
    char address[NET_ADDRESS_TEXT_BYTES]; ///< of the server, as the directory sees it; "": not known
    char through[NET_ADDRESS_TEXT_BYTES]; ///< of the directory's UDP port, if it introduces clients; "": it does not
    struct error said;                    ///< what happened and what to do
    uint64_t sent, answered;              ///< announcements
};

struct announcer;

/// What the announcer has to know. The texts must outlive it.
struct announcer_config {
    const struct option_list *directories; ///< addresses that host_port_parse_web() takes
    const char *bind;                      ///< as the game's port
    uint16_t port;                         ///< of the game, UDP
    bool waits_for_port;     ///< over IPv4: a directory that asks before the router forwards would be wrong for a while
    const char *fingerprint; ///< of the server's key
    const char *region;
    const char *live_url; ///< URL of the live stream; "": none
    bool has_password;
    uint8_t seed[IDENTITY_SEED_BYTES]; ///< of the server's key
    struct status_publisher *publisher;
    const struct log *log;
};

/// Starts the thread. Null without memory or threads.
struct announcer *announcer_open(const struct announcer_config *config);
/// Sets whether players need a password from now on.
void announcer_set_password(struct announcer *announcer, bool has_password);
/// Sets the port at which the internet finds the game over IPv4, and announces a new one at once.
void announcer_set_port(struct announcer *announcer, uint16_t port);
/// Copies what the directories have said. Returns the rows; 0 for null. May be called from any thread.
uint32_t announcer_read(struct announcer *announcer, struct announcer_row rows[ANNOUNCER_ROWS_MAX]);
/// Gets the directories that the game's port is to register with, because they cannot reach the server without that.
/// Returns how many; 0 for null. May be called from any thread.
uint32_t announcer_punch(struct announcer *announcer,
                         struct punch_host_directory directories[PUNCH_HOST_DIRECTORIES_MAX]);
/// Gets the addresses of the server as directories say. Returns how many; 0 for null. May be called from any thread.
uint32_t announcer_own(struct announcer *announcer, struct net_address own[ANNOUNCER_ROWS_MAX]);
/// Takes the server from the lists if it ends for good (`leaves`), and frees; accepts null. Takes two seconds at most.
void announcer_close(struct announcer *announcer, bool leaves);

/// Returns how good a match is to watch, 0 (nothing moves) to SERVER_FACTS_INTEREST_MAX, so that a directory can show
/// the best one. Counts people more than computer players, and a close match that is nearly won more than one that has
/// just begun.
uint32_t announcer_match_interest(const struct status_snapshot *snapshot);

#endif
