// SPDX-License-Identifier: MIT
//
// UDP over IPv4 and IPv6 under one port number, without blocking. A datagram that cannot be sent or received is lost
// and is no error, as on a network. Knows addresses and bytes, and not what they mean. May impair its own traffic, for
// tests.
#ifndef NET_UDP_SOCKET_H
#define NET_UDP_SOCKET_H

#include "base/error.h"
#include "base/platform/udp.h"
#include "impairment.h"
#include "webrtc.h"
#include "webrtc_filter.h"

struct udp_socket {
    int sockets[2]; ///< IPv4, IPv6; -1: none
    unsigned turn;  ///< which one is read next
    unsigned empty; ///< how many of them were empty when they were read last, in this call or round
    bool in_round;  ///< see udp_socket_begin_round()
    struct udp_socket_batch {
        unsigned count, taken; ///< received, and of them taken
        struct udp_datagram datagrams[UDP_BATCH];
        uint64_t arrived_ns[UDP_BATCH]; ///< on our clock
        uint8_t bytes[UDP_BATCH][WEBRTC_PAYLOAD_BYTES_MAX];
    } batch;
    struct udp_socket_outbox {
        bool open;      ///< datagrams are collected here
        int socket;     ///< that sends them all
        unsigned count; ///< collected
        struct udp_datagram datagrams[UDP_BATCH];
        uint8_t bytes[UDP_BATCH][DATAGRAM_BYTES_MAX];
    } outbox;
    uint64_t bytes_in, bytes_out, packets_in, packets_out, oversized;
    uint32_t receive_buffer_bytes;    ///< as the kernel granted
    struct webrtc_link *webrtc;       ///< of a server that browsers may join, from then on; null: none
    struct webrtc_filter *filter;     ///< of that server
    bool webrtc_was_empty;            ///< when it was read last, in this call or round
    uint64_t arrived_ns;              ///< when the kernel got the datagram that was received last
    struct impairment_line *in, *out; ///< null: not impaired
};

/// Opens a server's sockets. `bind_address` null or "0.0.0.0": everywhere, and IPv6 as well where there is any. A port
/// of 0 becomes the one in use. False with an error.
bool udp_socket_listen(struct udp_socket *udp, const char *bind_address, uint16_t *port, struct error *error);
/// Takes the sockets that another program has opened with udp_socket_listen(), with all that waits in them, if they are
/// bound as asked for; closes all others. False if none of them is.
bool udp_socket_adopt(struct udp_socket *udp, const int *files, uint32_t count, const char *bind_address,
                      uint16_t *port);
/// Returns whether the channel of a client's socket is still being opened (udp_is_opening()).
bool udp_socket_is_opening(const struct udp_socket *udp);
/// Opens a client's socket, and finds the address of a host name or number. The certificate is for udp_certify(). False
/// with an error.
bool udp_socket_connect(struct udp_socket *udp, const char *host, uint16_t port, const char *certificate,
                        struct net_address *server, struct error *error);
/// Opens sockets for queries to any address, broadcasts included. False with an error.
bool udp_socket_open_query(struct udp_socket *udp, struct error *error);
/// Impairs both directions from now on. False if out of memory.
bool udp_socket_impair(struct udp_socket *udp, const struct impairment *impairment, uint64_t seed);
/// Closes it.
void udp_socket_close(struct udp_socket *udp);

/// From now on, each socket is read only until it was empty once, so that what arrives meanwhile waits for the next
/// round. A program that begins no rounds finds whatever there is at each call.
void udp_socket_begin_round(struct udp_socket *udp);
/// Receives a datagram, and sets `arrived_ns`. Returns its bytes; 0 if there is none.
size_t udp_socket_receive(struct udp_socket *udp, uint64_t now_ns, struct net_address *from,
                          uint8_t bytes[DATAGRAM_BYTES_MAX]);
/// Sends a datagram.
void udp_socket_send(struct udp_socket *udp, uint64_t now_ns, const struct net_address *to, const uint8_t *bytes,
                     size_t byte_count);
/// Lets datagrams wait for udp_socket_flush() from now on, so that they cost fewer system calls.
void udp_socket_cork(struct udp_socket *udp);
/// Sends the datagrams that were collected, and those of an impaired socket that are due.
void udp_socket_flush(struct udp_socket *udp, uint64_t now_ns);
/// Sleeps until something can be read or is due, at most until the deadline, ns.
void udp_socket_wait(const struct udp_socket *udp, uint64_t deadline_ns);
/// Sleeps until the WebRTC process has written something, at most until the deadline, ns.
void udp_socket_await_webrtc(const struct udp_socket *udp, uint64_t deadline_ns);

#endif
