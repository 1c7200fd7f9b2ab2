// SPDX-License-Identifier: MIT
#include "handshake.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"

// The epoch and the cookie, which a JOIN returns unchanged.
#define EPOCH_BYTES 17
// What is encrypted in an ACCEPT: session, ticket and reset token.
#define ACCEPT_PLAIN_BYTES (4 + NET_TICKET_BYTES + SESSION_RESET_TOKEN_BYTES)
// What is encrypted in a DENY: the denial, and its reason without the final zero.
#define DENY_PLAIN_BYTES NET_REASON_BYTES

#define NO_EPOCH       UINT64_MAX
#define PROLOGUE_BYTES (JOIN_AT_EPHEMERAL + CPACE_BYTES)

// Offsets in the datagrams.
enum handshake_offset {
    HANDSHAKE_AT_VERSION = 1,
    HANDSHAKE_AT_NONCE = 5,          // of HELLO and JOIN
    HANDSHAKE_AT_ANSWERED_NONCE = 1, // of the answers
    COOKIE_AT_EPOCH = 9,
    COOKIE_AT_KEY = 26,
    COOKIE_AT_EPHEMERAL = 58,
    COOKIE_AT_SHARE = 90,
    JOIN_AT_EPOCH = 13,
    JOIN_AT_PROTOCOL = 30,
    JOIN_AT_SHARE = 34,
    JOIN_AT_EPHEMERAL = 66,
    JOIN_AT_STATIC = 98,
    JOIN_AT_IDENTITY = 146,
    ACCEPT_AT_EPHEMERAL = 9,
    ACCEPT_AT_ENCRYPTED = 41,
    ACCEPT_AT_TICKET = 4, // of what is encrypted
    ACCEPT_AT_RESET = 36,
    DENY_AT_RANDOM = 9,
    DENY_AT_ENCRYPTED = 33,
};

// The public keys of a COOKIE.
struct handshake_keys {
    const uint8_t *static_key, *ephemeral_key;
    const uint8_t *password_share; // zeros: no password is needed
};

static const char PATTERN[] = "Noise_KXpsk2_25519_ChaChaPoly_BLAKE2b", RESET_KEY[] = "deadfall reset key",
                  TICKET_KEY[] = "deadfall ticket key";

_Static_assert(COOKIE_AT_SHARE + CPACE_BYTES == COOKIE_BYTES && COOKIE_BYTES < HELLO_BYTES, "COOKIE");
_Static_assert(JOIN_AT_IDENTITY + IDENTITY_BYTES + NOISE_TAG_BYTES == JOIN_BYTES, "JOIN");
_Static_assert(ACCEPT_AT_ENCRYPTED + ACCEPT_PLAIN_BYTES + NOISE_TAG_BYTES == ACCEPT_BYTES, "ACCEPT");
_Static_assert(DENY_AT_RANDOM + crypto_aead_xchacha20poly1305_ietf_NPUBBYTES == DENY_AT_ENCRYPTED, "DENY");
_Static_assert(DENY_AT_ENCRYPTED + DENY_PLAIN_BYTES + NOISE_TAG_BYTES == DENY_BYTES, "DENY");
_Static_assert(ACCEPT_BYTES <= JOIN_BYTES && DENY_BYTES <= JOIN_BYTES, "no answer is longer than its request");
_Static_assert(NET_TICKET_BYTES == NOISE_KEY_BYTES && PASSWORD_BYTES <= CPACE_TEXT_MAX, "secrets");

// Both sides of CPace agree on the password, on the server, and on its epoch.
static struct cpace password_exchange(const char *password, const struct handshake_keys *server)
{
    return (struct cpace){
        .password = {password, strnlen(password, PASSWORD_BYTES)},
        .channel = {server->static_key, PUBLIC_KEY_BYTES},
        .session = {server->ephemeral_key, PUBLIC_KEY_BYTES},
        .initiator = {"deadfall server", 15},
        .responder = {"deadfall client", 15},
    };
}

