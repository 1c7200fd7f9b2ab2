// SPDX-License-Identifier: MIT
//
// Tests sockets over loopback, which keeps the order. The kernel delivers datagrams in batches; callers must not
// notice.
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/impairment.h"
#include "net/udp_socket.h"
#include "test.h"

enum { SECOND_NS = 1000000000, OVERSIZED_BYTES = DATAGRAM_BYTES_MAX + 1 };

static struct udp_socket server, clients[2], everywhere, asking;
static struct net_address place, from, to; // where the server is; of the last datagram
static uint8_t bytes[DATAGRAM_BYTES_MAX];
static struct error error;

static int receive_fault; // errno of the next recvmmsg(); 0: none
static int receive_calls;

// Replaces the function of the C library.
int recvmmsg(int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout)
{
    receive_calls++;
    errno = receive_fault;
    receive_fault = 0;
    return errno ? -1 : (int)syscall(SYS_recvmmsg, file, messages, count, flags, timeout);
}

static bool broadcasts_are_forbidden;

// Replaces the function of the C library.
int setsockopt(int file, int level, int option, const void *value, socklen_t size)
{
    if (broadcasts_are_forbidden && option == SO_BROADCAST) {
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_setsockopt, file, level, option, value, size);
}

static void open_all(void)
{
    uint16_t number = 0;
    memset(&server, 0xAA, sizeof server);
    memset(clients, 0xAA, sizeof clients);
    assert_true(udp_socket_listen(&server, "127.0.0.1", &number, &error));
    for (size_t i = 0; i < 2; i++)
        assert_true(udp_socket_connect(&clients[i], "127.0.0.1", number, "", &place, &error));
}

static void close_all(void)
{
    udp_socket_close(&server);
    for (size_t i = 0; i < 2; i++)
        udp_socket_close(&clients[i]);
}

EACH_TEST(open_all, close_all);

static void send_number(size_t client, uint32_t number, size_t byte_count)
{
    uint8_t sent[OVERSIZED_BYTES] = {0};
    memcpy(sent, &number, sizeof number);
    udp_socket_send(&clients[client], 0, &place, sent, byte_count);
}

static uint32_t receive_number(size_t byte_count)
{
    uint32_t number = UINT32_MAX;
    udp_socket_wait(&server, clock_now_ns() + SECOND_NS);
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), byte_count);
    memcpy(&number, bytes, sizeof number);
    return number;
}

TEST(more_than_a_batch_arrives_in_order_with_its_senders)
{
    struct net_address first[2];
    enum { COUNT = 3 * UDP_BATCH + 1 };
    for (uint32_t i = 0; i < COUNT; i++)
        send_number(i % 2, i, 4 + i);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(receive_number(4 + i), i);
        if (i < 2)
            first[i] = from;
        assert_memory_equal(from.bytes, first[i % 2].bytes, ADDRESS_BYTES_IPV4);
    }
    assert_memory_not_equal(first[0].bytes, first[1].bytes, ADDRESS_BYTES_IPV4);
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), 0);
    assert_int_equal(server.packets_in, COUNT);
    assert_int_equal(server.bytes_in, 4 * COUNT + COUNT * (COUNT - 1) / 2);
}

TEST(a_datagram_behind_many_oversized_ones_is_read_at_once)
{
    enum { COUNT = 5 * UDP_BATCH };
    for (uint32_t i = 0; i < COUNT; i++)
        send_number(0, i, OVERSIZED_BYTES);
    send_number(1, 7, DATAGRAM_BYTES_MAX);
    assert_int_equal(receive_number(DATAGRAM_BYTES_MAX), 7);
    assert_int_equal(server.oversized, COUNT);
}

TEST(a_network_error_hides_no_datagram)
{
    static const int rows[] = {ECONNREFUSED, EHOSTUNREACH, EINTR};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        send_number(0, i, 8);
        udp_socket_wait(&server, clock_now_ns() + SECOND_NS);
        receive_fault = rows[i];
        assert_int_equal(receive_number(8), i);
    }
    send_number(0, 9, 8);
    udp_socket_wait(&server, clock_now_ns() + SECOND_NS);
    receive_fault = EAGAIN; // the socket is empty
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), 0);
    assert_int_equal(receive_number(8), 9);
}

