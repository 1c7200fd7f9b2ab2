// SPDX-License-Identifier: MIT
//
// A network inside one process, for tests: one server, many clients, virtual time. All randomness comes from one seed.
#ifndef DOUBLES_MEMORY_NETWORK_H
#define DOUBLES_MEMORY_NETWORK_H

#include "net/impairment.h"
#include "net/transport.h"

struct memory_network;

/// Creates it with its server side. Time starts at 0. Null when memory is out.
struct memory_network *memory_network_create(uint64_t seed, const struct impairment *impairment,
                                             uint32_t peer_capacity);
/// Returns the server's transport.
struct transport *memory_network_server(struct memory_network *network);
/// Returns the transport of a new client, which connects with its own identity. Null if memory runs out. A full server
/// answers NET_DISCONNECTED.
struct transport *memory_network_client(struct memory_network *network);
/// The same with an identity made of a number other than 0.
struct transport *memory_network_client_as(struct memory_network *network, uint32_t number);
/// Kills a client's program: it sends nothing more, and the server notices by a timeout.
void memory_network_kill(struct transport *client);
/// Blocks all that goes to the server, or to the clients, or both; or neither.
void memory_network_block(struct memory_network *network, bool to_server, bool to_clients);
/// Sets who may join from now on.
void memory_network_admit(struct memory_network *network, const struct net_admission *admission);
/// Moves virtual time forward and delivers what is due.
void memory_network_advance(struct memory_network *network, uint64_t now_us);
/// Changes its impairment from now on.
void memory_network_impair(struct memory_network *network, const struct impairment *impairment);
/// Frees it and its transports.
void memory_network_destroy(struct memory_network *network);

#endif
