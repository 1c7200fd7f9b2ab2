// SPDX-License-Identifier: MIT
//
// When ENet, as configured here, sends again, and when it reports a loss: two ends over bad networks in virtual time.
#include <string.h>

#include "net/enet/enet_transport.h"
#include "test.h"
#include "virtual_udp.h"

#define MS_NS UINT64_C(1000000)

enum { BEGIN_MS = 1000000, STEP_MS = 2, PATIENCE_MS = 3500 };

// What happened at one end.
struct end {
    struct transport *transport;
    bool connected, gone;
    uint32_t received[3];        ///< messages by channel
    uint32_t sent[3];            ///< by the other end
    uint64_t worst_ms, total_ms; ///< from sending to receiving a reliable message
};

// What a message of these tests holds.
struct note {
    uint32_t channel, number;
    uint64_t sent_ms;
};

static const struct impairment dead = {.loss_ppm = 1000000};
static struct end server, client;
static uint64_t trace; ///< hash of all events and their times

static uint64_t now_ms(void)
{
    return virtual_udp_now_ns() / MS_NS;
}

static void serve(struct end *end)
{
    struct net_event event;
    while (transport_poll(end->transport, &event)) {
        trace = (trace ^ (now_ms() * 8 + (uint64_t)event.kind)) * UINT64_C(0x100000001b3);
        end->connected |= event.kind == NET_CONNECTED;
        end->gone |= event.kind == NET_DISCONNECTED;
        if (event.kind != NET_MESSAGE)
            continue;
        struct note note;
        assert_int_equal(event.byte_count, sizeof note);
        memcpy(&note, event.bytes, sizeof note);
        uint32_t before = end->received[note.channel]++;
        if (note.channel == NET_UNSEQUENCED)
            continue;
        assert_int_equal(note.number, before); // once and in order
        uint64_t way_ms = now_ms() - note.sent_ms;
        end->total_ms += way_ms;
        end->worst_ms = way_ms > end->worst_ms ? way_ms : end->worst_ms;
    }
    transport_flush(end->transport);
}

static void run(uint64_t ms)
{
    for (uint64_t end_ms = now_ms() + ms; now_ms() < end_ms;) {
        virtual_udp_advance(STEP_MS * MS_NS);
        serve(&server);
        serve(&client);
    }
}

static void impair(const struct impairment *to_server, const struct impairment *to_client)
{
    virtual_udp_impair(true, to_server);
    virtual_udp_impair(false, to_client);
}

static void say(struct end *from, struct end *to, enum net_channel channel)
{
    struct note note = {channel, to->sent[channel]++, now_ms()};
    assert_true(transport_send(from->transport, 0, channel, (const uint8_t *)&note, sizeof note));
}

static void open_both(uint64_t seed, const struct impairment *line, uint64_t begin_ms)
{
    struct error error = {0};
    struct net_endpoint endpoint;
    virtual_udp_begin(seed, line, begin_ms * MS_NS);
    server = client = (struct end){0};
    trace = 0;
    server.transport = enet_transport_open_server(
        &(struct net_server_config){.bind_address = "127.0.0.1", .peer_capacity = 4}, &endpoint, &error);
    client.transport =
        enet_transport_open_client(&(struct net_client_config){.host = "127.0.0.1", .port = endpoint.port}, &error);
    assert_non_null(server.transport);
    assert_non_null(client.transport);
}

static void connect_at(uint64_t seed, const struct impairment *line, uint64_t begin_ms)
{
    open_both(seed, line, begin_ms);
    for (uint64_t end_ms = now_ms() + 5000; !(server.connected && client.connected) && now_ms() < end_ms;)
        run(STEP_MS);
    assert_true(server.connected && client.connected);
}

static void connect(uint64_t seed, const struct impairment *line)
{
    connect_at(seed, line, BEGIN_MS);
}

static void close_both(void)
{
    transport_close(client.transport);
    transport_close(server.transport);
    virtual_udp_end();
}

