// SPDX-License-Identifier: MIT
#include "handshake.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"

#define PROLOGUE_BYTES (JOIN_AT_EPHEMERAL + CPACE_BYTES)

static const char PATTERN[] = "Noise_KXpsk2_25519_ChaChaPoly_BLAKE2b", RESET_LABEL[] = "deadfall reset";

_Static_assert(COOKIE_AT_SHARE + CPACE_BYTES == COOKIE_BYTES && COOKIE_BYTES < HELLO_BYTES, "COOKIE");
_Static_assert(JOIN_AT_IDENTITY + IDENTITY_BYTES + NOISE_TAG_BYTES == JOIN_BYTES, "JOIN");
_Static_assert(ACCEPT_AT_ENCRYPTED + ACCEPT_PLAIN_BYTES + NOISE_TAG_BYTES == ACCEPT_BYTES, "ACCEPT");
_Static_assert(DENY_AT_RANDOM + crypto_aead_xchacha20poly1305_ietf_NPUBBYTES == DENY_AT_ENCRYPTED, "DENY");
_Static_assert(DENY_AT_ENCRYPTED + DENY_PLAIN_BYTES + NOISE_TAG_BYTES == DENY_BYTES, "DENY");
_Static_assert(ACCEPT_BYTES <= JOIN_BYTES && DENY_BYTES <= JOIN_BYTES, "no answer is longer than its request");
_Static_assert(NET_TICKET_BYTES == NOISE_KEY_BYTES && PASSWORD_BYTES <= CPACE_TEXT_MAX, "secrets");

struct cpace handshake_password_exchange(const char *password, const struct handshake_keys *server)
{
    return (struct cpace){
        .password = {password, strnlen(password, PASSWORD_BYTES)},
        .channel = {server->static_key, PUBLIC_KEY_BYTES},
        .session = {server->ephemeral_key, PUBLIC_KEY_BYTES},
        .initiator = {"deadfall server", 15},
        .responder = {"deadfall client", 15},
    };
}

// The first message, "e" of the server, has an empty payload, of which both
// sides compute the tag: the COOKIE does not contain it, so it costs the server nothing.
void handshake_begin_pattern(struct noise *noise, const uint8_t *join, const struct handshake_keys *server)
{
    uint8_t prologue[PROLOGUE_BYTES], tag[NOISE_TAG_BYTES];
    memcpy(prologue, join, JOIN_AT_EPHEMERAL);
    memcpy(prologue + JOIN_AT_EPHEMERAL, server->password_share, CPACE_BYTES);
    noise_begin(noise, PATTERN);
    noise_mix_hash(noise, prologue, sizeof prologue);
    noise_mix_hash(noise, server->static_key, PUBLIC_KEY_BYTES);
    noise_mix_ephemeral(noise, server->ephemeral_key);
    noise_encrypt(noise, tag, NULL, 0);
    noise_mix_ephemeral(noise, join + JOIN_AT_EPHEMERAL);
}

void handshake_refusal_key(const struct noise *before_psk, const uint8_t *join, uint8_t key[32])
{
    uint8_t hash[NOISE_HASH_BYTES];
    struct noise noise = *before_psk;
    crypto_generichash(hash, sizeof hash, join, JOIN_BYTES, NULL, 0);
    noise_mix_key(&noise, hash, sizeof hash);
    memcpy(key, noise.key, 32);
    sodium_memzero(&noise, sizeof noise);
}

void handshake_client_init(struct handshake_client *client, const uint8_t seed[32], uint32_t protocol)
{
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
    *client = (struct handshake_client){.protocol = protocol};
    crypto_sign_seed_keypair(client->identity, secret, seed);
    crypto_sign_ed25519_sk_to_curve25519(client->static_secret, secret);
    crypto_scalarmult_base(client->static_key, client->static_secret);
    sodium_memzero(secret, sizeof secret);
    randombytes_buf(client->nonce, sizeof client->nonce);
    crypto_box_keypair(client->ephemeral_key, client->ephemeral_secret);
    crypto_core_ristretto255_scalar_random(client->password_secret);
}

