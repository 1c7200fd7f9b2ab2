// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "net/session_table.h"

#define PROTOCOL 7u

struct exchange {
    struct handshake_server server;
    struct handshake_client client;
    struct packet_crypto server_crypto, client_crypto;
    uint64_t now_ns;
    struct net_address address;
    uint8_t hello[HELLO_BYTES], cookie[COOKIE_BYTES], accept[ACCEPT_BYTES];
};

static void begin(struct exchange *exchange)
{
    uint8_t seed[32] = {1}, other[32] = {2};
    *exchange = (struct exchange){.now_ns = 1000 * COOKIE_EPOCH_NS, .address = {{127, 0, 0, 1, 0x69, 0x78}, 6}};
    handshake_server_init(&exchange->server, seed, PROTOCOL);
    handshake_client_init(&exchange->client, other, PROTOCOL);
}

// What the client sends, as the server gets it now.
static struct datagram sent(const struct exchange *exchange, const uint8_t *bytes, size_t byte_count)
{
    return (struct datagram){exchange->address, exchange->now_ns, bytes, byte_count};
}

static bool get_cookie(struct exchange *exchange)
{
    struct datagram hello = sent(exchange, exchange->hello, HELLO_BYTES);
    handshake_hello_write(&exchange->client, exchange->hello);
    if (!handshake_hello_is_valid(exchange->hello, HELLO_BYTES))
        return false;
    handshake_cookie_write(&exchange->server, &hello, exchange->cookie);
    return handshake_cookie_read(&exchange->client, exchange->cookie, COOKIE_BYTES);
}

static bool is_proven(const struct exchange *exchange)
{
    struct datagram join = sent(exchange, exchange->client.join, JOIN_BYTES);
    return handshake_join_is_proven(&exchange->server, &join);
}

static enum denial join_of(const struct exchange *exchange, struct join *join)
{
    enum denial denial = DENIAL_BANNED;
    assert_true(handshake_join_read(&exchange->server, exchange->client.join, join, &denial));
    return denial;
}

static uint16_t finish(struct exchange *exchange)
{
    struct join join;
    uint16_t session = 0;
    assert_int_equal(join_of(exchange, &join), DENIAL_NONE);
    handshake_accept_write(&exchange->server, &join, handshake_nonce(exchange->client.join), 0xabc, exchange->accept,
                           &exchange->server_crypto);
    assert_true(
        handshake_accept_read(&exchange->client, exchange->accept, ACCEPT_BYTES, &session, &exchange->client_crypto));
    return session;
}

static void both_ends_of_a_handshake_have_matching_keys(void **state)
{
    (void)state;
    struct exchange exchange;
    begin(&exchange);
    assert_true(get_cookie(&exchange));
    assert_true(is_proven(&exchange));
    assert_int_equal(finish(&exchange), 0xabc);
    assert_memory_equal(exchange.client_crypto.send_key, exchange.server_crypto.receive_key, PACKET_CRYPTO_KEY_BYTES);
    assert_memory_equal(exchange.client_crypto.receive_key, exchange.server_crypto.send_key, PACKET_CRYPTO_KEY_BYTES);
    assert_memory_not_equal(exchange.client_crypto.send_key, exchange.client_crypto.receive_key,
                            PACKET_CRYPTO_KEY_BYTES);
}

static void two_sessions_of_one_player_share_no_key(void **state)
{
    (void)state;
    struct exchange one, other;
    begin(&one);
    begin(&other);
    assert_true(get_cookie(&one) && get_cookie(&other));
    finish(&one);
    finish(&other);
    assert_memory_equal(one.client.identity, other.client.identity, IDENTITY_BYTES);
    assert_memory_not_equal(one.client_crypto.send_key, other.client_crypto.send_key, PACKET_CRYPTO_KEY_BYTES);
}

