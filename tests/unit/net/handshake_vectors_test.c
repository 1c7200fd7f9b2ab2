// SPDX-License-Identifier: MIT
//
// The vectors of PROTOCOL.md: with its fixed keys in place of random ones, both sides make the bytes on the page.
// tests/system/handshake_test.py computes the same bytes from the page alone.
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/crypto/handshake.h"
#include "protocol_page.h"
#include "test.h"

#define DAY   20000u
#define EPOCH 1000u
// 127.0.0.1
#define HOUSEHOLD 0x040000007f000001u

static uint32_t protocol; // of the page

struct vector {
    uint8_t bytes[256];
    size_t byte_count;
};

static struct vector vector_of(const char *name)
{
    struct vector vector = {.byte_count = 0};
    char line[64];
    snprintf(line, sizeof line, "\n%s:\n", name);
    const char *at = protocol_page_after(protocol_page_after(protocol_page(), "### Handshake vectors"), line);
    for (; *at == ' '; at += strcspn(at, "\n") + 1)
        vector.byte_count +=
            protocol_page_hex(at + 2, vector.bytes + vector.byte_count, sizeof vector.bytes - vector.byte_count);
    return vector;
}

static void expect(const char *name, const uint8_t *bytes, size_t byte_count)
{
    struct vector vector = vector_of(name);
    if (vector.byte_count != byte_count || memcmp(vector.bytes, bytes, byte_count) != 0)
        fail_msg("'%s' is not as in PROTOCOL.md", name);
}

// What is drawn next, in place of random numbers.
static struct {
    const uint8_t *bytes[8];
    size_t byte_count[8], count, next;
} draws;

static void draw(void *bytes, size_t byte_count)
{
    assert_true(draws.next < draws.count && draws.byte_count[draws.next] == byte_count);
    memcpy(bytes, draws.bytes[draws.next++], byte_count);
}

static void will_draw(const uint8_t *bytes, size_t byte_count)
{
    if (draws.next == draws.count)
        draws.next = draws.count = 0;
    draws.bytes[draws.count] = bytes;
    draws.byte_count[draws.count++] = byte_count;
}

static const char *name_of_draws(void)
{
    return "vectors";
}

static uint32_t no_number(void)
{
    fail();
    return 0;
}

static struct randombytes_implementation from_the_page = {
    .implementation_name = name_of_draws, .random = no_number, .buf = draw};

static void begin_server(struct handshake_server *server, const char *password)
{
    static struct vector s, f, p;
    static uint8_t seed[32], cookie_key[32];
    s = vector_of("secret of S");
    f = vector_of("secret of F");
    p = vector_of("secret of P");
    for (uint8_t i = 0; i < sizeof cookie_key; i++)
        cookie_key[i] = i + 1;
    will_draw(cookie_key, sizeof cookie_key);
    handshake_server_init(server, seed, protocol);
    memcpy(server->secret_key, s.bytes, sizeof server->secret_key);
    assert_int_equal(crypto_scalarmult_base(server->public_key, server->secret_key), 0);
    handshake_server_password(server, password);
    will_draw(f.bytes, 32);
    if (*password)
        will_draw(p.bytes, 32);
    handshake_server_renew(server, EPOCH * COOKIE_EPOCH_NS);
    server->unix_s = DAY * TICKET_S;
}

static void begin_client(struct handshake_client *client)
{
    static struct vector seed, nonce, e, q;
    seed = vector_of("seed of the account");
    nonce = vector_of("nonce");
    e = vector_of("secret of E");
    q = vector_of("secret of Q");
    will_draw(nonce.bytes, NONCE_BYTES);
    will_draw(e.bytes, 32);
    will_draw(q.bytes, 32);
    handshake_client_init(client, seed.bytes, protocol);
}

