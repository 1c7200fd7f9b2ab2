// SPDX-License-Identifier: MIT
#include "address_cookie.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"

_Static_assert(ADDRESS_COOKIE_KEY_BYTES == crypto_shorthash_KEYBYTES, "cookies are hashed by SipHash");

static uint64_t cookie_of(const uint8_t *key, const struct net_address *from, uint64_t epoch)
{
    uint8_t text[ADDRESS_BYTES_MAX + 8] = {0}, hash[crypto_shorthash_BYTES];
    memcpy(text, from->bytes, from->byte_count);
    little_endian_write(text + ADDRESS_BYTES_MAX, epoch, 8);
    crypto_shorthash(hash, text, sizeof text, key);
    return little_endian_read(hash, sizeof hash);
}

uint64_t address_cookie_of(const uint8_t key[ADDRESS_COOKIE_KEY_BYTES], const struct net_address *from, uint64_t now_ns)
{
    return cookie_of(key, from, now_ns / ADDRESS_COOKIE_EPOCH_NS);
}

bool address_cookie_is_met(const uint8_t key[ADDRESS_COOKIE_KEY_BYTES], const struct net_address *from, uint64_t now_ns,
                           uint64_t cookie)
{
    uint64_t epoch = now_ns / ADDRESS_COOKIE_EPOCH_NS;
    return cookie == cookie_of(key, from, epoch) || cookie == cookie_of(key, from, epoch - 1);
}