// A server asks its sockets once for each tick, and not until they have nothing.
BARE_TEST(a_round_reads_each_socket_once)
{
    static const int rows[] = {0, 1, UDP_BATCH - 1, UDP_BATCH, 2 * UDP_BATCH + 1};
    uint16_t port = 0;
    assert_true(udp_socket_listen(&everywhere, NULL, &port, &error));
    assert_true(udp_socket_connect(&asking, "127.0.0.1", port, "", &to, &error));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int sent = 0; sent < rows[i]; sent++)
            udp_socket_send(&asking, 0, &to, (const uint8_t *)"hello", 5);
        udp_socket_begin_round(&everywhere);
        receive_calls = 0;
        for (int taken = 0; taken < rows[i]; taken++)
            assert_int_equal(udp_socket_receive(&everywhere, 0, &from, bytes), 5);
        udp_socket_send(&asking, 0, &to, (const uint8_t *)"later", 5);
        bool may_be_in = rows[i] % UDP_BATCH == 0; // the socket had to be asked again
        assert_int_equal(udp_socket_receive(&everywhere, 0, &from, bytes), may_be_in ? 5 : 0);
        assert_int_equal(udp_socket_receive(&everywhere, 0, &from, bytes), 0);
        assert_int_equal(receive_calls, 1 + rows[i] / UDP_BATCH + (everywhere.sockets[1] >= 0));
        udp_socket_begin_round(&everywhere);
        assert_int_equal(udp_socket_receive(&everywhere, 0, &from, bytes), may_be_in ? 0 : 5);
        assert_int_equal(udp_socket_receive(&everywhere, 0, &from, bytes), 0);
    }
    udp_socket_close(&asking);
    udp_socket_close(&everywhere);
}

TEST(a_server_knows_when_a_datagram_arrived_however_late_it_looks)
{
    uint64_t before_ns, looks_ns;
    do { // the kernel begins to stamp a while after it was asked to; until then a datagram arrives when it is read
        before_ns = clock_now_ns();
        send_number(0, 1, 8);
        clock_sleep(SECOND_NS / 100);
        looks_ns = clock_now_ns();
        assert_int_equal(receive_number(8), 1);
    } while (server.arrived_ns >= looks_ns); // or the test runs into its time limit
    assert_true(server.arrived_ns >= before_ns);
}

TEST(an_impaired_socket_delays_both_directions)
{
    assert_true(udp_socket_impair(&server, &(struct impairment){.delay_us = 1000}, 1));
    send_number(0, 5, 8);
    udp_socket_wait(&server, clock_now_ns() + SECOND_NS);
    assert_int_equal(udp_socket_receive(&server, 7000000, &from, bytes), 0);
    udp_socket_wait(&server, clock_now_ns() + (uint64_t)60 * SECOND_NS); // until it is due
    assert_int_equal(udp_socket_receive(&server, 7999999, &from, bytes), 0);
    assert_int_equal(udp_socket_receive(&server, 8000000, &from, bytes), 8);
}

TEST(unread_datagrams_end_a_wait_at_once)
{
    send_number(0, 1, 8);
    send_number(0, 2, 8);
    assert_int_equal(receive_number(8), 1);
    uint64_t before_ns = clock_now_ns();
    udp_socket_wait(&server, before_ns + (uint64_t)60 * SECOND_NS); // or the test runs into its time limit
    assert_int_equal(receive_number(8), 2);
}

TEST(an_empty_datagram_is_skipped)
{
    send_number(0, 1, 0);
    send_number(0, 2, 8);
    assert_int_equal(receive_number(8), 2);
}

TEST(collected_datagrams_are_sent_in_order_when_released)
{
    enum { COUNT = 2 * UDP_BATCH + 3 };
    udp_socket_cork(&clients[0]);
    for (uint32_t i = 0; i < UDP_BATCH; i++)
        send_number(0, i, 4 + i);
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), 0);
    assert_int_equal(clients[0].packets_out, 0);
    for (uint32_t i = UDP_BATCH; i < COUNT; i++)
        send_number(0, i, 4 + i);
    udp_socket_flush(&clients[0], 0);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(receive_number(4 + i), i);
    assert_int_equal(clients[0].packets_out, COUNT);
    assert_int_equal(clients[0].bytes_out, server.bytes_in);
    send_number(0, 9, 4); // at once again
    assert_int_equal(receive_number(4), 9);
}

