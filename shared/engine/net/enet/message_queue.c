// SPDX-License-Identifier: MIT
#include "message_queue.h"

#include <assert.h>
#include <string.h>

// In the queue, each message stands behind its struct queued_message.
bool message_queue_has_room(const struct message_queue *queue)
{
    return MESSAGE_QUEUE_BYTES - queue->written >= sizeof(struct queued_message) + NET_MESSAGE_BYTES_MAX;
}

void message_queue_add(struct message_queue *queue, const struct queued_message *message)
{
    assert(message->byte_count <= NET_MESSAGE_BYTES_MAX && message_queue_has_room(queue));
    memcpy(queue->bytes + queue->written, message, sizeof *message);
    memcpy(queue->bytes + queue->written + sizeof *message, message->bytes, message->byte_count);
    queue->written += sizeof *message + message->byte_count;
}

bool message_queue_take(struct message_queue *queue, struct queued_message *message)
{
    if (queue->read == queue->written) {
        queue->read = queue->written = 0;
        return false;
    }
    memcpy(message, queue->bytes + queue->read, sizeof *message);
    message->bytes = queue->bytes + queue->read + sizeof *message;
    queue->read += sizeof *message + message->byte_count;
    return true;
}
