// SPDX-License-Identifier: MIT
#include "handshake.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"

// Offsets in the datagrams; handshake.h has the tables.
enum {
    AT_VERSION = 1,
    AT_NONCE = 5, // HELLO and JOIN
    AT_ANSWERED_NONCE = 1,
    COOKIE_AT_EPOCH = 9,
    COOKIE_AT_KEY = 26,
    JOIN_AT_EPOCH = 13,
    JOIN_AT_PROTOCOL = 30,
    JOIN_AT_EPHEMERAL = 34,
    JOIN_AT_ENCRYPTED = 66,
    ACCEPT_AT_EPHEMERAL = 9,
    ACCEPT_AT_ENCRYPTED = 41,
    DENY_AT_REASON = 9,
    DENY_AT_ENCRYPTED = 10,
};

// Offsets in the encrypted part of a JOIN.
enum { PLAIN_IDENTITY = 0, PLAIN_SIGNATURE = 32, PLAIN_SECRET_KIND = 96, PLAIN_SECRET = 97 };

#define MAC_BYTES          16
#define EPOCH_BYTES        (1 + MAC_BYTES) // the epoch and the cookie, returned unchanged
#define JOIN_PLAIN_BYTES   (JOIN_BYTES - JOIN_AT_ENCRYPTED - PACKET_CRYPTO_TAG_BYTES)
#define ACCEPT_PLAIN_BYTES (2 + NET_TICKET_BYTES)

_Static_assert(ACCEPT_AT_ENCRYPTED + ACCEPT_PLAIN_BYTES + PACKET_CRYPTO_TAG_BYTES == ACCEPT_BYTES, "ACCEPT");
_Static_assert(DENY_AT_ENCRYPTED == DENY_BYTES && DENY_REASON_BYTES <= JOIN_BYTES, "DENY");
_Static_assert(COOKIE_AT_KEY + PUBLIC_KEY_BYTES == COOKIE_BYTES && COOKIE_BYTES <= 64, "COOKIE");
_Static_assert(PLAIN_SECRET + JOIN_SECRET_BYTES <= JOIN_PLAIN_BYTES, "JOIN");

// One piece of the input of a hash.
struct piece {
    const void *bytes;
    size_t byte_count;
};

static void hash_pieces(uint8_t *hash, size_t hash_bytes, const uint8_t *key, const struct piece *pieces, size_t count)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, key, key ? 32 : 0, hash_bytes);
    for (size_t i = 0; i < count; i++)
        crypto_generichash_update(&state, pieces[i].bytes, pieces[i].byte_count);
    crypto_generichash_final(&state, hash, hash_bytes);
}

#define HASH(hash, hash_bytes, key, ...)                                                                               \
    hash_pieces(hash, hash_bytes, key, (struct piece[]){__VA_ARGS__},                                                  \
                sizeof((struct piece[]){__VA_ARGS__}) / sizeof(struct piece))
#define WORD(text) ((struct piece){text, sizeof(text)})

// Every key here encrypts only one message, so the nonce may be zero.
static const uint8_t zero_nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];

static void encrypt_once(uint8_t *encrypted, const uint8_t *plain, size_t plain_bytes, const uint8_t *header,
                         size_t header_bytes, const uint8_t key[32])
{
    crypto_aead_chacha20poly1305_ietf_encrypt(encrypted, NULL, plain, plain_bytes, header, header_bytes, NULL,
                                              zero_nonce, key);
}

static bool decrypt_once(uint8_t *plain, const uint8_t *encrypted, size_t plain_bytes, const uint8_t *header,
                         size_t header_bytes, const uint8_t key[32])
{
    return crypto_aead_chacha20poly1305_ietf_decrypt(plain, NULL, NULL, encrypted,
                                                     plain_bytes + PACKET_CRYPTO_TAG_BYTES, header, header_bytes,
                                                     zero_nonce, key) == 0;
}

void handshake_server_init(struct handshake_server *server, const uint8_t seed[32], uint32_t protocol)
{
    *server = (struct handshake_server){.protocol = protocol};
    crypto_box_seed_keypair(server->public_key, server->secret_key, seed);
    randombytes_buf(server->cookie_key, sizeof server->cookie_key);
}

