// SPDX-License-Identifier: MIT
//
// Tests the table of functions with an implementation that records its calls, and with a minimal one.
#include <stdio.h>
#include <string.h>

#include "net/household.h"
#include "net/transport.h"
#include "test.h"

static char asked[100];
static uint8_t bytes[NET_MESSAGE_BYTES_MAX + 1];

static bool poll(struct transport *transport, struct net_event *event)
{
    (void)transport;
    event->peer = 3;
    strcpy(asked, "poll");
    return true;
}

static bool send(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *message,
                 size_t byte_count)
{
    (void)transport;
    snprintf(asked, sizeof asked, "send %u %d %d %zu", peer, (int)channel, message == bytes, byte_count);
    return peer == 1;
}

static void flush(struct transport *transport)
{
    (void)transport;
    strcpy(asked, "flush");
}

static void disconnect(struct transport *transport, uint32_t peer, uint32_t reason, bool now)
{
    (void)transport;
    snprintf(asked, sizeof asked, "disconnect %u %u %d", peer, reason, now);
}

static void wait(struct transport *transport, uint64_t deadline_ns)
{
    (void)transport;
    snprintf(asked, sizeof asked, "wait %u", (unsigned)deadline_ns);
}

static void totals(const struct transport *transport, struct net_totals *counted)
{
    (void)transport;
    counted->queries = 5;
}

static uint32_t rtt_ms(const struct transport *transport, uint32_t peer)
{
    (void)transport;
    return peer * 10;
}

static const char *error_text(const struct transport *transport)
{
    (void)transport;
    return "why";
}

static enum denial denial(const struct transport *transport)
{
    (void)transport;
    return DENIAL_FULL;
}

static void reply(struct transport *transport, const struct net_replies *replies)
{
    (void)transport;
    snprintf(asked, sizeof asked, "reply %u", replies->of[NET_REPLY_INFO].byte_count);
}

static void password(struct transport *transport, const char *text)
{
    (void)transport;
    snprintf(asked, sizeof asked, "password %s", text);
}

static void limit(struct transport *transport, const struct household_rules *rules)
{
    (void)transport;
    snprintf(asked, sizeof asked, "limit %u", rules->players_max);
}

static void keep(struct transport *transport, uint32_t peer)
{
    (void)transport;
    snprintf(asked, sizeof asked, "keep %u", peer);
}

static bool is_busy(const struct transport *transport)
{
    (void)transport;
    return true;
}

static bool await_relay(const struct transport *transport, uint64_t deadline_ns)
{
    (void)transport;
    return deadline_ns == 5;
}

static const char *silence(const struct transport *transport)
{
    (void)transport;
    return "nobody";
}

static void punch(struct transport *transport, const struct punch_host_directory *directories, uint32_t count)
{
    (void)transport;
    snprintf(asked, sizeof asked, "punch %u %d", count, directories != NULL);
}

static void close(struct transport *transport)
{
    (void)transport;
    strcpy(asked, "close");
}

TEST(each_call_reaches_the_implementation)
{
    static const struct transport_table table = {poll,   send,       flush,       disconnect, wait,     totals,
                                                 rtt_ms, error_text, denial,      reply,      password, limit,
                                                 keep,   is_busy,    await_relay, silence,    punch,    close};
    static const struct net_replies replies = {.of = {[NET_REPLY_INFO] = {.byte_count = 9}}};
    struct transport transport = {&table};
    struct net_event event;
    struct net_totals counted = {.rejected = 8};
    assert_true(transport_poll(&transport, &event));
    assert_int_equal(event.peer, 3);
    assert_true(transport_send(&transport, 1, NET_APART, bytes, 1));
    assert_string_equal(asked, "send 1 2 1 1");
    assert_false(transport_send(&transport, 2, NET_RELIABLE, bytes, NET_MESSAGE_BYTES_MAX));
    assert_string_equal(asked, "send 2 0 1 1150");
    assert_false(transport_send(&transport, 1, NET_RELIABLE, bytes, 0));
    assert_false(transport_send(&transport, 1, NET_RELIABLE, bytes, NET_MESSAGE_BYTES_MAX + 1));
    assert_string_equal(asked, "send 2 0 1 1150"); // neither call arrived
    transport_flush(&transport);
    assert_string_equal(asked, "flush");
    transport_disconnect(&transport, 4, 6, true);
    assert_string_equal(asked, "disconnect 4 6 1");
    transport_wait(&transport, 77);
    assert_string_equal(asked, "wait 77");
    transport_totals(&transport, &counted);
    assert_int_equal(counted.queries, 5);
    assert_int_equal(counted.rejected, 0);
    assert_int_equal(transport_rtt_ms(&transport, 4), 40);
    assert_string_equal(transport_error(&transport), "why");
    assert_int_equal(transport_denial(&transport), DENIAL_FULL);
    transport_reply(&transport, &replies);
    assert_string_equal(asked, "reply 9");
    transport_password(&transport, "secret");
    assert_string_equal(asked, "password secret");
    transport_limit(&transport, &(struct household_rules){.players_max = 3});
    assert_string_equal(asked, "limit 3");
    transport_keep(&transport, 5);
    assert_string_equal(asked, "keep 5");
    assert_true(transport_is_busy(&transport));
    assert_true(transport_await_relay(&transport, 5));
    assert_false(transport_await_relay(&transport, 6));
    assert_string_equal(transport_silence(&transport), "nobody");
    transport_punch(&transport, NULL, 2);
    assert_string_equal(asked, "punch 2 0");
    transport_close(&transport);
    assert_string_equal(asked, "close");
}

TEST(optional_functions_may_be_missing)
{
    static const struct transport_table table = {.poll = poll};
    struct transport transport = {&table};
    assert_string_equal(transport_error(&transport), "");
    assert_int_equal(transport_denial(&transport), DENIAL_NONE);
    transport_reply(&transport, &(struct net_replies){.of = {{0}}});
    transport_password(&transport, "secret");
    transport_limit(&transport, &(struct household_rules){.players_max = 3});
    transport_keep(&transport, 5);
    assert_false(transport_is_busy(&transport));
    assert_false(transport_await_relay(&transport, 5));
    assert_string_equal(transport_silence(&transport), "");
    transport_punch(&transport, NULL, 0);
    transport_close(NULL);
}
