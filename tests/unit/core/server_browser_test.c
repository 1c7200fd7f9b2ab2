// SPDX-License-Identifier: MIT
//
// Tests the server browser against a scripted server on loopback that challenges, answers, lies or is silent.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"

#include "core/server_browser.h"

#define MARK "\xFF\xFF\xFF\xFF"

static struct server_browser browser;
static struct udp_socket answerer;
static uint16_t port;
static uint64_t now_us;
static uint32_t asked, asked_rightly;

// "Alpha" on duel, 3 of 8, 2 of them bots, a password; its mode among the keywords.
static const char INFO[] = MARK "I\x11"
                                "Alpha\0duel\0deadfall\0Deadfall\0\0\0\x03\x08\x02"
                                "dl\x01\x00"
                                "0.1.0\0\xA0\x30\x6B"
                                "ffa,protocol3";

static void answer(const void *challenge, const void *info, size_t info_bytes)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    struct net_address from;
    for (size_t count; (count = udp_socket_receive(&answerer, now_us * 1000, &from, bytes)) > 0;) {
        bool first = count == 25;
        assert_true(first || count == 29);
        assert_memory_equal(bytes, MARK "TSource Engine Query", 25);
        asked++;
        if (!first)
            asked_rightly += !memcmp(bytes + 25, challenge, 4);
        char reply[9];
        memcpy(reply, MARK "A", 5);
        memcpy(reply + 5, challenge, 4);
        if (first)
            udp_socket_send(&answerer, now_us * 1000, &from, (const uint8_t *)reply, 9);
        else if (info)
            udp_socket_send(&answerer, now_us * 1000, &from, info, info_bytes);
    }
}

static void begin(void)
{
    struct error error = {0};
    port = 0;
    asked = asked_rightly = 0;
    now_us = 1000000;
    assert_true(udp_socket_listen(&answerer, "0.0.0.0", &port, &error));
    assert_true(server_browser_open(&browser, &error));
}

static void end(void)
{
    server_browser_close(&browser);
    udp_socket_close(&answerer);
}

static void pass(const void *info, size_t info_bytes, int times, uint64_t step_us)
{
    for (int i = 0; i < times; i++) {
        udp_socket_wait(&answerer, clock_now_ns() + 2000000);
        answer("\x12\x34\x56\x78", info, info_bytes);
        now_us += step_us;
        server_browser_step(&browser, now_us);
    }
}

static void a_server_is_asked_challenges_and_answers(void **state)
{
    (void)state;
    char addresses[1][512];
    begin();
    snprintf(addresses[0], sizeof addresses[0], "deadfall://127.0.0.1:%u#abcdefghijklmnopqrstuvwxyz234567", port);
    server_browser_search(&browser, 9, (const char(*)[512])addresses, 1, now_us);
    assert_int_equal(browser.count, 1);
    assert_false(browser.servers[0].answered);
    pass(INFO, sizeof INFO, 10, 5000);
    const struct server_browser_entry *server = server_browser_find(&browser, addresses[0]);
    assert_non_null(server);
    assert_true(server->answered);
    assert_false(server->local);
    assert_int_equal(asked_rightly, 1);
    assert_string_equal(server->name, "Alpha");
    assert_string_equal(server->map, "duel");
    assert_string_equal(server->mode, "ffa");
    assert_string_equal(server->version, "0.1.0");
    assert_int_equal(server->players, 3);
    assert_int_equal(server->players_max, 8);
    assert_int_equal(server->bots, 2);
    assert_true(server->has_password);
    assert_true(server->rtt_ms >= 5 && server->rtt_ms <= 50);
    end();
}

static void a_broadcast_finds_a_server_on_this_machine(void **state)
{
    (void)state;
    begin();
    server_browser_search(&browser, port, NULL, 0, now_us);
    pass(INFO, sizeof INFO, 20, 5000);
    uint32_t found = 0;
    for (uint32_t i = 0; i < browser.count; i++)
        found += browser.servers[i].local && browser.servers[i].answered && !strcmp(browser.servers[i].name, "Alpha");
    assert_true(found >= 1);
    end();
}

static void a_silent_server_is_asked_three_times(void **state)
{
    (void)state;
    char addresses[1][512];
    begin();
    snprintf(addresses[0], sizeof addresses[0], "127.0.0.1:%u", port);
    server_browser_search(&browser, 9, (const char(*)[512])addresses, 1, now_us);
    pass(NULL, 0, 20, SERVER_BROWSER_TRY_US);
    assert_false(browser.servers[0].answered);
    assert_int_equal(browser.servers[0].tries, SERVER_BROWSER_TRIES);
    end();
}

