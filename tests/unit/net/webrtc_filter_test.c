// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/clock.h"
#include "net/webrtc_filter.h"
#include "test.h"

enum { HELLO_BYTES_HERE = 180, FLIGHT = 600, CHECK_BYTES = 100, SESSION_AT = 59, COOKIE_BYTES = 8, ASK_BYTES = 36 };

static struct webrtc_filter filter;
static uint64_t now_ns;
static uint8_t answer[DATAGRAM_BYTES_MAX];
static struct datagram_output output = {.bytes = answer};

static void begin(void)
{
    webrtc_filter_init(&filter);
    now_ns = 1000 * CLOCK_SECOND_NS;
}

EACH_TEST(begin, NULL);

static struct net_address address_of(unsigned host, unsigned port)
{
    return (struct net_address){
        {10, (uint8_t)(host >> 16), (uint8_t)(host >> 8), (uint8_t)host, (uint8_t)(port >> 8), (uint8_t)port},
        ADDRESS_BYTES_IPV4};
}

static enum datagram_outcome take(const struct net_address *from, const uint8_t *bytes, size_t byte_count)
{
    return webrtc_filter_take(&filter, &(struct datagram){*from, now_ns, bytes, byte_count}, &output);
}

static bool lets_out(const struct net_address *to, uint8_t first, size_t byte_count)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX] = {first};
    return webrtc_filter_lets_out(&filter,
                                  &(struct datagram){.now_ns = now_ns, .bytes = bytes, .byte_count = byte_count}, to);
}

static void check(const struct net_address *from)
{
    static const uint8_t stun[CHECK_BYTES] = {0, 1};
    assert_int_equal(take(from, stun, sizeof stun), DATAGRAM_DELIVERED);
    assert_true(lets_out(from, 1, 60));
}

// A ClientHello with a cookie; null: without one.
static void write_hello(uint8_t bytes[HELLO_BYTES_HERE], const uint8_t *cookie)
{
    memset(bytes, 0, HELLO_BYTES_HERE);
    bytes[0] = 22;
    bytes[13] = 1;
    bytes[10] = 5; // number of the record
    if (cookie) {
        bytes[SESSION_AT + 1] = COOKIE_BYTES;
        memcpy(bytes + SESSION_AT + 2, cookie, COOKIE_BYTES);
    }
}

static enum datagram_outcome hello(const struct net_address *from, const uint8_t *cookie)
{
    uint8_t bytes[HELLO_BYTES_HERE];
    write_hello(bytes, cookie);
    return take(from, bytes, sizeof bytes);
}

// Gets an address its cookie.
static void ask(const struct net_address *from, uint8_t cookie[COOKIE_BYTES])
{
    check(from);
    assert_int_equal(hello(from, NULL), DATAGRAM_ANSWERED);
    assert_int_equal(output.byte_count, ASK_BYTES);
    assert_int_equal(answer[10], 5);
    memcpy(cookie, answer + ASK_BYTES - COOKIE_BYTES, COOKIE_BYTES);
}

static void open_place(const struct net_address *from)
{
    uint8_t cookie[COOKIE_BYTES];
    ask(from, cookie);
    assert_int_equal(hello(from, cookie), DATAGRAM_DELIVERED);
}

TEST(dtls_begins_only_within_thirty_seconds_of_an_answered_check)
{
    static const uint8_t stun[CHECK_BYTES] = {0, 1};
    struct net_address alice = address_of(1, 5000);
    uint8_t record[40] = {23};
    assert_int_equal(hello(&alice, NULL), DATAGRAM_REJECTED);
    assert_int_equal(take(&alice, stun, sizeof stun), DATAGRAM_DELIVERED);
    assert_int_equal(hello(&alice, NULL), DATAGRAM_REJECTED); // nobody has answered: it had a wrong name
    check(&alice);
    now_ns += 30 * CLOCK_SECOND_NS;
    assert_int_equal(hello(&alice, NULL), DATAGRAM_ANSWERED);
    now_ns += 1;
    assert_int_equal(hello(&alice, NULL), DATAGRAM_REJECTED);
    check(&alice);
    assert_int_equal(take(&alice, record, sizeof record), DATAGRAM_REJECTED); // it is no hello
}

