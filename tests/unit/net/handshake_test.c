// SPDX-License-Identifier: MIT
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "net/session_table.h"
#include "protocol_page.h"
#include "test.h"

#define PROTOCOL 7u

struct exchange {
    struct handshake_server server;
    struct handshake_client client;
    struct packet_crypto server_crypto, client_crypto;
    uint64_t now_ns;
    struct net_address address;
    uint8_t hello[HELLO_BYTES], cookie[COOKIE_BYTES], accept[ACCEPT_BYTES];
};

static struct exchange exchange, other;
static struct join join;
static enum denial denial;
static struct session_grant granted; // to the client
static uint8_t deny[DENY_BYTES];
static char words[NET_REASON_BYTES];

static const struct session_grant GRANT = {{0xabc, 5}, {1, 2, 3}};

static void begin(struct exchange *own)
{
    *own = (struct exchange){.now_ns = 1000 * COOKIE_EPOCH_NS, .address = {{127, 0, 0, 1, 0x69, 0x78}, 6}};
    handshake_server_init(&own->server, (const uint8_t[32]){1}, PROTOCOL);
    handshake_server_renew(&own->server, own->now_ns);
    handshake_client_init(&own->client, (const uint8_t[32]){2}, PROTOCOL);
}

// What the client sends, as the server gets it now.
static struct datagram sent(const struct exchange *own, const uint8_t *bytes, size_t byte_count)
{
    return (struct datagram){own->address, own->now_ns, bytes, byte_count};
}

static void give_both_the_password(void)
{
    handshake_server_password(&exchange.server, "sesame");
    strcpy(exchange.client.password, "sesame");
}

static bool get_cookie(struct exchange *own)
{
    struct datagram hello = sent(own, own->hello, HELLO_BYTES);
    handshake_hello_write(&own->client, own->hello);
    if (!handshake_hello_is_valid(own->hello, HELLO_BYTES))
        return false;
    handshake_cookie_write(&own->server, &hello, own->cookie);
    return handshake_cookie_read(&own->client, own->cookie, COOKIE_BYTES);
}

static bool is_proven(struct exchange *own)
{
    handshake_server_renew(&own->server, own->now_ns);
    struct datagram asked = sent(own, own->client.join, JOIN_BYTES);
    return handshake_join_is_proven(&own->server, &asked);
}

// Whether the server reads the JOIN; then `denial` is its answer.
static bool reads_join(const struct exchange *own)
{
    denial = DENIAL_BANNED;
    if (!handshake_join_read(&own->server, own->client.join, &join, &denial))
        return false;
    if (denial == DENIAL_PASSWORD && handshake_join_try(&own->server, own->client.join, &join))
        denial = DENIAL_NONE;
    return true;
}

static enum denial join_of(const struct exchange *own)
{
    assert_true(reads_join(own));
    return denial;
}

static void accept(struct exchange *own)
{
    handshake_accept_write(&own->server, &join, handshake_nonce(own->client.join), &GRANT, own->accept,
                           &own->server_crypto);
}

static bool reads_accept(struct exchange *own)
{
    return handshake_accept_read(&own->client, own->accept, ACCEPT_BYTES, &granted, &own->client_crypto);
}

static void finish(struct exchange *own)
{
    assert_int_equal(join_of(own), DENIAL_NONE);
    accept(own);
    assert_true(reads_accept(own));
}

static void begin_each(void)
{
    begin(&exchange);
    begin(&other);
}

EACH_TEST(begin_each, NULL);

TEST(both_ends_of_a_handshake_have_matching_keys)
{
    assert_true(get_cookie(&exchange));
    assert_true(is_proven(&exchange));
    finish(&exchange);
    assert_memory_equal(&granted, &GRANT, sizeof granted);
    assert_memory_equal(exchange.client_crypto.send_key, exchange.server_crypto.receive_key, PACKET_CRYPTO_KEY_BYTES);
    assert_memory_equal(exchange.client_crypto.receive_key, exchange.server_crypto.send_key, PACKET_CRYPTO_KEY_BYTES);
    assert_memory_not_equal(exchange.client_crypto.send_key, exchange.client_crypto.receive_key,
                            PACKET_CRYPTO_KEY_BYTES);
}

