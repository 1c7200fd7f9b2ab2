// SPDX-License-Identifier: MIT
//
// A server, assembled: the match, the transport and all that operators touch, opened in order and closed. The main loop
// drives it and tells it the time; nothing here reads a clock or waits.
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "match/clock.h"
#include "match/journal.h"
#include "match/match.h"
#include "operations/admin_socket.h"
#include "operations/presence.h"
#include "operations/recording.h"
#include "operations/records.h"
#include "operations/rotation.h"

/// Large: keep it static. Set settings, log, desk and presence (PRESENCE_INITIAL) first.
struct server {
    struct settings settings;
    struct log log;
    struct map map; ///< that the settings name
    struct transport *transport;
    struct match *match;
    struct tick_clock clock;
    struct status status;
    struct presence presence;
    struct rotation rotation;
    struct presence_subject subject;
    struct records *records; ///< null: off
    bool resumes;            ///< the match of an earlier server, from `end`
    struct journal_end end;
    struct net_endpoint endpoint; ///< of the transport
    struct recording_told told;   ///< of the recording's faults
    struct desk desk;
    struct admin_socket *admin; ///< null: off
};

/// Reads the map, takes the state directory, goes on with the match that is there or begins one, opens the port, the
/// recording, the admin socket, and what the world sees. EXIT_OK, or the exit code of what has been logged; either way
/// server_close() follows.
int server_open(struct server *server, uint64_t now_ns);
/// --check-config: all that a start does before it opens the port. EXIT_OK, or the exit code of what has been logged.
int server_check(struct server *server);
/// Begins the recording of the present match that the settings ask for, if they do. The same.
int server_record(struct server *server);
/// Ends the recording, if there is one. The same.
int server_record_end(struct server *server);
/// Closes all that is open.
void server_close(struct server *server);

#endif