void handshake_server_password(struct handshake_server *server, const char *password)
{
    memset(server->password, 0, sizeof server->password);
    memcpy(server->password, password, strnlen(password, sizeof server->password));
}

void handshake_client_init(struct handshake_client *client, const uint8_t seed[32], uint32_t protocol)
{
    *client = (struct handshake_client){.protocol = protocol};
    crypto_sign_seed_keypair(client->identity, client->identity_secret, seed);
    crypto_box_keypair(client->ephemeral_key, client->ephemeral_secret);
    randombytes_buf(client->nonce, sizeof client->nonce);
}

const uint8_t *handshake_nonce(const uint8_t *bytes)
{
    return bytes + AT_NONCE;
}

void handshake_hello_write(const struct handshake_client *client, uint8_t bytes[HELLO_BYTES])
{
    memset(bytes, 0, HELLO_BYTES);
    bytes[0] = DATAGRAM_HELLO;
    little_endian_write(bytes + AT_VERSION, HANDSHAKE_VERSION, 4);
    memcpy(bytes + AT_NONCE, client->nonce, NONCE_BYTES);
}

static bool is_request(const uint8_t *bytes, size_t byte_count, enum datagram_kind kind, size_t size)
{
    return byte_count == size && bytes[0] == kind && little_endian_read(bytes + AT_VERSION, 4) == HANDSHAKE_VERSION;
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
    HASH(cookie + 1, MAC_BYTES, server->cookie_key, {when, sizeof when}, {request->bytes + AT_NONCE, NONCE_BYTES},
         {request->from.bytes, request->from.byte_count});
}

void handshake_cookie_write(const struct handshake_server *server, const struct datagram *hello,
                            uint8_t bytes[COOKIE_BYTES])
{
    bytes[0] = DATAGRAM_COOKIE;
    memcpy(bytes + AT_ANSWERED_NONCE, hello->bytes + AT_NONCE, NONCE_BYTES);
    cookie_of(server, hello->now_ns / COOKIE_EPOCH_NS, hello, bytes + COOKIE_AT_EPOCH);
    memcpy(bytes + COOKIE_AT_KEY, server->public_key, PUBLIC_KEY_BYTES);
}

static bool answers(const struct handshake_client *client, const uint8_t *bytes, size_t byte_count,
                    enum datagram_kind kind, size_t size)
{
    return byte_count == size && bytes[0] == kind && memcmp(bytes + AT_ANSWERED_NONCE, client->nonce, NONCE_BYTES) == 0;
}

// The key that encrypts a JOIN: only the client and the owner of the server's secret key can compute it.
static void join_key(uint8_t key[32], const uint8_t shared[32], const uint8_t *join, const uint8_t *server_key)
{
    HASH(key, 32, NULL, WORD("deadfall join"), {shared, 32}, {join + JOIN_AT_EPHEMERAL, PUBLIC_KEY_BYTES},
         {server_key, PUBLIC_KEY_BYTES});
}

// What a client signs: this attempt with this server, and no other.
static void signed_hash(uint8_t hash[32], const uint8_t *join, const uint8_t *server_key)
{
    HASH(hash, 32, NULL, WORD("deadfall identity"), {join, JOIN_AT_ENCRYPTED}, {server_key, PUBLIC_KEY_BYTES});
}