static void no_answer_is_longer_than_its_request(void **state)
{
    (void)state;
    assert_true(COOKIE_BYTES <= 64 && COOKIE_BYTES < HELLO_BYTES);
    assert_true(ACCEPT_BYTES < JOIN_BYTES && DENY_BYTES < JOIN_BYTES);
}

static void a_cookie_is_valid_for_one_address_attempt_and_time(void **state)
{
    (void)state;
    static const struct {
        uint64_t later_ns;
        uint8_t address, nonce;
        bool good;
    } rows[] = {
        /* 0 */ {0, 0, 0, true},
        /* 1 */ {COOKIE_EPOCH_NS, 0, 0, true},
        /* 2 */ {2 * COOKIE_EPOCH_NS - 1, 0, 0, true},
        /* 3 */ {2 * COOKIE_EPOCH_NS, 0, 0, false},
        /* 4 */ {256 * COOKIE_EPOCH_NS, 0, 0, false}, // its low bits are those of the same epoch
        /* 5 */ {0, 1, 0, false},
        /* 6 */ {0, 0, 1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct exchange exchange;
        begin(&exchange);
        assert_true(get_cookie(&exchange));
        exchange.now_ns += rows[i].later_ns;
        exchange.address.bytes[5] ^= rows[i].address; // the port
        exchange.client.join[5] ^= rows[i].nonce;
        if (is_proven(&exchange) != rows[i].good)
            fail_msg("row %zu", i);
    }
}

static void a_change_of_any_bit_of_a_join_is_noticed(void **state)
{
    (void)state;
    struct exchange exchange;
    begin(&exchange);
    assert_true(get_cookie(&exchange));
    for (size_t bit = 0; bit < JOIN_BYTES * 8; bit += bit < 1600 ? 1 : 37) {
        struct join join;
        enum denial denial = DENIAL_NONE;
        exchange.client.join[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (is_proven(&exchange) && handshake_join_read(&exchange.server, exchange.client.join, &join, &denial) &&
            denial == DENIAL_NONE)
            fail_msg("bit %zu", bit);
        exchange.client.join[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    finish(&exchange);
}

static void a_change_of_any_bit_of_an_accept_is_noticed(void **state)
{
    (void)state;
    struct exchange exchange;
    begin(&exchange);
    assert_true(get_cookie(&exchange));
    finish(&exchange);
    for (size_t bit = 0; bit < ACCEPT_BYTES * 8; bit++) {
        uint16_t session;
        struct packet_crypto crypto;
        exchange.accept[bit / 8] ^= (uint8_t)(1 << bit % 8);
        // The top bit of a key is no part of the key, but it is hashed.
        if (handshake_accept_read(&exchange.client, exchange.accept, ACCEPT_BYTES, &session, &crypto))
            fail_msg("bit %zu", bit);
        exchange.accept[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static void a_server_without_the_secret_key_is_detected(void **state)
{
    (void)state;
    struct exchange exchange, impostor;
    begin(&exchange);
    begin(&impostor);
    assert_true(get_cookie(&exchange));
    impostor.server.secret_key[3] ^= 1;
    struct join join = {.identity = {0}};
    enum denial denial;
    assert_false(handshake_join_read(&impostor.server, exchange.client.join, &join, &denial)); // it cannot even read
    memcpy(join.ephemeral_key, exchange.client.ephemeral_key, PUBLIC_KEY_BYTES);
    handshake_accept_write(&impostor.server, &join, handshake_nonce(exchange.client.join), 1, exchange.accept,
                           &exchange.server_crypto);
    uint16_t session;
    assert_false(
        handshake_accept_read(&exchange.client, exchange.accept, ACCEPT_BYTES, &session, &exchange.client_crypto));
}

static void nobody_can_join_with_the_identity_of_another(void **state)
{
    (void)state;
    struct exchange exchange, other;
    struct join join;
    enum denial denial;
    begin(&exchange);
    handshake_client_init(&other.client, (const uint8_t[32]){9}, PROTOCOL);
    memcpy(exchange.client.identity, other.client.identity, IDENTITY_BYTES); // but with its own secret key
    assert_true(get_cookie(&exchange));
    assert_true(is_proven(&exchange));
    assert_false(handshake_join_read(&exchange.server, exchange.client.join, &join, &denial));
}

static void a_key_of_zeros_is_refused(void **state)
{
    (void)state;
    struct exchange exchange;
    begin(&exchange);
    assert_true(get_cookie(&exchange));
    memset(exchange.cookie + 26, 0, PUBLIC_KEY_BYTES);
    assert_false(handshake_cookie_read(&exchange.client, exchange.cookie, COOKIE_BYTES));
    begin(&exchange);
    assert_true(get_cookie(&exchange));
    memset(exchange.client.join + 34, 0, PUBLIC_KEY_BYTES);
    struct join join;
    enum denial denial;
    assert_false(handshake_join_read(&exchange.server, exchange.client.join, &join, &denial));
}

static void answers_to_another_attempt_are_ignored(void **state)
{
    (void)state;
    struct exchange exchange, other;
    uint8_t deny[DENY_BYTES];
    char words[NET_REASON_BYTES];
    begin(&exchange);
    begin(&other);
    assert_true(get_cookie(&exchange) && get_cookie(&other));
    finish(&other);
    uint16_t session;
    assert_false(handshake_cookie_read(&exchange.client, other.cookie, COOKIE_BYTES));
    assert_false(
        handshake_accept_read(&exchange.client, other.accept, ACCEPT_BYTES, &session, &exchange.client_crypto));
    handshake_deny_write(other.client.nonce, DENIAL_FULL, deny);
    assert_int_equal(handshake_deny_read(&exchange.client, deny, DENY_BYTES, words), DENIAL_NONE);
    handshake_deny_write(exchange.client.nonce, DENIAL_FULL, deny);
    assert_int_equal(handshake_deny_read(&exchange.client, deny, DENY_BYTES, words), DENIAL_FULL);
    deny[9] = 200;
    assert_int_equal(handshake_deny_read(&exchange.client, deny, DENY_BYTES, words), DENIAL_NONE);
}

static void only_the_client_that_asked_can_read_a_refusal(void **state)
{
    (void)state;
    struct exchange exchange, other;
    struct join join;
    enum denial denial;
    uint8_t deny[DENY_REASON_BYTES];
    char words[NET_REASON_BYTES];
    begin(&exchange);
    begin(&other);
    assert_true(get_cookie(&exchange) && get_cookie(&other));
    assert_true(handshake_join_read(&exchange.server, exchange.client.join, &join, &denial));
    handshake_deny_write_reason(&exchange.server, &join, exchange.client.join, DENIAL_BANNED, "for camping", deny);
    assert_null(memmem(deny, sizeof deny, "camping", 7));
    assert_int_equal(handshake_deny_read(&exchange.client, deny, sizeof deny, words), DENIAL_BANNED);
    assert_string_equal(words, "for camping");
    for (size_t i = 0; i < sizeof deny; i++) {
        deny[i] ^= 1;
        assert_int_equal(handshake_deny_read(&exchange.client, deny, sizeof deny, words), DENIAL_NONE);
        deny[i] ^= 1;
    }
    memcpy(deny + 1, other.client.nonce, NONCE_BYTES);
    assert_int_equal(handshake_deny_read(&other.client, deny, sizeof deny, words), DENIAL_NONE);
    char all[2 * NET_REASON_BYTES];
    memset(all, 'a', sizeof all - 1);
    all[sizeof all - 1] = 0;
    handshake_deny_write_reason(&exchange.server, &join, exchange.client.join, DENIAL_BANNED, all, deny);
    assert_int_equal(handshake_deny_read(&exchange.client, deny, sizeof deny, words), DENIAL_BANNED);
    assert_int_equal(strlen(words), NET_REASON_BYTES - 1);
    handshake_deny_write_reason(&exchange.server, &join, exchange.client.join, DENIAL_BANNED, "", deny);
    assert_int_equal(handshake_deny_read(&exchange.client, deny, sizeof deny, words), DENIAL_BANNED);
    assert_string_equal(words, "");
}

static void another_protocol_version_is_refused(void **state)
{
    (void)state;
    struct exchange exchange;
    struct join join;
    begin(&exchange);
    exchange.client.protocol++;
    assert_true(get_cookie(&exchange));
    assert_true(is_proven(&exchange));
    assert_int_equal(join_of(&exchange, &join), DENIAL_VERSION);
}

static void a_password_or_a_ticket_admits_a_client(void **state)
{
    (void)state;
    static const struct {
        const char *password, *given;
        enum denial denial;
    } rows[] = {
        /* 0 */ {"", "", DENIAL_NONE},
        /* 1 */ {"", "any", DENIAL_NONE},
        /* 2 */ {"sesame", "sesame", DENIAL_NONE},
        /* 3 */ {"sesame", "", DENIAL_PASSWORD},
        /* 4 */ {"sesame", "sesam", DENIAL_PASSWORD},
        /* 5 */ {"sesame", "sesamee", DENIAL_PASSWORD},
    };
    struct join join;
    struct exchange exchange;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&exchange);
        handshake_server_password(&exchange.server, rows[i].password);
        exchange.client.secret_kind = *rows[i].given ? SECRET_PASSWORD : SECRET_NONE;
        memcpy(exchange.client.secret, rows[i].given, strlen(rows[i].given));
        assert_true(get_cookie(&exchange));
        if (join_of(&exchange, &join) != rows[i].denial)
            fail_msg("row %zu", i);
    }
    begin(&exchange);
    handshake_server_password(&exchange.server, "sesame");
    exchange.client.secret_kind = SECRET_PASSWORD;
    memcpy(exchange.client.secret, "sesame", 6);
    assert_true(get_cookie(&exchange));
    finish(&exchange);
    assert_int_equal(exchange.client.secret_kind, SECRET_TICKET);
    assert_true(get_cookie(&exchange));
    assert_int_equal(join_of(&exchange, &join), DENIAL_NONE);
    exchange.server.unix_s += TICKET_S;
    assert_int_equal(join_of(&exchange, &join), DENIAL_NONE);
    exchange.server.unix_s++;
    assert_int_equal(join_of(&exchange, &join), DENIAL_PASSWORD); // expired
    exchange.server.unix_s -= 2 * TICKET_S;
    assert_int_equal(join_of(&exchange, &join), DENIAL_PASSWORD); // from the future: no real ticket lasts this long
    exchange.server.unix_s += TICKET_S;
    handshake_server_password(&exchange.server, "changed");
    assert_int_equal(join_of(&exchange, &join), DENIAL_PASSWORD);
    handshake_server_password(&exchange.server, "sesame");
    struct exchange thief; // another player with the same ticket
    begin(&thief);
    handshake_client_init(&thief.client, (const uint8_t[32]){9}, PROTOCOL);
    handshake_server_password(&thief.server, "sesame");
    thief.client.secret_kind = SECRET_TICKET;
    memcpy(thief.client.secret, exchange.client.secret, JOIN_SECRET_BYTES);
    assert_true(get_cookie(&thief));
    assert_int_equal(join_of(&thief, &join), DENIAL_PASSWORD);
}

static void a_join_reveals_neither_player_nor_password(void **state)
{
    (void)state;
    struct exchange exchange;
    begin(&exchange);
    memcpy(exchange.client.secret, "a secret of sixteen", 19);
    assert_true(get_cookie(&exchange));
    for (size_t i = 0; i + 8 <= JOIN_BYTES; i++) {
        assert_memory_not_equal(exchange.client.join + i, exchange.client.identity, 8);
        assert_memory_not_equal(exchange.client.join + i, "a secret", 8);
    }
}

static void datagrams_of_another_size_kind_or_version_are_refused(void **state)
{
    (void)state;
    struct exchange exchange;
    uint8_t big[HELLO_BYTES + 1] = {0};
    begin(&exchange);
    assert_true(get_cookie(&exchange));
    memcpy(big, exchange.hello, HELLO_BYTES);
    assert_false(handshake_hello_is_valid(big, HELLO_BYTES + 1));
    for (size_t size = 0; size < HELLO_BYTES; size++)
        assert_false(handshake_hello_is_valid(exchange.hello, size));
    for (size_t i = 0; i < 5; i++) {
        exchange.hello[i] ^= 1;
        assert_false(handshake_hello_is_valid(exchange.hello, HELLO_BYTES));
        exchange.hello[i] ^= 1;
    }
    for (size_t size = 0; size < JOIN_BYTES; size++) {
        struct datagram join = sent(&exchange, exchange.client.join, size);
        assert_false(handshake_join_is_proven(&exchange.server, &join));
    }
    for (size_t size = 0; size < COOKIE_BYTES; size++)
        assert_false(handshake_cookie_read(&exchange.client, exchange.cookie, size));
}

static void protocol_md_has_the_same_sizes(void **state)
{
    (void)state;
    static char page[128 * 1024];
    static const struct {
        int kind, size;
        const char *name, *way;
    } rows[] = {
        /* 0 */ {DATAGRAM_HELLO, HELLO_BYTES, "hello", "client to server"},
        /* 1 */ {DATAGRAM_COOKIE, COOKIE_BYTES, "cookie", "server to client"},
        /* 2 */ {DATAGRAM_JOIN, JOIN_BYTES, "join", "client to server"},
        /* 3 */ {DATAGRAM_ACCEPT, ACCEPT_BYTES, "accept", "server to client"},
    };
    FILE *file = fopen(SOURCE_ROOT "/shared/wire/PROTOCOL.md", "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[96];
        snprintf(text, sizeof text, "| %d | %s | %s | %d |", rows[i].kind, rows[i].name, rows[i].way, rows[i].size);
        if (!strstr(page, text))
            fail_msg("PROTOCOL.md has no '%s'", text);
    }
    char text[96];
    snprintf(text, sizeof text, "| %d | deny | server to client | %d or %d |", DATAGRAM_DENY, DENY_BYTES,
             DENY_REASON_BYTES);
    assert_non_null(strstr(page, text));
    snprintf(text, sizeof text, "| %d | encrypted | both | %d to %d |", DATAGRAM_ENCRYPTED,
             PACKET_CRYPTO_OVERHEAD_BYTES + 1, DATAGRAM_BYTES_MAX);
    assert_non_null(strstr(page, text));
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ends_of_a_handshake_have_matching_keys),
        cmocka_unit_test(two_sessions_of_one_player_share_no_key),
        cmocka_unit_test(no_answer_is_longer_than_its_request),
        cmocka_unit_test(a_cookie_is_valid_for_one_address_attempt_and_time),
        cmocka_unit_test(a_change_of_any_bit_of_a_join_is_noticed),
        cmocka_unit_test(a_change_of_any_bit_of_an_accept_is_noticed),
        cmocka_unit_test(a_server_without_the_secret_key_is_detected),
        cmocka_unit_test(nobody_can_join_with_the_identity_of_another),
        cmocka_unit_test(a_key_of_zeros_is_refused),
        cmocka_unit_test(answers_to_another_attempt_are_ignored),
        cmocka_unit_test(only_the_client_that_asked_can_read_a_refusal),
        cmocka_unit_test(another_protocol_version_is_refused),
        cmocka_unit_test(a_password_or_a_ticket_admits_a_client),
        cmocka_unit_test(a_join_reveals_neither_player_nor_password),
        cmocka_unit_test(protocol_md_has_the_same_sizes),
        cmocka_unit_test(datagrams_of_another_size_kind_or_version_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
