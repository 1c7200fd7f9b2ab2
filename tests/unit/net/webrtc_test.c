// SPDX-License-Identifier: MIT
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/udp_socket.h"
#include "test.h"

static const struct net_address ALICE = {{192, 0, 2, 7, 0x7a, 0x69}, ADDRESS_BYTES_IPV4};
static const uint8_t STUN[20] = {0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42};
static const uint8_t DTLS[] = {22, 0xfe, 0xfd};

// Both ends of a link. A test may use the file of the other end alone.
static struct webrtc_link ours, theirs;
static struct webrtc_frame frame;
static struct webrtc_filter filter;

static void open_link(void)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    ours = (struct webrtc_link){.file = ends[0]};
    theirs = (struct webrtc_link){.file = ends[1]};
}

static void close_link(void)
{
    close(ours.file);
    close(theirs.file);
}

EACH_TEST(open_link, close_link);

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
    uint8_t bytes[WEBRTC_FRAME_BYTES_MAX];
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
        assert_int_equal(send(theirs.file, bytes, count, 0), count);
        assert_false(webrtc_link_receive(&ours, &frame));
        assert_int_equal(ours.dropped, i + 1);
    }
}

TEST(its_end_is_noticed_once)
{
    close(theirs.file);
    theirs.file = -1;
    assert_false(webrtc_link_receive(&ours, &frame));
    assert_true(ours.has_ended);
    webrtc_link_send(&ours, &ALICE, DTLS, sizeof DTLS);
    webrtc_link_flush(&ours);
    assert_int_equal(ours.dropped, 1);
}

// Returns how many frames wait at the other end. Frame i has a payload of i % 1500 + 1 bytes of i.
static unsigned take_given(unsigned first)
{
    unsigned count = 0;
    while (webrtc_link_receive(&theirs, &frame)) {
        unsigned number = first + count++;
        assert_int_equal(frame.kind, WEBRTC_MESSAGE);
        assert_true(net_address_equals(&frame.address, &ALICE));
        assert_int_equal(frame.byte_count, number % WEBRTC_PAYLOAD_BYTES_MAX + 1);
        for (size_t i = 0; i < frame.byte_count; i++)
            assert_int_equal(frame.payload[i], (uint8_t)number);
    }
    return count;
}

static void give(unsigned first, unsigned count)
{
    static uint8_t payload[WEBRTC_PAYLOAD_BYTES_MAX];
    for (unsigned i = first; i < first + count; i++) {
        memset(payload, (int)(uint8_t)i, sizeof payload);
        webrtc_link_send(&ours, &ALICE, payload, i % WEBRTC_PAYLOAD_BYTES_MAX + 1);
    }
}

TEST(frames_travel_together_and_in_order)
{
    uint8_t byte;
    give(0, 10);
    assert_int_equal(take_given(0), 0); // they wait
    webrtc_link_flush(&ours);
    webrtc_link_flush(&ours);
    assert_int_equal(take_given(0), 10);
    assert_int_equal(recv(theirs.file, &byte, 1, MSG_DONTWAIT), -1); // it was one message
    give(0, 400); // more than one message has room for: the first ones have left
    unsigned early = take_given(0);
    assert_true(early > 0 && early < 400);
    webrtc_link_flush(&ours);
    assert_int_equal(early + take_given(early), 400);
    assert_int_equal(ours.dropped + theirs.dropped, 0);
}

TEST(a_malformed_frame_ends_its_message)
{
    uint8_t bytes[2 * WEBRTC_FRAME_BYTES_MAX];
    size_t first = webrtc_frame_write(&(struct webrtc_frame){WEBRTC_MESSAGE, ALICE, 0, DTLS, sizeof DTLS}, bytes);
    static const size_t tails[] = {1, WEBRTC_HEAD_BYTES - 1, WEBRTC_HEAD_BYTES, WEBRTC_HEAD_BYTES + sizeof DTLS - 1};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        webrtc_frame_write(&(struct webrtc_frame){WEBRTC_MESSAGE, ALICE, 0, DTLS, sizeof DTLS}, bytes + first);
        assert_int_equal(send(theirs.file, bytes, first + tails[i], 0), first + tails[i]);
        assert_true(webrtc_link_receive(&ours, &frame));
        assert_false(webrtc_link_receive(&ours, &frame));
        assert_int_equal(ours.dropped, i + 1);
    }
}

// Nobody reads: each frame is counted once as dropped, or waits in the socket pair.
TEST(frames_without_room_are_counted)
{
    give(0, 1400);
    webrtc_link_flush(&ours);
    assert_true(ours.dropped > 0);
    assert_int_equal(take_given(0) + ours.dropped, 1400);
    static const uint8_t large[WEBRTC_PAYLOAD_BYTES_MAX + 1];
    uint64_t before = ours.dropped;
    webrtc_link_send(&ours, &ALICE, large, sizeof large);
    assert_int_equal(ours.dropped, before + 1);
}

// Both ways through a UDP socket: what a browser sends reaches the process, and what its channel carries the game.
TEST(a_server_passes_browsers_to_the_process)
{
    static struct udp_socket server, client;
    struct net_address to, from;
    struct error error;
    uint8_t bytes[WEBRTC_FRAME_BYTES_MAX];
    uint16_t port = 0;
    assert_true(udp_socket_listen(&server, "127.0.0.1", &port, &error));
    assert_true(udp_socket_connect(&client, "127.0.0.1", port, "", &to, &error));
    server.webrtc = &ours;
    server.filter = &filter;
    webrtc_filter_init(&filter);
    udp_socket_send(&client, 0, &to, STUN, sizeof STUN);
    udp_socket_wait(&server, UINT64_MAX);
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), 0);
    ssize_t count = recv(theirs.file, bytes, sizeof bytes, MSG_DONTWAIT);
    assert_true(count > 0 && webrtc_frame_read(&frame, bytes, (size_t)count));
    assert_int_equal(frame.kind, WEBRTC_PACKET);
    assert_memory_equal(frame.payload, STUN, sizeof STUN);
    // As if it had returned a cookie.
    filter.places[0] = (struct webrtc_place){.address = frame.address, .is_open = true};
    for (size_t i = 0; i < WEBRTC_FILTER_BUCKETS; i++)
        filter.buckets[i] = &filter.places[0];
    uint8_t batch[2 * WEBRTC_FRAME_BYTES_MAX];
    struct webrtc_frame back = {WEBRTC_PACKET, frame.address, 0, DTLS, sizeof DTLS};
    size_t batch_bytes = webrtc_frame_write(&back, batch);
    frame = (struct webrtc_frame){WEBRTC_MESSAGE, frame.address, 0, (const uint8_t *)"\6hi", 3};
    batch_bytes += webrtc_frame_write(&frame, batch + batch_bytes);
    assert_int_equal(send(theirs.file, batch, batch_bytes, 0), batch_bytes);
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
    count = recv(theirs.file, bytes, sizeof bytes, MSG_DONTWAIT);
    assert_true(count > 0 && webrtc_frame_read(&frame, bytes, (size_t)count));
    assert_int_equal(frame.kind, WEBRTC_MESSAGE);
    assert_memory_equal(frame.payload, "\6ho", 3);
    udp_socket_close(&server);
    udp_socket_close(&client);
}
