// SPDX-License-Identifier: MIT
//
// Fuzzes every reader of the handshake on both sides with any bytes: nothing forged is accepted.
#include <stdlib.h>
#include <string.h>

#include "net/handshake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void as_server(const uint8_t *data, size_t size)
{
    static struct handshake_server server;
    static const uint8_t seed[32] = {1};
    struct datagram datagram = {.from = {{127, 0, 0, 1, 1, 1}, 6}, .bytes = data, .byte_count = size};
    uint8_t cookie[COOKIE_BYTES];
    struct join join;
    enum denial denial;
    if (server.protocol == 0) {
        handshake_server_init(&server, seed, 1);
        handshake_server_renew(&server, 0);
    }
    if (handshake_hello_is_valid(data, size))
        handshake_cookie_write(&server, &datagram, cookie);
    if (handshake_join_is_proven(&server, &datagram))
        abort();
    // Pretends that the cookie was valid.
    if (size == JOIN_BYTES && handshake_join_read(&server, data, &join, &denial))
        abort();
}

static void as_client(const uint8_t *data, size_t size)
{
    static struct handshake_client client;
    static const uint8_t seed[32] = {2};
    struct packet_crypto crypto;
    uint16_t session;
    if (client.protocol == 0)
        handshake_client_init(&client, seed, 1);
    memset(client.nonce, 0, sizeof client.nonce);
    handshake_cookie_read(&client, data, size);
    if (handshake_accept_read(&client, data, size, &session, &crypto))
        abort();
    char words[NET_REASON_BYTES];
    if (handshake_deny_read(&client, data, size, words) != DENIAL_NONE)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    as_server(data, size);
    as_client(data, size);
    return 0;
}
