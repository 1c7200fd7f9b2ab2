// SPDX-License-Identifier: MIT
//
// Tests what is read from Agones' sidecar, good or hostile, and how the list of players becomes true.
#include "monitor/game_server.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct game_server_list list;
static bool plays[PLAYER_CAPACITY];

static void begin(void)
{
    list = (struct game_server_list){0};
    memset(plays, 0, sizeof plays);
}

EACH_TEST(begin, NULL);

BARE_TEST(a_game_server_is_read_or_its_texts_are_empty)
{
    static const struct {
        const char *text, *state, *address, *allocated;
        uint32_t period;
        bool read;
    } rows[] = {
        /* 0 */ {
            "{\"object_meta\":{\"annotations\":{\"agones.dev/last-allocated\":\"2026-11-22T20:00:00.5Z\"}},\"spec\":"
            "{\"health\":{\"period_seconds\":7}},\"status\":{\"state\":\"Ready\",\"address\":\"192.0.2.7\",\"ports\":"
            "[{\"name\":\"game\",\"port\":7123}]}}",
            "Ready", "192.0.2.7:7123", "2026-11-22T20:00:00.5Z", 7, true},
        /* 1 */
        {"{\"status\":{\"address\":\"2001:db8::7\",\"ports\":[{\"name\":\"web\",\"port\":80},{\"name\":\"game\","
         "\"port\":65535}]}}",
         "", "[2001:db8::7]:65535", "", 0, true},
        /* 2 */
        {"{\"status\":{\"address\":\"node-1.example\",\"ports\":[{\"name\":\"a\",\"port\":1},{\"name\":\"b\",\"port\":"
         "2}]}}",
         "", "node-1.example:1", "", 0, true},
        /* 3 */ {"{\"status\":{\"address\":\"192.0.2.7\",\"ports\":[]}}", "", "", "", 0, true},
        /* 4 */
        {"{\"status\":{\"address\":\"192.0.2.7\",\"ports\":[{\"name\":\"game\",\"port\":65536}]}}", "", "", "", 0,
         true},
        /* 5 */
        {"{\"status\":{\"address\":\"192.0.2.7\",\"ports\":[{\"name\":\"game\",\"port\":\"7123\"},5]}}", "", "", "", 0,
         true},
        /* 6 */
        {"{\"status\":{\"address\":\"\\\",x\",\"ports\":[{\"name\":\"game\",\"port\":1}]}}", "", "", "", 0, true},
        /* 7 */ {"{\"status\":{\"address\":\"\",\"ports\":[{\"name\":\"game\",\"port\":1}]}}", "", "", "", 0, true},
        /* 8 */ {"{\"status\":{\"state\":7},\"spec\":5,\"object_meta\":[]}", "", "", "", 0, true},
        /* 9 */ {"{\"status\":{\"state\":\"AStateThatIsLongerThan23\"}}", "", "", "", 0, true},
        /* 10 */ {"{\"status\":{\"state\":\"AStateOfTwentyThreeChar\"}}", "AStateOfTwentyThreeChar", "", "", 0, true},
        /* 11 */ {"{\"spec\":{\"health\":{\"period_seconds\":3601}}}", "", "", "", 0, true},
        /* 12 */ {"{}", "", "", "", 0, true},
        /* 13 */ {"[]", "kept", "", "", 0, false},
        /* 14 */ {"{\"status\":", "kept", "", "", 0, false},
        /* 15 */ {"", "kept", "", "", 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct game_server server = {.state = "kept"};
        bool read = game_server_read(&server, rows[i].text);
        if (read != rows[i].read || strcmp(server.state, rows[i].state) != 0 ||
            strcmp(server.address, rows[i].address) != 0 || strcmp(server.allocated, rows[i].allocated) != 0 ||
            server.health_period != rows[i].period)
            fail_msg("row %zu: %d %s %s %s %u", i, read, server.state, server.address, server.allocated,
                     server.health_period);
    }
    struct game_server server = {0};
    assert_false(game_server_read_event(&server, rows[0].text));
    assert_true(game_server_read_event(&server, "{\"result\":{\"status\":{\"state\":\"Ready\"}}}"));
    assert_string_equal(server.state, "Ready");
}

static void read(const char *values, uint64_t now_ms)
{
    char text[4000];
    snprintf(text, sizeof text, "{\"name\":\"players\",\"capacity\":\"16\",\"values\":[%s]}", values);
    assert_true(game_server_list_read(&list, text, now_ms));
}

// Brings the list up to date, and returns the changes: "+slot-1 -ann =16 ".
static const char *settle(bool drains, uint64_t now_ms)
{
    static char text[2000];
    struct game_server_wanted wanted = {plays, 16, drains};
    struct game_server_change change;
    text[0] = 0;
    game_server_list_observe(&list, plays);
    for (uint32_t i = 0; i < 100 && game_server_list_next(&list, &wanted, now_ms, &change); i++) {
        size_t length = strlen(text);
        if (change.kind == GAME_SERVER_CAPACITY)
            snprintf(text + length, sizeof text - length, "=%u ", change.capacity);
        else
            snprintf(text + length, sizeof text - length, "%s%s ", change.kind == GAME_SERVER_ADD ? "+" : "-",
                     change.value);
        game_server_list_apply(&list, &change, now_ms);
    }
    return text;
}

TEST(the_list_becomes_that_of_the_players)
{
    read("\"slot-2\",\"slot-9\"", 0);
    plays[2] = plays[4] = plays[PLAYER_CAPACITY - 1] = true;
    assert_string_equal(settle(false, 0), "-slot-9 +slot-4 +slot-255 ");
    assert_string_equal(settle(false, 0), "");
    plays[4] = false;
    assert_string_equal(settle(false, 0), "-slot-4 ");
    read("", 0); // all is lost
    assert_string_equal(settle(false, 0), "+slot-2 +slot-255 ");
    list.capacity = 5;
    assert_string_equal(settle(false, 0), "=16 ");
}

TEST(a_reservation_lasts_a_minute_or_until_somebody_comes)
{
    read("\"ann\"", 1000);
    assert_string_equal(settle(false, 1000), "");
    read("\"ann\",\"bob\",\"slot-x\",\"slot-07\"", 30000); // the first is as old as before
    assert_string_equal(settle(false, 60999), "");
    assert_string_equal(settle(false, 61000), "-ann ");
    plays[0] = true;
    assert_string_equal(settle(false, 62000), "-bob +slot-0 "); // who comes takes up the oldest
    assert_string_equal(settle(false, 62000), "");
    plays[0] = false;
    assert_string_equal(settle(false, 63000), "-slot-0 ");
    plays[1] = plays[2] = plays[3] = true;
    assert_string_equal(settle(false, 64000), "-slot-x -slot-07 +slot-1 +slot-2 +slot-3 ");
    read("\"slot-1\",\"slot-2\",\"slot-3\",\"cid\"", 65000); // who came before takes up none
    assert_string_equal(settle(false, 65000), "");
}

// The sidecar adds a value again that is removed in the same batch as others are added.
TEST(a_removed_reservation_that_comes_back_is_removed_again)
{
    read("\"ann\"", 0);
    plays[0] = true;
    assert_string_equal(settle(false, 0), "-ann +slot-0 ");
    read("\"ann\",\"slot-0\"", 1000);
    assert_string_equal(settle(false, 1000), "-ann ");
    read("\"slot-0\",\"ann\"", 6000); // a new one of the same name
    assert_string_equal(settle(false, 6000), "");
}

TEST(a_server_that_drains_has_no_room)
{
    read("\"slot-1\",\"slot-2\"", 0);
    plays[1] = plays[2] = true;
    assert_string_equal(settle(false, 0), "");
    read("\"slot-1\",\"ann\",\"ann\",\"slot-2\"", 0);
    assert_string_equal(settle(true, 0), "-ann =2 ");
    plays[5] = true;
    assert_string_equal(settle(true, 0), "=3 +slot-5 ");
    plays[1] = false;
    assert_string_equal(settle(true, 0), "-slot-1 =2 ");
    assert_string_equal(settle(false, 0), "=16 ");
}

TEST(a_hostile_list_is_bounded)
{
    static const char *const rows[] = {
        "",
        "[]",
        "{}",
        "{\"capacity\":16,\"values\":[]}",
        "{\"capacity\":\"16\"}",
        "{\"capacity\":\"16\",\"values\":{}}",
        "{\"capacity\":\"16\",\"values\":[",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (game_server_list_read(&list, rows[i], 0))
            fail_msg("row %zu", i);
    assert_false(list.known);
    static char text[65536];
    size_t length = (size_t)snprintf(text, sizeof text, "{\"capacity\":\"1000\",\"values\":[1,null,{},\"%0*d\"",
                                     GAME_SERVER_VALUE_BYTES, 0);
    for (uint32_t i = 0; i < 1000; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, ",\"%u\\\"\"", i % 500);
    snprintf(text + length, sizeof text - length, "]}");
    assert_true(game_server_list_read(&list, text, 0));
    assert_int_equal(list.count, PLAYER_CAPACITY);
    assert_string_equal(list.values[0].text, "0\"");
}
