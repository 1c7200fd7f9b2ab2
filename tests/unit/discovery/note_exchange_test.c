// SPDX-License-Identifier: MIT
#include <string.h>

#include "discovery/friend.h"
#include "test.h"

static struct note_request request, read_request;
static struct note_answer answer, read_answer;
static uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX + NOTE_EXCHANGE_ANSWER_BYTES_MAX];

static void fill(void *place, size_t byte_count, uint8_t first)
{
    for (size_t i = 0; i < byte_count; i++)
        ((uint8_t *)place)[i] = (uint8_t)(first + i * 7);
}

TEST(a_request_is_read_as_it_was_written)
{
    static const struct {
        uint32_t notes, names;
    } rows[] = {{0, 0}, {1, 0}, {0, 1}, {3, 5}, {NOTE_EXCHANGE_NOTES_MAX, NOTE_EXCHANGE_NAMES_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        request = (struct note_request){.note_count = rows[i].notes, .name_count = rows[i].names};
        read_request = (struct note_request){0};
        fill(request.notes, rows[i].notes * sizeof *request.notes, 1);
        fill(request.names, rows[i].names * sizeof *request.names, 100);
        size_t count = friend_notes_write_request(&request, bytes);
        assert_true(friend_notes_read_request(&read_request, bytes, count));
        assert_memory_equal(&request, &read_request, sizeof request);
        assert_false(friend_notes_read_request(&read_request, bytes, count - 1));
        assert_false(friend_notes_read_request(&read_request, bytes, count + 1));
    }
}

TEST(an_answer_is_read_as_it_was_written)
{
    static const uint32_t counts[] = {0, 1, 5, NOTE_EXCHANGE_NAMES_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        answer = (struct note_answer){.count = counts[i]};
        read_answer = (struct note_answer){0};
        fill(answer.notes, counts[i] * sizeof *answer.notes, 1);
        size_t count = friend_notes_write_answer(&answer, bytes);
        assert_true(friend_notes_read_answer(&read_answer, bytes, count));
        assert_memory_equal(&answer, &read_answer, sizeof answer);
        assert_false(friend_notes_read_answer(&read_answer, bytes, count - 1));
        assert_false(friend_notes_read_answer(&read_answer, bytes, count + 1));
    }
}

// The head of a request: the magic word, and how many notes and names follow. Each row has as many bytes as it says.
TEST(more_than_there_may_be_is_refused)
{
    static const struct {
        uint8_t notes, names;
        bool good;
    } rows[] = {
        /* 1 */ {NOTE_EXCHANGE_NOTES_MAX, 0, true},
        /* 2 */ {NOTE_EXCHANGE_NOTES_MAX + 1, 0, false},
        /* 3 */ {0, NOTE_EXCHANGE_NAMES_MAX, true},
        /* 4 */ {0, NOTE_EXCHANGE_NAMES_MAX + 1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t head[] = {'D', 'F', 'N', '1', rows[i].notes, rows[i].names};
        size_t count = sizeof head + rows[i].notes * sizeof *request.notes + rows[i].names * sizeof *request.names;
        memcpy(bytes, head, sizeof head);
        if (friend_notes_read_request(&read_request, bytes, count) != rows[i].good)
            fail_msg("row %zu", i + 1);
        bytes[3] = '2';
        assert_false(friend_notes_read_request(&read_request, bytes, count));
    }
    memcpy(bytes, "DFN1", 4);
    bytes[4] = NOTE_EXCHANGE_NAMES_MAX + 1;
    assert_false(friend_notes_read_answer(&read_answer, bytes, 5 + bytes[4] * sizeof *answer.notes));
}
