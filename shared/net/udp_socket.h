// SPDX-License-Identifier: MIT
//
// The only file with sockets and a clock: UDP over IPv4 and IPv6 under one port number, never blocking, never failing
// upward. Knows addresses and bytes, nothing of what they mean. May impair its own traffic, for trying.
#ifndef NET_UDP_SOCKET_H
#define NET_UDP_SOCKET_H

#include "base/error.h"
#include "impairment.h"
#include "network_simulator.h"

/// Datagrams that one call of the kernel brings or takes at most.
#define UDP_SOCKET_BATCH 16

struct udp_socket {
    int sockets[2]; ///< IPv4, IPv6; -1: none
    unsigned turn;  ///< which is read first
    struct udp_socket_batch {
        unsigned count, taken; ///< brought, and of them taken
        struct net_address from[UDP_SOCKET_BATCH];
        uint16_t byte_counts[UDP_SOCKET_BATCH]; ///< 0: none that could be meant
        uint8_t bytes[UDP_SOCKET_BATCH][DATAGRAM_BYTES_MAX];
    } batch;
    struct udp_socket_outbox {
        bool open;      ///< what is sent is gathered here
        int socket;     ///< that all in it go through
        unsigned count; ///< gathered
        struct net_address to[UDP_SOCKET_BATCH];
        uint16_t byte_counts[UDP_SOCKET_BATCH];
        uint8_t bytes[UDP_SOCKET_BATCH][DATAGRAM_BYTES_MAX];
    } outbox;
    uint64_t bytes_in, bytes_out, packets_in, packets_out, oversized;
    uint32_t receive_buffer_bytes;      ///< that the kernel granted
    struct network_simulator *in, *out; ///< null: a good line
};

/// Opens a server's sockets. `bind_address` null or "0.0.0.0": everywhere, and IPv6 as well where there is any. A port
/// of 0 becomes the one in use. False with the sentence.
bool udp_socket_listen(struct udp_socket *udp, const char *bind_address, uint16_t *port, struct error *error);
/// Opens a client's socket toward a host name or address. False with the sentence.
bool udp_socket_connect(struct udp_socket *udp, const char *host, uint16_t port, struct net_address *server,
                        struct error *error);
/// Opens sockets that ask whomever they like, everybody on a network included: queries. False with the sentence.
bool udp_socket_open_query(struct udp_socket *udp, struct error *error);
/// Impairs both directions from now on. False when memory is out.
bool udp_socket_impair(struct udp_socket *udp, const struct impairment *impairment, uint64_t seed);
/// Closes it.
void udp_socket_close(struct udp_socket *udp);

/// Takes a datagram. Returns its bytes; 0: nothing is there.
size_t udp_socket_receive(struct udp_socket *udp, uint64_t now_ns, struct net_address *from,
                          uint8_t bytes[DATAGRAM_BYTES_MAX]);
/// Sends a datagram, or loses it.
void udp_socket_send(struct udp_socket *udp, uint64_t now_ns, const struct net_address *to, const uint8_t *bytes,
                     size_t byte_count);
/// Datagrams that are sent from now on may wait for udp_socket_flush(), so that they cost fewer calls of the kernel.
void udp_socket_cork(struct udp_socket *udp);
/// Sends what was gathered, and what a bad line has kept until now.
void udp_socket_flush(struct udp_socket *udp, uint64_t now_ns);
/// Sleeps until something can be read or the deadline, ns.
void udp_socket_wait(const struct udp_socket *udp, uint64_t deadline_ns);

#endif
