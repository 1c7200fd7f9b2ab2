// SPDX-License-Identifier: MIT
#include "change_queue.h"

#include <string.h>

bool change_queue_announces(enum change_kind kind)
{
    return kind != CHANGE_RESERVED && kind != CHANGE_ASKED && kind != CHANGE_NOTED;
}

struct change *change_queue_push(struct change_queue *queue)
{
    if (queue->end - queue->first == CHANGE_QUEUE_CAPACITY) {
        queue->first++;
        queue->lost++;
    }
    struct change *change = &queue->changes[queue->end++ % CHANGE_QUEUE_CAPACITY];
    change->byte_count = 0;
    change->varies = false;
    memset(change->nonce, 0, sizeof change->nonce);
    return change;
}

bool change_queue_pop(struct change_queue *queue, struct change *change)
{
    if (queue->first == queue->end)
        return false;
    *change = queue->changes[queue->first++ % CHANGE_QUEUE_CAPACITY];
    return true;
}
