// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "game/input.h"
#include "hud/chat_panel.h"
#include "hud/quick_chat.h"
#include "test.h"
#include "test_match.h"
#include "text/text.h"

static struct chat_panel chat;
static struct frame_heads heads;
static struct test_match match;

static void start(void)
{
    memset(&chat, 0, sizeof chat);
    memset(&match, 0, sizeof match);
    match.world.player_slots = 2;
    match.world.players[0] = (struct player){.state = PLAYER_ALIVE, .name = {0x616441}}; // "Ada"
    match.world.players[1] = (struct player){.state = PLAYER_DEAD, .name = {0x6F42}};    // "Bo"
}

static void hear(uint32_t from, uint32_t flags, const char *text, uint64_t now_us)
{
    struct chat_line line = {.from = from, .flags = flags};
    strcpy(line.text, text);
    chat_panel_add(&chat, &line, &match.world, now_us);
}

TEST(a_wheel_sends_what_it_points_at_when_it_is_let_go)
{
    static const struct {
        enum quick_chat_kind kind;
        uint32_t ways;
        const char *line;
    } rows[] = {
        /* 1 */ {QUICK_CHAT_EMOTES, BUTTON_UP, ":hello:"},
        /* 2 */ {QUICK_CHAT_EMOTES, BUTTON_UP | BUTTON_RIGHT, ":laugh:"},
        /* 3 */ {QUICK_CHAT_EMOTES, BUTTON_LEFT | BUTTON_UP, ":what:"},
        /* 4 */ {QUICK_CHAT_EMOTES, 0, NULL},
        /* 5 */ {QUICK_CHAT_EMOTES, BUTTON_LEFT | BUTTON_RIGHT, NULL},
        /* 6 */ {QUICK_CHAT_EMOTES, BUTTON_JUMP | BUTTON_SHOOT, NULL},
        /* 7 */ {QUICK_CHAT_PHRASES, BUTTON_DOWN, "Good game!"},
        /* 8 */ {QUICK_CHAT_PHRASES, BUTTON_DOWN | BUTTON_LEFT | BUTTON_JUMP, "Sorry!"},
        /* 9 */ {QUICK_CHAT_NONE, BUTTON_DOWN, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct quick_chat_wheel wheel = {.kind = QUICK_CHAT_NONE};
        assert_null(quick_chat_step(&wheel, rows[i].kind, 0));
        assert_null(quick_chat_step(&wheel, rows[i].kind, rows[i].ways));
        const char *line = quick_chat_step(&wheel, QUICK_CHAT_NONE, rows[i].ways);
        if (rows[i].line)
            assert_string_equal(line, rows[i].line);
        else
            assert_null(line);
        assert_null(quick_chat_step(&wheel, QUICK_CHAT_NONE, rows[i].ways)); // once
    }
}

TEST(the_middle_takes_a_choice_back)
{
    struct quick_chat_wheel wheel = {.kind = QUICK_CHAT_NONE};
    quick_chat_step(&wheel, QUICK_CHAT_EMOTES, BUTTON_UP);
    quick_chat_step(&wheel, QUICK_CHAT_EMOTES, 0);
    assert_null(quick_chat_step(&wheel, QUICK_CHAT_NONE, BUTTON_UP));
}

TEST(everybody_reads_a_phrase_of_the_wheel_in_their_own_language)
{
    start();
    text_use(TEXT_GERMAN);
    hear(1, 0, "Good game!", 1);
    hear(1, 0, "Good game, all!", 1);
    assert_string_equal(chat.lines[0].text, text_of("Good game!"));
    assert_string_not_equal(chat.lines[0].text, "Good game!");
    assert_string_equal(chat.lines[1].text, "Good game, all!");
    text_use(TEXT_ENGLISH);
}

TEST(an_emote_shows_over_a_head_for_a_while_and_not_in_the_chat)
{
    start();
    hear(1, 0, ":wow:", 1000);
    assert_int_equal(chat.count, 0);
    chat_panel_heads(&chat, 1000 + QUICK_CHAT_EMOTE_US - 1, &heads);
    assert_int_equal(heads.emotes[0], quick_chat_emote(":wow:"));
    assert_int_equal(heads.emotes[1], 0);
    chat_panel_heads(&chat, 1000 + QUICK_CHAT_EMOTE_US, &heads);
    assert_int_equal(heads.emotes[0], 0);
}

// Who has no head to show it over, and what the server or a whisper says.
TEST(other_emotes_are_lines)
{
    start();
    hear(2, 0, ":wow:", 1);
    assert_string_equal(chat.lines[0].text, "Wow");
    hear(1, CHAT_PRIVATE, ":wow:", 1);
    hear(0, 0, ":wow:", 1);
    assert_string_equal(chat.lines[2].text, ":wow:");
    assert_int_equal(chat.count, 3);
    chat_panel_heads(&chat, 2, &heads);
    assert_int_equal(heads.emotes[0], 0);
}
