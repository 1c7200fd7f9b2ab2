// SPDX-License-Identifier: MIT
//
// ENet counts time in 32 bits of milliseconds, which end every 49.7 days that a machine runs. Here they end while two
// ends talk over real loopback sockets: the clock of this program is the kernel's, moved.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "net/datagram.h"

#define MS_NS     UINT64_C(1000000)
#define SECOND_NS UINT64_C(1000000000)

enum { BEFORE_MS = 700, MESSAGES = 100 };

static uint64_t moved_ns;

int clock_gettime(clockid_t clock, struct timespec *now)
{
    long failed = syscall(SYS_clock_gettime, clock, now);
    uint64_t ns = (uint64_t)now->tv_sec * SECOND_NS + (uint64_t)now->tv_nsec + moved_ns;
    *now = (struct timespec){(time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS)};
    return (int)failed;
}

/// Takes one event; true if it is a message, whose number must be the next.
static bool take(struct transport *side, uint32_t *expected, bool *connected)
{
    struct net_event event;
    if (!transport_poll(side, &event))
        return false;
    assert_int_not_equal(event.kind, NET_DISCONNECTED);
    *connected |= event.kind == NET_CONNECTED;
    if (event.kind != NET_MESSAGE)
        return false;
    uint32_t number;
    assert_int_equal(event.byte_count, sizeof number);
    memcpy(&number, event.bytes, sizeof number);
    assert_int_equal(number, (*expected)++);
    return true;
}

static void a_connection_outlives_the_end_of_32_bits_of_ms(void **state)
{
    (void)state;
    struct net_error error;
    struct net_endpoint endpoint;
    moved_ns = (UINT64_C(1) << 32) * MS_NS * 2 - BEFORE_MS * MS_NS - datagram_now_ns();
    struct transport *server = enet_server_open(
        &(struct net_server_config){.bind_address = "127.0.0.1", .peer_capacity = 2}, &endpoint, &error);
    assert_non_null(server);
    struct transport *client =
        enet_client_open(&(struct net_client_config){.host = "127.0.0.1", .port = endpoint.port}, &error);
    assert_non_null(client);
    uint32_t sent = 0, told = 0, heard = 0;
    bool server_knows = false, client_knows = false;
    uint64_t begun_ns = datagram_now_ns(), next_ns = begun_ns;
    assert_true((uint32_t)(begun_ns / MS_NS) > UINT32_MAX - 2 * BEFORE_MS);
    while (heard < MESSAGES && datagram_now_ns() - begun_ns < 20 * SECOND_NS) {
        if (client_knows && sent < MESSAGES && datagram_now_ns() >= next_ns) {
            next_ns = datagram_now_ns() + 50 * MS_NS; // five seconds in all, longer than anybody's patience
            assert_true(transport_send(client, 0, NET_RELIABLE, (const uint8_t *)&sent, sizeof sent));
            sent++;
            transport_flush(client);
        }
        if (take(server, &told, &server_knows)) {
            uint32_t number = told - 1;
            assert_true(transport_send(server, 0, NET_RELIABLE, (const uint8_t *)&number, sizeof number));
            transport_flush(server);
        }
        take(client, &heard, &client_knows);
        transport_wait(server, datagram_now_ns() + MS_NS);
    }
    assert_int_equal(heard, MESSAGES);
    assert_true(server_knows && (uint32_t)(datagram_now_ns() / MS_NS) < UINT32_MAX / 2);
    transport_close(client);
    transport_close(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_connection_outlives_the_end_of_32_bits_of_ms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
