// SPDX-License-Identifier: MIT
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/udp_socket.h"
#include "test.h"

static const struct net_address ALICE = {{192, 0, 2, 7, 0x7a, 0x69}, ADDRESS_BYTES_IPV4};
static const uint8_t STUN[20] = {0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42};
static const uint8_t DTLS[] = {22, 0xfe, 0xfd};

static int open_link(struct webrtc_link *link)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    *link = (struct webrtc_link){.file = ends[0]};
    return ends[1];
}

static void close_link(struct webrtc_link *link, int other)
{
    close(link->file);
    close(other);
}

TEST(only_stun_and_dtls_are_claimed)
{
    static const struct {
        uint8_t bytes[24];
        size_t byte_count;
        bool claimed;
    } rows[] = {
        /* 0 */ {{0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42}, 20, true},
        /* 1: another length than it says */ {{0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42}, 24, false},
        /* 2 */ {{0, 1, 0, 4, 0x21, 0x12, 0xa4, 0x42}, 24, true},
        /* 3: a HELLO */ {{1, 0x44, 0x46, 0x30, 0x32}, 24, false},
        /* 4: too short */ {{0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42}, 19, false},
        /* 5 */ {{20}, 1, true},
        /* 6 */ {{63}, 1, true},
        /* 7 */ {{64}, 1, false},
        /* 8 */ {{19}, 1, false},
        /* 9: a query */ {{0xff, 0xff, 0xff, 0xff}, 24, false},
        /* 10 */ {{0}, 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (webrtc_frame_claims(rows[i].bytes, rows[i].byte_count) != rows[i].claimed)
            fail_msg("row %zu", i);
}

TEST(frames_that_are_none_are_dropped_and_counted)
{
    struct webrtc_link link;
    struct webrtc_frame frame;
    uint8_t bytes[WEBRTC_FRAME_BYTES_MAX];
    int other = open_link(&link);
    struct webrtc_frame rows[] = {
        /* 0 */ {.kind = WEBRTC_READY, .payload = STUN, .byte_count = sizeof STUN},
        /* 1 */ {.kind = WEBRTC_CREDENTIALS},
        /* 2: only STUN and DTLS may go out */ {WEBRTC_PACKET, ALICE, 0, (const uint8_t *)"\6abc", 4},
        /* 3 */ {WEBRTC_MESSAGE, ALICE, 0, NULL, 0},
        /* 4 */ {.kind = WEBRTC_MESSAGE, .payload = STUN, .byte_count = sizeof STUN},
        /* 5 */ {(enum webrtc_frame_kind)9, ALICE, 0, STUN, sizeof STUN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = webrtc_frame_write(&rows[i], bytes);
        assert_int_equal(send(other, bytes, count, 0), count);
        assert_false(webrtc_link_receive(&link, &frame));
        assert_int_equal(link.dropped, i + 1);
    }
    close_link(&link, other);
}

TEST(its_end_is_noticed_once)
{
    struct webrtc_link link;
    struct webrtc_frame frame;
    int other = open_link(&link);
    close(other);
    assert_false(webrtc_link_receive(&link, &frame));
    assert_true(link.has_ended);
    webrtc_link_send(&link, &ALICE, DTLS, sizeof DTLS);
    webrtc_link_flush(&link);
    assert_int_equal(link.dropped, 1);
    close(link.file);
}

// Returns how many frames wait at an end, each as it was given: frame i has a payload of i % 1500 + 1 bytes of i.
static unsigned take_given(struct webrtc_link *end, unsigned first)
{
    struct webrtc_frame frame;
    unsigned count = 0;
    while (webrtc_link_receive(end, &frame)) {
        unsigned number = first + count++;
        assert_int_equal(frame.kind, WEBRTC_MESSAGE);
        assert_true(net_address_equals(&frame.address, &ALICE));
        assert_int_equal(frame.byte_count, number % WEBRTC_PAYLOAD_BYTES_MAX + 1);
        for (size_t i = 0; i < frame.byte_count; i++)
            assert_int_equal(frame.payload[i], (uint8_t)number);
    }
    return count;
}

static void give(struct webrtc_link *link, unsigned first, unsigned count)
{
    static uint8_t payload[WEBRTC_PAYLOAD_BYTES_MAX];
    for (unsigned i = first; i < first + count; i++) {
        memset(payload, (int)(uint8_t)i, sizeof payload);
        webrtc_link_send(link, &ALICE, payload, i % WEBRTC_PAYLOAD_BYTES_MAX + 1);
    }
}

TEST(frames_travel_together_and_in_order)
{
    static struct webrtc_link link, end;
    end = (struct webrtc_link){.file = open_link(&link)};
    uint8_t byte;
    give(&link, 0, 10);
    assert_int_equal(take_given(&end, 0), 0); // they wait
    webrtc_link_flush(&link);
    webrtc_link_flush(&link);
    assert_int_equal(take_given(&end, 0), 10);
    assert_int_equal(recv(end.file, &byte, 1, MSG_DONTWAIT), -1); // it was one message
    give(&link, 0, 400); // more than one message has room for: the first ones have left
    unsigned early = take_given(&end, 0);
    assert_true(early > 0 && early < 400);
    webrtc_link_flush(&link);
    assert_int_equal(early + take_given(&end, early), 400);
    assert_int_equal(link.dropped + end.dropped, 0);
    close_link(&link, end.file);
}

TEST(a_malformed_frame_ends_its_message)
{
    static struct webrtc_link link;
    uint8_t bytes[2 * WEBRTC_FRAME_BYTES_MAX];
    struct webrtc_frame frame;
    int other = open_link(&link);
    size_t first = webrtc_frame_write(&(struct webrtc_frame){WEBRTC_MESSAGE, ALICE, 0, DTLS, sizeof DTLS}, bytes);
    static const size_t tails[] = {1, WEBRTC_HEAD_BYTES - 1, WEBRTC_HEAD_BYTES, WEBRTC_HEAD_BYTES + sizeof DTLS - 1};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        webrtc_frame_write(&(struct webrtc_frame){WEBRTC_MESSAGE, ALICE, 0, DTLS, sizeof DTLS}, bytes + first);
        assert_int_equal(send(other, bytes, first + tails[i], 0), first + tails[i]);
        assert_true(webrtc_link_receive(&link, &frame));
        assert_false(webrtc_link_receive(&link, &frame));
        assert_int_equal(link.dropped, i + 1);
    }
    close_link(&link, other);
}

// Nobody reads: each frame is counted once as dropped, or waits in the socket pair.
TEST(frames_without_room_are_counted)
{
    static struct webrtc_link link, end;
    end = (struct webrtc_link){.file = open_link(&link)};
    give(&link, 0, 1400);
    webrtc_link_flush(&link);
    assert_true(link.dropped > 0);
    assert_int_equal(take_given(&end, 0) + link.dropped, 1400);
    static const uint8_t large[WEBRTC_PAYLOAD_BYTES_MAX + 1];
    uint64_t before = link.dropped;
    webrtc_link_send(&link, &ALICE, large, sizeof large);
    assert_int_equal(link.dropped, before + 1);
    close_link(&link, end.file);
}

// Both ways through a UDP socket: what a browser sends reaches the process, and what its channel carries the game.
TEST(a_server_passes_browsers_to_the_process)
{
    static struct udp_socket server, client;
    struct webrtc_link link;
    struct webrtc_frame frame;
    struct net_address to, from;
    struct error error;
    uint8_t bytes[WEBRTC_FRAME_BYTES_MAX];
    uint16_t port = 0;
    int other = open_link(&link);
    assert_true(udp_socket_listen(&server, "127.0.0.1", &port, &error));
    assert_true(udp_socket_connect(&client, "127.0.0.1", port, "", &to, &error));
    server.webrtc = &link;
    udp_socket_send(&client, 0, &to, STUN, sizeof STUN);
    udp_socket_wait(&server, UINT64_MAX);
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), 0);
    ssize_t count = recv(other, bytes, sizeof bytes, MSG_DONTWAIT);
    assert_true(count > 0 && webrtc_frame_read(&frame, bytes, (size_t)count));
    assert_int_equal(frame.kind, WEBRTC_PACKET);
    assert_memory_equal(frame.payload, STUN, sizeof STUN);
    uint8_t batch[2 * WEBRTC_FRAME_BYTES_MAX];
    struct webrtc_frame back = {WEBRTC_PACKET, frame.address, 0, DTLS, sizeof DTLS};
    size_t batch_bytes = webrtc_frame_write(&back, batch);
    frame = (struct webrtc_frame){WEBRTC_MESSAGE, frame.address, 0, (const uint8_t *)"\6hi", 3};
    batch_bytes += webrtc_frame_write(&frame, batch + batch_bytes);
    assert_int_equal(send(other, batch, batch_bytes, 0), batch_bytes);
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), 3);
    struct net_address own;
    uint8_t packet[WEBRTC_FRAME_BYTES_MAX];
    assert_int_equal(udp_socket_receive(&server, 0, &own, packet), 0); // and the packet leaves
    udp_socket_wait(&client, UINT64_MAX);
    assert_int_equal(udp_socket_receive(&client, 0, &own, packet), sizeof DTLS);
    assert_memory_equal(packet, DTLS, sizeof DTLS);
    assert_true(net_address_has_channel(&from));
    assert_false(net_address_equals(&from, &frame.address));
    udp_socket_send(&server, 0, &from, (const uint8_t *)"\6ho", 3);
    udp_socket_flush(&server, 0);
    count = recv(other, bytes, sizeof bytes, MSG_DONTWAIT);
    assert_true(count > 0 && webrtc_frame_read(&frame, bytes, (size_t)count));
    assert_int_equal(frame.kind, WEBRTC_MESSAGE);
    assert_memory_equal(frame.payload, "\6ho", 3);
    udp_socket_close(&server);
    udp_socket_close(&client);
    close_link(&link, other);
}
