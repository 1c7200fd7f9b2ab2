// SPDX-License-Identifier: MIT
//
// The server's sessions: which clients were admitted, with which keys, and where they are now. Takes every datagram
// that comes, and says what to do with it: nothing, answer it, or give what it sealed to ENet. Nothing is kept of a
// sender before its cookie is good, and a session counts only once a datagram has come under its keys, so a repeated
// JOIN harms nobody. A session follows its client to another address. No socket; time and bytes are arguments; fixed
// size.
#ifndef NET_SESSION_TABLE_H
#define NET_SESSION_TABLE_H

#include "handshake.h"
#include "rate_limit.h"

enum session_state {
    SESSION_FREE,
    SESSION_ACCEPTED, ///< no datagram has come under its keys yet
    SESSION_LIVE,
    SESSION_LEAVING, ///< ended, but the last words may still cross
};

struct session {
    struct packet_crypto crypto;
    struct net_address address;
    uint64_t heard_ns;      ///< last good datagram, or when its state began
    struct rate_limit flow; ///< datagrams it may send
    enum session_state state;
    uint16_t generation;
    uint32_t violations; ///< datagrams that the gate refused
    uint8_t identity[IDENTITY_BYTES], ephemeral_key[PUBLIC_KEY_BYTES];
    uint8_t accept[ACCEPT_BYTES]; ///< sent again when it was lost
};

struct session_table {
    struct handshake_server handshake;
    struct rate_limit_table joins;
    struct session *sessions;
    uint32_t capacity;
    struct net_admission admission;
};

/// Makes room for a number of sessions, with all chance taken from the system. False when memory is out.
bool session_table_open(struct session_table *table, uint32_t capacity, const uint8_t seed[32], uint32_t protocol);
/// Gives the memory back.
void session_table_close(struct session_table *table);

/// Takes a datagram that has arrived: DATAGRAM_REJECTED, DATAGRAM_ANSWERED or DATAGRAM_DELIVERED.
enum datagram_outcome session_table_take(struct session_table *table, const struct datagram *datagram,
                                         struct datagram_output *output);
/// Seals bytes to a session into `out`, and says where to send them. 0: there is no such session.
size_t session_table_encrypt(struct session_table *table, struct session_id id, const uint8_t *bytes, size_t byte_count,
                             uint8_t *out, struct net_address *to);
/// Who a session's client is, and where now. False: there is no such session.
bool session_table_client(struct session_table *table, struct session_id id, struct net_client *client);
/// Counts a datagram that the gate refused; too many end the session.
void session_table_report_violation(struct session_table *table, struct session_id id, uint64_t now_ns);
/// Ends a session; its number is free a second later.
void session_table_end(struct session_table *table, struct session_id id, uint64_t now_ns);

#endif
