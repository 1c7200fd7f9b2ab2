// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hud/chat_panel.h"
#include "test.h"
#include "test_match.h"
#include "text/text.h"

static struct chat_panel chat;
static struct test_match match;
static struct view view;
static struct canvas canvas, empty;
static char said[CHAT_SEND_BYTES_MAX + 1];

static void start(void)
{
    memset(&chat, 0, sizeof chat);
    memset(&match, 0, sizeof match);
    memset(&canvas, 0, sizeof canvas);
    match.world.player_slots = 1;
    match.world.players[0] = (struct player){.state = PLAYER_ALIVE, .colour = 3, .name = {0x616441}}; // "Ada"
    view = (struct view){.map = &match.map, .world = &match.world, .confirmed = &match.world};
}

static void draw(uint64_t now_us)
{
    struct frame frame = {.canvas = &canvas, .view = &view, .display = &DISPLAY_OPTIONS_DEFAULT};
    memset(&canvas, 0, sizeof canvas);
    chat_panel_draw(&frame, &chat, CANVAS_HEIGHT - 24, now_us);
}

TEST(a_typed_line_is_sent_once_and_an_empty_one_never)
{
    static const struct {
        const char *typed;
        int erased;
        bool says;
        const char *text;
    } rows[] = {
        /* 1 */ {"hello", 0, true, "hello"},
        /* 2 */ {"hello", 2, true, "hel"},
        /* 3 */ {"", 0, false, ""},
        /* 4 */ {"   ", 0, false, "   "},
        /* 5 */ {"a\u00E9\u20AC", 1, true, "a\u00E9"},
        /* 6 */ {"a\u00E9\u20AC", 2, true, "a"},
        /* 7 */ {"a", 5, false, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        chat_panel_type(&chat, "lost"); // no line is open
        chat_panel_open(&chat, true);
        chat_panel_type(&chat, rows[i].typed);
        for (int n = 0; n < rows[i].erased; n++)
            chat_panel_erase(&chat);
        assert_int_equal(chat_panel_submit(&chat, said), rows[i].says);
        assert_string_equal(said, rows[i].text);
        assert_false(chat.typing);
        assert_string_equal(chat.typed, "");
    }
}

TEST(a_typed_line_is_never_longer_than_a_chat_line)
{
    start();
    chat_panel_open(&chat, false);
    for (int i = 0; i < 200; i++)
        chat_panel_type(&chat, "\u20AC");
    assert_int_equal(strlen(chat.typed), CHAT_SEND_BYTES_MAX / 3 * 3);
    draw(0);
}

TEST(a_received_line_shows_its_author_for_a_while)
{
    start();
    chat_panel_add(&chat, &(struct chat_line){.from = 1, .text = "hello"}, &match.world, 1000);
    assert_string_equal(chat.lines[0].name, "Ada");
    assert_int_equal(chat.lines[0].colour, 3);
    draw(CHAT_PANEL_LINE_US);
    assert_memory_not_equal(&canvas, &empty, sizeof canvas);
    draw(CHAT_PANEL_LINE_US + 2000);
    assert_memory_equal(&canvas, &empty, sizeof canvas);
}

TEST(lines_of_any_kind_are_drawn_within_bounds)
{
    static const uint32_t from[] = {0, 1, PLAYER_CAPACITY, PLAYER_CAPACITY + 1, UINT32_MAX};
    struct chat_line line = {0};
    start();
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
        memset(line.text, i & 1 ? 'w' : 0xFF, sizeof line.text - 1);
        line.from = from[i];
        line.flags = UINT32_MAX;
        chat_panel_add(&chat, &line, &match.world, 0);
        draw(1);
    }
    assert_string_equal(chat.lines[0].name, ""); // the server
    assert_string_equal(chat.lines[3].name, ""); // no author
}

TEST(a_player_who_types_can_scroll_back)
{
    static const struct {
        uint32_t heard;
        int32_t up;
        uint32_t back;
    } rows[] = {
        /* 1 */ {0, 6, 0},
        /* 2 */ {1, 6, 0},
        /* 3 */ {20, 6, 6},
        /* 4 */ {20, 100, 19},
        /* 5 */ {20, -6, 0},
        /* 6 */ {200, 100, CHAT_PANEL_CAPACITY - 1},
        /* 7 */ {20, 20, 19},
        /* 8 */ {200, CHAT_PANEL_CAPACITY, CHAT_PANEL_CAPACITY - 1},
        /* 9 */ {200, INT16_MIN, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        chat_panel_open(&chat, false);
        for (uint32_t n = 0; n < rows[i].heard; n++)
            chat_panel_add(&chat, &(struct chat_line){.text = "word"}, &match.world, 0);
        chat_panel_scroll(&chat, rows[i].up);
        draw(CHAT_PANEL_LINE_US + 1);
        bool shows = memcmp(canvas.pixels, empty.pixels, CANVAS_WIDTH * CANVAS_HEIGHT / 2 * sizeof *canvas.pixels) != 0;
        uint32_t kept = rows[i].heard < CHAT_PANEL_CAPACITY ? rows[i].heard : CHAT_PANEL_CAPACITY;
        if (chat.back != rows[i].back || shows != (kept - chat.back > 13))
            fail_msg("row %zu: back %u, shows in the upper half: %d", i + 1, chat.back, shows);
    }
    chat_panel_scroll(&chat, 1);
    chat_panel_add(&chat, &(struct chat_line){.text = "word"}, &match.world, 0);
    assert_int_equal(chat.back, 2); // the same lines stay visible
    chat_panel_open(&chat, false);
    assert_int_equal(chat.back, 0);
}

TEST(who_scrolls_to_the_oldest_line_sees_it_until_they_scroll_on)
{
    static struct canvas no_line;
    start();
    chat_panel_open(&chat, false);
    draw(CHAT_PANEL_LINE_US + 1);
    no_line = canvas;
    for (uint32_t n = 0; n < CHAT_PANEL_CAPACITY; n++)
        chat_panel_add(&chat, &(struct chat_line){.text = "word"}, &match.world, 0);
    chat_panel_scroll(&chat, CHAT_PANEL_CAPACITY);
    draw(CHAT_PANEL_LINE_US + 1);
    assert_memory_not_equal(&canvas, &no_line, sizeof canvas);
    chat_panel_add(&chat, &(struct chat_line){.text = "word"}, &match.world, 0);
    draw(CHAT_PANEL_LINE_US + 1);
    assert_memory_not_equal(&canvas, &no_line, sizeof canvas);
}

TEST(sentences_of_the_server_are_translated_and_those_of_players_are_not)
{
    static const struct {
        uint32_t from;
        const char *text, *shown;
    } rows[] = {
        /* 1 */ {0, "The vote has passed.", "Die Abstimmung ist angenommen."},
        /* 2 */ {1, "The vote has passed.", "The vote has passed."},
        /* 3 */ {0, "Leave", "Leave"}, // an operator's word
        /* 4 */ {0, "Lunch is at noon.", "Lunch is at noon."},
    };
    static struct chat_panel translated;
    static struct world no_world;
    text_use(TEXT_GERMAN);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct chat_line line = {.from = rows[i].from};
        snprintf(line.text, sizeof line.text, "%s", rows[i].text);
        chat_panel_add(&translated, &line, &no_world, 1);
        assert_string_equal(translated.lines[i].text, rows[i].shown);
    }
    text_use(TEXT_ENGLISH);
}
