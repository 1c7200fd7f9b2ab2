// SPDX-License-Identifier: MIT
//
// A network inside one process, for tests: one server, many clients, virtual time, all chance from one seed.
#ifndef DOUBLES_MEMORY_NETWORK_H
#define DOUBLES_MEMORY_NETWORK_H

#include "net/impairment.h"
#include "net/transport.h"

struct memory_network;

/// Creates it with its server side. Time starts at 0. Null when memory is out.
struct memory_network *memory_network_create(uint64_t seed, const struct impairment *impairment,
                                             uint32_t peer_capacity);
/// The server's transport.
struct transport *memory_network_server(struct memory_network *network);
/// A new client's transport, connecting; each has an identity of its own. Null when memory is out. A server that is
/// full answers NET_DISCONNECTED.
struct transport *memory_network_client(struct memory_network *network);
/// The same with an identity made of a number other than 0.
struct transport *memory_network_client_as(struct memory_network *network, uint32_t number);
/// A client's program dies: nothing of it crosses any more, and the server notices when its patience ends.
void memory_network_kill(struct transport *client);
/// From now on nothing reaches the server, or the clients, or both; or all does again.
void memory_network_block(struct memory_network *network, bool to_server, bool to_clients);
/// Who may come in from now on.
void memory_network_admit(struct memory_network *network, const struct net_admission *admission);
/// Moves virtual time forward; what is due arrives.
void memory_network_advance(struct memory_network *network, uint64_t now_us);
/// Changes how it misbehaves from now on.
void memory_network_impair(struct memory_network *network, const struct impairment *impairment);
/// Frees it; its transports end with it.
void memory_network_destroy(struct memory_network *network);

#endif