static struct join join_with(struct handshake_server *server, struct handshake_client *client, const char *cookie_name)
{
    uint8_t hello[HELLO_BYTES], cookie[COOKIE_BYTES];
    struct datagram datagram = {{{127, 0, 0, 1, 0x69, 0x78}, 6}, EPOCH * COOKIE_EPOCH_NS, hello, sizeof hello};
    struct join join;
    enum denial denial;
    handshake_hello_write(client, hello);
    handshake_cookie_write(server, &datagram, cookie);
    expect(cookie_name, cookie, sizeof cookie);
    assert_true(handshake_cookie_read(client, cookie, sizeof cookie));
    assert_true(handshake_join_read(server, client->join, &join, &denial));
    bool is_tried = denial == DENIAL_PASSWORD;
    assert_true(is_tried ? handshake_join_try(server, client->join, &join) : denial == DENIAL_NONE);
    assert_int_equal(is_tried, server->password[0] && !client->has_ticket);
    assert_memory_equal(join.identity, client->identity, IDENTITY_BYTES);
    return join;
}

static void begin(void)
{
    const char *number = protocol_page_after(protocol_page(), "### Handshake vectors");
    protocol = (uint32_t)strtoul(protocol_page_after(number, "the protocol version is "), NULL, 10);
    assert_int_equal(randombytes_set_implementation(&from_the_page), 0);
}

ALL_TESTS(begin, NULL);

TEST(a_join_with_a_password_and_its_answers)
{
    struct handshake_server server;
    struct handshake_client client;
    struct packet_crypto crypto, of_client;
    uint8_t accept[ACCEPT_BYTES], deny[DENY_BYTES], encrypted[64], reset[SESSION_RESET_BYTES];
    struct session_grant grant;
    struct vector g = vector_of("secret of G"), random = vector_of("random");
    begin_server(&server, "sesame");
    begin_client(&client);
    strcpy(client.password, "sesame");
    struct join join = join_with(&server, &client, "cookie"), again = join;
    expect("join with the password", client.join, JOIN_BYTES);
    will_draw(random.bytes, 24);
    handshake_deny_write(&again, client.nonce, DENIAL_BANNED, "until noon", deny);
    expect("deny", deny, sizeof deny);
    will_draw(g.bytes, 32);
    struct session_grant given = handshake_grant(server.secret_key, (struct session_id){7, 0x1234}, HOUSEHOLD);
    handshake_accept_write(&server, &join, client.nonce, &given, accept, &crypto);
    expect("accept", accept, sizeof accept);
    assert_true(handshake_accept_read(&client, accept, sizeof accept, &grant, &of_client));
    assert_memory_equal(&grant, &given, sizeof grant);
    expect("ticket", client.ticket, NET_TICKET_BYTES);
    expect("encrypted by the server", encrypted,
           packet_crypto_encrypt(&crypto, grant.session, (const uint8_t *)"pong", 4, encrypted));
    crypto.sent = PACKET_CRYPTO_PHASE - 1;
    expect("encrypted by the server under its second key", encrypted,
           packet_crypto_encrypt(&crypto, grant.session, (const uint8_t *)"pong", 4, encrypted));
    expect("encrypted by the client", encrypted,
           packet_crypto_encrypt(&of_client, grant.session, (const uint8_t *)"ping", 4, encrypted));
    handshake_reset_write(&given, reset);
    expect("reset", reset, sizeof reset);
    assert_int_equal(draws.next, draws.count);
}

// With these keys an independent server makes tickets and tokens that this one accepts after it.
TEST(the_keys_of_one_purpose)
{
    struct vector secret = vector_of("secret of S");
    uint8_t key[32];
    crypto_generichash(key, sizeof key, (const uint8_t *)"deadfall ticket key", 19, secret.bytes, 32);
    expect("ticket key", key, sizeof key);
    crypto_generichash(key, sizeof key, (const uint8_t *)"deadfall reset key", 18, secret.bytes, 32);
    expect("reset key", key, sizeof key);
}

TEST(a_join_with_a_ticket)
{
    struct handshake_server server;
    struct handshake_client client;
    begin_server(&server, "sesame");
    begin_client(&client);
    client.has_ticket = true;
    memcpy(client.ticket, vector_of("ticket").bytes, NET_TICKET_BYTES);
    join_with(&server, &client, "cookie");
    expect("join with the ticket", client.join, JOIN_BYTES);
}

TEST(a_join_without_a_password)
{
    struct handshake_server server;
    struct handshake_client client;
    begin_server(&server, "");
    begin_client(&client);
    join_with(&server, &client, "cookie without a password");
    expect("join without a password", client.join, JOIN_BYTES);
}