TEST(the_largest_datagram_is_collected_too)
{
    static const uint8_t sent[DATAGRAM_BYTES_MAX] = {1};
    udp_socket_cork(&clients[0]);
    udp_socket_send(&clients[0], 0, &place, sent, sizeof sent);
    assert_int_equal(clients[0].packets_out, 0);
    udp_socket_flush(&clients[0], 0);
    assert_int_equal(clients[0].packets_out, 1);
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), sizeof sent);
    assert_memory_equal(bytes, sent, sizeof sent);
}

TEST(a_datagram_that_cannot_be_sent_stops_no_other)
{
    struct net_address nowhere = place;
    memset(nowhere.bytes, 0, sizeof nowhere.bytes); // port 0
    udp_socket_cork(&clients[0]);
    for (uint32_t i = 0; i < 6; i++) {
        udp_socket_send(&clients[0], 0, &nowhere, (const uint8_t *)"lost", 4);
        send_number(0, i, 8);
    }
    udp_socket_flush(&clients[0], 0);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(receive_number(8), i);
    assert_int_equal(clients[0].packets_out, 6);
}

TEST(an_impaired_socket_keeps_datagrams_until_they_are_due)
{
    assert_true(udp_socket_impair(&clients[0], &(struct impairment){.delay_us = 1000}, 1));
    send_number(0, 5, 8);
    udp_socket_wait(&clients[0], clock_now_ns() + (uint64_t)60 * SECOND_NS); // until it is due
    udp_socket_flush(&clients[0], 999999);
    assert_int_equal(udp_socket_receive(&server, 0, &from, bytes), 0);
    udp_socket_flush(&clients[0], 1000000);
    assert_int_equal(receive_number(8), 5);
    assert_int_equal(clients[0].in->random, 1);
    assert_int_equal(clients[0].in->impairment.delay_us, 1000);
}

TEST(a_socket_that_cannot_be_opened_is_an_error)
{
    struct udp_socket udp;
    struct net_address address;
    struct rlimit limit, none;
    uint16_t port = 0;
    bool opened[3];
    char texts[3][ERROR_TEXT_BYTES];
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    opened[0] = udp_socket_listen(&udp, "127.0.0.1", &port, &error);
    strcpy(texts[0], error.text);
    opened[1] = udp_socket_connect(&udp, "127.0.0.1", 1, "", &address, &error);
    strcpy(texts[1], error.text);
    opened[2] = udp_socket_open_query(&udp, &error);
    strcpy(texts[2], error.text);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_false(opened[0] || opened[1] || opened[2]);
    assert_string_equal(texts[0], "cannot open UDP port 0 on 127.0.0.1: Too many open files");
    assert_string_equal(texts[1], "cannot open a UDP socket: Too many open files");
    assert_string_equal(texts[2], "cannot open a UDP socket for broadcasts: Too many open files");
    assert_true(udp.sockets[0] == -1 && udp.sockets[1] == -1);
}

TEST(a_port_in_use_or_a_bad_address_is_an_error)
{
    struct udp_socket udp;
    struct net_address address;
    char expected[100];
    uint16_t port = (uint16_t)(place.bytes[4] << 8 | place.bytes[5]), any = 0;
    int next = dup(0);
    close(next);
    assert_false(udp_socket_listen(&udp, "127.0.0.1", &port, &error));
    snprintf(expected, sizeof expected, "cannot open UDP port %u on 127.0.0.1: Address already in use", port);
    assert_string_equal(error.text, expected);
    assert_false(udp_socket_listen(&udp, "host", &any, &error));
    assert_string_equal(error.text, "host is no IPv4 or IPv6 address to bind to");
    assert_false(udp_socket_connect(&udp, "no.such.host.invalid", 1, "", &address, &error));
    assert_string_equal(error.text, "no address is known for the host no.such.host.invalid");
    broadcasts_are_forbidden = true;
    bool opened = udp_socket_open_query(&udp, &error);
    broadcasts_are_forbidden = false;
    assert_false(opened);
    assert_string_equal(error.text, "cannot open a UDP socket for broadcasts: Permission denied");
    int after = dup(0);
    close(after);
    assert_int_equal(after, next); // no file is left open
}

