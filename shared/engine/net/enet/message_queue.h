// SPDX-License-Identifier: MIT
//
// Messages that have arrived beside ENet, until they are polled. A pass over the socket fills the queue, and polling
// empties it before the next pass. Fixed size; while there is no room, datagrams wait in the kernel.
#ifndef ENET_MESSAGE_QUEUE_H
#define ENET_MESSAGE_QUEUE_H

#include "net/datagram.h"
#include "net/transport.h"

#define MESSAGE_QUEUE_BYTES 65536u

/// Zero-initialise.
struct message_queue {
    size_t written, read; ///< bytes
    uint8_t bytes[MESSAGE_QUEUE_BYTES];
};

/// A message, the session that it came from, and when it arrived.
struct queued_message {
    uint64_t arrived_ns; ///< of clock_now_ns()
    struct session_id from;
    uint16_t byte_count;
    const uint8_t *bytes; ///< in the queue: valid until that is empty and gets another message
};

/// Returns whether there is room for a message of any size.
bool message_queue_has_room(const struct message_queue *queue);
/// Adds a message of at most NET_MESSAGE_BYTES_MAX bytes; there must be room.
void message_queue_add(struct message_queue *queue, const struct queued_message *message);
/// Takes the oldest message. False if there is none.
bool message_queue_take(struct message_queue *queue, struct queued_message *message);

#endif
