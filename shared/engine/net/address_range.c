// SPDX-License-Identifier: MIT
#include "address_range.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform/ip_address.h"

static const uint8_t MAPPED[ADDRESS_RANGE_BITS_IPV4 / 8] = {[10] = 0xFF, [11] = 0xFF};

bool address_range_is_ipv4(const struct address_range *range)
{
    return range->bits >= ADDRESS_RANGE_BITS_IPV4 && memcmp(range->prefix, MAPPED, sizeof MAPPED) == 0;
}

static void cut(struct address_range *range, uint32_t bits)
{
    range->bits = bits;
    for (uint32_t i = 0; i < sizeof range->prefix; i++) {
        uint32_t kept = bits > i * 8 ? bits - i * 8 : 0;
        if (kept < 8)
            range->prefix[i] &= (uint8_t)(0xFF00u >> kept);
    }
}

bool address_range_parse_address(const char *text, struct address_range *range)
{
    uint8_t number[16];
    size_t byte_count = ip_address_read_number(text, number);
    range->bits = ADDRESS_RANGE_BITS_MAX;
    memcpy(range->prefix, MAPPED, sizeof MAPPED);
    memcpy(range->prefix + sizeof range->prefix - byte_count, number, byte_count);
    return byte_count > 0;
}

struct address_range address_range_of(const struct net_address *address)
{
    size_t byte_count = address->byte_count == ADDRESS_BYTES_IPV4 ? 4 : 16;
    struct address_range range = {.bits = ADDRESS_RANGE_BITS_MAX};
    memcpy(range.prefix, MAPPED, sizeof MAPPED);
    memcpy(range.prefix + sizeof range.prefix - byte_count, address->bytes, byte_count);
    return range;
}

// Reads the bits after a slash. False: they are not a number, or too many.
static bool read_bits(const char *text, uint32_t most, uint32_t *bits)
{
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return false;
    unsigned long value = strtoul(text, &end, 10);
    *bits = (uint32_t)value;
    return *end == 0 && value <= most;
}

bool address_range_parse(const char *text, struct address_range *range)
{
    char host[IP_ADDRESS_NUMBER_BYTES];
    size_t length = strcspn(text, "/");
    if (length >= sizeof host)
        return false;
    memcpy(host, text, length);
    host[length] = 0;
    if (!address_range_parse_address(host, range))
        return false;
    bool ipv4 = address_range_is_ipv4(range);
    uint32_t hidden = strchr(host, ':') ? 0 : ADDRESS_RANGE_BITS_IPV4; // that a text of IPv4 does not count
    uint32_t bits = (ipv4 ? ADDRESS_RANGE_BITS_MAX : ADDRESS_RANGE_BITS_HOME) - hidden;
    if (text[length] == '/' && !read_bits(text + length + 1, ADDRESS_RANGE_BITS_MAX - hidden, &bits))
        return false;
    cut(range, bits + hidden);
    return address_range_is_ipv4(range) == ipv4;
}

void address_range_text(const struct address_range *range, char text[ADDRESS_RANGE_TEXT_BYTES])
{
    char host[IP_ADDRESS_NUMBER_BYTES];
    bool ipv4 = address_range_is_ipv4(range);
    ip_address_write_number(range->prefix + (ipv4 ? sizeof MAPPED : 0), !ipv4, host);
    if (ipv4 && range->bits == ADDRESS_RANGE_BITS_MAX)
        snprintf(text, ADDRESS_RANGE_TEXT_BYTES, "%s", host);
    else
        snprintf(text, ADDRESS_RANGE_TEXT_BYTES, "%s/%u", host, range->bits - (ipv4 ? ADDRESS_RANGE_BITS_IPV4 : 0));
}

bool address_range_contains(const struct address_range *range, const struct address_range *other)
{
    struct address_range same = *other;
    if (other->bits < range->bits || address_range_is_ipv4(range) != address_range_is_ipv4(other))
        return false;
    cut(&same, range->bits);
    return memcmp(same.prefix, range->prefix, sizeof same.prefix) == 0;
}
