// SPDX-License-Identifier: MIT
//
// Fuzzes how a client joins: the datagrams between it and a real session table are damaged, dropped, repeated or joined
// by others, as the input says. Nobody here has the server's keys, so no client is refused, and one that has joined
// shares its keys with the server. With a curve that is cheap.
#include <string.h>

#include "damage.h"
#include "net/client_session.h"
#include "net/session_table.h"
#include "require.h"
#include "seeded_crypto.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS_MAX = 64, PROTOCOL = 1 };

#define STEP_NS UINT64_C(50000000)

// What an input does, by its first byte modulo their number: to the next datagram for the server, or for the client.
enum step_kind { PASS, DAMAGE, DROP, REPEAT, INJECT, STEPS };

static const uint8_t seed[32] = {1};
static struct session_table table;
static struct client_session client;
static uint64_t now_ns;
static struct disturbance {
    enum step_kind kind;
    const uint8_t *bytes;
    size_t byte_count;
} disturbances[2]; // of what goes to the server, and to the client

static void deliver(bool to_client, const uint8_t *bytes, size_t byte_count);

static void take(bool to_client, const uint8_t *bytes, size_t byte_count)
{
    uint8_t out[DATAGRAM_BYTES_MAX];
    struct datagram datagram = {{{10, 0, 0, 1, 0, 1}, ADDRESS_BYTES_IPV4}, now_ns, bytes, byte_count};
    struct datagram_output output = {.bytes = out};
    if (to_client)
        client_session_take(&client, &datagram, &output);
    else if (session_table_take(&table, &datagram, &output) == DATAGRAM_ANSWERED)
        deliver(true, out, output.byte_count);
}

static void deliver(bool to_client, const uint8_t *bytes, size_t byte_count)
{
    uint8_t sent[DATAGRAM_BYTES_MAX];
    struct disturbance what = disturbances[to_client];
    disturbances[to_client].kind = PASS;
    memcpy(sent, bytes, byte_count);
    if (what.kind == DAMAGE)
        damage(sent, byte_count, what.bytes, what.byte_count);
    if (what.kind == INJECT)
        take(to_client, what.bytes, what.byte_count);
    for (int i = what.kind == DROP ? 1 : 0; i < (what.kind == REPEAT ? 2 : 1); i++)
        take(to_client, sent, byte_count);
}

static void pass(void)
{
    uint8_t bytes[HELLO_BYTES];
    now_ns += STEP_NS;
    size_t byte_count = client_session_due(&client, now_ns, bytes);
    if (byte_count > 0)
        deliver(false, bytes, byte_count);
    require(client.state != CLIENT_SESSION_REFUSED);
}

static void check_keys(void)
{
    uint8_t encrypted[DATAGRAM_BYTES_MAX], out[DATAGRAM_BYTES_MAX];
    size_t byte_count = packet_crypto_encrypt(&client.crypto, client.grant.session, seed, sizeof seed, encrypted);
    struct datagram datagram = {{{10, 0, 0, 1, 0, 1}, ADDRESS_BYTES_IPV4}, now_ns, encrypted, byte_count};
    struct datagram_output output = {.bytes = out};
    require(session_table_take(&table, &datagram, &output) == DATAGRAM_DELIVERED);
    require(output.byte_count == sizeof seed && memcmp(out, seed, sizeof seed) == 0);
}

// Each step of an input: what it does, an argument, and for some as many bytes as the argument says.
static size_t step(const uint8_t *bytes, size_t byte_count)
{
    struct disturbance *what = &disturbances[bytes[0] / STEPS % 2];
    size_t rest = byte_count - 2, count = bytes[1] < rest ? bytes[1] : rest;
    what->kind = (enum step_kind)(bytes[0] % STEPS);
    what->bytes = bytes + 2;
    what->byte_count = what->kind == DAMAGE || what->kind == INJECT ? count : 0;
    pass();
    return 2 + what->byte_count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    seeded_crypto_begin(1, true);
    memset(&table, 0, sizeof table);
    memset(&client, 0, sizeof client);
    memset(disturbances, 0, sizeof disturbances);
    now_ns = UINT64_C(1000000000000);
    require(session_table_open(&table, 4, seed, PROTOCOL));
    memcpy(client.seed, seed, sizeof seed);
    client_session_begin(&client, PROTOCOL, "", now_ns);
    size_t at = 0;
    for (int i = 0; i < STEPS_MAX && at + 2 <= size && client.state != CLIENT_SESSION_OPEN; i++)
        at += step(data + at, size - at);
    if (client.state == CLIENT_SESSION_OPEN)
        check_keys();
    session_table_close(&table);
    return 0;
}