static void every_truncated_answer_is_ignored(void **state)
{
    (void)state;
    uint8_t challenge[4];
    struct server_browser_entry server;
    for (size_t length = 0; length < sizeof INFO - 1; length++) {
        uint8_t *exact = malloc(length ? length : 1); // exactly this size, so that a sanitizer sees a read beyond it
        memcpy(exact, INFO, length);
        memset(&server, 0, sizeof server);
        enum server_browser_answer answer = server_browser_read(exact, length, challenge, &server);
        bool before_extras = length == 4 + 2 + 6 + 5 + 9 + 9 + 2 + 3 + 2 + 2 + 6;
        if ((answer == SERVER_BROWSER_INFO) != before_extras)
            fail_msg("%zu bytes gave %d", length, (int)answer);
        free(exact);
    }
    assert_int_equal(server_browser_read((const uint8_t *)INFO, sizeof INFO, challenge, &server), SERVER_BROWSER_INFO);
}

static void a_challenge_has_exactly_nine_bytes(void **state)
{
    (void)state;
    static const char BYTES[] = MARK "A\x12\x34\x56\x78\x9A";
    for (size_t length = 0; length < sizeof BYTES - 1; length++) {
        uint8_t challenge[4] = {0}, *exact = malloc(length ? length : 1);
        struct server_browser_entry server = {0};
        memcpy(exact, BYTES, length);
        enum server_browser_answer answer = server_browser_read(exact, length, challenge, &server);
        free(exact);
        if (answer != (length == 9 ? SERVER_BROWSER_CHALLENGE : SERVER_BROWSER_NOISE))
            fail_msg("%zu bytes gave %d", length, (int)answer);
        assert_memory_equal(challenge, length == 9 ? "\x12\x34\x56\x78" : "\0\0\0\0", 4);
    }
}

static void an_answer_with_a_truncated_port_is_ignored(void **state)
{
    (void)state;
    uint8_t challenge[4], bytes[sizeof INFO];
    struct server_browser_entry server = {0};
    size_t extras = sizeof INFO - sizeof "ffa,protocol3" - 3;
    memcpy(bytes, INFO, sizeof INFO);
    bytes[extras] = 0x80; // only a port
    assert_int_equal(server_browser_read(bytes, extras + 2, challenge, &server), SERVER_BROWSER_NOISE);
    assert_int_equal(server_browser_read(bytes, extras + 3, challenge, &server), SERVER_BROWSER_INFO);
}

static void other_games_and_long_words_do_no_harm(void **state)
{
    (void)state;
    uint8_t challenge[4], bytes[1200];
    struct server_browser_entry server;
    memcpy(bytes, INFO, sizeof INFO);
    memcpy(bytes + 17, "quakeful", 8); // in the place of "deadfall"
    assert_int_equal(server_browser_read(bytes, sizeof INFO, challenge, &server), SERVER_BROWSER_NOISE);
    size_t at = 6;
    memcpy(bytes, INFO, at);
    for (int i = 0; i < 500; i++, at += 2)
        memcpy(bytes + at, i % 50 ? "\xC3\xA9" : "\x1B\n", 2);
    bytes[at++] = 0;
    memcpy(bytes + at, INFO + 12, sizeof INFO - 12);
    assert_int_equal(server_browser_read(bytes, at + sizeof INFO - 12, challenge, &server), SERVER_BROWSER_INFO);
    assert_true(strlen(server.name) < sizeof server.name);
    assert_null(strpbrk(server.name, "\x1B\n"));
    assert_string_equal(server.map, "duel");
}

static void a_server_with_two_addresses_is_listed_once(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        bool local, answered, listed;
    } rows[] = {
        /* 0 */ {"aaaa", false, true, false}, // asked by its address
        /* 1 */ {"aaaa", true, false, false}, // silent
        /* 2 */ {"aaaa", true, true, true},
        /* 3 */ {"bbbb", true, true, true},
        /* 4 */ {"aaaa", true, true, false},
        /* 5 */ {"", true, true, true}, // a server of an earlier version, without a key
        /* 6 */ {"", true, true, true},
    };
    static struct server_browser heard;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        heard.servers[i] = (struct server_browser_entry){.local = rows[i].local, .answered = rows[i].answered};
        memcpy(heard.servers[i].key, rows[i].key, strlen(rows[i].key));
        heard.count = i + 1;
    }
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (server_browser_lists(&heard, i) != rows[i].listed)
            fail_msg("row %u", i);
}