TEST(two_sessions_of_one_player_share_no_key)
{
    assert_true(get_cookie(&exchange) && get_cookie(&other));
    finish(&exchange);
    finish(&other);
    assert_memory_equal(exchange.client.identity, other.client.identity, IDENTITY_BYTES);
    assert_memory_not_equal(exchange.client_crypto.send_key, other.client_crypto.send_key, PACKET_CRYPTO_KEY_BYTES);
}

TEST(a_cookie_is_valid_for_one_address_attempt_and_time)
{
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
        begin(&exchange);
        assert_true(get_cookie(&exchange));
        exchange.now_ns += rows[i].later_ns;
        exchange.address.bytes[5] ^= rows[i].address; // the port
        exchange.client.join[5] ^= rows[i].nonce;
        if (is_proven(&exchange) != rows[i].good)
            fail_msg("row %zu", i);
    }
}

TEST(a_change_of_any_bit_of_a_join_is_noticed)
{
    assert_true(get_cookie(&exchange));
    for (size_t bit = 0; bit < JOIN_BYTES * 8; bit++) {
        exchange.client.join[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (is_proven(&exchange) && reads_join(&exchange) && denial == DENIAL_NONE)
            fail_msg("bit %zu", bit);
        exchange.client.join[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    finish(&exchange);
}

TEST(a_change_of_any_bit_of_an_accept_is_noticed)
{
    assert_true(get_cookie(&exchange));
    finish(&exchange);
    for (size_t bit = 0; bit < ACCEPT_BYTES * 8; bit++) {
        struct packet_crypto crypto;
        exchange.accept[bit / 8] ^= (uint8_t)(1 << bit % 8);
        // The top bit of a key is no part of the key, but it is hashed.
        if (handshake_accept_read(&exchange.client, exchange.accept, ACCEPT_BYTES, &granted, &crypto))
            fail_msg("bit %zu", bit);
        exchange.accept[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

// A fair copy of what a listener has, who steals the key file of the server afterwards.
TEST(a_recorded_join_and_the_stolen_key_of_the_server_reveal_nothing)
{
    give_both_the_password();
    assert_true(get_cookie(&exchange));
    struct handshake_server thief;
    handshake_server_init(&thief, (const uint8_t[32]){1}, PROTOCOL);
    handshake_server_renew(&thief, exchange.now_ns);
    assert_memory_equal(thief.secret_key, exchange.server.secret_key, 32);
    // What can be read without the secret of the epoch: all public keys, and even the password.
    handshake_server_password(&thief, "sesame");
    struct handshake_epoch *epoch = &thief.epochs[exchange.cookie[9] & 1];
    memcpy(epoch->ephemeral_key, exchange.cookie + 58, PUBLIC_KEY_BYTES);
    memcpy(epoch->password_share, exchange.cookie + 90, CPACE_BYTES);
    memset(&join, 0, sizeof join);
    assert_false(handshake_join_read(&thief, exchange.client.join, &join, &denial));
    assert_memory_not_equal(join.static_key, exchange.client.static_key, PUBLIC_KEY_BYTES);
    // With that secret they would read it, so nothing else was wrong.
    *epoch = exchange.server.epochs[exchange.cookie[9] & 1];
    assert_true(handshake_join_read(&thief, exchange.client.join, &join, &denial));
    assert_true(denial == DENIAL_PASSWORD && handshake_join_try(&thief, exchange.client.join, &join));
    assert_memory_equal(join.identity, exchange.client.identity, IDENTITY_BYTES);
}

TEST(the_secrets_of_an_epoch_are_gone_after_the_next)
{
    for (uint64_t later = 1; later <= 3; later++) {
        begin(&exchange);
        handshake_server_password(&exchange.server, "sesame");
        struct handshake_epoch old = exchange.server.epochs[0];
        assert_int_equal(old.number, 1000);
        handshake_server_renew(&exchange.server, exchange.now_ns + later * COOKIE_EPOCH_NS);
        bool kept = memmem(&exchange.server, sizeof exchange.server, old.ephemeral_secret, 32) != NULL;
        assert_int_equal(kept, later == 1);
        kept = memmem(&exchange.server, sizeof exchange.server, old.password_secret, 32) != NULL;
        assert_int_equal(kept, later == 1);
    }
}

// All joins of an epoch share its secret, so it must not open what follows them.
TEST(the_secrets_of_an_epoch_do_not_open_its_sessions)
{
    struct exchange thief;
    assert_true(get_cookie(&exchange));
    thief = exchange;
    assert_int_equal(join_of(&thief), DENIAL_NONE); // with all secrets of the server
    thief.client.noise = join.noise;
    memset(thief.client.ephemeral_secret, 1, sizeof thief.client.ephemeral_secret); // but not the client's
    finish(&exchange);
    assert_false(handshake_accept_read(&thief.client, exchange.accept, ACCEPT_BYTES, &granted, &thief.client_crypto));
}

TEST(a_server_without_the_secret_key_is_detected)
{
    struct exchange impostor;
    begin(&impostor);
    // It answers with the public key of the other, and knows the secrets of its own epoch.
    memcpy(impostor.server.public_key, exchange.server.public_key, PUBLIC_KEY_BYTES);
    impostor.server.secret_key[3] ^= 1;
    assert_true(get_cookie(&impostor));
    memset(&join, 0, sizeof join);
    assert_false(handshake_join_read(&impostor.server, impostor.client.join, &join, &denial)); // it cannot even read
    memcpy(join.ephemeral_key, impostor.client.ephemeral_key, PUBLIC_KEY_BYTES);
    accept(&impostor);
    assert_false(reads_accept(&impostor));
}

// Somebody with the static key of a player but another account, or the other way round; also with the stolen key of
// the server.
TEST(nobody_can_join_with_the_identity_of_another)
{
    handshake_client_init(&other.client, (const uint8_t[32]){9}, PROTOCOL);
    for (int row = 0; row < 3; row++) {
        begin(&exchange);
        if (row != 1)
            memcpy(exchange.client.identity, other.client.identity, IDENTITY_BYTES);
        if (row != 0)
            memcpy(exchange.client.static_key, other.client.static_key, PUBLIC_KEY_BYTES);
        assert_true(get_cookie(&exchange));
        assert_true(is_proven(&exchange));
        if (reads_join(&exchange))
            fail_msg("row %d", row);
    }
}

// The negative point has the same X25519 form, and its secret is the negative one.
TEST(one_secret_is_one_account)
{
    uint8_t seed[32] = {0}, key[32], secret[64];
    uint32_t negatives = 0;
    for (seed[0] = 0; seed[0] < 32; seed[0]++) {
        begin(&exchange);
        handshake_client_init(&exchange.client, seed, PROTOCOL);
        crypto_sign_seed_keypair(key, secret, seed);
        negatives += memcmp(exchange.client.identity, key, sizeof key) != 0;
        assert_true(get_cookie(&exchange) && reads_join(&exchange));
        exchange.client.identity[31] ^= 0x80;
        assert_true(get_cookie(&exchange));
        assert_false(reads_join(&exchange));
    }
    assert_in_range(negatives, 1, 31);
}

TEST(an_identity_of_small_or_mixed_order_is_refused)
{
    // The sum of the account and the point of order 2, and its X25519 form: key exchanges cannot tell it from the
    // account.
    static const uint8_t sum[32] = {0x82, 0x86, 0x3a, 0x81, 0x95, 0xf6, 0xad, 0xc6, 0xd7, 0xd3, 0xfb,
                                    0x7e, 0x71, 0x69, 0xee, 0xd0, 0xc0, 0xfc, 0x5b, 0xff, 0xe4, 0x56,
                                    0x85, 0xa9, 0xb3, 0xdc, 0x7a, 0xd5, 0xc0, 0xe1, 0x5a, 0x03};
    static const uint8_t sum_key[32] = {0x38, 0x50, 0x4a, 0x45, 0x24, 0x54, 0x2d, 0x29, 0x63, 0xfc, 0x2f,
                                        0x8c, 0x16, 0xcb, 0x76, 0xf7, 0xef, 0x15, 0x1f, 0x12, 0xa3, 0xe8,
                                        0x39, 0x8a, 0xc2, 0x8e, 0x38, 0xd9, 0x4f, 0x8f, 0x5f, 0x1b};
    begin(&exchange);
    memcpy(exchange.client.identity, sum, sizeof sum);
    memcpy(exchange.client.static_key, sum_key, sizeof sum_key);
    assert_true(get_cookie(&exchange));
    assert_false(reads_join(&exchange));
    static const uint8_t neutral[32] = {1};
    begin(&exchange);
    memcpy(exchange.client.identity, neutral, sizeof neutral);
    memset(exchange.client.static_key, 0, sizeof exchange.client.static_key);
    assert_true(get_cookie(&exchange));
    assert_false(reads_join(&exchange));
}

TEST(a_key_of_zeros_is_refused)
{
    for (size_t at = 26; at <= 58; at += 32) { // S and F
        begin(&exchange);
        assert_true(get_cookie(&exchange));
        memset(exchange.cookie + at, 0, PUBLIC_KEY_BYTES);
        assert_false(handshake_cookie_read(&exchange.client, exchange.cookie, COOKIE_BYTES));
    }
    begin(&exchange);
    assert_true(get_cookie(&exchange));
    memset(exchange.client.join + 66, 0, PUBLIC_KEY_BYTES);
    assert_false(reads_join(&exchange));
}

TEST(a_replayed_join_gives_other_keys)
{
    assert_true(get_cookie(&exchange));
    uint8_t accept[ACCEPT_BYTES];
    struct packet_crypto crypto;
    assert_int_equal(join_of(&exchange), DENIAL_NONE);
    handshake_accept_write(&exchange.server, &join, handshake_nonce(exchange.client.join), &GRANT, accept, &crypto);
    assert_true(is_proven(&exchange));
    finish(&exchange);
    assert_memory_not_equal(crypto.send_key, exchange.server_crypto.send_key, PACKET_CRYPTO_KEY_BYTES);
    assert_memory_not_equal(crypto.receive_key, exchange.server_crypto.receive_key, PACKET_CRYPTO_KEY_BYTES);
}

// Everything that a COOKIE says is part of what both sides must agree on.
TEST(a_changed_cookie_never_leads_to_a_session)
{
    for (size_t i = 0; i < COOKIE_BYTES; i++) {
        begin(&exchange);
        give_both_the_password();
        assert_true(get_cookie(&exchange));
        exchange.cookie[i] ^= 4;
        if (handshake_cookie_read(&exchange.client, exchange.cookie, COOKIE_BYTES) && is_proven(&exchange) &&
            reads_join(&exchange))
            fail_msg("byte %zu", i);
    }
}

static enum denial reads_deny(const struct exchange *own)
{
    return handshake_deny_read(&own->client, deny, DENY_BYTES, words);
}

static enum denial deny_to(struct exchange *own, enum denial with, const char *reason)
{
    join_of(own);
    handshake_deny_write(&join, handshake_nonce(own->client.join), with, reason, deny);
    return reads_deny(own);
}

TEST(answers_to_another_attempt_are_ignored)
{
    assert_true(get_cookie(&exchange) && get_cookie(&other));
    struct handshake_client unfinished = other.client;
    finish(&other);
    assert_false(handshake_cookie_read(&exchange.client, other.cookie, COOKIE_BYTES));
    assert_false(
        handshake_accept_read(&exchange.client, other.accept, ACCEPT_BYTES, &granted, &exchange.client_crypto));
    other.client = unfinished;
    assert_int_equal(deny_to(&other, DENIAL_FULL, ""), DENIAL_FULL);
    assert_int_equal(reads_deny(&exchange), DENIAL_NONE);
    memcpy(deny + 1, exchange.client.nonce, NONCE_BYTES);
    assert_int_equal(reads_deny(&exchange), DENIAL_NONE);
    assert_int_equal(deny_to(&exchange, 200, ""), DENIAL_NONE); // of a later version
}

TEST(only_the_client_that_asked_can_read_a_refusal)
{
    uint8_t first[DENY_BYTES];
    char all[2 * NET_REASON_BYTES];
    begin(&exchange);
    assert_true(get_cookie(&exchange));
    assert_int_equal(deny_to(&exchange, DENIAL_BANNED, "for camping"), DENIAL_BANNED);
    assert_null(memmem(deny, sizeof deny, "camping", 7));
    assert_int_equal(reads_deny(&exchange), DENIAL_BANNED);
    assert_string_equal(words, "for camping");
    // Another refusal of the same JOIN uses the same key, so all the rest differs.
    memcpy(first, deny, sizeof first);
    assert_int_equal(deny_to(&exchange, DENIAL_BANNED, "for camping"), DENIAL_BANNED);
    assert_memory_not_equal(deny + 9, first + 9, 24);
    assert_memory_not_equal(deny + 33, first + 33, sizeof deny - 33);
    for (size_t i = 0; i < sizeof deny; i++) {
        deny[i] ^= 1;
        assert_int_equal(reads_deny(&exchange), DENIAL_NONE);
        deny[i] ^= 1;
    }
    memset(all, 'a', sizeof all - 1);
    all[sizeof all - 1] = 0;
    assert_int_equal(deny_to(&exchange, DENIAL_BANNED, all), DENIAL_BANNED);
    assert_int_equal(reads_deny(&exchange), DENIAL_BANNED);
    assert_int_equal(strlen(words), NET_REASON_BYTES - 1);
    assert_int_equal(deny_to(&exchange, DENIAL_BANNED, ""), DENIAL_BANNED);
    assert_int_equal(reads_deny(&exchange), DENIAL_BANNED);
    assert_string_equal(words, "");
}

// A listener cannot make a server refuse a JOIN that was good when it was sent.
TEST(a_refusal_of_a_join_that_was_changed_on_its_way_is_ignored)
{
    give_both_the_password();
    assert_true(get_cookie(&exchange));
    exchange.client.join[JOIN_BYTES - 1] ^= 1;
    assert_int_equal(join_of(&exchange), DENIAL_PASSWORD);
    handshake_deny_write(&join, handshake_nonce(exchange.client.join), DENIAL_PASSWORD, "", deny);
    exchange.client.join[JOIN_BYTES - 1] ^= 1;
    assert_int_equal(reads_deny(&exchange), DENIAL_NONE);
}

TEST(a_server_with_the_public_key_alone_cannot_refuse)
{
    exchange.server.secret_key[0] ^= 8;
    assert_true(get_cookie(&exchange));
    assert_false(reads_join(&exchange));
    handshake_deny_write(&join, handshake_nonce(exchange.client.join), DENIAL_BANNED, "", deny);
    assert_int_equal(reads_deny(&exchange), DENIAL_NONE);
}

TEST(another_protocol_version_is_refused)
{
    exchange.client.protocol++;
    assert_true(get_cookie(&exchange));
    assert_true(is_proven(&exchange));
    assert_int_equal(join_of(&exchange), DENIAL_VERSION);
    assert_int_equal(deny_to(&exchange, DENIAL_VERSION, ""), DENIAL_VERSION);
}

TEST(a_password_or_a_ticket_admits_a_client)
{
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
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&exchange);
        handshake_server_password(&exchange.server, rows[i].password);
        strcpy(exchange.client.password, rows[i].given);
        assert_true(get_cookie(&exchange));
        if (join_of(&exchange) != rows[i].denial)
            fail_msg("row %zu", i);
    }
}

TEST(a_join_has_a_share_if_it_may_bring_a_password)
{
    static const struct {
        const char *password, *given;
        bool has_ticket, has_share;
    } rows[] = {
        /* 0 */ {"", "any", true, false},
        /* 1 */ {"sesame", "", false, false},
        /* 2 */ {"sesame", "", true, true}, // no listener sees that there is a ticket
        /* 3 */ {"sesame", "any", false, true},
        /* 4 */ {"sesame", "any", true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&exchange);
        handshake_server_password(&exchange.server, rows[i].password);
        strcpy(exchange.client.password, rows[i].given);
        exchange.client.has_ticket = rows[i].has_ticket;
        assert_true(get_cookie(&exchange));
        enum denial wanted = *rows[i].password ? DENIAL_PASSWORD : DENIAL_NONE;
        if (join_of(&exchange) != wanted || join.has_share != rows[i].has_share ||
            exchange.client.needs_password != (wanted != DENIAL_NONE))
            fail_msg("row %zu", i);
    }
}

// Joins again with the ticket that a client has got. Returns the answer.
static enum denial joins_with_ticket(uint8_t seed, const struct handshake_client *owner)
{
    handshake_client_init(&exchange.client, (const uint8_t[32]){seed}, PROTOCOL);
    exchange.client.has_ticket = owner->has_ticket;
    memcpy(exchange.client.ticket, owner->ticket, NET_TICKET_BYTES);
    assert_true(get_cookie(&exchange));
    return join_of(&exchange);
}

TEST(a_ticket_is_good_for_its_owner_for_a_day)
{
    exchange.server.unix_s = 20000 * (uint64_t)TICKET_S + 5000;
    give_both_the_password();
    assert_true(get_cookie(&exchange));
    finish(&exchange);
    assert_true(exchange.client.has_ticket);
    struct handshake_client owner = exchange.client;
    assert_int_equal(joins_with_ticket(2, &owner), DENIAL_NONE);
    exchange.server.unix_s += TICKET_S;
    assert_int_equal(joins_with_ticket(2, &owner), DENIAL_NONE);
    exchange.server.unix_s += TICKET_S;
    assert_int_equal(joins_with_ticket(2, &owner), DENIAL_PASSWORD); // expired
    exchange.server.unix_s -= 3 * (uint64_t)TICKET_S;
    assert_int_equal(joins_with_ticket(2, &owner), DENIAL_PASSWORD); // from the future
    exchange.server.unix_s += TICKET_S;
    handshake_server_password(&exchange.server, "changed");
    assert_int_equal(joins_with_ticket(2, &owner), DENIAL_PASSWORD);
    handshake_server_password(&exchange.server, "sesame");
    assert_int_equal(joins_with_ticket(2, &owner), DENIAL_NONE);
    assert_int_equal(joins_with_ticket(9, &owner), DENIAL_PASSWORD); // another player
}

TEST(a_new_password_counts_for_the_cookies_that_are_out)
{
    give_both_the_password();
    assert_true(get_cookie(&exchange));
    handshake_server_password(&exchange.server, "changed");
    // It gets no answer, and begins again.
    assert_false(reads_join(&exchange));
}

TEST(a_join_reveals_neither_player_nor_password)
{
    strcpy(exchange.client.password, "a secret of sixteen");
    assert_true(get_cookie(&exchange));
    for (size_t i = 0; i + 8 <= JOIN_BYTES; i++) {
        assert_memory_not_equal(exchange.client.join + i, exchange.client.identity, 8);
        assert_memory_not_equal(exchange.client.join + i, exchange.client.static_key, 8);
        assert_memory_not_equal(exchange.client.join + i, "a secret", 8);
    }
}

TEST(both_sides_forget_the_keys_of_a_handshake_that_is_over)
{
    static const uint8_t zeros[sizeof(struct noise)];
    begin(&exchange);
    strcpy(exchange.client.password, "sesame");
    assert_true(get_cookie(&exchange));
    assert_int_equal(join_of(&exchange), DENIAL_NONE);
    accept(&exchange);
    assert_memory_equal(&join.noise, zeros, sizeof join.noise);
    assert_memory_equal(join.refusal_key, zeros, sizeof join.refusal_key);
    assert_true(reads_accept(&exchange));
    assert_memory_equal(&exchange.client.noise, zeros, sizeof exchange.client.noise);
    assert_memory_equal(exchange.client.static_secret, zeros, sizeof exchange.client.static_secret);
    assert_memory_equal(exchange.client.ephemeral_secret, zeros, sizeof exchange.client.ephemeral_secret);
    assert_memory_equal(exchange.client.password, zeros, sizeof exchange.client.password);
}

TEST(datagrams_of_another_size_kind_or_version_are_refused)
{
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
        struct datagram asked = sent(&exchange, exchange.client.join, size);
        assert_false(handshake_join_is_proven(&exchange.server, &asked));
    }
    for (size_t size = 0; size < COOKIE_BYTES; size++)
        assert_false(handshake_cookie_read(&exchange.client, exchange.cookie, size));
}

TEST(protocol_md_has_the_same_sizes)
{
    static const struct {
        int kind, size;
        const char *name, *way;
    } rows[] = {
        /* 0 */ {DATAGRAM_HELLO, HELLO_BYTES, "hello", "client to server"},
        /* 1 */ {DATAGRAM_COOKIE, COOKIE_BYTES, "cookie", "server to client"},
        /* 2 */ {DATAGRAM_JOIN, JOIN_BYTES, "join", "client to server"},
        /* 3 */ {DATAGRAM_ACCEPT, ACCEPT_BYTES, "accept", "server to client"},
        /* 4 */ {DATAGRAM_DENY, DENY_BYTES, "deny", "server to client"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[96];
        snprintf(text, sizeof text, "| %d | %s | %s | %d |", rows[i].kind, rows[i].name, rows[i].way, rows[i].size);
        protocol_page_after(protocol_page(), text);
    }
    char text[96];
    snprintf(text, sizeof text, "| %d | encrypted | both | %d to %d |", DATAGRAM_ENCRYPTED,
             PACKET_CRYPTO_OVERHEAD_BYTES + 1, DATAGRAM_BYTES_MAX);
    protocol_page_after(protocol_page(), text);
}
