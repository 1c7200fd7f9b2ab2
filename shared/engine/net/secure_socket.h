// SPDX-License-Identifier: MIT
//
// Encrypted datagrams over our own sockets. On a server it admits clients and keeps their sessions; on a client it
// joins. What it gives is decrypted, with the session in place of an address. Only enet_transport.c and enet_peers.c
// call it.
#ifndef NET_SECURE_SOCKET_H
#define NET_SECURE_SOCKET_H

#include "base/error.h"
#include "client_session.h"
#include "punch.h"
#include "query.h"
#include "session_table.h"
#include "transport.h"
#include "udp_socket.h"

struct secure_socket {
    struct udp_socket datagrams;
    struct session_table sessions; ///< of a server
    struct query query;            ///< of a server
    struct punch_host expects;     ///< of a server: directories, and the clients that they introduce
    struct client_session session; ///< of a client
    struct punch_client asks;      ///< of a client: the directory that introduces it
    struct net_address server;     ///< of a client: where it is
    bool is_server;
    uint32_t budget;      ///< datagrams that may still be received
    uint64_t rejected;    ///< datagrams that were dropped
    uint64_t answered_ns; ///< of a server: when a handshake or a query was answered last; 0: never
    // Not on the stack, where each call would clear them.
    uint8_t received[DATAGRAM_BYTES_MAX], encrypted[DATAGRAM_BYTES_MAX];
};

/// Opens a server and fills `endpoint`. False with an error.
bool secure_socket_listen(struct secure_socket *secure, const struct net_server_config *config,
                          struct net_endpoint *endpoint, struct error *error);
/// Opens a client and begins to join. False with an error.
bool secure_socket_connect(struct secure_socket *secure, const struct net_client_config *config, struct error *error);
/// Closes it.
void secure_socket_close(struct secure_socket *secure);

/// Begins a pass over the sockets: sends what is due. `budget`: datagrams that may be received until the next one.
void secure_socket_begin(struct secure_socket *secure, uint32_t budget);
/// Receives the decrypted bytes of a session (room for DATAGRAM_BYTES_MAX). Returns how many; 0 if there are none, or
/// if the budget is spent.
size_t secure_socket_receive(struct secure_socket *secure, struct session_id *from, uint8_t *bytes);
/// Encrypts and sends ENet's bytes. They are lost if there is no such session.
void secure_socket_send(struct secure_socket *secure, struct session_id to, const uint8_t *bytes, size_t byte_count);
/// Counts a datagram of a session that the ENet filter has refused.
void secure_socket_report_violation(struct secure_socket *secure, struct session_id from);
/// Gets the sessions of a server and what it has refused.
void secure_socket_admissions(const struct secure_socket *secure, struct net_sessions *sessions,
                              struct net_refusals *refusals);
/// Ends a session.
void secure_socket_end(struct secure_socket *secure, struct session_id id);

#endif
