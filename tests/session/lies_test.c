// SPDX-License-Identifier: MIT
//
// A client that was admitted and lies to ENet, against a server's real transport in virtual time.
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/enet/enet_filter.h"
#include "net/enet/enet_transport.h"
#include "net/secure_socket.h"
#include "test.h"
#include "virtual_udp.h"

#define MS_NS UINT64_C(1000000)

enum { STEP_MS = 5, ROUND_TRIP_MS = 40, CHANNEL_OF_PEER = 0xff };

static const struct session_id server_id = {0, 1}; // as every client numbers its server
static struct {
    struct transport *server;
    struct secure_socket liar;
    uint32_t connected, disconnected, messages;
    bool is_busy; // something reliable now and then, which it acknowledges
    bool acknowledges;
    uint8_t spared_channel; // of the command that it does not acknowledge
    uint16_t spared_number; // 0: none
} scene;

static void send_commands(const uint8_t *commands, size_t byte_count)
{
    uint8_t bytes[1200] = {0x80, 0};
    uint64_t ms = virtual_udp_now_ns() / MS_NS;
    bytes[2] = (uint8_t)(ms >> 8);
    bytes[3] = (uint8_t)ms;
    memcpy(bytes + 4, commands, byte_count);
    secure_socket_send(&scene.liar, server_id, bytes, 4 + byte_count);
}

static void ping(void)
{
    send_commands((const uint8_t[]){0x85, CHANNEL_OF_PEER, 0, 2}, 4);
}

static void acknowledge(uint8_t channel, uint16_t number)
{
    uint8_t high = (uint8_t)(number >> 8), low = (uint8_t)number;
    uint64_t ms = virtual_udp_now_ns() / MS_NS - ROUND_TRIP_MS;
    uint8_t command[8] = {1, channel, high, low, high, low, (uint8_t)(ms >> 8), (uint8_t)ms};
    send_commands(command, sizeof command);
}

static void take_datagram(const uint8_t *bytes, size_t byte_count)
{
    static const uint8_t sizes[16] = {[1] = 8, [4] = 8, [5] = 4, [6] = 6, [10] = 12, [11] = 16};
    for (size_t at = bytes[0] & 0x80 ? 4 : 2; bytes[0] != DATAGRAM_MESSAGE && at + 4 <= byte_count;) {
        const uint8_t *command = bytes + at;
        uint8_t kind = command[0] & 0x0f;
        uint16_t number = (uint16_t)(command[2] << 8 | command[3]);
        bool spared = command[1] == scene.spared_channel && number == scene.spared_number;
        assert_int_not_equal(sizes[kind], 0);
        if ((command[0] & 0x80) && scene.acknowledges && !spared)
            acknowledge(command[1], number);
        at += sizes[kind] + (kind == 6 ? (size_t)(command[4] << 8 | command[5]) : 0); // of a payload
    }
}

static void run(uint64_t ms)
{
    for (uint64_t end_ns = virtual_udp_now_ns() + ms * MS_NS; virtual_udp_now_ns() < end_ns;) {
        struct net_event event;
        struct session_id from;
        uint8_t bytes[DATAGRAM_BYTES_MAX];
        virtual_udp_advance(STEP_MS * MS_NS);
        while (transport_poll(scene.server, &event)) {
            scene.connected += event.kind == NET_CONNECTED;
            scene.disconnected += event.kind == NET_DISCONNECTED;
            scene.messages += event.kind == NET_MESSAGE;
        }
        transport_flush(scene.server);
        secure_socket_begin(&scene.liar, UINT32_MAX);
        for (size_t size; (size = secure_socket_receive(&scene.liar, &from, bytes)) > 0;)
            take_datagram(bytes, size);
    }
}

static void send_to_liar(enum net_channel channel)
{
    assert_true(transport_send(scene.server, 0, channel, (const uint8_t *)"text", 4));
    transport_flush(scene.server);
}

// Until the server has lost its peer, which sends a ping every 100 ms. Returns how long it took, ms.
static uint64_t time_until_disconnected(void)
{
    uint64_t begun_ns = virtual_udp_now_ns();
    while (scene.disconnected == 0 && virtual_udp_now_ns() - begun_ns < 30 * CLOCK_SECOND_NS) {
        ping();
        run(100);
        if (scene.is_busy && scene.disconnected == 0 && virtual_udp_now_ns() / MS_NS % 500 < 100)
            send_to_liar(NET_RELIABLE);
    }
    return (virtual_udp_now_ns() - begun_ns) / MS_NS;
}

static void end(void)
{
    if (!scene.server)
        return;
    secure_socket_close(&scene.liar);
    transport_close(scene.server);
    virtual_udp_end();
    memset(&scene, 0, sizeof scene);
}

EACH_TEST(NULL, end);

// A server for one client, to which the liar is admitted, in place of the one before.
static void begin(void)
{
    struct error error;
    struct net_endpoint endpoint;
    end();
    virtual_udp_begin(1, &(struct impairment){.delay_us = ROUND_TRIP_MS * 500}, UINT64_C(1000000000000));
    scene.acknowledges = true;
    scene.server = enet_transport_open_server(
        &(struct net_server_config){.bind_address = "127.0.0.1", .peer_capacity = 1}, &endpoint, &error);
    assert_non_null(scene.server);
    assert_true(secure_socket_connect(&scene.liar,
                                      &(struct net_client_config){.host = "127.0.0.1", .port = endpoint.port}, &error));
    while (scene.liar.session.state != CLIENT_SESSION_OPEN)
        run(STEP_MS);
}

static void begin_connected(void)
{
    begin();
    ping();
    run(4 * ROUND_TRIP_MS);
    assert_int_equal(scene.connected, 1);
}

