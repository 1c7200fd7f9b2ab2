// SPDX-License-Identifier: MIT
#include "handshake_server.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"

#define NO_EPOCH UINT64_MAX

// One piece of the input of a hash.
struct piece {
    const void *bytes;
    size_t byte_count;
};

static void hash_pieces(uint8_t *hash, size_t hash_bytes, const uint8_t key[32], const struct piece *pieces,
                        size_t count)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, key, 32, hash_bytes);
    for (size_t i = 0; i < count; i++)
        crypto_generichash_update(&state, pieces[i].bytes, pieces[i].byte_count);
    crypto_generichash_final(&state, hash, hash_bytes);
    sodium_memzero(&state, sizeof state);
}

#define HASH(hash, hash_bytes, key, ...)                                                                               \
    hash_pieces(hash, hash_bytes, key, (struct piece[]){__VA_ARGS__},                                                  \
                sizeof((struct piece[]){__VA_ARGS__}) / sizeof(struct piece))
#define WORD(text) ((struct piece){text, sizeof(text)})

void handshake_server_init(struct handshake_server *server, const uint8_t seed[32], uint32_t protocol)
{
    *server = (struct handshake_server){.protocol = protocol, .epochs = {{.number = NO_EPOCH}, {.number = NO_EPOCH}}};
    crypto_box_seed_keypair(server->public_key, server->secret_key, seed);
    randombytes_buf(server->cookie_key, sizeof server->cookie_key);
}

static bool has_password(const struct handshake_server *server)
{
    return server->password[0] != 0;
}

static struct handshake_keys keys_of(const struct handshake_server *server, const struct handshake_epoch *epoch)
{
    return (struct handshake_keys){server->public_key, epoch->ephemeral_key, epoch->password_share};
}

static void share_password(const struct handshake_server *server, struct handshake_epoch *epoch)
{
    memset(epoch->password_share, 0, sizeof epoch->password_share);
    if (!has_password(server) || epoch->number == NO_EPOCH)
        return;
    struct handshake_keys keys = keys_of(server, epoch);
    struct cpace exchange = handshake_password_exchange(server->password, &keys);
    crypto_core_ristretto255_scalar_random(epoch->password_secret);
    cpace_share(&exchange, epoch->password_secret, epoch->password_share);
}

void handshake_server_password(struct handshake_server *server, const char *password)
{
    sodium_memzero(server->password, sizeof server->password);
    memcpy(server->password, password, strnlen(password, sizeof server->password));
    share_password(server, &server->epochs[0]);
    share_password(server, &server->epochs[1]);
}

void handshake_server_renew(struct handshake_server *server, uint64_t now_ns)
{
    server->epoch = now_ns / COOKIE_EPOCH_NS;
    struct handshake_epoch *epoch = &server->epochs[server->epoch & 1], *before = &server->epochs[~server->epoch & 1];
    if (epoch->number == server->epoch)
        return;
    epoch->number = server->epoch;
    crypto_box_keypair(epoch->ephemeral_key, epoch->ephemeral_secret);
    share_password(server, epoch);
    if (before->number == server->epoch - 1)
        return;
    sodium_memzero(before, sizeof *before); // nobody came for more than an epoch
    before->number = NO_EPOCH;
}

const uint8_t *handshake_nonce(const uint8_t *bytes)
{
    return bytes + HANDSHAKE_AT_NONCE;
}

static bool is_request(const uint8_t *bytes, size_t byte_count, enum datagram_kind kind, size_t size)
{
    return byte_count == size && bytes[0] == kind &&
           little_endian_read(bytes + HANDSHAKE_AT_VERSION, 4) == HANDSHAKE_VERSION;
}

bool handshake_hello_is_valid(const uint8_t *bytes, size_t byte_count)
{
    return is_request(bytes, byte_count, DATAGRAM_HELLO, HELLO_BYTES);
}

// The cookie for the sender of a HELLO or JOIN, by its nonce and its address.
static void cookie_of(const struct handshake_server *server, uint64_t epoch, const struct datagram *request,
                      uint8_t cookie[EPOCH_BYTES])
{
    uint8_t when[8];
    little_endian_write(when, epoch, sizeof when);
    cookie[0] = (uint8_t)epoch;
    HASH(cookie + 1, EPOCH_BYTES - 1, server->cookie_key, {when, sizeof when},
         {request->bytes + HANDSHAKE_AT_NONCE, NONCE_BYTES}, {request->from.bytes, request->from.byte_count});
}