// Begins the pattern, up to the token "e" of its second message, with the beginning of a JOIN. The first message, "e"
// of the server, has an empty payload, of which both sides compute the tag: the COOKIE does not contain it, so it costs
// the server nothing.
static void begin_pattern(struct noise *noise, const uint8_t *join, const struct handshake_keys *server)
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

// The key of a refusal is for this very JOIN, every bit of it, and knows nothing of passwords.
static void make_refusal_key(const struct noise *before_psk, const uint8_t *join, uint8_t key[32])
{
    uint8_t hash[NOISE_HASH_BYTES];
    struct noise noise = *before_psk;
    crypto_generichash(hash, sizeof hash, join, JOIN_BYTES, NULL, 0);
    noise_mix_key(&noise, hash, sizeof hash);
    memcpy(key, noise.key, 32);
    sodium_memzero(&noise, sizeof noise);
}

// The client's side.

void handshake_client_init(struct handshake_client *client, const uint8_t seed[32], uint32_t protocol)
{
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
    *client = (struct handshake_client){.protocol = protocol};
    crypto_sign_seed_keypair(client->identity, secret, seed);
    identity_clear_sign(client->identity);
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

// The pre-shared key: zeros if the server needs no password or the client has nothing to prove it, or the ticket, or
// what CPace makes of the password.
static bool client_psk(const struct handshake_client *client, const struct handshake_keys *server, uint8_t psk[32])
{
    uint8_t key[CPACE_KEY_BYTES];
    memset(psk, 0, NOISE_KEY_BYTES);
    if (sodium_is_zero(client->join + JOIN_AT_SHARE, CPACE_BYTES))
        return true;
    if (client->has_ticket) {
        memcpy(psk, client->ticket, NET_TICKET_BYTES);
        return true;
    }
    struct cpace exchange = password_exchange(client->password, server);
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
    // Whether there is a ticket, no listener may know: with one, the share is made and not used. Who has neither a
    // ticket nor a password sends none: they will be asked for it, and have not guessed.
    struct cpace exchange = password_exchange(client->password, &server);
    client->needs_password = !sodium_is_zero(server.password_share, CPACE_BYTES);
    if (!client->needs_password || (!client->has_ticket && client->password[0] == 0))
        memset(join + JOIN_AT_SHARE, 0, CPACE_BYTES);
    else
        cpace_share(&exchange, client->password_secret, join + JOIN_AT_SHARE);
    memcpy(join + JOIN_AT_EPHEMERAL, client->ephemeral_key, PUBLIC_KEY_BYTES);
    begin_pattern(noise, join, &server);
    if (!noise_mix_exchange(noise, client->ephemeral_secret, server.ephemeral_key) ||
        !noise_mix_exchange(noise, client->ephemeral_secret, server.static_key))
        return false;
    noise_encrypt(noise, join + JOIN_AT_STATIC, client->static_key, PUBLIC_KEY_BYTES);
    if (!noise_mix_exchange(noise, client->static_secret, server.ephemeral_key) || !client_psk(client, &server, psk))
        return false;
    struct noise before_psk = *noise;
    noise_mix_psk(noise, psk);
    noise_encrypt(noise, join + JOIN_AT_IDENTITY, client->identity, IDENTITY_BYTES);
    make_refusal_key(&before_psk, join, client->refusal_key);
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

// The server's side.

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
    struct cpace exchange = password_exchange(server->password, &keys);
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
    crypto_generichash_state state;
    uint8_t when[8];
    little_endian_write(when, epoch, sizeof when);
    cookie[0] = (uint8_t)epoch;
    crypto_generichash_init(&state, server->cookie_key, sizeof server->cookie_key, EPOCH_BYTES - 1);
    crypto_generichash_update(&state, when, sizeof when);
    crypto_generichash_update(&state, request->bytes + HANDSHAKE_AT_NONCE, NONCE_BYTES);
    crypto_generichash_update(&state, request->from.bytes, request->from.byte_count);
    crypto_generichash_final(&state, cookie + 1, EPOCH_BYTES - 1);
    sodium_memzero(&state, sizeof state);
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

// A key for one purpose alone, which says nothing about the secret that it comes from or about other ones.
static void subkey_of(const uint8_t secret_key[32], const char *label, uint8_t key[32])
{
    crypto_generichash(key, 32, (const uint8_t *)label, strlen(label), secret_key, 32);
}

// A ticket proves that its owner has given the password, and in which day (of UTC). The server stores nothing, so it is
// valid after a restart, too.
static void ticket_of(const struct handshake_server *server, const uint8_t static_key[PUBLIC_KEY_BYTES], uint64_t day,
                      uint8_t ticket[NET_TICKET_BYTES])
{
    crypto_generichash_state state;
    uint8_t when[8], key[32];
    little_endian_write(when, day, sizeof when);
    subkey_of(server->secret_key, TICKET_KEY, key);
    crypto_generichash_init(&state, key, sizeof key, NET_TICKET_BYTES);
    crypto_generichash_update(&state, when, sizeof when);
    crypto_generichash_update(&state, (const uint8_t *)server->password, PASSWORD_BYTES);
    crypto_generichash_update(&state, static_key, PUBLIC_KEY_BYTES);
    crypto_generichash_final(&state, ticket, NET_TICKET_BYTES);
    sodium_memzero(&state, sizeof state);
    sodium_memzero(key, sizeof key);
}

// Whether the rest of a JOIN was made with this pre-shared key. The identity in it must be the one that the static key
// belongs to, so no bytes are good under two keys, which would let one JOIN test many passwords.
static bool opens(struct join *join, const uint8_t *bytes, const uint8_t psk[NOISE_KEY_BYTES])
{
    uint8_t key[PUBLIC_KEY_BYTES];
    struct noise noise = join->noise;
    noise_mix_psk(&noise, psk);
    bool good = noise_decrypt(&noise, join->identity, bytes + JOIN_AT_IDENTITY, IDENTITY_BYTES) &&
                identity_has_no_sign(join->identity) &&
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

bool handshake_join_try(const struct handshake_server *server, const uint8_t *bytes, struct join *join)
{
    uint8_t key[CPACE_KEY_BYTES];
    const struct handshake_epoch *epoch = epoch_of(server, bytes);
    const uint8_t *theirs = bytes + JOIN_AT_SHARE;
    struct handshake_keys keys = keys_of(server, epoch);
    struct cpace exchange = password_exchange(server->password, &keys);
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
    begin_pattern(&join->noise, bytes, &keys);
    if (!noise_mix_exchange(&join->noise, epoch->ephemeral_secret, join->ephemeral_key) ||
        !noise_mix_exchange(&join->noise, server->secret_key, join->ephemeral_key) ||
        !noise_decrypt(&join->noise, join->static_key, bytes + JOIN_AT_STATIC, PUBLIC_KEY_BYTES) ||
        !noise_mix_exchange(&join->noise, epoch->ephemeral_secret, join->static_key))
        return false;
    make_refusal_key(&join->noise, bytes, join->refusal_key);
    join->has_share = !sodium_is_zero(bytes + JOIN_AT_SHARE, CPACE_BYTES);
    *denial = DENIAL_NONE;
    if (little_endian_read(bytes + JOIN_AT_PROTOCOL, 4) != server->protocol)
        *denial = DENIAL_VERSION;
    else if (!has_password(server))
        return opens(join, bytes, none);
    else if (!opens_with_ticket(server, join, bytes))
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

struct session_grant handshake_grant(const uint8_t secret_key[32], struct session_id session, uint64_t household)
{
    struct session_grant grant = {.session = session};
    uint8_t text[12], key[32];
    little_endian_write(text, session.index, 2);
    little_endian_write(text + 2, session.generation, 2);
    little_endian_write(text + 4, household, 8);
    subkey_of(secret_key, RESET_KEY, key);
    crypto_generichash(grant.reset_token, sizeof grant.reset_token, text, sizeof text, key, sizeof key);
    sodium_memzero(key, sizeof key);
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