// Another server takes over a socket with what waits in it, but no other socket.
BARE_TEST(a_socket_that_fits_is_adopted_and_others_are_closed)
{
    struct udp_socket first, second, sender;
    uint16_t port = 0, other = 0, any = 0;
    assert_true(udp_socket_listen(&first, "127.0.0.1", &port, &error));
    assert_true(udp_socket_connect(&sender, "127.0.0.1", port, "", &to, &error));
    udp_socket_send(&sender, 0, &to, (const uint8_t *)"early", 5);
    assert_false(udp_socket_adopt(&second, NULL, 0, "127.0.0.1", &any));
    int wrong[] = {dup(first.sockets[0]), dup(1)};
    other = (uint16_t)(port ^ 1u);
    assert_false(udp_socket_adopt(&second, wrong, 2, "127.0.0.1", &other));
    assert_false(udp_socket_adopt(&second, (int[]){dup(first.sockets[0])}, 1, "127.0.0.2", &port));
    assert_false(udp_socket_adopt(&second, (int[]){dup(first.sockets[0])}, 1, "::1", &port));
    assert_false(udp_socket_adopt(&second, (int[]){dup(first.sockets[0])}, 1, "nonsense", &port));
    assert_int_equal(fcntl(wrong[0], F_GETFD), -1);
    assert_int_equal(fcntl(wrong[1], F_GETFD), -1);
    int files[] = {dup(1), dup(first.sockets[0]), dup(first.sockets[0])};
    udp_socket_close(&first);
    assert_true(udp_socket_adopt(&second, files, 3, "127.0.0.1", &any));
    assert_int_equal(any, port);
    assert_int_equal(fcntl(files[2], F_GETFD), -1);
    assert_int_equal(udp_socket_receive(&second, 0, &from, bytes), 5);
    assert_memory_equal(bytes, "early", 5);
    udp_socket_close(&second);
    udp_socket_close(&sender);
}

static bool machine_has_ipv6(void)
{
    struct sockaddr_in6 loopback = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int file = socket(AF_INET6, SOCK_DGRAM, 0);
    bool has = file >= 0 && bind(file, (struct sockaddr *)&loopback, sizeof loopback) == 0;
    if (file >= 0)
        close(file);
    return has;
}

TEST(a_server_does_not_leave_its_players_over_ipv6_to_another)
{
    struct udp_socket first, second;
    uint16_t port = 0;
    char expected[100];
    if (!machine_has_ipv6()) {
        print_message("not checked: this machine has no IPv6\n");
        return;
    }
    assert_true(udp_socket_listen(&first, "::", &port, &error));
    assert_false(udp_socket_listen(&second, "0.0.0.0", &port, &error));
    snprintf(expected, sizeof expected, "cannot open UDP port %u on ::, for IPv6: Address already in use", port);
    assert_string_equal(error.text, expected);
    assert_true(second.sockets[0] < 0 && second.sockets[1] < 0);
    udp_socket_close(&first);
    assert_true(udp_socket_listen(&second, "0.0.0.0", &port, &error));
    udp_socket_close(&second);
}

TEST(a_server_listens_everywhere_with_one_port)
{
    static const char *const hosts[] = {"127.0.0.1", "::1"};
    uint16_t port = 0;
    assert_true(udp_socket_listen(&everywhere, NULL, &port, &error));
    assert_int_not_equal(port, 0);
    assert_true(udp_socket_open_query(&asking, &error));
    for (size_t i = 0; i < 2; i++) {
        if (everywhere.sockets[i] < 0)
            continue; // a machine without IPv6
        assert_true(ip_address_find(&to, hosts[i], port, IP_ADDRESS_ANY));
        udp_socket_send(&asking, 0, &to, (const uint8_t *)"hello", 5);
        udp_socket_wait(&everywhere, clock_now_ns() + (uint64_t)60 * SECOND_NS); // it is there already
        assert_int_equal(udp_socket_receive(&everywhere, 0, &from, bytes), 5);
        assert_true(ip_address_is_loopback(&from));
        assert_int_equal(from.byte_count, to.byte_count);
    }
    assert_true(everywhere.sockets[0] >= 0);
    assert_true(!machine_has_ipv6() || (everywhere.sockets[1] >= 0 && asking.sockets[1] >= 0));
    int broadcasts = 0;
    socklen_t size = sizeof broadcasts;
    assert_int_equal(getsockopt(asking.sockets[0], SOL_SOCKET, SO_BROADCAST, &broadcasts, &size), 0);
    assert_int_equal(broadcasts, 1);
    udp_socket_close(&asking);
    udp_socket_close(&everywhere);
    assert_int_equal(everywhere.sockets[0], -1);
}