static void a_key_is_read_among_the_keywords(void **state)
{
    (void)state;
    static const char WORDS[] = "ffa,protocol3,key.abcdefghijklmnopqrstuvwxyz234567,more";
    uint8_t challenge[4], bytes[256];
    struct server_browser_entry server;
    size_t at = sizeof INFO - sizeof "ffa,protocol3";
    memcpy(bytes, INFO, at);
    memcpy(bytes + at, WORDS, sizeof WORDS);
    assert_int_equal(server_browser_read(bytes, at + sizeof WORDS, challenge, &server), SERVER_BROWSER_INFO);
    assert_string_equal(server.mode, "ffa");
    assert_string_equal(server.key, "abcdefghijklmnopqrstuvwxyz234567");
}

static void fields_before_the_keywords_are_skipped(void **state)
{
    (void)state;
    // A port, a number at Steam, a port and name of television, the keywords.
    static const char EXTRAS[] = "\xF0\x30\x6B"
                                 "12345678"
                                 "\x31\x6B"
                                 "tv\0"
                                 "teams,protocol3";
    uint8_t challenge[4], bytes[256];
    struct server_browser_entry server = {0};
    size_t at = sizeof INFO - sizeof "\xA0\x30\x6B"
                                     "ffa,protocol3";
    memcpy(bytes, INFO, at);
    memcpy(bytes + at, EXTRAS, sizeof EXTRAS);
    assert_int_equal(server_browser_read(bytes, at + sizeof EXTRAS, challenge, &server), SERVER_BROWSER_INFO);
    assert_string_equal(server.mode, "teams");
    assert_string_equal(server.key, "");
}

static void addresses_are_read_as_people_write_them(void **state)
{
    (void)state;
    static const struct {
        const char *address;
        bool good;
        uint16_t port;
    } rows[] = {
        {"127.0.0.1", true, 9},    {"127.0.0.1:65535", true, 65535}, {"[127.0.0.1]:7", true, 7},
        {"127.0.0.1:0", false, 0}, {"127.0.0.1:65536", false, 0},    {"deadfall://127.0.0.1:8/#key", true, 8},
        {"[127.0.0.1]", true, 9},  {"999.0.0.1:5", false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char addresses[1][512];
        struct net_address expected;
        begin();
        snprintf(addresses[0], sizeof addresses[0], "%s", rows[i].address);
        server_browser_search(&browser, 9, (const char(*)[512])addresses, 1, now_us);
        if ((server_browser_find(&browser, addresses[0]) != NULL) != rows[i].good)
            fail_msg("row %zu: %s", i + 1, rows[i].address);
        if (rows[i].good) {
            udp_socket_find_address(&expected, "127.0.0.1", rows[i].port);
            assert_memory_equal(&server_browser_find(&browser, addresses[0])->net_address, &expected, sizeof expected);
        }
        end();
    }
}

static void a_browser_without_a_socket_asks_nobody(void **state)
{
    (void)state;
    static struct server_browser closed;
    static const char addresses[1][512] = {"127.0.0.1:5"};
    server_browser_search(&closed, 27440, addresses, 1, 1000000);
    server_browser_step(&closed, 2000000);
    assert_int_equal(closed.count, 0);
    assert_int_equal(closed.broadcast_count, 0);
    assert_int_equal(closed.broadcast_tries, 0);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(a_browser_without_a_socket_asks_nobody),
        cmocka_unit_test(a_server_is_asked_challenges_and_answers),
        cmocka_unit_test(a_broadcast_finds_a_server_on_this_machine),
        cmocka_unit_test(a_silent_server_is_asked_three_times),
        cmocka_unit_test(every_truncated_answer_is_ignored),
        cmocka_unit_test(a_challenge_has_exactly_nine_bytes),
        cmocka_unit_test(an_answer_with_a_truncated_port_is_ignored),
        cmocka_unit_test(a_server_with_two_addresses_is_listed_once),
        cmocka_unit_test(a_key_is_read_among_the_keywords),
        cmocka_unit_test(fields_before_the_keywords_are_skipped),
        cmocka_unit_test(addresses_are_read_as_people_write_them),
        cmocka_unit_test(other_games_and_long_words_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
