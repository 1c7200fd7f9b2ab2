// SPDX-License-Identifier: MIT
//
// UDP sockets that never block. A system call costs more than a datagram, so one takes many where the system can.
// net/udp_socket.h makes them one port of IPv4 and IPv6.
#ifndef PLATFORM_UDP_H
#define PLATFORM_UDP_H

#include "ip_address.h"

/// Datagrams that one system call receives or sends at most.
#define UDP_BATCH 16

/// A datagram with its bytes elsewhere.
struct udp_datagram {
    struct net_address address; ///< from where, or to where
    uint32_t byte_count;        ///< when received, it may be more than there was room for
    uint64_t arrived_unix_ns;   ///< when the system received it, by the wall clock; 0: unknown
    uint8_t *bytes;
};

/// Opens a socket of IPv4 or IPv6 alone, with large buffers; `*receive_buffer_bytes` is what the system granted.
/// Returns its number, or -1 with errno.
int udp_open(bool is_ipv6, uint32_t *receive_buffer_bytes);
/// Makes a socket that another program has opened like those of udp_open(). False with errno.
bool udp_adopt(int socket, uint32_t *receive_buffer_bytes);
/// Returns whether this program is a page: it reaches only servers whose certificates it knows, and nobody else's
/// machine reaches it.
bool udp_is_of_page(void);
/// Binds a socket to an address, of whose port 0 means any. False with errno.
bool udp_bind(int socket, const struct net_address *address);
/// Says what certificate the only peer of a socket has, as the SHA-256 of it in base64url; "": unknown. Where datagrams
/// travel in data channels (browsers), false if it is unknown, except that of a program that this one has started;
/// elsewhere this does nothing.
bool udp_certify(int socket, const struct net_address *peer, const char *certificate);
/// Returns whether nothing that a socket sends can arrive yet, because its data channel is being opened. Elsewhere
/// false.
bool udp_is_opening(int socket);
/// Lets a socket send to everybody on a network. False with errno.
bool udp_allow_broadcasts(int socket);
/// Finds to what address a file is bound. False if it is no UDP socket.
bool udp_own_address(int socket, struct net_address *own);
/// Has a socket receive from one address alone, and learn when nobody has that port there (ECONNREFUSED, where the
/// system says so). Sends nothing. False with errno.
bool udp_connect(int socket, const struct net_address *peer);
/// Finds the router by which this machine reaches the internet by IPv4; its port is 0. False if there is none.
bool udp_find_router(struct net_address *router);
/// Finds the address from which the system would send to another one. Sends nothing.
bool udp_find_route(const struct net_address *to, struct net_address *own);
/// Closes a socket.
void udp_close(int socket);

/// Receives what is there, up to `capacity` (at most UDP_BATCH) datagrams of at most `room` bytes each, into memory
/// that `bytes` points to. Returns how many, or -1 with errno: EAGAIN if none is there; after other errors there may be
/// more.
int udp_receive_many(int socket, struct udp_datagram *datagrams, unsigned capacity, uint32_t room);
/// Sends up to UDP_BATCH datagrams. Returns how many of the first were sent; the next one was refused.
unsigned udp_send_many(int socket, const struct udp_datagram *datagrams, unsigned count);
/// Sends one. False if it was refused.
bool udp_send(int socket, const struct net_address *to, const void *bytes, size_t byte_count);
/// Files for which udp_wait() waits at most.
#define UDP_WAIT_FILES 3

/// Waits until one of some sockets (-1: none) can be read, at most so long.
void udp_wait(const int *sockets, unsigned count, uint64_t timeout_ns);

#endif
