// SPDX-License-Identifier: MIT
//
// The server's sessions: which clients were admitted, with which keys, and where they are now. Takes every datagram
// that arrives and returns what to do with it: drop it, answer it, or give its decrypted bytes to ENet. No state is
// kept of a sender before its cookie is valid, and a session opens only once a datagram with its keys has come, so a
// replayed JOIN does no harm. A session without a player gives way to a newer one if the table is full, or if its
// household has too many. A session follows its client to another address, as path.h says. No socket; time and bytes
// are arguments; the size is fixed.
#ifndef NET_SESSION_TABLE_H
#define NET_SESSION_TABLE_H

#include "household.h"
#include "net/crypto/handshake.h"
#include "password_guard.h"
#include "path.h"
#include "rate_limit.h"

enum session_state {
    SESSION_FREE,
    SESSION_ACCEPTED, ///< no datagram with its keys has come yet
    SESSION_LIVE,
    SESSION_LEAVING, ///< ended, but the last datagrams may still arrive
};

struct session {
    struct packet_crypto crypto;
    struct path path;
    uint64_t household;     ///< of the address that it joined from
    uint64_t begun_ns;      ///< when it was accepted
    uint64_t heard_ns;      ///< last good datagram, or when its state began
    struct rate_limit flow; ///< datagrams it may send
    enum session_state state;
    bool has_player; ///< it never gives way
    uint16_t generation;
    uint32_t violations; ///< datagrams that the ENet filter refused
    uint8_t identity[IDENTITY_BYTES], ephemeral_key[PUBLIC_KEY_BYTES];
    uint8_t accept[ACCEPT_BYTES]; ///< sent again if it was lost
};

struct session_table {
    struct handshake_server handshake;
    struct rate_limit_table joins, resets;
    struct password_guard passwords;
    struct session *sessions;
    uint32_t capacity;
    uint32_t end; ///< the sessions from here on are free; behind the newest, until a sweep
    struct net_admission admission;
    struct household_rules rules;
    struct net_refusals refusals;
};

/// Allocates sessions and draws random keys. False if out of memory.
bool session_table_open(struct session_table *table, uint32_t capacity, const uint8_t seed[32], uint32_t protocol);
/// Wipes all keys and frees the memory. May be called again.
void session_table_close(struct session_table *table);
/// Sets the password that clients need from now on, up to PASSWORD_BYTES bytes; empty: none. Sessions stay.
void session_table_password(struct session_table *table, const char *password);
/// Wipes the keys of sessions that are over, and of handshakes. To be called from time to time.
void session_table_sweep(struct session_table *table, uint64_t now_ns);

/// Takes a datagram. Returns DATAGRAM_REJECTED, DATAGRAM_ANSWERED or DATAGRAM_DELIVERED.
enum datagram_outcome session_table_take(struct session_table *table, const struct datagram *datagram,
                                         struct datagram_output *output);
/// Encrypts the bytes of `plain` for a session into `out`, and finds where to send them. Returns the bytes of the
/// datagram; 0 if there is no such session, or if the address of its client may get no more bytes now.
size_t session_table_encrypt(struct session_table *table, struct session_id id, const struct datagram *plain,
                             uint8_t *out, struct net_address *to);
/// The same for the challenge that a session's client has to echo at its new address; 0 if none is due.
size_t session_table_challenge(struct session_table *table, struct session_id id, uint64_t now_ns, uint8_t *out,
                               struct net_address *to);
/// Opens a session of which a datagram was delivered, once: then it is live, and needs a peer of ENet. `round_trip_ns`
/// is how long its client took to answer the ACCEPT. False if it is open already, or over.
bool session_table_connect(struct session_table *table, struct session_id id, uint64_t now_ns, uint64_t *round_trip_ns);
/// Describes a session's client: who it is, and its newest address that is proven. False if there is no such session.
bool session_table_client(struct session_table *table, struct session_id id, struct net_client *client);
/// Returns whether a session has neither ended nor given way to another.
bool session_table_has(const struct session_table *table, struct session_id id, uint64_t now_ns);
/// Keeps a session: it has a player and gives way to nobody.
void session_table_keep(struct session_table *table, struct session_id id);
/// Counts the sessions by state, and their households.
void session_table_count(const struct session_table *table, uint64_t now_ns, struct net_sessions *sessions);
/// Counts a datagram that the ENet filter refused; too many end the session.
void session_table_report_violation(struct session_table *table, struct session_id id, uint64_t now_ns);
/// Ends a session. Its index is free a second later.
void session_table_end(struct session_table *table, struct session_id id, uint64_t now_ns);

#endif
