// SPDX-License-Identifier: MIT
//
// Tests muting in the whole app, beside a player with a key of their own: lines, whispers, emotes, another name,
// another match, another run of the program, and the list that ends it.
#include <stdio.h>
#include <string.h>

#include "app/play/play_chat.h"
#include "app_session.h"
#include "core/client.h"
#include "match/match.h"
#include "net/enet/enet_transport.h"
#include "test.h"
#include "virtual_udp.h"
#include "window/keyboard.h"

#define HELLO "from another computer"

static struct client *other;

static void step_other(uint64_t step)
{
    uint64_t now_us = virtual_udp_now_ns() / 1000;
    (void)step;
    client_receive(other, now_us);
    while (client_tick_due(other, now_us))
        client_tick(other, &(struct local_inputs){{{0}}}, now_us);
}

static void join_other(const char *name)
{
    static const uint8_t KEY[IDENTITY_SEED_BYTES] = {'B', 'o'};
    struct error error;
    struct client_config config = {.player.name = ""};
    struct net_client_config net = {
        .host = "127.0.0.1", .port = session.port, .protocol = PROTOCOL_VERSION, .key = KEY};
    snprintf(config.player.name, sizeof config.player.name, "%s", name);
    struct transport *transport = enet_transport_open_client(&net, &error);
    assert_non_null(transport);
    other = client_create(transport, &config);
    assert_non_null(other);
    session.each_step = step_other;
    app_session_pass(1.5);
    assert_int_equal(client_state(other), CLIENT_PLAYING);
}

static void begin(const char *name)
{
    app_session_begin_match();
    join_other(name);
}

static void leave_other(void)
{
    if (!other)
        return;
    session.each_step = NULL;
    client_destroy(other);
    other = NULL;
    app_session_pass(0.5);
}

static void end(void)
{
    leave_other();
    app_session_end();
}

static void say(const char *line)
{
    static const char WHISPER[] = "/w Ada ";
    uint32_t own = client_slot(local_players_client(&session.play->local)), from = client_slot(other);
    if (strncmp(line, WHISPER, sizeof WHISPER - 1) != 0)
        assert_true(client_chat_send(other, 0, false, line));
    else // as the server's command does
        assert_true(chat_whisper(session.match, peer_at_slot(session.match, from), own, line + sizeof WHISPER - 1));
}

// Returns whether the window shows a line of the other player.
static bool hears(const char *line)
{
    uint32_t before = session.play->chat.panel.count;
    app_session_pass(2); // so that no line is one too many
    say(line);
    app_session_pass(0.5);
    session.play->view.world =
        client_world(local_players_client(&session.play->local)); // as a frame of the match has it
    play_chat_receive(&session.play->chat, session.play->view.world, virtual_udp_now_ns() / 1000);
    uint32_t slot = client_slot(other);
    bool shows_emote = session.play->chat.panel.emotes[slot].until_us > virtual_udp_now_ns() / 1000;
    return session.play->chat.panel.count > before || shows_emote;
}

static const char *last_line(void)
{
    return session.play->chat.panel.lines[(session.play->chat.panel.count - 1) % CHAT_PANEL_CAPACITY].text;
}

ALL_TESTS(app_session_create, test_folder_remove);
EACH_TEST(NULL, end);

TEST(who_is_muted_is_neither_read_nor_seen)
{
    static const char *const LINES[] = {HELLO, "/w Ada psst", ":wow:", "Good luck!"};
    begin("Bo");
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        assert_true(hears(LINES[i]));
    assert_true(play_chat_obey(&session.play->chat, "/mute Bo"));
    assert_string_equal(last_line(), "You no longer see what Bo writes, here and elsewhere.");
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        assert_false(hears(LINES[i]));
    assert_true(play_chat_obey(&session.play->chat, "/unmute Bo"));
    assert_string_equal(last_line(), "You see again what Bo writes.");
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        assert_true(hears(LINES[i]));
}

TEST(other_lines_are_for_the_server)
{
    static const char *const LINES[] = {"/muted Bo", "/mute", "hello", "/unmute", ""};
    begin("Bo");
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        assert_false(play_chat_obey(&session.play->chat, LINES[i]));
}

// Nobody, and those at this computer.
TEST(only_others_are_muted)
{
    static const char *const NAMES[] = {"Cy", "Ada", ""};
    begin("Bo");
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char line[64], answer[128];
        snprintf(line, sizeof line, "/mute %s", NAMES[i]);
        snprintf(answer, sizeof answer, "There is nobody of the name %s to mute.", NAMES[i]);
        assert_true(play_chat_obey(&session.play->chat, line));
        assert_string_equal(last_line(), answer);
    }
    assert_int_equal(shell->context.profile.preferences.muted.count, 0);
}

TEST(another_name_helps_nobody_who_is_muted)
{
    begin("Bo");
    play_chat_toggle_mute(&session.play->chat, "Bo");
    leave_other();
    join_other("Saint");
    assert_false(hears(HELLO));
    play_chat_toggle_mute(&session.play->chat, "Saint");
    assert_true(hears(HELLO));
}

// With a new name, on another server, in another run of the program. The list still has the old name.
TEST(it_holds_for_other_servers)
{
    begin("Bo");
    play_chat_toggle_mute(&session.play->chat, "Bo");
    profile_save_preferences(&shell->context.profile, &session.log); // as the next screen, or the end of the program
    end();
    assert_non_null(strstr(test_folder_read("settings"), "=Bo"));
    begin("Saint");
    assert_false(hears(HELLO));
    assert_true(play_chat_obey(&session.play->chat, "/unmute Bo"));
    assert_true(hears(HELLO));
}

// Not the player, nor the other one while they are away for a moment.
TEST(who_joins_and_leaves_is_said)
{
    begin("Bo");
    leave_other();
    session.play->view.world = client_world(local_players_client(&session.play->local));
    play_chat_receive(&session.play->chat, session.play->view.world, virtual_udp_now_ns() / 1000);
    app_session_pass(3);
    play_chat_receive(&session.play->chat, session.play->view.world, virtual_udp_now_ns() / 1000);
    assert_int_equal(session.play->chat.panel.count, 0);
    join_other("Bo");
    play_chat_receive(&session.play->chat, session.play->view.world, virtual_udp_now_ns() / 1000);
    assert_int_equal(session.play->chat.panel.count, 1);
    assert_string_equal(last_line(), "Bo joined.");
    leave_other();
    play_chat_receive(&session.play->chat, session.play->view.world, virtual_udp_now_ns() / 1000);
    assert_int_equal(session.play->chat.panel.count, 1);
    app_session_pass(3);
    play_chat_receive(&session.play->chat, session.play->view.world, virtual_udp_now_ns() / 1000);
    assert_int_equal(session.play->chat.panel.count, 2);
    assert_string_equal(last_line(), "Bo left.");
}
