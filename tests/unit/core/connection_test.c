// SPDX-License-Identifier: MIT
//
// Tests how a connection ends and when it is retried. The transports only record the calls.
#include "core/connection.h"
#include "test.h"

#include <string.h>

static struct fake {
    struct transport transport;
    uint32_t flushes, disconnects, closes, reason, sends;
    const char *refusal, *silence; // null: of no reason
    enum denial denial;
    bool broken; // nothing can be sent
} first, second;

static struct connection connection;
static struct transport *reopened; // what the next try opens; null: nothing
static uint32_t reopens;

static struct fake *fake_of(const struct transport *transport)
{
    return transport == &first.transport ? &first : &second;
}

static bool fake_send(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                      size_t byte_count)
{
    struct message message;
    assert_int_equal(peer, 0);
    assert_int_equal(channel, NET_RELIABLE);
    assert_true(message_decode(&message, bytes, byte_count));
    fake_of(transport)->sends++;
    return !fake_of(transport)->broken;
}

static void fake_flush(struct transport *transport)
{
    fake_of(transport)->flushes++;
}

static void fake_disconnect(struct transport *transport, uint32_t peer, uint32_t reason, bool now)
{
    assert_int_equal(peer, 0);
    assert_false(now);
    fake_of(transport)->disconnects++;
    fake_of(transport)->reason = reason;
    fake_of(transport)->flushes = 0;
}

static const char *fake_error(const struct transport *transport)
{
    return fake_of(transport)->refusal;
}

static const char *fake_silence(const struct transport *transport)
{
    return fake_of(transport)->silence ? fake_of(transport)->silence : "";
}

static enum denial fake_denial(const struct transport *transport)
{
    return fake_of(transport)->denial;
}

static void fake_close(struct transport *transport)
{
    fake_of(transport)->closes++;
}

static const struct transport_table TABLE = {.send = fake_send,
                                             .flush = fake_flush,
                                             .disconnect = fake_disconnect,
                                             .error_text = fake_error,
                                             .denial = fake_denial,
                                             .silence = fake_silence,
                                             .close = fake_close};

static struct transport *reopen(void *context)
{
    assert_ptr_equal(context, &reopens);
    reopens++;
    return reopened;
}

static void begin(void)
{
    first = second = (struct fake){.transport = {&TABLE}, .refusal = ""};
    connection = (struct connection){.transport = &first.transport, .reopen = reopen, .context = &reopens};
    reopened = &second.transport;
    reopens = 0;
}

EACH_TEST(begin, NULL);

TEST(leaving_disconnects_from_the_server_once)
{
    connection_leave(&connection, DENY_PROTOCOL, "A bad map.");
    assert_int_equal(connection.state, CLIENT_ENDED);
    assert_int_equal(connection.reason, DENY_PROTOCOL);
    assert_string_equal(connection.status, "A bad map.");
    assert_int_equal(first.disconnects, 1);
    assert_int_equal(first.reason, DENY_PROTOCOL);
    assert_int_equal(first.flushes, 1);
    connection_leave(&connection, DENY_NONE, "You left.");
    assert_int_equal(first.disconnects, 1);
    assert_string_equal(connection.status, "A bad map.");
}

TEST(a_message_is_sent_at_once_or_ends_the_connection)
{
    struct message message = {.kind = MESSAGE_READY};
    connection_send(&connection, &message);
    assert_int_equal(first.sends, 1);
    assert_int_equal(first.flushes, 1);
    assert_int_equal(connection.state, CLIENT_CONNECTING);
    first.broken = true;
    connection_send(&connection, &message);
    assert_int_equal(connection.state, CLIENT_ENDED);
    assert_string_equal(connection.status, "The connection to the server was lost: nothing can be sent.");
}

// Two restarts in a row: in each, the first transport that connects cannot send the join.
TEST(a_join_that_cannot_be_sent_is_tried_again)
{
    struct message message = {.kind = MESSAGE_READY};
    uint64_t now_us = 5000000;
    connection_playing(&connection);
    for (uint32_t restart = 0; restart < 2; restart++) {
        connection_return(&connection, now_us);
        reopened = &second.transport;
        second.broken = true;
        assert_true(connection_retry(&connection, now_us));
        connection.state = CLIENT_JOINING;
        connection_send(&connection, &message);
        assert_int_equal(connection.state, CLIENT_JOINING);
        assert_false(connection_retry(&connection, now_us)); // after a while
        assert_int_equal(connection.state, CLIENT_CONNECTING);
        reopened = &first.transport;
        assert_true(connection_retry(&connection, now_us += 2000000));
        connection_send(&connection, &message);
        assert_int_equal(first.sends, restart + 1);
        connection_playing(&connection);
        assert_false(connection_retry(&connection, now_us));
    }
    assert_int_equal(connection.state, CLIENT_PLAYING);
    first.broken = second.broken = true; // from now on nothing can be sent
    for (uint32_t i = 0; i < 2 * CONNECTION_TRIES_MAX && connection.state != CLIENT_ENDED; i++) {
        connection_send(&connection, &message);
        connection_retry(&connection, now_us += 2000000);
        connection_retry(&connection, now_us += 2000000);
    }
    assert_int_equal(connection.state, CLIENT_ENDED);
    assert_string_equal(connection.status, "The connection to the server was lost: nothing can be sent.");
    assert_int_equal(reopens, 4 + CONNECTION_TRIES_MAX);
}