BARE_TEST(a_server_listens_nowhere_else_than_at_its_address)
{
    static const char *const hosts[] = {"127.0.0.1", "::1"};
    for (int is_v6 = 0; is_v6 < 1 + machine_has_ipv6(); is_v6++) {
        static struct udp_socket udp;
        struct sockaddr_storage bound;
        struct net_address expected;
        socklen_t size = sizeof bound;
        uint16_t port = 0;
        assert_true(udp_socket_listen(&udp, hosts[is_v6], &port, &error));
        assert_int_equal(udp.sockets[!is_v6], -1);
        assert_int_equal(getsockname(udp.sockets[is_v6], (struct sockaddr *)&bound, &size), 0);
        assert_true(ip_address_find(&expected, hosts[is_v6], port, IP_ADDRESS_ANY));
        struct net_address found = ip_address_of_socket(&bound);
        assert_true(net_address_equals(&found, &expected));
        udp_socket_close(&udp);
    }
}

BARE_TEST(collected_datagrams_leave_by_the_socket_of_their_family)
{
    static const char *const hosts[] = {"127.0.0.1", "::1"};
    struct net_address places[2];
    uint16_t port = 0;
    size_t counts[2] = {0};
    assert_true(udp_socket_listen(&everywhere, NULL, &port, &error));
    assert_true(udp_socket_open_query(&asking, &error));
    if (everywhere.sockets[1] >= 0) { // else a machine without IPv6
        udp_socket_cork(&asking);
        for (uint8_t i = 0; i < 7; i++) { // two and two of each family
            assert_true(ip_address_find(&places[i / 2 % 2], hosts[i / 2 % 2], port, IP_ADDRESS_ANY));
            udp_socket_send(&asking, 0, &places[i / 2 % 2], &i, 1);
        }
        udp_socket_flush(&asking, 0);
        assert_int_equal(asking.packets_out, 7);
        for (size_t i = 0; i < 7; i++) {
            udp_socket_wait(&everywhere, clock_now_ns() + (uint64_t)60 * SECOND_NS); // it is there already
            assert_int_equal(udp_socket_receive(&everywhere, 0, &from, bytes), 1);
            bool is_v6 = from.byte_count == places[1].byte_count;
            static const uint8_t expected[2][4] = {{0, 1, 4, 5}, {2, 3, 6}};
            assert_int_equal(bytes[0], expected[is_v6][counts[is_v6]++]);
        }
        assert_int_equal(counts[0], 4);
    }
    udp_socket_close(&asking);
    udp_socket_close(&everywhere);
}

BARE_TEST(a_socket_may_have_the_lowest_number)
{
    static struct udp_socket receiving;
    uint16_t port = 0;
    int kept = dup(0);
    close(0);
    bool opened = udp_socket_listen(&receiving, "127.0.0.1", &port, &error);
    int number = receiving.sockets[0];
    bool good =
        opened && ip_address_find(&to, "127.0.0.1", port, IP_ADDRESS_ANY) && udp_socket_open_query(&asking, &error);
    if (good) {
        udp_socket_send(&asking, 0, &to, (const uint8_t *)"hello", 5);
        udp_socket_wait(&receiving, clock_now_ns() + SECOND_NS);
        good = udp_socket_receive(&receiving, 0, &from, bytes) == 5;
        udp_socket_close(&asking);
        udp_socket_close(&receiving);
    }
    good = good && udp_socket_open_query(&asking, &error) && asking.sockets[0] == 0; // the number is free again
    udp_socket_close(&asking);
    int next = dup(kept);
    dup2(kept, 0);
    close(kept);
    assert_int_equal(number, 0);
    assert_true(good);
    assert_int_equal(next, 0);
}

TEST(sent_datagrams_are_counted_and_the_buffer_is_known)
{
    int granted = 0;
    socklen_t size = sizeof granted;
    send_number(0, 1, 8);
    send_number(0, 1, 100);
    assert_int_equal(clients[0].packets_out, 2);
    assert_int_equal(clients[0].bytes_out, 108);
    assert_int_equal(getsockopt(server.sockets[0], SOL_SOCKET, SO_RCVBUF, &granted, &size), 0);
    assert_int_equal(server.receive_buffer_bytes, granted / 2);
    assert_true(granted > 212992); // more than the kernel's default
    assert_int_equal(getsockopt(server.sockets[0], SOL_SOCKET, SO_SNDBUF, &granted, &size), 0);
    assert_true(granted > 212992);
}