TEST(an_honest_client_stays)
{
    begin_connected();
    send_to_liar(NET_RELIABLE);
    assert_in_range(time_until_disconnected(), 30000, 30100);
}

TEST(one_command_that_is_not_acknowledged_is_enough)
{
    static const uint8_t channels[] = {0, 1, CHANNEL_OF_PEER};
    for (size_t i = 0; i < sizeof channels; i++) {
        begin_connected();
        run(1000);
        scene.spared_channel = channels[i];
        scene.spared_number = channels[i] == CHANNEL_OF_PEER ? 5 : 1; // a ping that comes next
        scene.is_busy = true;
        if (channels[i] != CHANNEL_OF_PEER)
            send_to_liar(channels[i] == 0 ? NET_RELIABLE : NET_APART);
        assert_in_range(time_until_disconnected(), 7000, 7000 + (channels[i] == CHANNEL_OF_PEER ? 3000 : 200));
    }
}

TEST(acknowledging_what_was_never_sent_ends_a_session)
{
    begin_connected();
    scene.acknowledges = false;
    for (uint16_t i = 0; i < 7; i++)
        acknowledge(0, (uint16_t)(100 + i));
    run(1500);
    assert_int_equal(scene.disconnected, 0);
    acknowledge(1, 100);
    assert_in_range(time_until_disconnected(), 900, 1300);
}

TEST(empty_and_oversized_messages_end_a_session)
{
    static const uint8_t bytes[1 + NET_MESSAGE_BYTES_MAX + 1] = {DATAGRAM_MESSAGE};
    for (int oversized = 0; oversized < 2; oversized++) {
        begin_connected();
        for (int i = 0; i < 100; i++)
            secure_socket_send(&scene.liar, server_id, bytes, i % 2 ? 2 : 1 + NET_MESSAGE_BYTES_MAX);
        for (int i = 0; i < 7; i++)
            secure_socket_send(&scene.liar, server_id, bytes, oversized ? sizeof bytes : 1);
        run(500);
        assert_true(scene.messages == 100 && scene.disconnected == 0);
        secure_socket_send(&scene.liar, server_id, bytes, oversized ? sizeof bytes : 1);
        assert_in_range(time_until_disconnected(), 0, 1300);
        assert_int_equal(scene.messages, 100);
    }
}

TEST(acknowledging_twice_is_no_fault)
{
    begin_connected();
    for (int i = 0; i < 100; i++) {
        acknowledge(CHANNEL_OF_PEER, 2); // the server's first command
        run(20);
    }
    assert_int_equal(scene.disconnected, 0);
}

// Asking as ENet does, and answering.
TEST(asking_or_answering_as_enet_does_ends_a_session)
{
    static const uint8_t ask[48] = {0x82, CHANNEL_OF_PEER, 0, 1}, answer[44] = {0x83, CHANNEL_OF_PEER, 0, 1};
    for (int answers = 0; answers < 2; answers++) {
        begin_connected();
        for (int i = 0; i < 7; i++)
            send_commands(answers ? answer : ask, answers ? sizeof answer : sizeof ask);
        run(500);
        assert_true(scene.connected == 1 && scene.disconnected == 0);
        send_commands(answers ? answer : ask, answers ? sizeof answer : sizeof ask);
        assert_in_range(time_until_disconnected(), 0, 1300);
        assert_int_equal(scene.connected, 1);
    }
}

TEST(a_session_connects_with_its_first_datagram_and_no_sooner)
{
    begin();
    run(1000);
    assert_int_equal(scene.connected, 0);
    ping();
    run(ROUND_TRIP_MS);
    assert_int_equal(scene.connected, 1);
}

static struct net_totals totals_now(void)
{
    struct net_totals totals;
    transport_totals(scene.server, &totals);
    return totals;
}

TEST(a_session_ends_with_its_peer)
{
    begin_connected();
    scene.acknowledges = false;
    send_to_liar(NET_RELIABLE);
    struct net_totals before = totals_now();
    for (int i = 0; i < 70; i++) {
        ping();
        run(100);
    }
    assert_int_equal(totals_now().rejected, before.rejected);
    assert_int_equal(totals_now().refusals.resets, 0);
    run(1500); // the message was not acknowledged in 7 s, and its last datagrams may come for another
    ping();
    run(100);
    assert_int_equal(totals_now().refusals.resets, 1);
    assert_int_equal(scene.disconnected, 1);
}

// Everything that the server sends to a socket, bytes.
static size_t received_at(int file)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    struct sockaddr_in from;
    struct iovec piece = {bytes, sizeof bytes};
    struct mmsghdr message = {
        .msg_hdr = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &piece, .msg_iovlen = 1}};
    size_t total = 0;
    while (recvmmsg(file, &message, 1, 0, NULL) == 1)
        total += message.msg_len;
    return total;
}

TEST(a_victim_gets_at_most_three_times_what_is_sent_in_its_name)
{
    static const uint8_t large[1000];
    begin_connected();
    int own = scene.liar.datagrams.sockets[0], victim = socket(AF_INET, SOCK_DGRAM, 0);
    size_t sent = 0, received = 0;
    for (int i = 0; i < 100; i++) {
        uint64_t before = scene.liar.datagrams.bytes_out;
        scene.liar.datagrams.sockets[0] = victim;
        ping();
        sent += scene.liar.datagrams.bytes_out - before;
        scene.liar.datagrams.sockets[0] = own;
        transport_send(scene.server, 0, NET_UNSEQUENCED, large, 20);
        transport_send(scene.server, 0, NET_APART, large, sizeof large);
        run(50);
        received += received_at(victim);
        assert_true(received <= 3 * sent);
    }
    assert_true(received > sent); // it is there that the server sends
    close(victim);
}