TEST(a_server_that_restarts_is_waited_for)
{
    uint64_t now_us = 5000000;
    reopened = &second.transport;
    connection_playing(&connection);
    connection_return(&connection, now_us);
    connection_return(&connection, now_us); // said twice
    assert_int_equal(connection.state, CLIENT_CONNECTING);
    for (; now_us < 5000000 + CONNECTION_RETURN_US_MAX; now_us += 1000000) {
        assert_true(connection_retry(&connection, now_us)); // at once, not after a while
        assert_false(connection_retry(&connection, now_us));
        connection_lost(&connection, 0, now_us + 999999);
    }
    assert_true(connection_retry(&connection, now_us));
    connection_lost(&connection, 0, now_us);
    assert_string_equal(connection.status, "The server has not come back. Trying to connect again.");
    uint32_t tries = connection.tries;
    for (; connection.tries < CONNECTION_TRIES_MAX; connection_lost(&connection, 0, now_us)) {
        assert_false(connection_retry(&connection, now_us)); // after a while
        now_us += 2000000;
        assert_true(connection_retry(&connection, now_us));
    }
    assert_true(tries < CONNECTION_TRIES_MAX / 2 + 5);
    assert_true(connection_retry(&connection, now_us + 2000000));
    connection_lost(&connection, 0, now_us);
    assert_int_equal(connection.state, CLIENT_ENDED);
    assert_string_equal(connection.status,
                        "The server was restarting and has not come back. Try again later, or join another one.");
}

TEST(a_server_that_is_overdue_may_still_come_back)
{
    uint64_t now_us = 5000000;
    connection_playing(&connection);
    connection_return(&connection, now_us);
    assert_true(connection_retry(&connection, now_us));
    now_us += CONNECTION_RETURN_US_MAX;
    connection_lost(&connection, 0, now_us);
    assert_true(connection_retry(&connection, now_us + 2000000));
    connection_playing(&connection);
    assert_int_equal(connection.state, CLIENT_PLAYING);
    assert_int_equal(connection.tries, 0);
    assert_int_equal(connection.return_us, 0);
}

TEST(a_server_that_is_back_may_restart_again)
{
    reopened = &second.transport;
    for (uint64_t now_us = 1000000; now_us < 100000000; now_us += 20000000) {
        connection_playing(&connection);
        assert_int_equal(connection.return_us, 0);
        connection_lost(&connection, NET_REASON_RESET, now_us);
        assert_true(connection_retry(&connection, now_us));
    }
    connection.return_us = 0; // a server that resets each session before anybody plays
    connection_lost(&connection, NET_REASON_RESET, 200000000);
    assert_int_equal(connection.state, CLIENT_CONNECTING);
    assert_true(connection.retry_us > 200000000);
}

TEST(without_a_way_back_a_restart_or_a_loss_is_the_end)
{
    connection_playing(&connection);
    connection.reopen = NULL;
    connection_return(&connection, 1000000);
    assert_int_equal(connection.state, CLIENT_ENDED);
    assert_int_equal(connection.reason, DENY_RESTARTING);
    begin();
    connection.reopen = NULL;
    connection_playing(&connection);
    connection_lost(&connection, 0, 5000000);
    assert_int_equal(connection.state, CLIENT_ENDED);
    assert_string_equal(connection.status, "The connection to the server was lost. Check your network and try again.");
}

TEST(what_stood_in_the_way_of_an_introduction_is_said)
{
    begin();
    first.silence = "There is no way.";
    connection_lost(&connection, 0, 5000000);
    assert_int_equal(connection.state, CLIENT_ENDED);
    assert_string_equal(connection.status, "There is no way.");
    begin();
    first.silence = "There is no way.";
    connection.state = CLIENT_PLAYING;
    connection.has_played = true;
    connection_lost(&connection, 0, 5000000);
    assert_int_equal(connection.state, CLIENT_CONNECTING); // it was there a moment ago
}