static bool join_write(struct handshake_client *client, const uint8_t cookie[EPOCH_BYTES])
{
    uint8_t *join = client->join, shared[32], key[32], hash[32], plain[JOIN_PLAIN_BYTES] = {0};
    if (crypto_scalarmult(shared, client->ephemeral_secret, client->server_key) != 0)
        return false;
    join[0] = DATAGRAM_JOIN;
    little_endian_write(join + AT_VERSION, HANDSHAKE_VERSION, 4);
    memcpy(join + AT_NONCE, client->nonce, NONCE_BYTES);
    memcpy(join + JOIN_AT_EPOCH, cookie, EPOCH_BYTES);
    little_endian_write(join + JOIN_AT_PROTOCOL, client->protocol, 4);
    memcpy(join + JOIN_AT_EPHEMERAL, client->ephemeral_key, PUBLIC_KEY_BYTES);
    signed_hash(hash, join, client->server_key);
    memcpy(plain + PLAIN_IDENTITY, client->identity, IDENTITY_BYTES);
    crypto_sign_detached(plain + PLAIN_SIGNATURE, NULL, hash, sizeof hash, client->identity_secret);
    plain[PLAIN_SECRET_KIND] = (uint8_t)client->secret_kind;
    memcpy(plain + PLAIN_SECRET, client->secret, JOIN_SECRET_BYTES);
    join_key(key, shared, join, client->server_key);
    encrypt_once(join + JOIN_AT_ENCRYPTED, plain, sizeof plain, join, JOIN_AT_ENCRYPTED, key);
    return true;
}

bool handshake_cookie_read(struct handshake_client *client, const uint8_t *bytes, size_t byte_count)
{
    if (!answers(client, bytes, byte_count, DATAGRAM_COOKIE, COOKIE_BYTES))
        return false;
    memcpy(client->server_key, bytes + COOKIE_AT_KEY, PUBLIC_KEY_BYTES);
    return join_write(client, bytes + COOKIE_AT_EPOCH);
}

bool handshake_join_is_proven(const struct handshake_server *server, const struct datagram *join)
{
    if (!is_request(join->bytes, join->byte_count, DATAGRAM_JOIN, JOIN_BYTES))
        return false;
    uint64_t epoch = join->now_ns / COOKIE_EPOCH_NS;
    if ((uint8_t)epoch != join->bytes[JOIN_AT_EPOCH])
        epoch--;
    uint8_t cookie[EPOCH_BYTES];
    cookie_of(server, epoch, join, cookie);
    return sodium_memcmp(cookie, join->bytes + JOIN_AT_EPOCH, EPOCH_BYTES) == 0;
}

const uint8_t *handshake_join_ephemeral_key(const uint8_t *bytes)
{
    return bytes + JOIN_AT_EPHEMERAL;
}

// Proves until when an identity has given the current password. The server stores nothing, so a ticket is valid after a
// restart, too.
static void ticket_of(const struct handshake_server *server, const uint8_t identity[IDENTITY_BYTES], uint64_t until_s,
                      uint8_t ticket[JOIN_SECRET_BYTES])
{
    memset(ticket, 0, JOIN_SECRET_BYTES);
    little_endian_write(ticket, until_s, 8);
    HASH(ticket + 8, NET_TICKET_BYTES - 8, server->secret_key, WORD("deadfall ticket"), {ticket, 8},
         {server->password, JOIN_SECRET_BYTES}, {identity, IDENTITY_BYTES});
}

static bool secret_is_right(const struct handshake_server *server, const uint8_t *plain)
{
    uint8_t ticket[JOIN_SECRET_BYTES];
    if (sodium_is_zero(server->password, sizeof server->password))
        return true;
    uint64_t until_s = little_endian_read(plain + PLAIN_SECRET, 8);
    ticket_of(server, plain + PLAIN_IDENTITY, until_s, ticket);
    if (plain[PLAIN_SECRET_KIND] == SECRET_TICKET && (until_s < server->unix_s || until_s > server->unix_s + TICKET_S))
        return false;
    const uint8_t *wanted = plain[PLAIN_SECRET_KIND] == SECRET_TICKET ? ticket : server->password;
    return plain[PLAIN_SECRET_KIND] != SECRET_NONE &&
           sodium_memcmp(wanted, plain + PLAIN_SECRET, JOIN_SECRET_BYTES) == 0;
}

