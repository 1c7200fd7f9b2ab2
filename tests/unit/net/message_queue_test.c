// SPDX-License-Identifier: MIT
#include <string.h>

#include "net/enet/message_queue.h"
#include "test.h"

static struct message_queue queue;

TEST(messages_come_out_in_order_with_their_sessions)
{
    static const uint8_t bytes[NET_MESSAGE_BYTES_MAX] = {1, 2, 3};
    struct queued_message message;
    for (int round = 0; round < 3; round++) {
        assert_false(message_queue_take(&queue, &message));
        message_queue_add(&queue, &(struct queued_message){5000000000, {7, 9}, 1, bytes});
        message_queue_add(&queue, &(struct queued_message){6000000000, {8, 10}, sizeof bytes - 1, bytes + 1});
        assert_true(message_queue_take(&queue, &message));
        assert_true(message.from.index == 7 && message.from.generation == 9 && message.byte_count == 1);
        assert_int_equal(message.bytes[0], 1);
        assert_true(message.arrived_ns == 5000000000);
        assert_true(message_queue_take(&queue, &message));
        assert_true(message.from.index == 8 && message.from.generation == 10);
        assert_int_equal(message.byte_count, sizeof bytes - 1);
        assert_true(message.arrived_ns == 6000000000);
        assert_memory_equal(message.bytes, bytes + 1, sizeof bytes - 1);
    }
    assert_false(message_queue_take(&queue, &message));
}

TEST(a_full_queue_has_no_room_until_it_is_empty)
{
    static const uint8_t bytes[NET_MESSAGE_BYTES_MAX];
    struct queued_message message;
    int added = 0;
    for (; message_queue_has_room(&queue); added++)
        message_queue_add(&queue, &(struct queued_message){0, {(uint16_t)added, 1}, sizeof bytes, bytes});
    assert_in_range(added, 50, MESSAGE_QUEUE_BYTES / NET_MESSAGE_BYTES_MAX);
    for (int i = 0; i < added; i++) {
        assert_false(message_queue_has_room(&queue));
        assert_true(message_queue_take(&queue, &message));
        assert_int_equal(message.from.index, i);
    }
    assert_false(message_queue_take(&queue, &message));
    assert_true(message_queue_has_room(&queue));
}
