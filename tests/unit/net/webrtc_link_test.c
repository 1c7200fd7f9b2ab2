// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "net/udp_socket.h"

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

static void only_stun_and_dtls_are_claimed(void **state)
{
    (void)state;
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

static void frames_that_are_none_are_dropped_and_counted(void **state)
{
    (void)state;
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

static void its_end_is_noticed_once(void **state)
{
    (void)state;
    struct webrtc_link link;
    struct webrtc_frame frame;
    int other = open_link(&link);
    close(other);
    assert_false(webrtc_link_receive(&link, &frame));
    assert_true(link.has_ended);
    webrtc_link_send(&link, &ALICE, DTLS, sizeof DTLS);
    assert_int_equal(link.dropped, 1);
    close(link.file);
}

// Both ways through a UDP socket: what a browser sends reaches the process, and what its channel carries the game.
static void a_server_passes_browsers_to_the_process(void **state)
{
    (void)state;
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
    frame = (struct webrtc_frame){WEBRTC_MESSAGE, frame.address, 0, (const uint8_t *)"\6hi", 3};
    count = (ssize_t)webrtc_frame_write(&frame, bytes);
    assert_int_equal(send(other, bytes, (size_t)count, 0), count);
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), 3);
    assert_true(net_address_has_channel(&from));
    assert_false(net_address_equals(&from, &frame.address));
    udp_socket_send(&server, 0, &from, (const uint8_t *)"\6ho", 3);
    count = recv(other, bytes, sizeof bytes, MSG_DONTWAIT);
    assert_true(count > 0 && webrtc_frame_read(&frame, bytes, (size_t)count));
    assert_int_equal(frame.kind, WEBRTC_MESSAGE);
    assert_memory_equal(frame.payload, "\6ho", 3);
    udp_socket_close(&server);
    udp_socket_close(&client);
    close_link(&link, other);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(only_stun_and_dtls_are_claimed),
        cmocka_unit_test(frames_that_are_none_are_dropped_and_counted),
        cmocka_unit_test(its_end_is_noticed_once),
        cmocka_unit_test(a_server_passes_browsers_to_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
