// SPDX-License-Identifier: MIT
//
// Assembles a server: opens the match, the transport and everything that operators use, in order, and closes them. The
// main loop drives it and passes the time; nothing here reads a clock or waits.
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "admin/admin_socket.h"
#include "admin/handover.h"
#include "lifecycle/recording.h"
#include "lifecycle/rotation.h"
#include "lifecycle/successor.h"
#include "match/journal.h"
#include "match/match.h"
#include "match/tick_clock.h"
#include "monitor/integrations.h"
#include "monitor/status.h"
#include "monitor/warnings.h"
#include "monitor/webrtc_process.h"
#include "net/transport.h"
#include "records/records.h"

/// Large: keep it static. Set settings, log, admin and integrations (INTEGRATIONS_INITIAL) first.
struct server {
    struct settings settings;
    struct log log;
    struct map map;                          ///< named by the settings
    struct worker *map_worker, *file_worker; ///< two, so that a slow disk delays no map that is in memory
    struct map_loader *loader;
    struct transport *transport;
    struct webrtc_process webrtc;
    struct match *match;
    struct tick_clock clock;
    struct tick_stats status;
    struct integrations integrations;
    struct rotation rotation;
    struct integrations_subject subject;
    struct recorder *recorder, *journal; ///< write all matches, one after another
    struct live_stream *live;            ///< null: off
    uint64_t live_lost;                  ///< of its files, as logged
    struct records *records;             ///< null: off
    int sockets[2];                      ///< left by an earlier server
    unsigned socket_count;
    struct handover before;         ///< of the server before this one
    uint64_t begun_ns;              ///< when this one began to play
    struct handed_over {            ///< what the journal has of handover.h
        uint32_t journal;           ///< its number
        uint32_t changes;           ///< of the options and the tournament
        uint64_t ran_s;             ///< 0 without a --duration
        uint64_t drain_deadline_us; ///< 0: no drain
    } handed_over;
    bool restores; ///< continue the match of an earlier server, from `end`
    struct journal_end end;
    struct net_endpoint endpoint; ///< of the transport
    struct server_health health;
    struct warnings warnings;
    struct successor_check check; ///< the check of the program that is to follow
    struct admin_state admin;
    uint64_t reload;                   ///< number of the change of options that a signal has asked for; 0: none
    struct admin_socket *admin_socket; ///< null: off
};

/// Reads the map, locks the state directory, restores the match there or begins one, and opens the port, the recording,
/// the admin socket and the integrations. Returns EXIT_OK, or the exit code of the error that it logged; call
/// server_close() in both cases.
int server_open(struct server *server, uint64_t now_ns);
/// Checks everything that a start needs before it opens the port (--check-config). Returns like server_open().
int server_check(struct server *server);
/// Begins the next match for the same players, with a new recording and a new journal. Does not wait for the disk.
void server_follow(struct server *server, const struct rotation_next *next, uint64_t now_us);
/// Goes on with the commands of admins that wait for the disk, and answers those that are done. Call between ticks.
void server_update_commands(struct server *server);
/// Waits until all of them are done. Not while a match runs.
void server_finish_commands(struct server *server);
/// Returns how long servers have played, ms: this one and those before it, from which it has the match.
uint64_t server_ran_ms(const struct server *server, uint64_t now_ns);
/// Writes what the next server has to know to the journal, if that has changed; with a --duration it does each second.
void server_hand_over(struct server *server, uint64_t now_ns);
/// Writes it for the last time. `with_drain`: the next server follows at once, so it continues a drain.
void server_hand_over_last(struct server *server, uint64_t now_ns, bool with_drain);
/// Begins the rest of a drain in which the server before was restarted or crashed. One that would be over for a minute
/// is forgotten.
void server_continue_drain(struct server *server, uint64_t now_us);
/// Begins a recording of the current match if the settings ask for one. Returns like server_open().
int server_record(struct server *server);
/// Logs what the live stream has lost since the last call.
void server_report_live(struct server *server);
/// Ends the recording, if there is one. Returns like server_open().
int server_record_end(struct server *server);
/// Closes everything that is open.
void server_close(struct server *server);

#endif
