// SPDX-License-Identifier: MIT
#include "household.h"

#include <stdio.h>
#include <string.h>

#include "net_address.h"

// A household is a number: its kind in the first byte, then the address, of IPv6 the first seven bytes.
#define KIND_SHIFT 56
#define KIND_IPV4  ((uint64_t)4 << KIND_SHIFT)
#define KIND_IPV6  ((uint64_t)6 << KIND_SHIFT)
#define KIND_SITE  ((uint64_t)7 << KIND_SHIFT)
#define SITE_SHIFT 8 // bits of a household of IPv6 that its site has not
#define IPV4_BITS  32u

// RFC 1918, 3927 and 1122; RFC 4291 and 4193. The household of ::1 has no other address in use.
static const struct {
    uint64_t prefix;
    uint32_t bits; // behind the kind
} lan[] = {
    {KIND_IPV4 | 0x0A000000u, 32 - 8},          {KIND_IPV4 | 0xAC100000u, 32 - 12},
    {KIND_IPV4 | 0xC0A80000u, 32 - 16},         {KIND_IPV4 | 0xA9FE0000u, 32 - 16},
    {KIND_IPV4 | 0x7F000000u, 32 - 8},          {KIND_IPV6 | (uint64_t)0xFE80 << 40, 56 - 10},
    {KIND_IPV6 | (uint64_t)0xFC << 48, 56 - 7}, {KIND_IPV6, 0},
};

static uint64_t big_endian(const uint8_t *bytes, size_t byte_count)
{
    uint64_t number = 0;
    for (size_t i = 0; i < byte_count; i++)
        number = number << 8 | bytes[i];
    return number;
}

static uint64_t number_of(const uint8_t *address, bool ipv4)
{
    return ipv4 ? KIND_IPV4 | big_endian(address, 4) : KIND_IPV6 | big_endian(address, ADDRESS_RANGE_BITS_HOME / 8);
}

uint64_t household_of(const struct net_address *address)
{
    return number_of(address->bytes, address->byte_count == ADDRESS_BYTES_IPV4);
}

uint64_t household_site(uint64_t household)
{
    bool ipv6 = household >> KIND_SHIFT == KIND_IPV6 >> KIND_SHIFT;
    return ipv6 ? KIND_SITE | (household ^ KIND_IPV6) >> SITE_SHIFT : household;
}

void household_text(uint64_t household, char text[HOUSEHOLD_TEXT_BYTES])
{
    uint8_t bytes[16] = {0};
    bool site = household >> KIND_SHIFT == KIND_SITE >> KIND_SHIFT;
    household = site ? KIND_IPV6 | (household ^ KIND_SITE) << SITE_SHIFT : household;
    bool ipv4 = household >> KIND_SHIFT == KIND_IPV4 >> KIND_SHIFT;
    size_t first = ipv4 ? 4 : 1;
    for (size_t i = first; i < 8; i++)
        bytes[i - first] = (uint8_t)(household >> (56 - 8 * i));
    char number[IP_ADDRESS_NUMBER_BYTES] = "an unknown address";
    if (household != 0)
        ip_address_write_number(bytes, !ipv4, number);
    snprintf(text, HOUSEHOLD_TEXT_BYTES, "%s%s", number, household == 0 || ipv4 ? "" : site ? "/48" : "/56");
}

bool household_range_parse(const char *text, struct household_range *range)
{
    struct address_range addresses;
    if (!net_address_range_parse(text, &addresses))
        return false;
    bool ipv4 = net_address_range_is_ipv4(&addresses);
    uint32_t hidden = ipv4 ? ADDRESS_RANGE_BITS_IPV4 : 0, known = ipv4 ? IPV4_BITS : ADDRESS_RANGE_BITS_HOME;
    uint32_t bits = addresses.bits - hidden;
    range->mask = ~(uint64_t)0 << (known - (bits < known ? bits : known));
    range->prefix = number_of(addresses.prefix + hidden / 8, ipv4) & range->mask;
    return true;
}

bool household_may_sit(const struct household_rules *rules, uint32_t held, uint32_t free, uint32_t capacity)
{
    if (held == 0)
        return true;
    return held < rules->players_max && free > (held < HOUSEHOLD_COUCH ? capacity / 8 : capacity / 2);
}

bool household_is_exempt(const struct household_rules *rules, uint64_t household)
{
    if (household == 0 || rules->players_max == 0)
        return true;
    for (size_t i = 0; i < sizeof lan / sizeof *lan && !rules->limits_lan; i++)
        if (household >> lan[i].bits == lan[i].prefix >> lan[i].bits)
            return true;
    for (uint32_t i = 0; i < rules->exempt_count; i++)
        if ((household & rules->exempt[i].mask) == rules->exempt[i].prefix)
            return true;
    return false;
}
