// SPDX-License-Identifier: MIT
#include "net_address.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/little_endian.h"

bool net_address_has_channel(const struct net_address *address)
{
    return address->bytes[ADDRESS_CHANNEL] != 0;
}

bool net_address_equals(const struct net_address *address, const struct net_address *other)
{
    return address->byte_count == other->byte_count && memcmp(address->bytes, other->bytes, address->byte_count) == 0 &&
           net_address_has_channel(address) == net_address_has_channel(other);
}

struct net_address net_address_with_port(const struct net_address *address, uint16_t port)
{
    struct net_address other = *address;
    size_t at = other.byte_count == ADDRESS_BYTES_IPV4 ? 4 : 16;
    other.bytes[at] = (uint8_t)(port >> 8);
    other.bytes[at + 1] = (uint8_t)port;
    return other;
}

void net_address_write_place(const struct net_address *address, uint8_t place[NET_ADDRESS_PLACE_BYTES])
{
    memset(place, 0, NET_ADDRESS_PLACE_BYTES);
    place[0] = address->byte_count == ADDRESS_BYTES_IPV4 ? ADDRESS_BYTES_IPV4 : NET_ADDRESS_PLACE_BYTES - 1;
    memcpy(place + 1, address->bytes, place[0]);
}

void net_address_text(const struct net_address *address, char text[NET_ADDRESS_TEXT_BYTES])
{
    bool v4 = address->byte_count == ADDRESS_BYTES_IPV4;
    const uint8_t *port = address->bytes + (v4 ? 4 : 16);
    char host[IP_ADDRESS_NUMBER_BYTES];
    ip_address_write_number(address->bytes, !v4, host);
    snprintf(text, NET_ADDRESS_TEXT_BYTES, v4 ? "%s:%u" : "[%s]:%u", host, (unsigned)port[0] << 8 | port[1]);
}

static const uint8_t MAPPED[ADDRESS_RANGE_BITS_IPV4 / 8] = {[10] = 0xFF, [11] = 0xFF};

bool net_address_range_is_ipv4(const struct address_range *range)
{
    return range->bits >= ADDRESS_RANGE_BITS_IPV4 && memcmp(range->prefix, MAPPED, sizeof MAPPED) == 0;
}

static void cut_range(struct address_range *range, uint32_t bits)
{
    range->bits = bits;
    for (uint32_t i = 0; i < sizeof range->prefix; i++) {
        uint32_t kept = bits > i * 8 ? bits - i * 8 : 0;
        if (kept < 8)
            range->prefix[i] &= (uint8_t)(0xFF00u >> kept);
    }
}

bool net_address_range_parse_address(const char *text, struct address_range *range)
{
    uint8_t number[16];
    size_t byte_count = ip_address_read_number(text, number);
    range->bits = ADDRESS_RANGE_BITS_MAX;
    memcpy(range->prefix, MAPPED, sizeof MAPPED);
    memcpy(range->prefix + sizeof range->prefix - byte_count, number, byte_count);
    return byte_count > 0;
}

struct address_range net_address_range_of(const struct net_address *address)
{
    size_t byte_count = address->byte_count == ADDRESS_BYTES_IPV4 ? 4 : 16;
    struct address_range range = {.bits = ADDRESS_RANGE_BITS_MAX};
    memcpy(range.prefix, MAPPED, sizeof MAPPED);
    memcpy(range.prefix + sizeof range.prefix - byte_count, address->bytes, byte_count);
    return range;
}

bool net_address_range_parse(const char *text, struct address_range *range)
{
    char host[IP_ADDRESS_NUMBER_BYTES];
    size_t length = strcspn(text, "/");
    if (length >= sizeof host)
        return false;
    memcpy(host, text, length);
    host[length] = 0;
    if (!net_address_range_parse_address(host, range))
        return false;
    bool ipv4 = net_address_range_is_ipv4(range);
    uint32_t hidden = strchr(host, ':') ? 0 : ADDRESS_RANGE_BITS_IPV4; // that a text of IPv4 does not count
    uint32_t bits = (ipv4 ? ADDRESS_RANGE_BITS_MAX : ADDRESS_RANGE_BITS_HOME) - hidden;
    if (text[length] == '/') {
        const char *number = text + length + 1;
        char *end;
        unsigned long value = strtoul(number, &end, 10);
        if (*number < '0' || *number > '9' || *end != 0 || value > ADDRESS_RANGE_BITS_MAX - hidden)
            return false;
        bits = (uint32_t)value;
    }
    cut_range(range, bits + hidden);
    return net_address_range_is_ipv4(range) == ipv4;
}

void net_address_range_text(const struct address_range *range, char text[ADDRESS_RANGE_TEXT_BYTES])
{
    char host[IP_ADDRESS_NUMBER_BYTES];
    bool ipv4 = net_address_range_is_ipv4(range);
    ip_address_write_number(range->prefix + (ipv4 ? sizeof MAPPED : 0), !ipv4, host);
    if (ipv4 && range->bits == ADDRESS_RANGE_BITS_MAX)
        snprintf(text, ADDRESS_RANGE_TEXT_BYTES, "%s", host);
    else
        snprintf(text, ADDRESS_RANGE_TEXT_BYTES, "%s/%u", host, range->bits - (ipv4 ? ADDRESS_RANGE_BITS_IPV4 : 0));
}

bool net_address_range_contains(const struct address_range *range, const struct address_range *other)
{
    struct address_range same = *other;
    if (other->bits < range->bits || net_address_range_is_ipv4(range) != net_address_range_is_ipv4(other))
        return false;
    cut_range(&same, range->bits);
    return memcmp(same.prefix, range->prefix, sizeof same.prefix) == 0;
}

_Static_assert(NET_ADDRESS_COOKIE_KEY_BYTES == crypto_shorthash_KEYBYTES, "cookies are hashed by SipHash");

static uint64_t cookie_of(const uint8_t *key, const struct net_address *from, uint64_t epoch)
{
    uint8_t text[ADDRESS_BYTES_MAX + 8] = {0}, hash[crypto_shorthash_BYTES];
    memcpy(text, from->bytes, from->byte_count);
    little_endian_write(text + ADDRESS_BYTES_MAX, epoch, 8);
    crypto_shorthash(hash, text, sizeof text, key);
    return little_endian_read(hash, sizeof hash);
}

uint64_t net_address_cookie(const uint8_t key[NET_ADDRESS_COOKIE_KEY_BYTES], const struct net_address *from,
                            uint64_t now_ns)
{
    return cookie_of(key, from, now_ns / NET_ADDRESS_COOKIE_EPOCH_NS);
}

bool net_address_cookie_is_met(const uint8_t key[NET_ADDRESS_COOKIE_KEY_BYTES], const struct net_address *from,
                               uint64_t now_ns, uint64_t cookie)
{
    uint64_t epoch = now_ns / NET_ADDRESS_COOKIE_EPOCH_NS;
    return cookie == cookie_of(key, from, epoch) || cookie == cookie_of(key, from, epoch - 1);
}
