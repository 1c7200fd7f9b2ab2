// SPDX-License-Identifier: MIT
//
// Fuzzes what answers to the server's check of its health. The input is a list of datagrams, each after its length.
// Time is virtual; the check ends in time, well or not.
#include <string.h>

#include "base/clock.h"
#include "monitor/a2s.h"
#include "net/udp_socket.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *rest;
static size_t rest_bytes;
static uint64_t now_ns;

bool __wrap_udp_socket_connect(struct udp_socket *udp, const char *host, uint16_t port, const char *certificate,
                               struct net_address *server, struct error *error);
void __wrap_udp_socket_close(struct udp_socket *udp);
size_t __wrap_udp_socket_receive(struct udp_socket *udp, uint64_t when_ns, struct net_address *from,
                                 uint8_t bytes[DATAGRAM_BYTES_MAX]);
void __wrap_udp_socket_send(struct udp_socket *udp, uint64_t when_ns, const struct net_address *to,
                            const uint8_t *bytes, size_t byte_count);
void __wrap_udp_socket_wait(const struct udp_socket *udp, uint64_t deadline_ns);
uint64_t __wrap_clock_now_ns(void);

bool __wrap_udp_socket_connect(struct udp_socket *udp, const char *host, uint16_t port, const char *certificate,
                               struct net_address *server, struct error *error)
{
    (void)udp, (void)host, (void)port, (void)certificate, (void)server, (void)error;
    return true;
}

void __wrap_udp_socket_close(struct udp_socket *udp)
{
    (void)udp;
}

size_t __wrap_udp_socket_receive(struct udp_socket *udp, uint64_t when_ns, struct net_address *from,
                                 uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    (void)udp, (void)when_ns, (void)from;
    if (rest_bytes == 0)
        return 0;
    size_t wanted = rest[0] * (size_t)4, count = wanted < rest_bytes - 1 ? wanted : rest_bytes - 1;
    memcpy(bytes, rest + 1, count);
    rest += 1 + count;
    rest_bytes -= 1 + count;
    return count;
}

void __wrap_udp_socket_send(struct udp_socket *udp, uint64_t when_ns, const struct net_address *to,
                            const uint8_t *bytes, size_t byte_count)
{
    (void)udp, (void)when_ns, (void)to, (void)bytes;
    require(byte_count == 25 || byte_count == 29);
}

void __wrap_udp_socket_wait(const struct udp_socket *udp, uint64_t deadline_ns)
{
    (void)udp;
    now_ns = deadline_ns;
}

uint64_t __wrap_clock_now_ns(void)
{
    return now_ns;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct settings settings = {.bind = "0.0.0.0", .port = 27440};
    rest = data;
    rest_bytes = size;
    now_ns = CLOCK_SECOND_NS;
    int code = a2s_healthcheck(&settings);
    require(code == EXIT_OK || code == EXIT_FAILED);
    require(now_ns <= CLOCK_SECOND_NS + 2 * A2S_HEALTHCHECK_NS);
    return 0;
}
