// SPDX-License-Identifier: MIT
//
// What stands beneath ENet in place of its socket: sealed datagrams over our own sockets. On a server it admits
// clients and keeps their sessions; on a client it joins. Upward it gives only bytes that a session sealed, with the
// session's number in place of an address. Called by enet_transport.c alone.
#ifndef NET_SECURE_SOCKET_H
#define NET_SECURE_SOCKET_H

#include "base/error.h"
#include "client_handshake.h"
#include "query.h"
#include "session_table.h"
#include "transport.h"
#include "udp_socket.h"

struct secure_socket {
    struct udp_socket datagrams;
    struct session_table sessions;     ///< of a server
    struct query query;                ///< of a server: what strangers ask
    struct client_handshake handshake; ///< of a client
    struct net_address server;         ///< of a client: where it is
    bool is_server;
    uint32_t budget;   ///< datagrams that this round may still look at
    uint64_t rejected; ///< datagrams that came and meant nothing
};

/// Opens a server. `endpoint` tells the port and the fingerprint. False with the sentence.
bool secure_socket_listen(struct secure_socket *secure, const struct net_server_config *config,
                          struct net_endpoint *endpoint, struct error *error);
/// Opens a client and begins to join. False with the sentence.
bool secure_socket_connect(struct secure_socket *secure, const struct net_client_config *config, struct error *error);
/// Closes it.
void secure_socket_close(struct secure_socket *secure);

/// Begins a round of receiving: sends what is due, and bounds the work of what follows.
void secure_socket_begin(struct secure_socket *secure);
/// Takes bytes for ENet (room for DATAGRAM_BYTES_MAX). Returns how many; 0: none, or the round's work is done.
size_t secure_socket_receive(struct secure_socket *secure, struct session_id *from, uint8_t *bytes);
/// Seals and sends ENet's bytes. They are lost if there is no such session.
void secure_socket_send(struct secure_socket *secure, struct session_id to, const uint8_t *bytes, size_t byte_count);
/// The gate has refused what a session sent.
void secure_socket_report_violation(struct secure_socket *secure, struct session_id from);
/// A session's peer is gone.
void secure_socket_end(struct secure_socket *secure, struct session_id id);

#endif
