// SPDX-License-Identifier: MIT
//
// Tests sockets over loopback, which keeps the order. The kernel delivers datagrams in batches; callers must not
// notice.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"

#include "net/impairment.h"
#include "net/udp_socket.h"

enum { SECOND_NS = 1000000000, OVERSIZED_BYTES = DATAGRAM_BYTES_MAX + 1 };

static struct udp_socket server, clients[2];
static struct net_address place;

static int receive_fault; // errno of the next recvmmsg(); 0: none

// Replaces the function of the C library.
int recvmmsg(int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout)
{
    errno = receive_fault;
    receive_fault = 0;
    return errno ? -1 : (int)syscall(SYS_recvmmsg, file, messages, count, flags, timeout);
}

static int open_all(void **state)
{
    (void)state;
    struct error error;
    uint16_t number = 0;
    assert_true(udp_socket_listen(&server, "127.0.0.1", &number, &error));
    for (size_t i = 0; i < 2; i++)
        assert_true(udp_socket_connect(&clients[i], "127.0.0.1", number, &place, &error));
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    udp_socket_close(&server);
    for (size_t i = 0; i < 2; i++)
        udp_socket_close(&clients[i]);
    return 0;
}

static void send_number(size_t client, uint32_t number, size_t byte_count)
{
    uint8_t bytes[OVERSIZED_BYTES] = {0};
    memcpy(bytes, &number, sizeof number);
    udp_socket_send(&clients[client], 0, &place, bytes, byte_count);
}

static uint32_t receive_number(struct net_address *from, size_t byte_count)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    uint32_t number = UINT32_MAX;
    udp_socket_wait(&server, clock_now_ns() + SECOND_NS);
    assert_int_equal(udp_socket_receive(&server, 0, from, bytes), byte_count);
    memcpy(&number, bytes, sizeof number);
    return number;
}

static void more_than_a_batch_arrives_in_order_with_its_senders(void **state)
{
    (void)state;
    struct net_address from, first[2];
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    enum { COUNT = 3 * UDP_SOCKET_BATCH + 1 };
    for (uint32_t i = 0; i < COUNT; i++)
        send_number(i % 2, i, 4 + i);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(receive_number(&from, 4 + i), i);
        if (i < 2)
            first[i] = from;
        assert_memory_equal(from.bytes, first[i % 2].bytes, ADDRESS_BYTES_IPV4);
    }
    assert_memory_not_equal(first[0].bytes, first[1].bytes, ADDRESS_BYTES_IPV4);
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), 0);
    assert_int_equal(server.packets_in, COUNT);
    assert_int_equal(server.bytes_in, 4 * COUNT + COUNT * (COUNT - 1) / 2);
}

static void a_datagram_behind_many_oversized_ones_is_read_at_once(void **state)
{
    (void)state;
    struct net_address from;
    enum { COUNT = 5 * UDP_SOCKET_BATCH };
    for (uint32_t i = 0; i < COUNT; i++)
        send_number(0, i, OVERSIZED_BYTES);
    send_number(1, 7, DATAGRAM_BYTES_MAX);
    assert_int_equal(receive_number(&from, DATAGRAM_BYTES_MAX), 7);
    assert_int_equal(server.oversized, COUNT);
}

static void a_network_error_hides_no_datagram(void **state)
{
    (void)state;
    static const int rows[] = {ECONNREFUSED, EHOSTUNREACH, EINTR};
    struct net_address from;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        send_number(0, i, 8);
        udp_socket_wait(&server, clock_now_ns() + SECOND_NS);
        receive_fault = rows[i];
        assert_int_equal(receive_number(&from, 8), i);
    }
    send_number(0, 9, 8);
    udp_socket_wait(&server, clock_now_ns() + SECOND_NS);
    receive_fault = EAGAIN; // the socket is empty
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), 0);
    assert_int_equal(receive_number(&from, 8), 9);
}

static void an_impaired_socket_delays_both_directions(void **state)
{
    (void)state;
    struct net_address from;
    uint8_t bytes[DATAGRAM_BYTES_MAX] = {1};
    assert_true(udp_socket_impair(&server, &(struct impairment){.delay_us = 1000}, 1));
    send_number(0, 5, 8);
    udp_socket_wait(&server, clock_now_ns() + SECOND_NS);
    assert_int_equal(udp_socket_receive(&server, 7000000, &from, bytes), 0);
    assert_int_equal(udp_socket_receive(&server, 7999999, &from, bytes), 0);
    assert_int_equal(udp_socket_receive(&server, 8000000, &from, bytes), 8);
}

static void unread_datagrams_end_a_wait_at_once(void **state)
{
    (void)state;
    struct net_address from;
    send_number(0, 1, 8);
    send_number(0, 2, 8);
    assert_int_equal(receive_number(&from, 8), 1);
    uint64_t before_ns = clock_now_ns();
    udp_socket_wait(&server, before_ns + (uint64_t)60 * SECOND_NS); // or the test runs into its time limit
    assert_int_equal(receive_number(&from, 8), 2);
}

static void an_empty_datagram_is_skipped(void **state)
{
    (void)state;
    struct net_address from;
    send_number(0, 1, 0);
    send_number(0, 2, 8);
    assert_int_equal(receive_number(&from, 8), 2);
}

static void collected_datagrams_are_sent_in_order_when_released(void **state)
{
    (void)state;
    struct net_address from;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    enum { COUNT = 2 * UDP_SOCKET_BATCH + 3 };
    udp_socket_cork(&clients[0]);
    send_number(0, 0, 4);
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), 0);
    for (uint32_t i = 1; i < COUNT; i++)
        send_number(0, i, 4 + i);
    udp_socket_flush(&clients[0], 0);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(receive_number(&from, 4 + i), i);
    assert_int_equal(clients[0].packets_out, COUNT);
    assert_int_equal(clients[0].bytes_out, server.bytes_in);
    send_number(0, 9, 4); // at once again
    assert_int_equal(receive_number(&from, 4), 9);
}

static void a_datagram_that_cannot_be_sent_stops_no_other(void **state)
{
    (void)state;
    struct net_address from, nowhere = place;
    memset(nowhere.bytes, 0, sizeof nowhere.bytes); // port 0
    udp_socket_cork(&clients[0]);
    for (uint32_t i = 0; i < 6; i++) {
        udp_socket_send(&clients[0], 0, &nowhere, (const uint8_t *)"lost", 4);
        send_number(0, i, 8);
    }
    udp_socket_flush(&clients[0], 0);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(receive_number(&from, 8), i);
    assert_int_equal(clients[0].packets_out, 6);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(more_than_a_batch_arrives_in_order_with_its_senders, open_all, close_all),
        cmocka_unit_test_setup_teardown(a_datagram_behind_many_oversized_ones_is_read_at_once, open_all, close_all),
        cmocka_unit_test_setup_teardown(a_network_error_hides_no_datagram, open_all, close_all),
        cmocka_unit_test_setup_teardown(an_impaired_socket_delays_both_directions, open_all, close_all),
        cmocka_unit_test_setup_teardown(unread_datagrams_end_a_wait_at_once, open_all, close_all),
        cmocka_unit_test_setup_teardown(collected_datagrams_are_sent_in_order_when_released, open_all, close_all),
        cmocka_unit_test_setup_teardown(a_datagram_that_cannot_be_sent_stops_no_other, open_all, close_all),
        cmocka_unit_test_setup_teardown(an_empty_datagram_is_skipped, open_all, close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
