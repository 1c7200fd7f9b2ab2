// SPDX-License-Identifier: MIT
//
// Tests the server browser against a scripted server on loopback that challenges, answers, lies or is silent.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "core/server_browser.h"
#include "game/variant.h"
#include "test.h"

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

EACH_TEST(begin, end);

static void search(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Searches for one address, and by broadcast on a port where nobody listens.
static void search(const char *format, ...)
{
    static char addresses[1][512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(addresses[0], sizeof addresses[0], format, arguments);
    va_end(arguments);
    server_browser_search(&browser, 9, (const char(*)[512])addresses, 1, now_us);
}

static void search_answerer(void)
{
    search("127.0.0.1:%u", port);
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

TEST(a_server_answers_after_its_challenge)
{
    search("deadfall://127.0.0.1:%u#abcdefghijklmnopqrstuvwxyz234567", port);
    assert_int_equal(browser.count, 1);
    assert_false(browser.servers[0].answered);
    pass(INFO, sizeof INFO, 10, 5000);
    const struct server_browser_entry *server = &browser.servers[0];
    assert_ptr_equal(server_browser_find(&browser, server->address), server);
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
}

TEST(a_broadcast_finds_a_server_on_this_machine)
{
    server_browser_search(&browser, port, NULL, 0, now_us);
    pass(INFO, sizeof INFO, 20, 5000);
    uint32_t found = 0;
    for (uint32_t i = 0; i < browser.count; i++)
        found += browser.servers[i].local && browser.servers[i].answered && !strcmp(browser.servers[i].name, "Alpha");
    assert_true(found >= 1);
}

TEST(a_silent_server_is_asked_three_times)
{
    search_answerer();
    pass(NULL, 0, 20, SERVER_BROWSER_TRY_US);
    assert_false(browser.servers[0].answered);
    assert_int_equal(browser.servers[0].tries, SERVER_BROWSER_TRIES);
}

// Reads bytes that have exactly this length, so that a sanitizer sees a read beyond it.
static enum server_browser_answer read_exactly(const char *bytes, size_t length, uint8_t challenge[4])
{
    struct server_browser_entry server = {0};
    uint8_t *exact = malloc(length ? length : 1);
    memcpy(exact, bytes, length);
    enum server_browser_answer answer = server_browser_read(exact, length, challenge, &server);
    free(exact);
    return answer;
}

BARE_TEST(every_truncated_answer_is_ignored)
{
    uint8_t challenge[4];
    for (size_t length = 0; length <= sizeof INFO; length++) {
        bool before_extras = length == 4 + 2 + 6 + 5 + 9 + 9 + 2 + 3 + 2 + 2 + 6;
        enum server_browser_answer answer = read_exactly(INFO, length, challenge);
        if ((answer == SERVER_BROWSER_INFO) != (before_extras || length == sizeof INFO))
            fail_msg("%zu bytes gave %d", length, (int)answer);
    }
}

BARE_TEST(a_challenge_has_exactly_nine_bytes)
{
    static const char BYTES[] = MARK "A\x12\x34\x56\x78\x9A";
    for (size_t length = 0; length < sizeof BYTES - 1; length++) {
        uint8_t challenge[4] = {0};
        enum server_browser_answer answer = read_exactly(BYTES, length, challenge);
        if (answer != (length == 9 ? SERVER_BROWSER_CHALLENGE : SERVER_BROWSER_NOISE))
            fail_msg("%zu bytes gave %d", length, (int)answer);
        assert_memory_equal(challenge, length == 9 ? "\x12\x34\x56\x78" : "\0\0\0\0", 4);
    }
}

BARE_TEST(other_games_and_long_words_do_no_harm)
{
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

BARE_TEST(only_a_server_of_this_machine_is_listed_once)
{
    static const struct {
        const char *key, *host;
        bool local, answered, listed;
    } rows[] = {
        /* 0 */ {"aaaa", "192.0.2.1", true, true, false},  // of this machine: row 4 has the same key
        /* 1 */ {"aaaa", "127.0.0.2", false, true, false}, // asked by its address
        /* 2 */ {"aaaa", "127.0.0.3", true, false, false}, // silent
        /* 3 */ {"bbbb", "192.0.2.2", true, true, true},
        /* 4 */ {"aaaa", "127.0.0.1", true, true, true},
        /* 5 */ {"aaaa", "127.0.0.9", true, true, false},
        /* 6 */ {"", "192.0.2.3", true, true, true}, // an older server, without a key
        /* 7 */ {"", "127.0.0.1", true, true, true},
        /* 8 */ {"bbbb", "192.0.2.66", true, true, true}, // one of the two lies
    };
    static struct server_browser heard;
    for (uint32_t i = 0; i < COUNT_OF(rows); i++) {
        heard.servers[i] = (struct server_browser_entry){.local = rows[i].local, .answered = rows[i].answered};
        memcpy(heard.servers[i].key, rows[i].key, strlen(rows[i].key));
        assert_true(ip_address_find(&heard.servers[i].net_address, rows[i].host, 27440, IP_ADDRESS_ANY));
        heard.count = i + 1;
    }
    for (uint32_t i = 0; i < COUNT_OF(rows); i++)
        if (server_browser_lists(&heard, i) != rows[i].listed)
            fail_msg("row %u", i);
}

// Reads an answer with these keywords.
static struct server_browser_entry read_words(const char *words)
{
    uint8_t challenge[4], bytes[512];
    struct server_browser_entry server = {0};
    size_t at = sizeof INFO - sizeof "ffa,protocol3";
    memcpy(bytes, INFO, at);
    memcpy(bytes + at, words, strlen(words) + 1);
    assert_int_equal(server_browser_read(bytes, at + strlen(words) + 1, challenge, &server), SERVER_BROWSER_INFO);
    return server;
}

BARE_TEST(a_key_is_read_among_the_keywords)
{
    struct server_browser_entry server =
        read_words("ffa,protocol3,key.abcdefghijklmnopqrstuvwxyz234567,more,bombs,lava,ice");
    assert_string_equal(server.mode, "ffa");
    assert_string_equal(server.key, "abcdefghijklmnopqrstuvwxyz234567");
    assert_int_equal(server.protocol, 3);
    assert_false(server.closes);
    assert_int_equal(server.variants, 1u << VARIANT_BOMBS | 1u << VARIANT_ICE);
    server = read_words("ffa,protocol3,closing,key.abc");
    assert_true(server.closes);
    assert_string_equal(server.key, "abc");
    assert_int_equal(server.variants, 0);
}

BARE_TEST(all_variants_fit_the_keywords)
{
    char names[VARIANT_NAMES_BYTES], words[400];
    variant_names((1u << VARIANTS) - 1, names);
    snprintf(words, sizeof words, "breakout,protocol10000,closing,key.abcdefghijklmnopqrstuvwxyz234567,%s", names);
    assert_int_equal(read_words(words).variants, (1u << VARIANTS) - 1);
}

BARE_TEST(a_keyword_is_cut_at_a_whole_character)
{
#define LETTERS "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9" // 14 bytes
    struct server_browser_entry server = read_words(LETTERS "\xC3\xA9,key." LETTERS LETTERS LETTERS);
    assert_string_equal(server.mode, LETTERS);
    assert_int_equal(strlen(server.key) % 2, 0);
}

// Each extra field that may stand before the keywords, alone and with every other.
BARE_TEST(extra_fields_are_skipped_and_must_be_complete)
{
    static const struct {
        uint8_t flag;
        const char *bytes;
        size_t byte_count;
    } extras[] = {
        {0x80, "\x30\x6B", 2}, // a port
        {0x10, "12345678", 8}, // a number at Steam
        {0x40,
         "\x00\x6B"
         "tv",
         5}, // a port and a name of television
        {0x20, "teams,protocol3,key.abcd", sizeof "teams,protocol3,key.abcd"},
    };
    size_t start = sizeof INFO - sizeof "\xA0\x30\x6B"
                                        "ffa,protocol3";
    struct server_browser_entry server = {0}; // keeps nothing of the previous mix
    for (uint32_t mix = 16; mix-- > 0;) {
        uint8_t challenge[4], bytes[256] = {0};
        size_t end = start + 1;
        memcpy(bytes, INFO, start);
        for (uint32_t i = 0; i < 4; i++) {
            if (!(mix >> i & 1))
                continue;
            bytes[start] |= extras[i].flag;
            memcpy(bytes + end, extras[i].bytes, extras[i].byte_count);
            end += extras[i].byte_count;
        }
        for (size_t length = start + 1; length <= end; length++) {
            enum server_browser_answer answer = server_browser_read(bytes, length, challenge, &server);
            if ((answer == SERVER_BROWSER_INFO) != (length == end))
                fail_msg("mix %u: %zu of %zu bytes gave %d", mix, length, end, (int)answer);
        }
        assert_string_equal(server.mode, mix & 8 ? "teams" : "");
        assert_string_equal(server.key, mix & 8 ? "abcd" : "");
        assert_string_equal(server.name, "Alpha");
    }
}

// Receives the next datagram of the browser. Returns its bytes, 0 if there is none.
static size_t heard_by(struct udp_socket *socket, struct net_address *from)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    return udp_socket_receive(socket, now_us * 1000, from, bytes);
}

static void answer_at(uint64_t at_us, struct udp_socket *socket, const struct net_address *to, const char *bytes,
                      size_t byte_count)
{
    udp_socket_send(socket, now_us * 1000, to, (const uint8_t *)bytes, byte_count);
    now_us = at_us;
    server_browser_step(&browser, now_us);
}

TEST(a_silent_server_is_asked_every_seven_tenths_of_a_second)
{
    static const struct {
        uint64_t after_us;
        bool asked;
    } rows[] = {{0, true},       {699999, false},  {700000, true},   {1399999, false},
                {1400000, true}, {2099999, false}, {2100000, false}, {9000000, false}};
    uint64_t start_us = now_us;
    search_answerer();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct net_address from;
        now_us = start_us + rows[i].after_us;
        if (i > 0)
            server_browser_step(&browser, now_us);
        if ((heard_by(&answerer, &from) > 0) != rows[i].asked)
            fail_msg("row %zu", i);
        assert_int_equal(browser.broadcast_tries, browser.servers[0].tries);
    }
}

// Searches, and answers with a challenge and then with the information.
static void search_and_answer(uint64_t challenge_us, uint64_t info_us, struct net_address *browser_address)
{
    search_answerer();
    assert_int_equal(heard_by(&answerer, browser_address), 25);
    answer_at(challenge_us, &answerer, browser_address, MARK "A1234", 9);
    assert_int_equal(heard_by(&answerer, browser_address), 29);
    answer_at(info_us, &answerer, browser_address, INFO, sizeof INFO);
    assert_true(browser.servers[0].answered);
}

TEST(the_round_trip_is_that_of_the_request_with_the_challenge)
{
    struct net_address client;
    search_and_answer(1100000, 1130000, &client);
    assert_int_equal(browser.servers[0].rtt_ms, 30);
    char forged[sizeof INFO];
    memcpy(forged, INFO, sizeof INFO);
    memcpy(forged + 6, "Forge", 5);
    answer_at(1900000, &answerer, &client, forged, sizeof forged); // once more, or in its name
    assert_string_equal(browser.servers[0].name, "Alpha");
    answer_at(1900000, &answerer, &client, MARK "A1234", 9);
    assert_int_equal(browser.servers[0].rtt_ms, 30);
    assert_int_equal(heard_by(&answerer, &client), 0); // nothing more to ask
}

TEST(a_new_search_forgets_the_last_and_asks_at_once)
{
    struct net_address client;
    search_and_answer(1010000, 1020000, &client);
    search_answerer();
    assert_int_equal(browser.count, 1);
    assert_false(browser.servers[0].answered);
    assert_string_equal(browser.servers[0].name, "");
    assert_int_equal(heard_by(&answerer, &client), 25);
    assert_int_equal(browser.broadcast_count, 2);
    assert_int_equal(browser.broadcast_tries, 1);
    assert_int_equal(browser.broadcast_us, now_us);
    server_browser_search(&browser, 9, NULL, 0, now_us);
    answer_at(now_us, &answerer, &client, INFO, sizeof INFO); // late: the browser no longer asks
    assert_int_equal(browser.count, 0);
    assert_int_equal(browser.dropped, 1);
}

TEST(answers_of_strangers_are_ignored)
{
    static struct udp_socket second, stranger;
    uint16_t second_port = 0, stranger_port = 0;
    struct error error;
    struct net_address client;
    char addresses[3][512];
    char other[sizeof INFO], expected[32];
    assert_true(udp_socket_listen(&second, "127.0.0.1", &second_port, &error));
    assert_true(udp_socket_listen(&stranger, "127.0.0.1", &stranger_port, &error));
    snprintf(addresses[0], sizeof addresses[0], "127.0.0.1:%u", port);
    snprintf(addresses[1], sizeof addresses[1], "127.0.0.1:%u", second_port);
    snprintf(addresses[2], sizeof addresses[2], "127.0.0.1:%u", port); // twice
    server_browser_search(&browser, 9, (const char(*)[512])addresses, 3, now_us);
    assert_int_equal(browser.count, 2);
    assert_true(heard_by(&answerer, &client) && heard_by(&second, &client));
    memcpy(other, INFO, sizeof INFO);
    memcpy(other + 6, "Gamma", 5);
    answer_at(1000000 + SERVER_BROWSER_TRY_US, &answerer, &client, INFO, sizeof INFO);
    assert_int_equal(heard_by(&answerer, &client), 0); // it has answered
    assert_int_equal(heard_by(&second, &client), 25);  // this one has not
    answer_at(now_us, &second, &client, other, sizeof INFO);
    assert_string_equal(browser.servers[0].name, "Alpha");
    assert_string_equal(browser.servers[1].name, "Gamma");
    assert_string_equal(browser.servers[1].address, addresses[1]);
    assert_int_equal(browser.dropped, 0);
    answer_at(now_us, &stranger, &client, INFO, sizeof INFO); // it was never challenged
    answer_at(now_us, &answerer, &client, "noise", 5);
    assert_int_equal(browser.count, 2);
    assert_int_equal(browser.dropped, 2);
    answer_at(now_us, &stranger, &client, MARK "A1234", 9); // as in answer to a broadcast
    assert_int_equal(heard_by(&stranger, &client), 29);
    answer_at(now_us, &stranger, &client, other, sizeof INFO);
    assert_int_equal(browser.count, 3);
    assert_true(browser.servers[2].local && browser.servers[2].answered);
    assert_false(browser.servers[0].local);
    snprintf(expected, sizeof expected, "127.0.0.1:%u", stranger_port);
    assert_string_equal(browser.servers[2].address, expected);
    udp_socket_close(&second);
    udp_socket_close(&stranger);
}

TEST(as_many_servers_as_there_is_room_for_fit)
{
    static char addresses[SERVER_BROWSER_CAPACITY + 1][512];
    struct net_address client;
    snprintf(addresses[0], sizeof addresses[0], "127.0.0.1:%u", port);
    for (uint32_t i = 1; i <= SERVER_BROWSER_CAPACITY; i++)
        snprintf(addresses[i], sizeof addresses[i], "127.0.0.1:%u", i);
    server_browser_search(&browser, 9, (const char(*)[512])addresses, SERVER_BROWSER_CAPACITY, now_us);
    assert_int_equal(browser.count, SERVER_BROWSER_CAPACITY);
    server_browser_search(&browser, 9, (const char(*)[512])addresses, SERVER_BROWSER_CAPACITY + 1, now_us);
    assert_int_equal(browser.count, SERVER_BROWSER_CAPACITY);
    assert_null(server_browser_find(&browser, addresses[SERVER_BROWSER_CAPACITY]));
    while (heard_by(&answerer, &client))
        ;
    server_browser_search(&browser, 9, (const char(*)[512])addresses + 1, SERVER_BROWSER_CAPACITY, now_us);
    answer_at(now_us, &answerer, &client, MARK "A1234", 9); // now a stranger, and the list is full
    assert_int_equal(browser.count, SERVER_BROWSER_CAPACITY);
    assert_int_equal(browser.dropped, 1);
}

TEST(an_address_of_160_bytes_is_too_long)
{
    for (int length = 159; length <= 160; length++) {
        search("127.0.0.1:8#%0*d", length - 12, 7);
        assert_int_equal(browser.count, length == 159);
    }
}

TEST(at_most_sixty_four_answers_are_read_per_step)
{
    struct net_address client;
    search_answerer();
    assert_int_equal(heard_by(&answerer, &client), 25);
    for (uint32_t i = 0; i < 70; i++)
        udp_socket_send(&answerer, now_us * 1000, &client, (const uint8_t *)"noise", 5);
    server_browser_step(&browser, now_us);
    assert_int_equal(browser.dropped, 64);
    server_browser_step(&browser, now_us);
    assert_int_equal(browser.dropped, 70);
}

BARE_TEST(a_browser_that_cannot_open_a_socket_says_so)
{
    struct rlimit before, none;
    struct error error = {0};
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){0, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    bool opened = server_browser_open(&browser, &error);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_false(opened);
    assert_non_null(strstr(error.text, "cannot open a UDP socket"));
    server_browser_close(&browser); // no harm
    none.rlim_cur = 64;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    for (uint32_t i = 0; i < 100; i++) { // closing gives back what opening took
        assert_true(server_browser_open(&browser, &error));
        server_browser_close(&browser);
    }
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    search_answerer();
    assert_int_equal(browser.count, 0);
}

TEST(addresses_are_read_as_people_write_them)
{
    static const struct {
        const char *address;
        bool good;
        uint16_t port;
    } rows[] = {
        {"127.0.0.1", true, 9},    {"127.0.0.1:65535", true, 65535}, {"[127.0.0.1]:7", true, 7},
        {"127.0.0.1:0", false, 0}, {"127.0.0.1:65536", false, 0},    {"deadfall://127.0.0.1:8/#key", true, 8},
        {"[127.0.0.1]", true, 9},  {"999.0.0.1:5", false, 0},        {"127.0.0.1:8#key@127.0.0.1:9", false, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct net_address expected;
        search("%s", rows[i].address);
        const struct server_browser_entry *found = server_browser_find(&browser, rows[i].address);
        if ((found != NULL) != rows[i].good)
            fail_msg("row %zu: %s", i + 1, rows[i].address);
        if (rows[i].good) {
            ip_address_find(&expected, "127.0.0.1", rows[i].port, IP_ADDRESS_ANY);
            assert_memory_equal(&found->net_address, &expected, sizeof expected);
        }
    }
}

// Servers of a long list: eight a second, each three times, and only while somebody asks for them.
TEST(a_long_list_is_asked_slowly_and_only_on_demand)
{
    struct net_address client;
    char address[64];
    uint32_t heard = 0;
    server_browser_search(&browser, 9, NULL, 0, now_us);
    uint64_t end_us = now_us + 10000000;
    for (uint32_t i = 0; now_us < end_us; i = (i + 1) % 200) {
        snprintf(address, sizeof address, "127.0.0.%u:%u", 1 + i, port);
        if (!server_browser_ask(&browser, address, now_us) || i == 0)
            now_us += 1000;
        server_browser_step(&browser, now_us);
        for (size_t count; (count = heard_by(&answerer, &client)) > 0;)
            heard += count == 25;
    }
    assert_in_range(heard, 79, 81);
    assert_in_range(browser.count, 79, 81); // each once so far
    for (uint32_t i = 0; i < 100; i++) {
        now_us += SERVER_BROWSER_TRY_US;
        server_browser_step(&browser, now_us);
        assert_int_equal(heard_by(&answerer, &client), 0);
    }
    for (uint32_t i = 0; i < 100; i++) {
        now_us += SERVER_BROWSER_TRY_US;
        assert_true(server_browser_ask(&browser, "127.0.0.1:27440", now_us)); // no more than it is asked
    }
    assert_true(server_browser_is_silent(server_browser_find(&browser, "127.0.0.1:27440"), now_us));
    assert_int_equal(server_browser_find(&browser, "127.0.0.1:27440")->tries, SERVER_BROWSER_TRIES);
    assert_true(server_browser_ask(&browser, "example.org:27440", now_us)); // no number: it is never asked
    assert_null(server_browser_find(&browser, "example.org:27440"));
}

BARE_TEST(a_browser_without_a_socket_asks_nobody)
{
    static struct server_browser closed;
    static const char addresses[1][512] = {"127.0.0.1:5"};
    server_browser_search(&closed, 27440, addresses, 1, 1000000);
    server_browser_step(&closed, 2000000);
    assert_int_equal(closed.count, 0);
    assert_int_equal(closed.broadcast_count, 0);
    assert_int_equal(closed.broadcast_tries, 0);
}