// Both ends send a message of every kind each 50 ms.
static void converse(uint64_t ms)
{
    for (uint64_t end_ms = now_ms() + ms; now_ms() < end_ms; run(50))
        for (uint32_t channel = NET_RELIABLE; channel <= NET_APART; channel++) {
            say(&client, &server, (enum net_channel)channel);
            say(&server, &client, (enum net_channel)channel);
        }
}

TEST(a_connection_takes_two_round_trips)
{
    connect(1, &(struct impairment){.delay_us = 50000});
    // Cookie and session; the server knows it by the first datagram, half a round trip later.
    assert_in_range(now_ms() - BEGIN_MS, 250, 250 + 4 * STEP_MS);
    assert_in_range(transport_rtt_ms(client.transport, 0), 100, 100 + 2 * STEP_MS);
    assert_in_range(transport_rtt_ms(server.transport, 0), 100, 100 + 2 * STEP_MS);
    close_both();
}

TEST(losses_while_connecting_cost_little)
{
    enum { CONNECTIONS = 100 };
    uint64_t total_ms = 0;
    for (uint64_t seed = 0; seed < CONNECTIONS; seed++) {
        connect(seed, &(struct impairment){.delay_us = 20000, .loss_ppm = 200000});
        total_ms += now_ms() - BEGIN_MS;
        close_both();
    }
    assert_in_range(total_ms / CONNECTIONS, 100, 340); // without a loss, and with one in each of the two parts
}

TEST(reliable_messages_arrive_in_order_and_soon_over_a_bad_network)
{
    struct impairment bad = {
        .delay_us = 50000, .jitter_us = 20000, .loss_ppm = 100000, .duplicate_ppm = 50000, .reorder_ppm = 20000};
    uint64_t traces[2];
    for (int i = 0; i < 2; i++) {
        connect(2, &bad);
        converse(60000);
        impair(&(struct impairment){.delay_us = 50000}, &(struct impairment){.delay_us = 50000});
        run(3000);
        for (const struct end *end = &server; end; end = end == &server ? &client : NULL) {
            assert_int_equal(end->received[NET_RELIABLE], end->sent[NET_RELIABLE]);
            assert_int_equal(end->received[NET_APART], end->sent[NET_APART]);
            assert_in_range(end->received[NET_UNSEQUENCED], end->sent[NET_UNSEQUENCED] * 85 / 100,
                            end->sent[NET_UNSEQUENCED] * 95 / 100); // a second copy is dropped
            uint64_t mean_ms = end->total_ms / (end->received[NET_RELIABLE] + end->received[NET_APART]);
            assert_in_range(mean_ms, 50, 160);
            assert_in_range(end->worst_ms, 50, 1500);
        }
        traces[i] = trace;
        close_both();
    }
    assert_true(traces[0] == traces[1]); // the same seed gives the same events
}

TEST(blackouts_of_up_to_3_s_are_over_a_retry_after_their_end)
{
    struct impairment good = {.delay_us = 30000};
    for (uint32_t dark_ms = 300; dark_ms <= 3000; dark_ms += 300) {
        for (int ways = 1; ways <= 3; ways++) {
            connect(3, &good);
            converse(2000);
            impair(ways & 1 ? &dead : &good, ways & 2 ? &dead : &good);
            converse(dark_ms);
            impair(&good, &good);
            run(400); // at most 250 ms and a round trip until the next attempt, and its delay
            assert_false(server.gone || client.gone);
            assert_int_equal(server.received[NET_RELIABLE], server.sent[NET_RELIABLE]);
            assert_int_equal(client.received[NET_RELIABLE], client.sent[NET_RELIABLE]);
            assert_int_equal(client.received[NET_APART], client.sent[NET_APART]);
            close_both();
        }
    }
}