bool handshake_join_read(const struct handshake_server *server, const uint8_t *bytes, struct join *join,
                         enum denial *denial)
{
    uint8_t key[32], hash[32], plain[JOIN_PLAIN_BYTES];
    *denial = little_endian_read(bytes + JOIN_AT_PROTOCOL, 4) == server->protocol ? DENIAL_NONE : DENIAL_VERSION;
    if (*denial != DENIAL_NONE)
        return true;
    memcpy(join->ephemeral_key, bytes + JOIN_AT_EPHEMERAL, PUBLIC_KEY_BYTES);
    if (crypto_scalarmult(join->shared, server->secret_key, join->ephemeral_key) != 0)
        return false;
    join_key(key, join->shared, bytes, server->public_key);
    if (!decrypt_once(plain, bytes + JOIN_AT_ENCRYPTED, sizeof plain, bytes, JOIN_AT_ENCRYPTED, key))
        return false;
    signed_hash(hash, bytes, server->public_key);
    if (crypto_sign_verify_detached(plain + PLAIN_SIGNATURE, hash, sizeof hash, plain + PLAIN_IDENTITY) != 0)
        return false;
    memcpy(join->identity, plain + PLAIN_IDENTITY, IDENTITY_BYTES);
    HASH(join->hash, sizeof join->hash, NULL, {bytes, JOIN_BYTES});
    *denial = secret_is_right(server, plain) ? DENIAL_NONE : DENIAL_PASSWORD;
    return true;
}

// The keys of a session: for its ACCEPT, for what the client sends, and for what the server sends.
struct session_keys {
    uint8_t accept[32], of_client[32], of_server[32];
};

static void session_keys(struct session_keys *keys, const uint8_t shared[32], const uint8_t shared_ephemeral[32],
                         const uint8_t join_hash[32], const uint8_t *server_key, const uint8_t *ephemeral_key)
{
    uint8_t root[32];
    HASH(root, sizeof root, NULL, WORD("deadfall session"), {shared, 32}, {shared_ephemeral, 32}, {join_hash, 32},
         {server_key, PUBLIC_KEY_BYTES}, {ephemeral_key, PUBLIC_KEY_BYTES});
    crypto_kdf_derive_from_key(keys->accept, 32, 1, "deadfall", root);
    crypto_kdf_derive_from_key(keys->of_client, 32, 2, "deadfall", root);
    crypto_kdf_derive_from_key(keys->of_server, 32, 3, "deadfall", root);
}

void handshake_accept_write(const struct handshake_server *server, const struct join *join,
                            const uint8_t nonce[NONCE_BYTES], uint16_t session, uint8_t bytes[ACCEPT_BYTES],
                            struct packet_crypto *crypto)
{
    uint8_t secret[32], shared[32], ticket[JOIN_SECRET_BYTES], plain[ACCEPT_PLAIN_BYTES];
    bytes[0] = DATAGRAM_ACCEPT;
    memcpy(bytes + AT_ANSWERED_NONCE, nonce, NONCE_BYTES);
    crypto_box_keypair(bytes + ACCEPT_AT_EPHEMERAL, secret);
    if (crypto_scalarmult(shared, secret, join->ephemeral_key) != 0)
        memset(shared, 0, sizeof shared); // handshake_join_read() has refused such keys
    struct session_keys keys;
    session_keys(&keys, join->shared, shared, join->hash, server->public_key, bytes + ACCEPT_AT_EPHEMERAL);
    ticket_of(server, join->identity, server->unix_s + TICKET_S, ticket);
    little_endian_write(plain, session, 2);
    memcpy(plain + 2, ticket, NET_TICKET_BYTES);
    encrypt_once(bytes + ACCEPT_AT_ENCRYPTED, plain, sizeof plain, bytes, ACCEPT_AT_ENCRYPTED, keys.accept);
    packet_crypto_init(crypto, keys.of_server, keys.of_client);
}