TEST(a_cookie_is_of_its_address_and_of_two_epochs)
{
    static const struct {
        unsigned port;
        uint64_t later_s;
        uint8_t flip;
        bool is_good;
    } rows[] = {
        /* 0 */ {5000, 0, 0, true},  /* 1 */ {5000, 30, 0, true}, /* 2 */ {5000, 60, 0, false},
        /* 3 */ {5001, 0, 0, false}, /* 4 */ {5000, 0, 1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct net_address alice = address_of(1, 5000), other = address_of(1, rows[i].port);
        uint8_t cookie[COOKIE_BYTES];
        begin();
        ask(&alice, cookie);
        cookie[0] ^= rows[i].flip;
        now_ns += rows[i].later_s * CLOCK_SECOND_NS;
        check(&other);
        if ((hello(&other, cookie) == DATAGRAM_DELIVERED) != rows[i].is_good)
            fail_msg("row %zu", i);
    }
}

TEST(any_cut_of_a_hello_is_read_within_its_bytes)
{
    struct net_address alice = address_of(1, 5000);
    uint8_t cookie[COOKIE_BYTES], bytes[HELLO_BYTES_HERE];
    ask(&alice, cookie);
    write_hello(bytes, cookie);
    for (size_t count = 1; count < SESSION_AT + 2 + COOKIE_BYTES; count++)
        assert_int_not_equal(take(&alice, bytes, count), DATAGRAM_DELIVERED);
    bytes[SESSION_AT] = 255; // a session name that no TLS has
    assert_int_equal(take(&alice, bytes, sizeof bytes), DATAGRAM_REJECTED);
    assert_int_equal(hello(&alice, cookie), DATAGRAM_DELIVERED);
}

TEST(nothing_goes_to_who_has_not_asked)
{
    struct net_address stranger = address_of(1, 5000), checked = address_of(2, 5000);
    for (unsigned i = 0; i < 1000; i++)
        assert_false(lets_out(&stranger, i % 2 ? 22 : 1, 100));
    assert_false(webrtc_filter_lets_in(&filter, &stranger, now_ns));
    check(&checked);
    assert_false(lets_out(&checked, 22, 10)); // it has asked for no DTLS
    assert_false(webrtc_filter_lets_in(&filter, &checked, now_ns));
    assert_int_equal(filter.refused, 1003);
}

TEST(an_address_pays_until_its_handshake_is_done)
{
    struct net_address alice = address_of(1, 5000);
    open_place(&alice);
    assert_true(lets_out(&alice, 22, FLIGHT));
    uint64_t out = FLIGHT + 60 + ASK_BYTES, in = CHECK_BYTES + 2 * HELLO_BYTES_HERE;
    for (unsigned i = 0; i < 1000 && lets_out(&alice, 22, 10); i++)
        out += 10;
    assert_true(out <= 3 * in && out > 3 * in - 20);
    assert_false(webrtc_filter_lets_in(&filter, &alice, now_ns));
    webrtc_filter_open(&filter, &alice, now_ns);
    assert_true(webrtc_filter_lets_in(&filter, &alice, now_ns));
    for (unsigned i = 0; i < 1000; i++)
        assert_true(lets_out(&alice, 22, 1000));
    uint8_t cookie[COOKIE_BYTES];
    assert_int_equal(hello(&alice, NULL), DATAGRAM_ANSWERED);
    memcpy(cookie, answer + ASK_BYTES - COOKIE_BYTES, COOKIE_BYTES);
    assert_int_equal(hello(&alice, cookie), DATAGRAM_REJECTED); // it is there already
    webrtc_filter_forget(&filter, &alice, now_ns);
    assert_false(webrtc_filter_lets_in(&filter, &alice, now_ns));
    now_ns += CLOCK_SECOND_NS;
    assert_int_equal(hello(&alice, cookie), DATAGRAM_DELIVERED); // who begins again pays again
    assert_false(lets_out(&alice, 22, 3 * HELLO_BYTES_HERE + 1));
    assert_true(lets_out(&alice, 22, 3 * HELLO_BYTES_HERE));
}

TEST(a_place_is_lost_by_silence_or_without_an_end_of_the_handshake)
{
    static const uint8_t record[20] = {23};
    struct net_address alice = address_of(1, 5000), bob = address_of(2, 5000);
    open_place(&alice);
    open_place(&bob);
    webrtc_filter_open(&filter, &bob, now_ns);
    now_ns += 10 * CLOCK_SECOND_NS;
    assert_int_equal(take(&alice, record, sizeof record), DATAGRAM_DELIVERED);
    now_ns += 1;
    assert_int_equal(take(&alice, record, sizeof record), DATAGRAM_REJECTED);
    now_ns += 25 * CLOCK_SECOND_NS - 1;
    assert_true(lets_out(&bob, 23, 1000));
    now_ns += 1;
    assert_false(lets_out(&bob, 23, 1000));
}

// An attacker with 512 addresses that each speak, and then a newcomer.
TEST(the_oldest_of_the_fullest_site_without_a_session_gives_way)
{
    struct net_address plays = address_of(1, 1), first = address_of(1, 2), other = address_of(2, 1);
    open_place(&plays);
    struct net_address channel = plays;
    channel.bytes[ADDRESS_CHANNEL] = 1;
    webrtc_filter_open(&filter, &plays, now_ns);
    open_place(&other);
    webrtc_filter_open(&filter, &other, now_ns);
    for (unsigned i = 2; i < WEBRTC_FILTER_PLACES; i++) {
        struct net_address address = address_of(i % 4 < 2 ? 1 : 3 + i % 4, i);
        open_place(&address);
        webrtc_filter_open(&filter, &address, now_ns);
        now_ns += CLOCK_SECOND_NS / 40;
    }
    assert_int_equal(filter.gave_way, 0);
    webrtc_filter_keep(&filter, &channel, (struct session_id){1, 1}, now_ns);
    struct net_address more = address_of(1, 4000), newcomer = address_of(100, 1);
    first = address_of(1, 4);
    open_place(&more);
    assert_true(net_address_equals(&filter.left, &first));
    open_place(&newcomer);
    struct net_address second = address_of(1, 5);
    assert_true(net_address_equals(&filter.left, &second));
    assert_int_equal(filter.gave_way, 2);
    assert_int_equal(filter.gave_way_of, household_of(&first));
    assert_true(webrtc_filter_lets_in(&filter, &plays, now_ns) && webrtc_filter_lets_in(&filter, &other, now_ns));
    assert_false(webrtc_filter_lets_in(&filter, &first, now_ns));
}

TEST(if_all_have_sessions_nobody_gives_way)
{
    for (unsigned i = 0; i < WEBRTC_FILTER_PLACES; i++) {
        struct net_address address = address_of(i, 1);
        open_place(&address);
        now_ns += CLOCK_SECOND_NS / 200;
        webrtc_filter_keep(&filter, &address, (struct session_id){(uint16_t)i, 1}, now_ns);
    }
    uint8_t cookie[COOKIE_BYTES];
    struct net_address newcomer = address_of(10000, 1);
    ask(&newcomer, cookie);
    assert_int_equal(hello(&newcomer, cookie), DATAGRAM_REJECTED);
    now_ns += 6 * CLOCK_SECOND_NS; // the first sessions are over
    assert_int_equal(hello(&newcomer, cookie), DATAGRAM_DELIVERED);
    assert_int_equal(filter.gave_way, 1);
}

// One session that goes round through all channels of an attacker.
TEST(a_session_keeps_one_place_and_no_other)
{
    struct net_address address, newcomer = address_of(10000, 1), last;
    for (unsigned i = 0; i < WEBRTC_FILTER_PLACES; i++) {
        address = address_of(1, i);
        open_place(&address);
        webrtc_filter_open(&filter, &address, now_ns);
        now_ns += CLOCK_SECOND_NS / 32;
        webrtc_filter_keep(&filter, &address, (struct session_id){7, 1}, now_ns);
        last = address;
    }
    open_place(&newcomer);
    assert_int_equal(filter.gave_way, 1);
    assert_true(webrtc_filter_lets_in(&filter, &last, now_ns));
}

TEST(who_returns_a_cookie_need_not_be_remembered)
{
    struct net_address alice = address_of(1, 5000);
    uint8_t cookie[COOKIE_BYTES];
    ask(&alice, cookie);
    memset(filter.strangers, 0, sizeof filter.strangers); // as many others do who send checks
    assert_int_equal(hello(&alice, cookie), DATAGRAM_DELIVERED);
}

TEST(a_household_that_begins_too_often_waits)
{
    struct net_address address;
    unsigned begun = 0;
    for (unsigned i = 0; i < 200; i++) {
        uint8_t cookie[COOKIE_BYTES];
        address = address_of(1, i);
        ask(&address, cookie);
        begun += hello(&address, cookie) == DATAGRAM_DELIVERED;
    }
    assert_int_equal(begun, RATE_LIMIT_JOINS.household.burst);
    address = address_of(2, 1);
    open_place(&address);
}
