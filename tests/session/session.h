// SPDX-License-Identifier: MIT
//
// A server and clients in one process and in virtual time, for session tests. They are connected by the seeded network
// or, encrypted and with ENet, by the seeded datagrams of virtual_udp.h. Every step compares each world of a client
// with the server's of the same tick, word for word; a difference fails the test and prints the seed.
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "core/client.h"
#include "match/match.h"
#include "match/tick_clock.h"
#include "memory_network.h"
#include "person.h"

#define SESSION_CLIENTS 20
/// Steps of virtual time in a second.
#define SESSION_STEPS 240

struct session {
    uint64_t seed;
    uint64_t step;                         ///< done so far
    struct memory_network *network;        ///< null: over ENet
    struct impairment impairment;          ///< of that, when it began
    struct transport *enet;                ///< of its server; null: over the seeded network
    uint16_t port;                         ///< of that
    struct match *match;                   ///< null: no server runs
    struct tick_clock clock;               ///< of the server
    uint64_t server_resumes, line_resumes; ///< the steps at which stalls end; 0: none yet
    uint64_t client_resumes[SESSION_CLIENTS];
    struct client *clients[SESSION_CLIENTS]; ///< null: none
    tick compared[SESSION_CLIENTS];          ///< tick of the world compared last
    struct session_line {
        struct session *session;
        struct transport *transport; ///< the newest
        uint32_t identity;           ///< of the player, other than 0
    } lines[SESSION_CLIENTS];
    struct person people[SESSION_CLIENTS]; ///< `random` 0: the client plays as the AI does
    uint64_t worlds_compared;
    int64_t drift_ppm[SESSION_CLIENTS];       ///< how much faster than the server's this client's clock runs
    uint64_t clock_start_us[SESSION_CLIENTS]; ///< what this client's clock shows at the beginning
    struct world worlds[INPUT_LOG_TICKS];     ///< the server's last, by tick
};

/// Starts a server on the shipped map of this name. Fails the test if it cannot.
void session_begin(struct session *session, uint64_t seed, const char *map, const struct impairment *impairment);
/// The same with bots and other rules. Map, seed and a snapshot rate and number of players of 0 are filled in.
void session_begin_match(struct session *session, uint64_t seed, const char *map, const struct impairment *impairment,
                         const struct match_config *config);
/// The same as session_begin() over ENet and virtual_udp.h.
void session_begin_over_enet(struct session *session, uint64_t seed, const char *map,
                             const struct impairment *impairment);
/// The same with the file of the server's key, for servers that follow; null: a key for this server.
void session_begin_with_key(struct session *session, uint64_t seed, const char *map,
                            const struct impairment *impairment, const char *key_path);
/// Creates the match of another server, with what is filled in as above.
void session_create_match(struct session *session, const struct map *map, const struct match_config *wanted,
                          struct transport *transport);
/// Ends the session.
void session_end(struct session *session);

/// Lets a client join: place `index` of `clients`.
void session_join(struct session *session, uint32_t index, bool light);
/// The same for a client that plays with hands like a person's.
void session_join_person(struct session *session, uint32_t index);
/// The same as session_join() under the identity of another place, as its local player of a number.
void session_join_as(struct session *session, uint32_t index, uint32_t identity, uint32_t local);
/// Kills a client: it sends nothing more.
void session_kill(struct session *session, uint32_t index);
/// Lets a client leave and frees it.
void session_leave(struct session *session, uint32_t index);
/// Passes virtual time. Clients play as the AI does, people as person.h says; light clients hold right.
void session_run(struct session *session, double seconds);

/// Stalls the server from now on: it does not run.
void session_stall_server(struct session *session, uint32_t ms);
/// Stalls a client.
void session_stall_client(struct session *session, uint32_t index, uint32_t ms);
/// Holds what is sent from now on, both ways; then all of it arrives at once. Only over the seeded network, and with
/// the impairment that the session began with.
void session_hold_line(struct session *session, uint32_t ms);

/// Returns what a client's own clock shows now, us.
uint64_t session_client_us(const struct session *session, uint32_t index);

/// Returns the statistics of a client.
struct client_statistics session_statistics(const struct session *session, uint32_t index);

/// Fails with the seed unless `condition` holds.
#define session_check(session, condition)                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            session_fail(session, #condition, __FILE__, __LINE__);                                                     \
    } while (0)
void session_fail(const struct session *session, const char *condition, const char *file, int line);

#endif
