// SPDX-License-Identifier: MIT
#include "punch_ports.h"

#include <sodium.h>

#include "base/clock.h"

#define ROUND_DATAGRAMS 512

uint16_t punch_ports_open(struct punch_ports *ports, uint16_t port, const uint8_t secret[SIGNED_TEXT_SECRET_BYTES],
                          struct error *error)
{
    uint16_t first = port, second = 0;
    if (!udp_socket_listen(&ports->first, NULL, &first, error)) {
        first = 0;
        if (!udp_socket_listen(&ports->first, NULL, &first, error))
            return 0;
    }
    if (!udp_socket_listen(&ports->second, NULL, &second, error))
        return 0;
    punch_service_init(&ports->service, secret, second);
    return first;
}

static void serve_first(struct punch_ports *ports, struct directory *directory, pthread_mutex_t *lock)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS];
    struct datagram datagram = {.now_ns = clock_now_ns(), .bytes = bytes};
    for (uint32_t i = 0; i < ROUND_DATAGRAMS; i++) {
        datagram.byte_count = udp_socket_receive(&ports->first, datagram.now_ns, &datagram.from, bytes);
        if (datagram.byte_count == 0)
            return;
        pthread_mutex_lock(lock);
        uint32_t count =
            punch_service_take(&ports->service, directory, &datagram, clock_unix_ns() / CLOCK_MS_NS, outputs);
        pthread_mutex_unlock(lock);
        for (uint32_t k = 0; k < count; k++)
            udp_socket_send(&ports->first, datagram.now_ns, &outputs[k].to, outputs[k].bytes, outputs[k].byte_count);
    }
}

static void serve_relays(struct punch_ports *ports, struct directory *directory, pthread_mutex_t *lock)
{
    struct punch_service_output output;
    uint64_t unix_ms = clock_unix_ns() / CLOCK_MS_NS;
    pthread_mutex_lock(lock);
    while (punch_service_relay(&ports->service, directory, unix_ms, &output) > 0)
        udp_socket_send(&ports->first, clock_now_ns(), &output.to, output.bytes, output.byte_count);
    pthread_mutex_unlock(lock);
}

static void serve_second(struct punch_ports *ports)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    struct punch_service_output output;
    struct datagram datagram = {.now_ns = clock_now_ns(), .bytes = bytes};
    for (uint32_t i = 0; i < ROUND_DATAGRAMS; i++) {
        datagram.byte_count = udp_socket_receive(&ports->second, datagram.now_ns, &datagram.from, bytes);
        if (datagram.byte_count == 0)
            return;
        if (punch_service_see(&ports->service, &datagram, &output) > 0)
            udp_socket_send(&ports->second, datagram.now_ns, &output.to, output.bytes, output.byte_count);
    }
}

void punch_ports_serve(struct punch_ports *ports, struct directory *directory, pthread_mutex_t *lock)
{
    serve_first(ports, directory, lock);
    serve_relays(ports, directory, lock);
    serve_second(ports);
}

void punch_ports_close(struct punch_ports *ports)
{
    udp_socket_close(&ports->first);
    udp_socket_close(&ports->second);
    sodium_memzero(ports->service.secret, sizeof ports->service.secret);
}
