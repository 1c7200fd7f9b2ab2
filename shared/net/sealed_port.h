// SPDX-License-Identifier: MIT
//
// What stands beneath ENet in place of its socket: sealed datagrams over our own sockets. On a server it admits
// clients and keeps their sessions; on a client it joins. Upward it gives only bytes that a session sealed, with the
// session's number in place of an address. Called by enet_transport.c alone.
#ifndef NET_SEALED_PORT_H
#define NET_SEALED_PORT_H

#include "base/error.h"
#include "datagram.h"
#include "joining.h"
#include "query.h"

struct sealed_port {
    struct datagram_port datagrams;
    struct session_table sessions; ///< of a server
    struct query query;            ///< of a server: what strangers ask
    struct joining joining;        ///< of a client
    struct net_address server;     ///< of a client: where it is
    bool is_server;
    uint32_t budget;   ///< datagrams that this round may still look at
    uint64_t rejected; ///< datagrams that came and meant nothing
};

/// Opens a server. `endpoint` tells the port and the fingerprint. False with the sentence.
bool sealed_port_listen(struct sealed_port *port, const struct net_server_config *config, struct net_endpoint *endpoint,
                        struct error *error);
/// Opens a client and begins to join. False with the sentence.
bool sealed_port_dial(struct sealed_port *port, const struct net_client_config *config, struct error *error);
/// Closes it.
void sealed_port_close(struct sealed_port *port);

/// Begins a round of receiving: sends what is due, and bounds the work of what follows.
void sealed_port_begin(struct sealed_port *port);
/// Takes bytes for ENet (room for DATAGRAM_BYTES_MAX). Returns how many; 0: none, or the round's work is done.
size_t sealed_port_receive(struct sealed_port *port, struct session_id *from, uint8_t *bytes);
/// Seals and sends ENet's bytes. They are lost if there is no such session.
void sealed_port_send(struct sealed_port *port, struct session_id to, const uint8_t *bytes, size_t byte_count);
/// The gate has refused what a session sent.
void sealed_port_strike(struct sealed_port *port, struct session_id from);
/// A session's peer is gone.
void sealed_port_end(struct sealed_port *port, struct session_id id);

#endif
