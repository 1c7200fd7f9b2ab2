// SPDX-License-Identifier: MIT
//
// The only file with sockets and a clock: UDP over IPv4 and IPv6 under one port number, never blocking, never failing
// upward. Knows addresses and bytes, nothing of what they mean. May impair its own traffic, for trying.
#ifndef NET_DATAGRAM_H
#define NET_DATAGRAM_H

#include "base/error.h"
#include "delay_line.h"

/// Datagrams that one call of the kernel brings or takes at most.
#define DATAGRAM_BATCH 16

struct datagram_port {
    int sockets[2]; ///< IPv4, IPv6; -1: none
    unsigned turn;  ///< which is read first
    struct datagram_batch {
        unsigned count, taken; ///< brought, and of them taken
        struct net_address from[DATAGRAM_BATCH];
        uint16_t byte_counts[DATAGRAM_BATCH]; ///< 0: none that could be meant
        uint8_t bytes[DATAGRAM_BATCH][DATAGRAM_BYTES_MAX];
    } batch;
    struct datagram_outbox {
        bool open;      ///< what is sent is gathered here
        int socket;     ///< that all in it go through
        unsigned count; ///< gathered
        struct net_address to[DATAGRAM_BATCH];
        uint16_t byte_counts[DATAGRAM_BATCH];
        uint8_t bytes[DATAGRAM_BATCH][DATAGRAM_BYTES_MAX];
    } outbox;
    uint64_t bytes_in, bytes_out, packets_in, packets_out, oversized;
    uint32_t receive_buffer_bytes; ///< that the kernel granted
    struct delay_line *in, *out;   ///< null: a good line
};

/// Opens a server's sockets. `bind_address` null or "0.0.0.0": everywhere, and IPv6 as well where there is any. A port
/// of 0 becomes the one in use. False with the sentence.
bool datagram_listen(struct datagram_port *port, const char *bind_address, uint16_t *number, struct error *error);
/// Opens a client's socket toward a host name or address. False with the sentence.
bool datagram_dial(struct datagram_port *port, const char *host, uint16_t number, struct net_address *server,
                   struct error *error);
/// Opens sockets that ask whomever they like, everybody on a network included: queries. False with the sentence.
bool datagram_open_asking(struct datagram_port *port, struct error *error);
/// Impairs both directions from now on. False when memory is out.
bool datagram_impair(struct datagram_port *port, const struct impairment *impairment, uint64_t seed);
/// Closes it.
void datagram_close(struct datagram_port *port);

/// Takes a datagram. Returns its bytes; 0: nothing is there.
size_t datagram_receive(struct datagram_port *port, uint64_t now_ns, struct net_address *from,
                        uint8_t bytes[DATAGRAM_BYTES_MAX]);
/// Sends a datagram, or loses it.
void datagram_send(struct datagram_port *port, uint64_t now_ns, const struct net_address *to, const uint8_t *bytes,
                   size_t byte_count);
/// Datagrams that are sent from now on may wait for datagram_release(), so that they cost fewer calls of the kernel.
void datagram_gather(struct datagram_port *port);
/// Sends what was gathered, and what a bad line has kept until now.
void datagram_release(struct datagram_port *port, uint64_t now_ns);
/// Sleeps until something can be read or the deadline, ns.
void datagram_wait(const struct datagram_port *port, uint64_t deadline_ns);
/// The address of a host name or number, and a port. False if none is known.
bool net_address_find(struct net_address *address, const char *host, uint16_t number);

#endif