void handshake_cookie_write(const struct handshake_server *server, const struct datagram *hello,
                            uint8_t bytes[COOKIE_BYTES])
{
    const struct handshake_epoch *epoch = &server->epochs[server->epoch & 1];
    bytes[0] = DATAGRAM_COOKIE;
    memcpy(bytes + HANDSHAKE_AT_ANSWERED_NONCE, hello->bytes + HANDSHAKE_AT_NONCE, NONCE_BYTES);
    cookie_of(server, server->epoch, hello, bytes + COOKIE_AT_EPOCH);
    memcpy(bytes + COOKIE_AT_KEY, server->public_key, PUBLIC_KEY_BYTES);
    memcpy(bytes + COOKIE_AT_EPHEMERAL, epoch->ephemeral_key, PUBLIC_KEY_BYTES);
    memcpy(bytes + COOKIE_AT_SHARE, epoch->password_share, CPACE_BYTES);
}

// The epoch that a JOIN claims, if it is one of the two.
static const struct handshake_epoch *epoch_of(const struct handshake_server *server, const uint8_t *join)
{
    return &server->epochs[join[JOIN_AT_EPOCH] & 1];
}

bool handshake_join_is_proven(const struct handshake_server *server, const struct datagram *join)
{
    if (!is_request(join->bytes, join->byte_count, DATAGRAM_JOIN, JOIN_BYTES))
        return false;
    uint8_t cookie[EPOCH_BYTES];
    cookie_of(server, epoch_of(server, join->bytes)->number, join, cookie);
    return sodium_memcmp(cookie, join->bytes + JOIN_AT_EPOCH, EPOCH_BYTES) == 0;
}

const uint8_t *handshake_join_ephemeral_key(const uint8_t *bytes)
{
    return bytes + JOIN_AT_EPHEMERAL;
}

// A ticket proves that its owner has given the password, and in which day (of UTC). The server stores nothing, so it is
// valid after a restart, too.
static void ticket_of(const struct handshake_server *server, const uint8_t static_key[PUBLIC_KEY_BYTES], uint64_t day,
                      uint8_t ticket[NET_TICKET_BYTES])
{
    uint8_t when[8];
    little_endian_write(when, day, sizeof when);
    HASH(ticket, NET_TICKET_BYTES, server->secret_key, WORD("deadfall ticket"), {when, sizeof when},
         {server->password, PASSWORD_BYTES}, {static_key, PUBLIC_KEY_BYTES});
}

// Whether the rest of a JOIN was made with this pre-shared key. The identity in it must be the one that the static key
// belongs to, so no bytes are good under two keys, which would let one JOIN test many passwords.
static bool opens(struct join *join, const uint8_t *bytes, const uint8_t psk[NOISE_KEY_BYTES])
{
    uint8_t key[PUBLIC_KEY_BYTES];
    struct noise noise = join->noise;
    noise_mix_psk(&noise, psk);
    bool good = noise_decrypt(&noise, join->identity, bytes + JOIN_AT_IDENTITY, IDENTITY_BYTES) &&
                crypto_sign_ed25519_pk_to_curve25519(key, join->identity) == 0 &&
                memcmp(key, join->static_key, PUBLIC_KEY_BYTES) == 0;
    if (good)
        join->noise = noise;
    sodium_memzero(&noise, sizeof noise);
    return good;
}

static bool opens_with_ticket(const struct handshake_server *server, struct join *join, const uint8_t *bytes)
{
    uint8_t ticket[NET_TICKET_BYTES];
    uint64_t today = server->unix_s / TICKET_S;
    ticket_of(server, join->static_key, today, ticket);
    bool good = opens(join, bytes, ticket);
    ticket_of(server, join->static_key, today - 1, ticket);
    good = good || opens(join, bytes, ticket);
    sodium_memzero(ticket, sizeof ticket);
    return good;
}

static bool opens_with_password(const struct handshake_server *server, const struct handshake_epoch *epoch,
                                struct join *join, const uint8_t *bytes)
{
    uint8_t key[CPACE_KEY_BYTES];
    const uint8_t *theirs = bytes + JOIN_AT_SHARE;
    struct handshake_keys keys = keys_of(server, epoch);
    struct cpace exchange = handshake_password_exchange(server->password, &keys);
    bool good = cpace_key(&exchange, &(struct cpace_shares){epoch->password_share, theirs}, epoch->password_secret,
                          theirs, key) &&
                opens(join, bytes, key);
    sodium_memzero(key, sizeof key);
    return good;
}

