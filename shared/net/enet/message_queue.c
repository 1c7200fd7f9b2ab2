// SPDX-License-Identifier: MIT
#include "message_queue.h"

#include <assert.h>
#include <string.h>

// What stands before a message in the queue.
struct head {
    struct session_id from;
    uint16_t byte_count;
};

bool message_queue_has_room(const struct message_queue *queue)
{
    return MESSAGE_QUEUE_BYTES - queue->written >= sizeof(struct head) + NET_MESSAGE_BYTES_MAX;
}

void message_queue_add(struct message_queue *queue, struct session_id from, const uint8_t *bytes, size_t byte_count)
{
    struct head head = {from, (uint16_t)byte_count};
    assert(byte_count <= NET_MESSAGE_BYTES_MAX && message_queue_has_room(queue));
    memcpy(queue->bytes + queue->written, &head, sizeof head);
    memcpy(queue->bytes + queue->written + sizeof head, bytes, byte_count);
    queue->written += sizeof head + byte_count;
}

bool message_queue_take(struct message_queue *queue, struct queued_message *message)
{
    struct head head;
    if (queue->read == queue->written) {
        queue->read = queue->written = 0;
        return false;
    }
    memcpy(&head, queue->bytes + queue->read, sizeof head);
    *message = (struct queued_message){head.from, head.byte_count, queue->bytes + queue->read + sizeof head};
    queue->read += sizeof head + head.byte_count;
    return true;
}
