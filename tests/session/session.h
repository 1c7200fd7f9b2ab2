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

/// Decisions kept: more than the longest reaction, ticks.
#define PERSON_DECISIONS 32

/// Hands like a person's: what the AI would do reaches the buttons 150 to 250 ms later and unevenly. Presses last 70 to
/// 150 ms, directions are held for 200 to 900 ms, and some of them are let go for as long. The same seed and decisions
/// give the same buttons.
struct person {
    uint32_t random;                      ///< of random.h
    tick now;                             ///< own ticks so far
    tick lag_ticks;                       ///< present time of reaction
    uint32_t decisions[PERSON_DECISIONS]; ///< buttons, by own tick
    uint32_t direction;                   ///< held now
    tick direction_until;                 ///< when they choose another
    tick press_until[BUTTON_BITS];        ///< by bit: the end of the present or last press
};

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
        struct transport *transport; ///< the newest
        uint32_t identity;           ///< of the player, other than 0
    } lines[SESSION_CLIENTS];
    struct person people[SESSION_CLIENTS]; ///< `random` 0: the client plays as the AI does
    uint64_t worlds_compared;
    int64_t drift_ppm[SESSION_CLIENTS];       ///< how much faster than the server's this client's clock runs
    uint64_t clock_start_us[SESSION_CLIENTS]; ///< what this client's clock shows at the beginning
    struct world worlds[INPUT_LOG_TICKS];     ///< the server's last, by tick
};

/// The one session of a process. Beginning another ends it.
extern struct session session;

/// Starts a server on the shipped map of this name. Fails the test if it cannot.
void session_begin(uint64_t seed, const char *map, const struct impairment *impairment);
/// The same with bots and other rules. Map, seed and a snapshot rate and number of players of 0 are filled in.
void session_begin_match(uint64_t seed, const char *map, const struct impairment *impairment,
                         const struct match_config *config);
/// The same as session_begin() over ENet and virtual_udp.h.
void session_begin_over_enet(uint64_t seed, const char *map, const struct impairment *impairment);
/// The same with the file of the server's key, for servers that follow; null: a key for this server.
void session_begin_with_key(uint64_t seed, const char *map, const struct impairment *impairment, const char *key_path);
/// Creates the match of another server, with what is filled in as above.
void session_create_match(const struct map *map, const struct match_config *wanted, struct transport *transport);
/// Ends the session, if there is one.
void session_end(void);

/// Lets a client join: place `index` of `clients`.
void session_join(uint32_t index, bool light);
/// Lets clients 0 to count - 1 join, of which the first so many are no light ones.
void session_join_first(uint32_t count, uint32_t full_count);
/// The same as session_join() for a client that plays with hands like a person's.
void session_join_person(uint32_t index);
/// The same as session_join() under the identity of another place, as its local player of a number.
void session_join_as(uint32_t index, uint32_t identity, uint32_t local);
/// Lets another local player join over the connection of a client. Each plays as the AI does.
void session_join_beside(uint32_t index, uint32_t local);
/// Kills a client: it sends nothing more.
void session_kill(uint32_t index);
/// Lets a client leave and frees it.
void session_leave(uint32_t index);
/// Passes virtual time. Clients play as the AI does, people as struct person says; light clients hold right.
void session_run(double seconds);

/// Stalls the server from now on: it does not run.
void session_stall_server(uint32_t ms);
/// Stalls a client.
void session_stall_client(uint32_t index, uint32_t ms);
/// Holds what is sent from now on, both ways; then all of it arrives at once. Only over the seeded network, and with
/// the impairment that the session began with.
void session_hold_line(uint32_t ms);

/// Returns the time since the session began, us.
uint64_t session_now_us(void);
/// Returns what a client's own clock shows now, us.
uint64_t session_client_us(uint32_t index);

/// Returns the statistics of a client.
struct client_statistics session_statistics(uint32_t index);

/// Fails with the seed unless `condition` holds.
#define session_check(condition)                                                                                       \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            session_fail(#condition, __FILE__, __LINE__);                                                              \
    } while (0)
void session_fail(const char *condition, const char *file, int line);

#endif