void handshake_hello_write(const struct handshake_client *client, uint8_t bytes[HELLO_BYTES])
{
    memset(bytes, 0, HELLO_BYTES);
    bytes[0] = DATAGRAM_HELLO;
    little_endian_write(bytes + HANDSHAKE_AT_VERSION, HANDSHAKE_VERSION, 4);
    memcpy(bytes + HANDSHAKE_AT_NONCE, client->nonce, NONCE_BYTES);
}

static bool answers(const struct handshake_client *client, const uint8_t *bytes, size_t byte_count,
                    enum datagram_kind kind, size_t size)
{
    return byte_count == size && bytes[0] == kind &&
           memcmp(bytes + HANDSHAKE_AT_ANSWERED_NONCE, client->nonce, NONCE_BYTES) == 0;
}

// The pre-shared key: zeros if the server needs no password, or the ticket, or what CPace makes of the password.
static bool client_psk(const struct handshake_client *client, const struct handshake_keys *server, uint8_t psk[32])
{
    uint8_t key[CPACE_KEY_BYTES];
    memset(psk, 0, NOISE_KEY_BYTES);
    if (sodium_is_zero(server->password_share, CPACE_BYTES))
        return true;
    if (client->has_ticket) {
        memcpy(psk, client->ticket, NET_TICKET_BYTES);
        return true;
    }
    struct cpace exchange = handshake_password_exchange(client->password, server);
    struct cpace_shares shares = {server->password_share, client->join + JOIN_AT_SHARE};
    bool good = cpace_key(&exchange, &shares, client->password_secret, server->password_share, key);
    if (good)
        memcpy(psk, key, NOISE_KEY_BYTES);
    sodium_memzero(key, sizeof key);
    return good;
}

bool handshake_cookie_read(struct handshake_client *client, const uint8_t *bytes, size_t byte_count)
{
    if (!answers(client, bytes, byte_count, DATAGRAM_COOKIE, COOKIE_BYTES))
        return false;
    struct handshake_keys server = {bytes + COOKIE_AT_KEY, bytes + COOKIE_AT_EPHEMERAL, bytes + COOKIE_AT_SHARE};
    uint8_t *join = client->join, psk[NOISE_KEY_BYTES];
    struct noise *noise = &client->noise;
    memcpy(client->server_key, server.static_key, PUBLIC_KEY_BYTES);
    join[0] = DATAGRAM_JOIN;
    little_endian_write(join + HANDSHAKE_AT_VERSION, HANDSHAKE_VERSION, 4);
    memcpy(join + HANDSHAKE_AT_NONCE, client->nonce, NONCE_BYTES);
    memcpy(join + JOIN_AT_EPOCH, bytes + COOKIE_AT_EPOCH, EPOCH_BYTES);
    little_endian_write(join + JOIN_AT_PROTOCOL, client->protocol, 4);
    // Whether there is a ticket, no listener may know: with one, the share is made and not used.
    struct cpace exchange = handshake_password_exchange(client->password, &server);
    if (sodium_is_zero(server.password_share, CPACE_BYTES))
        memset(join + JOIN_AT_SHARE, 0, CPACE_BYTES);
    else
        cpace_share(&exchange, client->password_secret, join + JOIN_AT_SHARE);
    memcpy(join + JOIN_AT_EPHEMERAL, client->ephemeral_key, PUBLIC_KEY_BYTES);
    handshake_begin_pattern(noise, join, &server);
    if (!noise_mix_exchange(noise, client->ephemeral_secret, server.ephemeral_key) ||
        !noise_mix_exchange(noise, client->ephemeral_secret, server.static_key))
        return false;
    noise_encrypt(noise, join + JOIN_AT_STATIC, client->static_key, PUBLIC_KEY_BYTES);
    if (!noise_mix_exchange(noise, client->static_secret, server.ephemeral_key) || !client_psk(client, &server, psk))
        return false;
    struct noise before_psk = *noise;
    noise_mix_psk(noise, psk);
    noise_encrypt(noise, join + JOIN_AT_IDENTITY, client->identity, IDENTITY_BYTES);
    handshake_refusal_key(&before_psk, join, client->refusal_key);
    sodium_memzero(&before_psk, sizeof before_psk);
    sodium_memzero(psk, sizeof psk);
    return true;
}

