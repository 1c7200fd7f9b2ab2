// SPDX-License-Identifier: MIT
//
// Transports over UDP: ENet on the secure socket. A server listens, and a client joins it. Snapshots and
// inputs go beside ENet; all else goes through it (docs/netcode.md).
#ifndef NET_ENET_TRANSPORT_H
#define NET_ENET_TRANSPORT_H

#include "base/error.h"
#include "net/transport.h"

struct webrtc_filter;
struct webrtc_link;

/// Opens a server and fills `endpoint`. Null with an error (port in use, bad address, bad key).
struct transport *enet_transport_open_server(const struct net_server_config *config, struct net_endpoint *endpoint,
                                             struct error *error);

/// Gets the sockets of a server, which stay its own: over IPv4 and IPv6, -1 for none.
void enet_transport_sockets(const struct transport *transport, int sockets[2]);

/// Lets browsers join a server from now on, through a link and a filter that outlive the transport.
void enet_transport_set_webrtc(struct transport *transport, struct webrtc_link *link, struct webrtc_filter *filter);

/// Opens a client; NET_CONNECTED or NET_DISCONNECTED follows. Null with an error.
struct transport *enet_transport_open_client(const struct net_client_config *config, struct error *error);

#endif
