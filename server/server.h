// SPDX-License-Identifier: MIT
//
// A server, assembled: the match, the transport and all that operators touch, opened in order and closed. The main loop
// drives it and tells it the time; nothing here reads a clock or waits.
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "admin/admin_socket.h"
#include "lifecycle/recording.h"
#include "lifecycle/rotation.h"
#include "match/journal.h"
#include "match/match.h"
#include "match/tick_clock.h"
#include "monitor/integrations.h"
#include "net/transport_config.h"
#include "records/records.h"

/// Large: keep it static. Set settings, log, desk and presence (INTEGRATIONS_INITIAL) first.
struct server {
    struct settings settings;
    struct log log;
    struct map map; ///< that the settings name
    struct transport *transport;
    struct match *match;
    struct tick_clock clock;
    struct tick_stats status;
    struct integrations integrations;
    struct rotation rotation;
    struct integrations_subject subject;
    struct records *records; ///< null: off
    bool resumes;            ///< the match of an earlier server, from `end`
    struct journal_end end;
    struct net_endpoint endpoint;   ///< of the transport
    struct recording_reported told; ///< of the recording's faults
    struct admin_state admin;
    struct admin_socket *admin_socket; ///< null: off
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