bool handshake_accept_read(struct handshake_client *client, const uint8_t *bytes, size_t byte_count,
                           struct session_grant *grant, struct packet_crypto *crypto)
{
    uint8_t plain[ACCEPT_PLAIN_BYTES], of_server[NOISE_KEY_BYTES], of_client[NOISE_KEY_BYTES];
    if (!answers(client, bytes, byte_count, DATAGRAM_ACCEPT, ACCEPT_BYTES))
        return false;
    struct noise noise = client->noise;
    noise_mix_ephemeral(&noise, bytes + ACCEPT_AT_EPHEMERAL);
    bool good = noise_mix_exchange(&noise, client->ephemeral_secret, bytes + ACCEPT_AT_EPHEMERAL) &&
                noise_decrypt(&noise, plain, bytes + ACCEPT_AT_ENCRYPTED, sizeof plain);
    if (good) {
        grant->session.index = (uint16_t)little_endian_read(plain, 2);
        grant->session.generation = (uint16_t)little_endian_read(plain + 2, 2);
        client->has_ticket = true;
        memcpy(client->ticket, plain + ACCEPT_AT_TICKET, NET_TICKET_BYTES);
        memcpy(grant->reset_token, plain + ACCEPT_AT_RESET, SESSION_RESET_TOKEN_BYTES);
        noise_split(&noise, of_server, of_client);
        packet_crypto_init(crypto, of_client, of_server);
        sodium_memzero(client->static_secret, sizeof client->static_secret);
        sodium_memzero(client->ephemeral_secret, sizeof client->ephemeral_secret);
        sodium_memzero(client->password_secret, sizeof client->password_secret);
        sodium_memzero(client->password, sizeof client->password);
        sodium_memzero(client->refusal_key, sizeof client->refusal_key);
        sodium_memzero(&client->noise, sizeof client->noise);
    }
    sodium_memzero(&noise, sizeof noise);
    sodium_memzero(plain, sizeof plain);
    sodium_memzero(of_server, sizeof of_server);
    sodium_memzero(of_client, sizeof of_client);
    return good;
}

enum denial handshake_deny_read(const struct handshake_client *client, const uint8_t *bytes, size_t byte_count,
                                char reason[NET_REASON_BYTES])
{
    uint8_t plain[DENY_PLAIN_BYTES];
    memset(reason, 0, NET_REASON_BYTES);
    if (!answers(client, bytes, byte_count, DATAGRAM_DENY, DENY_BYTES) ||
        crypto_aead_xchacha20poly1305_ietf_decrypt(plain, NULL, NULL, bytes + DENY_AT_ENCRYPTED,
                                                   DENY_BYTES - DENY_AT_ENCRYPTED, bytes, DENY_AT_RANDOM,
                                                   bytes + DENY_AT_RANDOM, client->refusal_key) != 0 ||
        plain[0] > DENIAL_PASSWORD)
        return DENIAL_NONE;
    memcpy(reason, plain + 1, sizeof plain - 1);
    return (enum denial)plain[0];
}

struct session_grant handshake_grant(const uint8_t secret_key[32], struct session_id session, uint64_t household)
{
    struct session_grant grant = {.session = session};
    uint8_t text[sizeof RESET_LABEL + 12];
    memcpy(text, RESET_LABEL, sizeof RESET_LABEL);
    little_endian_write(text + sizeof RESET_LABEL, session.index, 2);
    little_endian_write(text + sizeof RESET_LABEL + 2, session.generation, 2);
    little_endian_write(text + sizeof RESET_LABEL + 4, household, 8);
    crypto_generichash(grant.reset_token, sizeof grant.reset_token, text, sizeof text, secret_key, 32);
    return grant;
}

void handshake_reset_write(const struct session_grant *grant, uint8_t bytes[SESSION_RESET_BYTES])
{
    bytes[0] = DATAGRAM_RESET;
    little_endian_write(bytes + 1, grant->session.index, 2);
    little_endian_write(bytes + 3, grant->session.generation, 2);
    memcpy(bytes + 5, grant->reset_token, SESSION_RESET_TOKEN_BYTES);
}

bool handshake_reset_claims(const struct session_grant *grant, const uint8_t *bytes, size_t byte_count)
{
    uint8_t expected[SESSION_RESET_BYTES];
    handshake_reset_write(grant, expected);
    return byte_count == sizeof expected && sodium_memcmp(bytes, expected, sizeof expected) == 0;
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
