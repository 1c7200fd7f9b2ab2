// SPDX-License-Identifier: MIT
#include "punch_packet.h"

#include <sodium.h>
#include <string.h>

#include "net/query.h"

#define PURPOSE    "deadfall punch 1"
#define FIELDS_MAX 6
#define IPV6_BYTES 18 // of address and port
#define FIELD(name)                                                                                                    \
    {                                                                                                                  \
        offsetof(struct punch_packet, name), sizeof((struct punch_packet *)NULL)->name                                 \
    }

// Each kind, in the order of its bytes behind the mark.
static const struct layout {
    uint8_t letter;
    struct field {
        size_t offset, byte_count;
    } fields[FIELDS_MAX]; // up to one without bytes
} LAYOUTS[PUNCH_PACKET_KINDS] = {
    [PUNCH_PACKET_REGISTER] = {'R', {FIELD(fingerprint), FIELD(nonce), FIELD(cookie), FIELD(varies), FIELD(tag)}},
    [PUNCH_PACKET_ASK] = {'Q', {FIELD(fingerprint), FIELD(nonce), FIELD(cookie)}},
    [PUNCH_PACKET_ANSWER] = {'a',
                             {FIELD(nonce), FIELD(cookie), FIELD(status), FIELD(varies), FIELD(place), FIELD(port)}},
    [PUNCH_PACKET_EXPECT] = {'X', {FIELD(number), FIELD(nonce), FIELD(place), FIELD(tag)}},
    [PUNCH_PACKET_HOLE] = {'H', {FIELD(nonce)}},
};

size_t punch_packet_write(const struct punch_packet *packet, uint8_t bytes[PUNCH_PACKET_BYTES_MAX])
{
    const struct layout *layout = &LAYOUTS[packet->kind];
    uint8_t *at = bytes + QUERY_MARK_BYTES;
    memset(bytes, 0xFF, QUERY_MARK_BYTES);
    *at++ = layout->letter;
    for (size_t i = 0; i < FIELDS_MAX; i++) {
        memcpy(at, (const uint8_t *)packet + layout->fields[i].offset, layout->fields[i].byte_count);
        at += layout->fields[i].byte_count;
    }
    return (size_t)(at - bytes);
}

static size_t bytes_of(const struct layout *layout)
{
    size_t byte_count = QUERY_MARK_BYTES + 1;
    for (size_t i = 0; i < FIELDS_MAX; i++)
        byte_count += layout->fields[i].byte_count;
    return byte_count;
}

bool punch_packet_read(struct punch_packet *packet, const uint8_t *bytes, size_t byte_count)
{
    if (!query_claims(bytes, byte_count))
        return false;
    size_t kind = 0;
    while (kind < PUNCH_PACKET_KINDS && LAYOUTS[kind].letter != bytes[QUERY_MARK_BYTES])
        kind++;
    if (kind == PUNCH_PACKET_KINDS || byte_count != bytes_of(&LAYOUTS[kind]))
        return false;
    const uint8_t *at = bytes + QUERY_MARK_BYTES + 1;
    *packet = (struct punch_packet){.kind = (enum punch_packet_kind)kind};
    for (size_t i = 0; i < FIELDS_MAX; i++) {
        memcpy((uint8_t *)packet + LAYOUTS[kind].fields[i].offset, at, LAYOUTS[kind].fields[i].byte_count);
        at += LAYOUTS[kind].fields[i].byte_count;
    }
    return packet->status < PUNCH_PACKET_STATUSES && packet->varies <= 1;
}

void punch_packet_set_address(struct punch_packet *packet, const struct net_address *address)
{
    uint8_t byte_count = address->byte_count == ADDRESS_BYTES_IPV4 ? ADDRESS_BYTES_IPV4 : IPV6_BYTES;
    memset(packet->place, 0, sizeof packet->place);
    packet->place[0] = byte_count;
    memcpy(packet->place + 1, address->bytes, byte_count);
}

// Everybody's, or nobody's.
static bool is_of_one(const uint8_t *bytes, bool ipv4)
{
    static const uint8_t none[16] = {0};
    return ipv4 ? bytes[0] != 0 && bytes[0] < 224 : bytes[0] != 0xFF && memcmp(bytes, none, sizeof none) != 0;
}

bool punch_packet_address(const struct punch_packet *packet, struct net_address *address)
{
    uint8_t byte_count = packet->place[0];
    bool ipv4 = byte_count == ADDRESS_BYTES_IPV4;
    const uint8_t *bytes = packet->place + 1;
    if ((!ipv4 && byte_count != IPV6_BYTES) || !is_of_one(bytes, ipv4) ||
        (bytes[byte_count - 2] == 0 && bytes[byte_count - 1] == 0))
        return false;
    *address = (struct net_address){.byte_count = ipv4 ? ADDRESS_BYTES_IPV4 : ADDRESS_BYTES_MAX};
    memcpy(address->bytes, bytes, byte_count);
    return true;
}

bool punch_packet_key(const uint8_t secret[32], const uint8_t theirs[32], uint8_t key[PUNCH_PACKET_KEY_BYTES])
{
    uint8_t shared[crypto_scalarmult_BYTES];
    if (crypto_scalarmult(shared, secret, theirs) != 0)
        return false;
    crypto_generichash(key, PUNCH_PACKET_KEY_BYTES, (const uint8_t *)PURPOSE, sizeof PURPOSE - 1, shared,
                       sizeof shared);
    sodium_memzero(shared, sizeof shared);
    return true;
}

static void compute_tag(const uint8_t *bytes, size_t byte_count, const uint8_t *key, const uint8_t *nonce,
                        uint8_t tag[PUNCH_PACKET_TAG_BYTES])
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, key, PUNCH_PACKET_KEY_BYTES, PUNCH_PACKET_TAG_BYTES);
    crypto_generichash_update(&state, nonce, 8);
    crypto_generichash_update(&state, bytes, byte_count - PUNCH_PACKET_TAG_BYTES);
    crypto_generichash_final(&state, tag, PUNCH_PACKET_TAG_BYTES);
}

void punch_packet_authenticate(uint8_t *bytes, size_t byte_count, const uint8_t key[PUNCH_PACKET_KEY_BYTES],
                               const uint8_t nonce[8])
{
    compute_tag(bytes, byte_count, key, nonce, bytes + byte_count - PUNCH_PACKET_TAG_BYTES);
}

bool punch_packet_is_authentic(const uint8_t *bytes, size_t byte_count, const uint8_t key[PUNCH_PACKET_KEY_BYTES],
                               const uint8_t nonce[8])
{
    uint8_t tag[PUNCH_PACKET_TAG_BYTES];
    compute_tag(bytes, byte_count, key, nonce, tag);
    return sodium_memcmp(tag, bytes + byte_count - PUNCH_PACKET_TAG_BYTES, sizeof tag) == 0;
}