TEST(a_loss_has_its_reason_and_its_text)
{
    static const struct {
        enum client_state before;
        bool has_played;
        uint32_t reason;
        const char *refusal;
        enum denial denial;
        enum deny_reason ends_with; // DENY_REASONS: it is tried again
        const char *text;
    } rows[] = {
        /*  0 */ {CLIENT_CONNECTING, false, 0, "", 0, DENY_NONE, "No server answers there. Check the address"},
        /*  1 */ {CLIENT_JOINING, false, 0, "", 0, DENY_NONE, "The connection to the server was lost."},
        /*  2 */ {CLIENT_PLAYING, true, 0, "", 0, DENY_REASONS, "The connection to the server was lost. Trying"},
        /*  3 */ {CLIENT_CONNECTING, true, 0, "", 0, DENY_REASONS, "The connection to the server was lost. Trying"},
        /*  4 */ {CLIENT_PLAYING, true, DENY_KICKED, "", 0, DENY_KICKED, "You were removed"},
        /*  5 */ {CLIENT_PLAYING, true, DENY_VERSION, "", 0, DENY_VERSION, "another version"},
        /*  6 */
        {CLIENT_PLAYING, true, DENY_HOUSEHOLD, "", 0, DENY_HOUSEHOLD, "Others at your address"},
        /*  7 */ {CLIENT_PLAYING, true, DENY_REASONS, "", 0, DENY_REASONS, "Trying"}, // without a meaning
        /*  8 */ {CLIENT_PLAYING, true, 4000000000, "", 0, DENY_REASONS, "Trying"},
        /*  9 */ {CLIENT_CONNECTING, true, 0, "A wrong key.", 0, DENY_NONE, "A wrong key."},
        /* 10 */ {CLIENT_CONNECTING, false, 0, "Banned.", DENIAL_BANNED, DENY_NONE, "Banned."},
        /* 11 */ {CLIENT_PLAYING, true, NET_REASON_RESET, "", 0, DENY_REASONS, "The server is restarting."},
        /* 12 */ {CLIENT_PLAYING, true, DENY_RESTARTING, "", 0, DENY_REASONS, "The server is restarting."},
        /* 13 */ {CLIENT_JOINING, false, NET_REASON_RESET, "", 0, DENY_REASONS, "The server is restarting."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        first.refusal = rows[i].refusal;
        first.denial = rows[i].denial;
        connection.state = rows[i].before;
        connection.has_played = rows[i].has_played;
        connection_lost(&connection, rows[i].reason, 5000000);
        bool again = rows[i].ends_with == DENY_REASONS;
        if (connection.state != (again ? CLIENT_CONNECTING : CLIENT_ENDED) || !strstr(connection.status, rows[i].text))
            fail_msg("row %zu: %s", i, connection.status);
        assert_int_equal(connection.reason, again ? DENY_NONE : rows[i].ends_with);
        assert_int_equal(connection.denial, rows[i].denial);
        assert_int_equal(connection.retry_us != 0, again);
    }
}

TEST(a_connection_is_lost_only_once)
{
    connection_set_status(&connection, "Waiting for the match.");
    connection_playing(&connection);
    assert_string_equal(connection.status, "");
    connection_lost(&connection, 0, 5000000);
    connection_lost(&connection, DENY_KICKED, 5000000);
    assert_int_equal(connection.tries, 1);
    assert_int_equal(connection.state, CLIENT_CONNECTING);
    connection_leave(&connection, DENY_NONE, "You left.");
    connection.retry_us = 0;
    connection_lost(&connection, DENY_KICKED, 5000000);
    assert_string_equal(connection.status, "You left.");
}

// A quarter of a second at first, twice as long each time, two seconds at most.
TEST(at_most_twenty_attempts_are_made_farther_and_farther_apart)
{
    uint64_t now_us = 5000000;
    reopened = &second.transport;
    connection_playing(&connection);
    reopened = NULL;
    connection_lost(&connection, 0, now_us);
    for (uint32_t attempt = 1; attempt <= 25; attempt++) {
        uint64_t wait_us = attempt < 4 ? UINT64_C(125000) << attempt : 2000000;
        assert_int_equal(connection.tries, attempt);
        assert_false(connection_retry(&connection, now_us + wait_us - 1));
        assert_int_equal(reopens, attempt - 1);
        now_us += wait_us;
        assert_false(connection_retry(&connection, now_us)); // nothing was opened
        assert_int_equal(reopens, attempt);
        assert_int_equal(first.closes, 0);
    }
    begin();
    connection_playing(&connection);
    for (uint32_t attempt = 1; attempt <= 20; attempt++) {
        connection_lost(&connection, 0, now_us);
        assert_int_equal(connection.state, CLIENT_CONNECTING);
        assert_true(connection_retry(&connection, now_us + 2000000));
    }
    connection_lost(&connection, 0, now_us);
    assert_int_equal(connection.state, CLIENT_ENDED);
}

TEST(a_new_connection_replaces_the_old_one)
{
    assert_false(connection_retry(&connection, 9000000)); // the first is still under way
    connection_playing(&connection);
    assert_false(connection_retry(&connection, 9000000));
    connection_lost(&connection, 0, 9000000);
    assert_true(connection_retry(&connection, 9250000));
    assert_ptr_equal(connection.transport, &second.transport);
    assert_int_equal(first.closes, 1);
    assert_int_equal(second.closes, 0);
    assert_false(connection_retry(&connection, 99000000)); // the second is under way
    assert_int_equal(reopens, 1);
    connection_playing(&connection);
    assert_int_equal(connection.tries, 0);
    assert_int_equal(connection.state, CLIENT_PLAYING);
}
