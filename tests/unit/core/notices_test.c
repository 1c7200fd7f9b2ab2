// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "core/notices.h"
#include "test.h"

static struct notices notices;

static void hear(uint32_t number)
{
    struct message message = {.kind = MESSAGE_CHAT_LINE, .as.chat_line = {.from = number % 3, .flags = number % 2}};
    snprintf(message.as.chat_line.text, sizeof message.as.chat_line.text, "line %u", number);
    notices_take(&notices, &message, 1000 + number);
}

TEST(chat_lines_are_returned_once_and_in_order)
{
    struct chat_line line;
    memset(&notices, 0, sizeof notices);
    assert_false(notices_next_line(&notices, &line));
    for (uint32_t i = 0; i < 100; i++) {
        hear(i);
        assert_true(notices_next_line(&notices, &line));
        char text[16];
        snprintf(text, sizeof text, "line %u", i);
        assert_string_equal(line.text, text);
        assert_int_equal(line.from, i % 3);
        assert_int_equal(line.flags, i % 2);
        assert_int_equal(line.heard_us, 1000 + i);
        assert_false(notices_next_line(&notices, &line));
    }
}

TEST(only_the_newest_unread_lines_are_kept)
{
    struct chat_line line;
    memset(&notices, 0, sizeof notices);
    for (uint32_t unread = CHAT_LINES; unread <= CHAT_LINES + 5; unread += 5) {
        for (uint32_t i = 0; i < unread; i++)
            hear(i);
        assert_true(notices_next_line(&notices, &line));
        assert_string_equal(line.text, unread == CHAT_LINES ? "line 0" : "line 5");
        uint32_t more = 0;
        while (notices_next_line(&notices, &line))
            more++;
        assert_int_equal(more, CHAT_LINES - 1);
    }
}

TEST(a_vote_counts_down_until_it_is_withdrawn)
{
    struct message message = {.kind = MESSAGE_VOTE, .as.vote = {2, 1, 120, "restart?", {{1, "Yes"}, {0, "No"}}}};
    struct vote_message found;
    memset(&notices, 0, sizeof notices);
    assert_false(notices_open_vote(&notices, 0, &found));
    notices_take(&notices, &message, 5000000);
    static const struct {
        uint64_t now_us;
        bool open;
        uint32_t ticks_left;
    } rows[] = {
        /* 1 */ {4000000, true, 120}, // a clock that went back
        /* 2 */ {5000000, true, 120},
        /* 3 */ {6000000, true, 60},
        /* 4 */ {7000000, true, 0},
        /* 5 */ {9000000, true, 0},   // the end of the vote may be on its way
        /* 6 */ {12016666, true, 0},  // five seconds long
        /* 7 */ {12016668, false, 0}, // it is not
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(notices_open_vote(&notices, rows[i].now_us, &found), rows[i].open);
        if (rows[i].open)
            assert_int_equal(found.ticks_left, rows[i].ticks_left);
    }
    notices_take(&notices, &(struct message){.kind = MESSAGE_VOTE}, 5500000);
    assert_false(notices_open_vote(&notices, 5500000, &found));
}
