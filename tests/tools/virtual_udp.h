// SPDX-License-Identifier: MIT
//
// UDP and the clock within one program: a program that links this has its own clock_gettime(), sendto(), sendmmsg() and
// recvmmsg() in place of the kernel's, so that real transports (ENet, sealed datagrams, handshake) talk over seeded bad
// lines in virtual time. One server and some clients, IPv4; the sockets are real, nothing goes through them. Time
// stands still until it is moved.
#ifndef TOOLS_VIRTUAL_UDP_H
#define TOOLS_VIRTUAL_UDP_H

#include "net/datagram.h"
#include "net/impairment.h"
#include "net/transport.h"

/// Clients at the most.
#define VIRTUAL_UDP_CLIENTS 16

/// Begins with an empty network, impaired in both directions as given, at a time on the monotonic clock. Call it before
/// any transport is opened.
void virtual_udp_begin(uint64_t seed, const struct impairment *impairment, uint64_t now_ns);
/// From now on what is sent to the server, or to the clients, fares like this.
void virtual_udp_impair(bool to_server, const struct impairment *impairment);
/// Gives every client another port, as a router does that has forgotten their connections: also to what is on its way
/// to the server. What the server sends to the old ports from now on is lost.
void virtual_udp_move(void);
/// Lets time pass.
void virtual_udp_advance(uint64_t ns);
uint64_t virtual_udp_now_ns(void);
/// Datagrams sent since the beginning.
uint64_t virtual_udp_sent(void);
/// Returns an address at which no client is, of a household of its number: 11.0.0.0/8.
struct net_address virtual_udp_stranger(uint32_t household, uint16_t port);
/// Lets a datagram arrive at the server now, as if it came from an address, forged or not.
void virtual_udp_send_as(const struct net_address *from, const uint8_t *bytes, size_t byte_count);
/// Takes the next datagram that the server has sent to a stranger. Returns its bytes; 0 if there is none.
size_t virtual_udp_take(struct net_address *to, uint8_t bytes[DATAGRAM_BYTES_MAX]);
/// Kills the client that has this socket: what it sends from now on is lost, and so is what is sent to it.
void virtual_udp_kill_client(int file);
/// Kills the server: what arrives there from now on is lost, and so is what its transport says when it is closed.
void virtual_udp_kill_server(void);
/// The next server runs, on a socket with another number than any client has.
void virtual_udp_start_server(void);

/// Returns the address of the client that has this socket, as the server sees it.
struct net_address virtual_udp_client(int file);
/// Lets a datagram arrive at a client now, as if the server had sent it.
void virtual_udp_send_to(const struct net_address *client, const uint8_t *bytes, size_t byte_count);

/// Hears each datagram that the server receives from an address or sends to it. May send others in its name.
typedef void virtual_udp_listener(bool to_server, const struct net_address *address, const uint8_t *bytes,
                                  size_t byte_count);
/// Sets who hears what the server receives and sends; null: nobody.
void virtual_udp_listen(virtual_udp_listener *listener);

/// The kernel's clock and sockets are back.
void virtual_udp_end(void);

#endif
