// SPDX-License-Identifier: MIT
//
// The two UDP ports of a directory at which it introduces clients to servers, and what goes through them.
#ifndef DIRECTORY_PUNCH_PORTS_H
#define DIRECTORY_PUNCH_PORTS_H

#include <pthread.h>

#include "net/udp_socket.h"
#include "punch_service.h"

/// Large: keep it static. Zero-initialise it, and then set all sockets to -1, or open it.
struct punch_ports {
    struct punch_service service;
    struct udp_socket first, second;
};

/// Opens the first port, or any other if that one is taken, and any second one. Returns the first port; 0 with an
/// error.
uint16_t punch_ports_open(struct punch_ports *ports, uint16_t port, const uint8_t secret[SIGNED_TEXT_SECRET_BYTES],
                          struct error *error);
/// Answers what has arrived. Takes the lock of the directory for each datagram.
void punch_ports_serve(struct punch_ports *ports, struct directory *directory, pthread_mutex_t *lock);
/// Closes them.
void punch_ports_close(struct punch_ports *ports);

#endif
