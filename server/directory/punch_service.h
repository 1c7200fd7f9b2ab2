// SPDX-License-Identifier: MIT
//
// Introduces clients to servers behind routers. Servers register from the game's port, clients ask from theirs; both
// prove their address by a cookie first, and a server its key as well. Then the directory lets the server expect the
// client, and the client know where the server is. A second port answers with where it sees somebody, from which they
// learn whether their router keeps its port. Only punch_ports have sockets and a clock.
#ifndef DIRECTORY_PUNCH_SERVICE_H
#define DIRECTORY_PUNCH_SERVICE_H

#include <pthread.h>

#include "directory.h"
#include "net/datagram.h"
#include "net/net_address.h"
#include "net/punch.h"
#include "net/udp_socket.h"

/// Datagrams that follow from one.
#define PUNCH_SERVICE_OUTPUTS 2

struct punch_service {
    uint8_t cookie_key[NET_ADDRESS_COOKIE_KEY_BYTES];
    uint8_t secret[32];   ///< of the directory's key, X25519
    uint16_t second_port; ///< UDP
    uint64_t number;      ///< of the last introduction
    struct rate_limit_table registers, asks;
};

/// Begins with the directory's secret (Ed25519) and random keys.
void punch_service_init(struct punch_service *service, const uint8_t secret[SIGNED_TEXT_SECRET_BYTES],
                        uint16_t second_port);

/// What is to be sent.
struct punch_service_output {
    struct net_address to;
    size_t byte_count;
    uint8_t bytes[PUNCH_PACKET_BYTES_MAX];
};

/// Takes a datagram of the first port, at a time in ms since 1970. Returns how many outputs follow.
uint32_t punch_service_take(struct punch_service *service, struct directory *directory, const struct datagram *datagram,
                            uint64_t unix_ms, struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS]);
/// Lets a server expect a client who has asked another directory. Returns how many outputs follow; call until it is 0.
uint32_t punch_service_relay(struct punch_service *service, struct directory *directory, uint64_t unix_ms,
                             struct punch_service_output *output);
/// Takes a datagram of the second port. Returns how many outputs follow.
uint32_t punch_service_see(const struct punch_service *service, const struct datagram *datagram,
                           struct punch_service_output *output);

/// Large: keep it static. Zero-initialise it, and then set all sockets to -1, or open it.
struct punch_ports {
    struct punch_service service;
    struct udp_socket first, second;
};

/// Opens the first port, or any other if that one is taken, and any second one. Returns the first port; 0 with an
/// error.
uint16_t punch_service_open(struct punch_ports *ports, uint16_t port, const uint8_t secret[SIGNED_TEXT_SECRET_BYTES],
                            struct error *error);
/// Answers what has arrived. Takes the lock of the directory for each datagram.
void punch_service_serve(struct punch_ports *ports, struct directory *directory, pthread_mutex_t *lock);
/// Closes them.
void punch_service_close(struct punch_ports *ports);

#endif
