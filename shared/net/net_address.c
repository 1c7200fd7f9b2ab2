// SPDX-License-Identifier: MIT
#include "net_address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

bool net_address_is_loopback(const struct net_address *address)
{
    static const uint8_t v6[16] = {[15] = 1};
    return address->byte_count == ADDRESS_BYTES_IPV4 ? address->bytes[0] == 127 : memcmp(address->bytes, v6, 16) == 0;
}

void net_address_text(const struct net_address *address, char text[NET_ADDRESS_TEXT_BYTES])
{
    bool v4 = address->byte_count == ADDRESS_BYTES_IPV4;
    const uint8_t *port = address->bytes + (v4 ? 4 : 16);
    char host[INET6_ADDRSTRLEN] = "?";
    inet_ntop(v4 ? AF_INET : AF_INET6, address->bytes, host, sizeof host);
    snprintf(text, NET_ADDRESS_TEXT_BYTES, v4 ? "%s:%u" : "[%s]:%u", host, (unsigned)port[0] << 8 | port[1]);
}