bool handshake_join_read(const struct handshake_server *server, const uint8_t *bytes, struct join *join,
                         enum denial *denial)
{
    static const uint8_t none[NOISE_KEY_BYTES];
    const struct handshake_epoch *epoch = epoch_of(server, bytes);
    struct handshake_keys keys = keys_of(server, epoch);
    memcpy(join->ephemeral_key, bytes + JOIN_AT_EPHEMERAL, PUBLIC_KEY_BYTES);
    handshake_begin_pattern(&join->noise, bytes, &keys);
    if (!noise_mix_exchange(&join->noise, epoch->ephemeral_secret, join->ephemeral_key) ||
        !noise_mix_exchange(&join->noise, server->secret_key, join->ephemeral_key) ||
        !noise_decrypt(&join->noise, join->static_key, bytes + JOIN_AT_STATIC, PUBLIC_KEY_BYTES) ||
        !noise_mix_exchange(&join->noise, epoch->ephemeral_secret, join->static_key))
        return false;
    handshake_refusal_key(&join->noise, bytes, join->refusal_key);
    *denial = DENIAL_NONE;
    if (little_endian_read(bytes + JOIN_AT_PROTOCOL, 4) != server->protocol)
        *denial = DENIAL_VERSION;
    else if (!has_password(server))
        return opens(join, bytes, none);
    else if (!opens_with_ticket(server, join, bytes) && !opens_with_password(server, epoch, join, bytes))
        *denial = DENIAL_PASSWORD;
    return true;
}

static void forget(struct join *join)
{
    sodium_memzero(&join->noise, sizeof join->noise);
    sodium_memzero(join->refusal_key, sizeof join->refusal_key);
}

// The third message: "e, ee" with another ephemeral key of the server, because all joins of an epoch share the first.
void handshake_accept_write(const struct handshake_server *server, struct join *join, const uint8_t nonce[NONCE_BYTES],
                            const struct session_grant *grant, uint8_t bytes[ACCEPT_BYTES],
                            struct packet_crypto *crypto)
{
    uint8_t secret[32], plain[ACCEPT_PLAIN_BYTES], of_server[NOISE_KEY_BYTES], of_client[NOISE_KEY_BYTES];
    struct noise *noise = &join->noise;
    bytes[0] = DATAGRAM_ACCEPT;
    memcpy(bytes + HANDSHAKE_AT_ANSWERED_NONCE, nonce, NONCE_BYTES);
    crypto_box_keypair(bytes + ACCEPT_AT_EPHEMERAL, secret);
    noise_mix_ephemeral(noise, bytes + ACCEPT_AT_EPHEMERAL);
    noise_mix_exchange(noise, secret, join->ephemeral_key); // handshake_join_read() has refused keys that give zero
    little_endian_write(plain, grant->session.index, 2);
    little_endian_write(plain + 2, grant->session.generation, 2);
    ticket_of(server, join->static_key, server->unix_s / TICKET_S, plain + ACCEPT_AT_TICKET);
    memcpy(plain + ACCEPT_AT_RESET, grant->reset_token, SESSION_RESET_TOKEN_BYTES);
    noise_encrypt(noise, bytes + ACCEPT_AT_ENCRYPTED, plain, sizeof plain);
    noise_split(noise, of_server, of_client);
    packet_crypto_init(crypto, of_server, of_client);
    forget(join);
    sodium_memzero(secret, sizeof secret);
    sodium_memzero(plain, sizeof plain);
    sodium_memzero(of_server, sizeof of_server);
    sodium_memzero(of_client, sizeof of_client);
}

void handshake_deny_write(struct join *join, const uint8_t nonce[NONCE_BYTES], enum denial denial, const char *reason,
                          uint8_t bytes[DENY_BYTES])
{
    uint8_t plain[DENY_PLAIN_BYTES] = {(uint8_t)denial};
    memcpy(plain + 1, reason, strnlen(reason, sizeof plain - 1));
    bytes[0] = DATAGRAM_DENY;
    memcpy(bytes + HANDSHAKE_AT_ANSWERED_NONCE, nonce, NONCE_BYTES);
    // Random, because a JOIN that comes again may be refused for another reason.
    randombytes_buf(bytes + DENY_AT_RANDOM, DENY_AT_ENCRYPTED - DENY_AT_RANDOM);
    crypto_aead_xchacha20poly1305_ietf_encrypt(bytes + DENY_AT_ENCRYPTED, NULL, plain, sizeof plain, bytes,
                                               DENY_AT_RANDOM, NULL, bytes + DENY_AT_RANDOM, join->refusal_key);
    forget(join);
}
