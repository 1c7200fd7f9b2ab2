// SPDX-License-Identifier: MIT
#include "net_address.h"

#include <stdio.h>
#include <string.h>

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

void net_address_text(const struct net_address *address, char text[NET_ADDRESS_TEXT_BYTES])
{
    bool v4 = address->byte_count == ADDRESS_BYTES_IPV4;
    const uint8_t *port = address->bytes + (v4 ? 4 : 16);
    char host[IP_ADDRESS_NUMBER_BYTES];
    ip_address_write_number(address->bytes, !v4, host);
    snprintf(text, NET_ADDRESS_TEXT_BYTES, v4 ? "%s:%u" : "[%s]:%u", host, (unsigned)port[0] << 8 | port[1]);
}

bool net_address_find(struct net_address *address, const char *host, uint16_t port)
{
    return ip_address_find(address, host, port, IP_ADDRESS_ANY);
}

bool net_address_find_family(struct net_address *address, const char *host, uint16_t port, bool ipv6)
{
    return ip_address_find(address, host, port, ipv6 ? IP_ADDRESS_IPV6 : IP_ADDRESS_IPV4);
}

bool net_address_parse(struct net_address *address, const char *host, uint16_t port)
{
    return ip_address_parse(address, host, port);
}
