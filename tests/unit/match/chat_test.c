// SPDX-License-Identifier: MIT
//
// Tests chat: how lines are cleaned and limited, and which clients receive them.
#include <stdlib.h>
#include <string.h>

#include "memory_network.h"
#include "probe.h"
#include "test.h"
#include "test_map.h"

static struct session session;
static char commanded[400]; // lines, each with its peer
static struct map map;

static void take_command(void *context, uint32_t peer, uint32_t slot, const char *line)
{
    (void)slot;
    assert_ptr_equal(context, commanded);
    size_t used = strlen(commanded);
    snprintf(commanded + used, sizeof commanded - used, "%u:%s\n", peer, line);
    chat_send_system(session.match, peer, "Done.");
}

static void end(void)
{
    session_end(&session);
}

EACH_TEST(NULL, end);

static void begin(uint32_t probes, bool commands)
{
    test_map_random(&map, 4, 60, 40);
    commanded[0] = 0;
    struct match_config config = {.map = &map,
                                  .rules = {.mode = MODE_FFA, .seed = 7},
                                  .players_max = 4,
                                  .snapshot_rate = 60,
                                  .listener = {commands ? take_command : NULL, commanded}};
    session_begin(&session, &config, &(struct impairment){0}, probes);
    session_run(&session, 60);
}

static void say(uint32_t probe, bool team, const char *text)
{
    struct message message = {.kind = MESSAGE_CHAT_SEND, .as.chat_send.team = team};
    memcpy(message.as.chat_send.text, text, strlen(text));
    probe_send(&session.probes[probe], &message, NET_RELIABLE);
    session_run(&session, 2);
}

static const struct chat_line_message *heard(uint32_t probe)
{
    const struct probe *at = &session.probes[probe];
    return at->chat_line_count ? &at->chat_lines[(at->chat_line_count - 1) % PROBE_CHAT_CAPACITY] : NULL;
}

TEST(a_line_reaches_everybody_with_the_slot_of_its_author)
{
    begin(3, false);
    say(1, false, " hello  there\n");
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(session.probes[i].chat_line_count, 1);
        assert_string_equal(heard(i)->text, "hello there");
        assert_int_equal(heard(i)->from, session.probes[1].slot + 1);
        assert_int_equal(heard(i)->flags, 0);
    }
}

TEST(a_team_line_reaches_only_the_team)
{
    begin(3, false);
    for (uint32_t i = 0; i < 3; i++)
        session.match->world.players[session.probes[i].slot].team = i == 2 ? 2 : 1;
    say(0, true, "left");
    assert_int_equal(session.probes[0].chat_line_count, 1);
    assert_int_equal(session.probes[1].chat_line_count, 1);
    assert_int_equal(session.probes[2].chat_line_count, 0);
    assert_int_equal(heard(1)->flags, CHAT_TEAM);
}

TEST(a_line_that_is_empty_once_cleaned_is_not_sent)
{
    begin(2, true);
    say(0, false, " \x01 ");
    say(0, false, "/");
    assert_int_equal(session.probes[1].chat_line_count, 0);
    assert_string_equal(commanded, "");
}

TEST(a_line_with_a_slash_is_a_command_with_a_private_answer)
{
    begin(2, true);
    say(1, false, "/vote  map duel");
    assert_string_equal(commanded, "1:vote map duel\n");
    assert_int_equal(session.probes[0].chat_line_count, 0);
    assert_string_equal(heard(1)->text, "Done.");
    assert_int_equal(heard(1)->from, 0);
    assert_int_equal(heard(1)->flags, CHAT_PRIVATE);
    session_end(&session);
    begin(1, false);
    say(0, false, "/help");
    assert_string_equal(heard(0)->text, "This server takes no commands.");
}

TEST(a_client_that_chats_too_fast_is_warned_and_muted_for_a_while)
{
    begin(2, false);
    for (uint32_t i = 0; i < 30; i++)
        say(0, false, "again"); // 30 lines in a second
    assert_in_range(session.probes[1].chat_line_count, CHAT_BURST, CHAT_BURST + 1);
    assert_in_range(session.probes[0].chat_line_count, CHAT_BURST + 1, CHAT_BURST + 3);
    uint32_t before = session.probes[1].chat_line_count;
    session_run(&session, 120);
    say(0, false, "later");
    assert_int_equal(session.probes[1].chat_line_count, before + 1);
    say(1, false, "me too"); // every client has its own bucket
    assert_string_equal(heard(0)->text, "me too");
    assert_false(session.probes[0].ended);
}

TEST(a_system_message_is_cut_at_a_whole_character)
{
    static const struct {
        size_t letters;
        const char *more;
        size_t shown;
    } rows[] = {
        /* 0 */ {CHAT_LINE_BYTES_MAX - 1, "\xc3\xbc and more", CHAT_LINE_BYTES_MAX - 1},
        /* 1 */ {CHAT_LINE_BYTES_MAX + 2, "", CHAT_LINE_BYTES_MAX},
        /* 2 */ {CHAT_LINE_BYTES_MAX, "", CHAT_LINE_BYTES_MAX}, // just fits
    };
    begin(1, false);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[CHAT_LINE_BYTES_MAX + 40] = "";
        memset(text, 'a', rows[i].letters);
        strcat(text, rows[i].more);
        chat_broadcast_system(session.match, text);
        session_run(&session, 2);
        assert_int_equal(strlen(heard(0)->text), rows[i].shown);
        assert_memory_equal(heard(0)->text, text, rows[i].shown);
        assert_int_equal(heard(0)->flags, 0);
    }
}

TEST(an_empty_system_message_is_not_sent)
{
    begin(1, false);
    chat_broadcast_system(session.match, "");
    chat_send_system(session.match, 0, "");
    chat_send_system(session.match, 9, "nobody is there");
    session_run(&session, 2);
    assert_int_equal(session.probes[0].chat_line_count, 0);
    chat_send_system(session.match, 0, "x");
    session_run(&session, 2);
    assert_string_equal(heard(0)->text, "x");
}

TEST(a_line_before_the_join_is_malformed)
{
    begin(1, false);
    struct transport *stranger = memory_network_client(session.network);
    struct net_event event;
    session_run(&session, 2);
    while (transport_poll(stranger, &event))
        continue;
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t count =
        message_encode(&(struct message){.kind = MESSAGE_CHAT_SEND, .as.chat_send.text = "let me in"}, bytes);
    assert_true(transport_send(stranger, 0, NET_RELIABLE, bytes, count));
    session_run(&session, 2);
    assert_int_equal(session.match->statistics.malformed, 1);
    assert_int_equal(session.probes[0].chat_line_count, 0);
}