bool handshake_accept_read(struct handshake_client *client, const uint8_t *bytes, size_t byte_count, uint16_t *session,
                           struct packet_crypto *crypto)
{
    uint8_t shared[32], shared_ephemeral[32], hash[32], plain[ACCEPT_PLAIN_BYTES];
    if (!answers(client, bytes, byte_count, DATAGRAM_ACCEPT, ACCEPT_BYTES) ||
        crypto_scalarmult(shared, client->ephemeral_secret, client->server_key) != 0 ||
        crypto_scalarmult(shared_ephemeral, client->ephemeral_secret, bytes + ACCEPT_AT_EPHEMERAL) != 0)
        return false;
    struct session_keys keys;
    HASH(hash, sizeof hash, NULL, {client->join, JOIN_BYTES});
    session_keys(&keys, shared, shared_ephemeral, hash, client->server_key, bytes + ACCEPT_AT_EPHEMERAL);
    if (!decrypt_once(plain, bytes + ACCEPT_AT_ENCRYPTED, sizeof plain, bytes, ACCEPT_AT_ENCRYPTED, keys.accept))
        return false;
    *session = (uint16_t)little_endian_read(plain, 2);
    client->secret_kind = SECRET_TICKET;
    memset(client->secret, 0, sizeof client->secret);
    memcpy(client->secret, plain + 2, NET_TICKET_BYTES);
    packet_crypto_init(crypto, keys.of_client, keys.of_server);
    return true;
}

void handshake_deny_write(const uint8_t nonce[NONCE_BYTES], enum denial denial, uint8_t bytes[DENY_BYTES])
{
    bytes[0] = DATAGRAM_DENY;
    memcpy(bytes + AT_ANSWERED_NONCE, nonce, NONCE_BYTES);
    bytes[DENY_AT_REASON] = (uint8_t)denial;
}

// The key that encrypts the reason of a DENY: that of the JOIN which it answers, for the other direction.
static void deny_key(uint8_t key[32], const uint8_t shared[32], const uint8_t *join, const uint8_t *server_key)
{
    HASH(key, 32, NULL, WORD("deadfall deny"), {shared, 32}, {join, JOIN_BYTES}, {server_key, PUBLIC_KEY_BYTES});
}

void handshake_deny_write_reason(const struct handshake_server *server, const struct join *join,
                                 const uint8_t *join_bytes, enum denial denial, const char *reason,
                                 uint8_t bytes[DENY_REASON_BYTES])
{
    uint8_t key[32], plain[NET_REASON_BYTES - 1] = {0};
    handshake_deny_write(handshake_nonce(join_bytes), denial, bytes);
    memcpy(plain, reason, strnlen(reason, sizeof plain));
    deny_key(key, join->shared, join_bytes, server->public_key);
    encrypt_once(bytes + DENY_AT_ENCRYPTED, plain, sizeof plain, bytes, DENY_AT_ENCRYPTED, key);
}

enum denial handshake_deny_read(const struct handshake_client *client, const uint8_t *bytes, size_t byte_count,
                                char reason[NET_REASON_BYTES])
{
    uint8_t key[32], shared[32];
    bool has_reason = byte_count == DENY_REASON_BYTES;
    memset(reason, 0, NET_REASON_BYTES);
    if (!answers(client, bytes, byte_count, DATAGRAM_DENY, has_reason ? DENY_REASON_BYTES : DENY_BYTES) ||
        bytes[DENY_AT_REASON] > DENIAL_PASSWORD)
        return DENIAL_NONE;
    if (has_reason) {
        if (crypto_scalarmult(shared, client->ephemeral_secret, client->server_key) != 0)
            return DENIAL_NONE;
        deny_key(key, shared, client->join, client->server_key);
        if (!decrypt_once((uint8_t *)reason, bytes + DENY_AT_ENCRYPTED, NET_REASON_BYTES - 1, bytes, DENY_AT_ENCRYPTED,
                          key))
            return DENIAL_NONE;
    }
    return (enum denial)bytes[DENY_AT_REASON];
}

const char *handshake_denial_text(enum denial denial)
{
    switch (denial) {
    case DENIAL_NONE:
        return "";
    case DENIAL_FULL:
        return "The server is full: try again later or choose another one.";
    case DENIAL_VERSION:
        return "The server plays another version of the game: install the same version on both sides.";
    case DENIAL_BANNED:
        return "The server has banned you: ask its operator.";
    case DENIAL_PASSWORD:
        return "The server asks for a password: give the right one.";
    }
    return "";
}
