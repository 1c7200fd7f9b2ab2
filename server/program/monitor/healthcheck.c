// SPDX-License-Identifier: MIT
#include "healthcheck.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "net/udp_socket.h"

#define INFO_REQUEST    "\xFF\xFF\xFF\xFFTSource Engine Query" // and its final zero
#define MARK_BYTES      4
#define CHALLENGE_BYTES 4
#define MS_NS           1000000u
#define TRY_MS          500
#define TEXT_BYTES      200

// A server that listens on all addresses is asked on the loopback.
static const char *address_of(const struct settings *settings)
{
    if (strcmp(settings->bind, "0.0.0.0") == 0)
        return "127.0.0.1";
    return strcmp(settings->bind, "::") == 0 ? "::1" : settings->bind;
}

// Reads name and map, clean, out of an answer to A2S_INFO. False if it is none.
static bool read_answer(const uint8_t *bytes, size_t byte_count, char name[TEXT_BYTES], char map[TEXT_BYTES])
{
    const uint8_t *at = bytes + MARK_BYTES + 2, *end = bytes + byte_count;
    const uint8_t *name_end = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
    if (!name_end || !memchr(name_end + 1, 0, (size_t)(end - name_end - 1)))
        return false;
    utf8_clean(name, TEXT_BYTES, (const char *)at, (size_t)(name_end - at));
    utf8_clean(map, TEXT_BYTES, (const char *)name_end + 1, (size_t)(end - name_end - 1));
    return true;
}

// Asks until an answer has come, or the time is over. Returns its bytes, or 0.
static size_t ask(struct udp_socket *port, const struct net_address *server, uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    uint8_t request[sizeof INFO_REQUEST + CHALLENGE_BYTES] = INFO_REQUEST;
    size_t request_bytes = sizeof INFO_REQUEST, byte_count;
    uint64_t now_ns = clock_now_ns(), end_ns = now_ns + (uint64_t)HEALTHCHECK_MS * MS_NS, send_ns = now_ns;
    for (; now_ns < end_ns; now_ns = clock_now_ns()) {
        struct net_address from;
        if (now_ns >= send_ns) {
            udp_socket_send(port, now_ns, server, request, request_bytes);
            send_ns = now_ns + TRY_MS * MS_NS;
        }
        byte_count = udp_socket_receive(port, now_ns, &from, bytes);
        if (byte_count == 0) {
            udp_socket_wait(port, send_ns < end_ns ? send_ns : end_ns);
        } else if (byte_count > MARK_BYTES && bytes[MARK_BYTES] == 'I') {
            return byte_count;
        } else if (byte_count == MARK_BYTES + 1 + CHALLENGE_BYTES && bytes[MARK_BYTES] == 'A') {
            send_ns = request_bytes == sizeof request ? send_ns : now_ns; // at once, but not for each of many
            memcpy(request + sizeof INFO_REQUEST, bytes + MARK_BYTES + 1, CHALLENGE_BYTES);
            request_bytes = sizeof request;
        }
    }
    return 0;
}

int healthcheck(const struct settings *settings)
{
    const char *address = address_of(settings);
    char name[TEXT_BYTES], map[TEXT_BYTES];
    struct net_address server;
    struct error error;
    struct udp_socket port;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    if (!udp_socket_connect(&port, address, (uint16_t)settings->port, "", &server, &error)) {
        fprintf(stderr, "deadfall-server: %s\n", error.text);
        return EXIT_FAILED;
    }
    size_t byte_count = ask(&port, &server, bytes);
    udp_socket_close(&port);
    if (read_answer(bytes, byte_count, name, map)) {
        printf("well: %s plays %s\n", name, map);
        return EXIT_OK;
    }
    fprintf(stderr, "deadfall-server: no server answers at %s:%lld\n", address, (long long)settings->port);
    return EXIT_FAILED;
}