// Returns how many datagrams are sent in three seconds without an answer, while so many large messages wait for one.
static uint64_t sent_into_silence(uint32_t messages)
{
    static const uint8_t large[1100];
    connect(8, &(struct impairment){.delay_us = 30000});
    run(1000);
    impair(&dead, &dead);
    for (uint32_t i = 0; i < messages; i++)
        assert_true(transport_send(server.transport, 0, NET_APART, large, sizeof large));
    uint64_t before = virtual_udp_sent();
    run(3000);
    uint64_t sent = virtual_udp_sent() - before;
    close_both();
    return sent;
}

TEST(into_silence_only_one_command_at_a_time_is_sent_again)
{
    uint64_t few = sent_into_silence(0), many = sent_into_silence(50);
    assert_in_range(many - few, 50, 3 * 50); // at first, and again until the silence is noticed
}

TEST(three_and_a_half_seconds_of_silence_end_a_connection)
{
    connect(4, &(struct impairment){.delay_us = 30000});
    converse(2000);
    run(1000);
    impair(&dead, &dead);
    run(PATIENCE_MS - 600); // the last ping came some time before
    assert_false(server.gone || client.gone);
    run(700);
    assert_true(server.gone && client.gone);
    close_both();
}

TEST(a_client_gives_up_within_four_seconds_if_the_server_dies_after_the_handshake)
{
    open_both(1, &(struct impairment){.delay_us = 50000}, BEGIN_MS);
    run(190); // the session's answer is on its way; ENet has sent nothing
    impair(&dead, &dead);
    while (!client.gone && now_ms() < BEGIN_MS + 60000)
        run(STEP_MS);
    assert_in_range(now_ms() - BEGIN_MS, 3700, 3700 + 4 * STEP_MS); // and not after the 30 s of ENet itself
    assert_false(server.connected);
    close_both();
}

TEST(pings_keep_a_connection_through_an_hour_of_silence)
{
    connect(5, &(struct impairment){.delay_us = 50000, .jitter_us = 20000, .loss_ppm = 50000});
    uint64_t sent = virtual_udp_sent();
    run(3600000);
    assert_false(server.gone || client.gone);
    sent = virtual_udp_sent() - sent;
    assert_in_range(sent / 3600, 4, 12); // a ping and its answer twice a second from each end
    converse(1000);
    run(1000);
    assert_int_equal(server.received[NET_RELIABLE], server.sent[NET_RELIABLE]);
    close_both();
}

TEST(the_separate_channel_waits_for_no_lost_message)
{
    struct impairment good = {.delay_us = 100000};
    connect(6, &good);
    converse(2000);
    run(1000);
    uint32_t reliable = client.received[NET_RELIABLE], apart = client.received[NET_APART];
    virtual_udp_impair(false, &dead);
    say(&server, &client, NET_RELIABLE);
    run(STEP_MS);
    virtual_udp_impair(false, &good);
    say(&server, &client, NET_RELIABLE);
    say(&server, &client, NET_APART);
    run(100 + 4 * STEP_MS);
    assert_int_equal(client.received[NET_APART], apart + 1);
    assert_int_equal(client.received[NET_RELIABLE], reliable); // both in order
    run(1000);
    assert_int_equal(client.received[NET_RELIABLE], reliable + 2);
    close_both();
}

// ENet counts milliseconds in 32 bits, which wrap after 49.7 days.
TEST(a_connection_survives_the_wrap_of_32_bits_of_ms)
{
    connect_at(7, &(struct impairment){.delay_us = 20000, .loss_ppm = 50000}, (UINT64_C(1) << 33) - 2000);
    assert_true((uint32_t)now_ms() > UINT32_MAX - 2000);
    converse(10000); // longer than any timeout
    run(1000);
    assert_true((uint32_t)now_ms() < UINT32_MAX / 2);
    assert_false(server.gone || client.gone);
    assert_int_equal(server.received[NET_RELIABLE], server.sent[NET_RELIABLE]);
    assert_int_equal(client.received[NET_RELIABLE], client.sent[NET_RELIABLE]);
    close_both();
}
