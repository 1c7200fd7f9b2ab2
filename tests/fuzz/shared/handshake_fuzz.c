// SPDX-License-Identifier: MIT
//
// Fuzzes every reader of the handshake on both sides: with any bytes, and with genuine datagrams of which some bytes
// were changed on their way. Nothing forged is accepted.
#include <stdlib.h>
#include <string.h>

#include "net/crypto/handshake.h"
#include "require.h"

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
    struct session_grant grant;
    if (client.protocol == 0)
        handshake_client_init(&client, seed, 1);
    memset(client.nonce, 0, sizeof client.nonce);
    handshake_cookie_read(&client, data, size);
    if (handshake_accept_read(&client, data, size, &grant, &crypto))
        abort();
    char words[NET_REASON_BYTES];
    if (handshake_deny_read(&client, data, size, words) != DENIAL_NONE)
        abort();
}

// A genuine handshake, as its listener has it.
static struct {
    struct handshake_server server;
    struct handshake_client asking, joining; // before and after its COOKIE
    struct datagram hello;
    uint8_t hello_bytes[HELLO_BYTES], cookie[COOKIE_BYTES], accept[ACCEPT_BYTES], deny[DENY_BYTES];
    bool is_made;
} genuine;

static void make_genuine(void)
{
    static const uint8_t seed[32] = {3};
    struct packet_crypto crypto;
    struct session_grant grant = {.session = {1, 1}};
    struct join join;
    enum denial denial;
    handshake_server_init(&genuine.server, seed, 1);
    handshake_server_password(&genuine.server, "sesame");
    handshake_server_renew(&genuine.server, 0);
    handshake_client_init(&genuine.asking, seed, 1);
    memcpy(genuine.asking.password, "sesame", sizeof "sesame");
    handshake_hello_write(&genuine.asking, genuine.hello_bytes);
    genuine.hello = (struct datagram){{{127, 0, 0, 1, 1, 1}, 6}, 0, genuine.hello_bytes, HELLO_BYTES};
    handshake_cookie_write(&genuine.server, &genuine.hello, genuine.cookie);
    genuine.joining = genuine.asking;
    require(handshake_cookie_read(&genuine.joining, genuine.cookie, COOKIE_BYTES));
    require(handshake_join_read(&genuine.server, genuine.joining.join, &join, &denial) && denial == DENIAL_PASSWORD &&
            handshake_join_try(&genuine.server, genuine.joining.join, &join));
    struct join refused = join;
    handshake_deny_write(&refused, genuine.joining.nonce, DENIAL_BANNED, "because", genuine.deny);
    handshake_accept_write(&genuine.server, &join, genuine.joining.nonce, &grant, genuine.accept, &crypto);
    genuine.is_made = true;
}

// Pairs of an offset and what to change there. Returns whether anything is different now.
static bool change(uint8_t *bytes, const uint8_t *from, size_t byte_count, const uint8_t *data, size_t size)
{
    memcpy(bytes, from, byte_count);
    for (; size >= 2; data += 2, size -= 2)
        bytes[data[0] % byte_count] ^= data[1];
    return memcmp(bytes, from, byte_count) != 0;
}

static bool is_joined(const uint8_t *bytes)
{
    struct join join;
    enum denial denial;
    struct datagram datagram = {genuine.hello.from, 0, bytes, JOIN_BYTES};
    return handshake_join_is_proven(&genuine.server, &datagram) &&
           handshake_join_read(&genuine.server, bytes, &join, &denial) &&
           (denial == DENIAL_NONE || (denial == DENIAL_PASSWORD && handshake_join_try(&genuine.server, bytes, &join)));
}

static void as_listener(uint8_t which, const uint8_t *data, size_t size)
{
    uint8_t bytes[HELLO_BYTES];
    char words[NET_REASON_BYTES];
    struct packet_crypto crypto;
    struct session_grant grant;
    bool changed;
    struct handshake_client client = which % 4 ? genuine.joining : genuine.asking;
    switch (which % 4) {
    case 0:
        if (change(bytes, genuine.cookie, COOKIE_BYTES, data, size))
            require(!handshake_cookie_read(&client, bytes, COOKIE_BYTES) || !is_joined(client.join));
        break;
    case 1:
        changed = change(bytes, genuine.joining.join, JOIN_BYTES, data, size);
        require(is_joined(bytes) != changed);
        break;
    case 2:
        changed = change(bytes, genuine.accept, ACCEPT_BYTES, data, size);
        require(handshake_accept_read(&client, bytes, ACCEPT_BYTES, &grant, &crypto) != changed);
        break;
    case 3:
        changed = change(bytes, genuine.deny, DENY_BYTES, data, size);
        require((handshake_deny_read(&client, bytes, DENY_BYTES, words) == DENIAL_BANNED) != changed);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!genuine.is_made)
        make_genuine();
    if (size > 0)
        as_listener(data[0], data + 1, size - 1);
    as_server(data, size);
    as_client(data, size);
    return 0;
}
