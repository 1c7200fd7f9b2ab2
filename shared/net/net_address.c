// SPDX-License-Identifier: MIT
#include "net_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

bool net_address_is_loopback(const struct net_address *address)
{
    static const uint8_t v6[16] = {[15] = 1};
    return address->byte_count == ADDRESS_BYTES_IPV4 ? address->bytes[0] == 127 : memcmp(address->bytes, v6, 16) == 0;
}

bool net_address_equals(const struct net_address *address, const struct net_address *other)
{
    return address->byte_count == other->byte_count && memcmp(address->bytes, other->bytes, address->byte_count) == 0;
}

void net_address_text(const struct net_address *address, char text[NET_ADDRESS_TEXT_BYTES])
{
    bool v4 = address->byte_count == ADDRESS_BYTES_IPV4;
    const uint8_t *port = address->bytes + (v4 ? 4 : 16);
    char host[INET6_ADDRSTRLEN] = "?";
    inet_ntop(v4 ? AF_INET : AF_INET6, address->bytes, host, sizeof host);
    snprintf(text, NET_ADDRESS_TEXT_BYTES, v4 ? "%s:%u" : "[%s]:%u", host, (unsigned)port[0] << 8 | port[1]);
}

struct net_address net_address_of_socket(const struct sockaddr_storage *kernel)
{
    struct net_address address = {.byte_count = ADDRESS_BYTES_IPV4};
    if (kernel->ss_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)kernel;
        memcpy(address.bytes, &four->sin_addr, 4);
        memcpy(address.bytes + 4, &four->sin_port, 2);
        return address;
    }
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)kernel;
    address.byte_count = ADDRESS_BYTES_MAX;
    memcpy(address.bytes, &six->sin6_addr, 16);
    memcpy(address.bytes + 16, &six->sin6_port, 2);
    memcpy(address.bytes + 18, &six->sin6_scope_id, 4);
    return address;
}

uint32_t net_address_to_socket(const struct net_address *address, struct sockaddr_storage *kernel)
{
    bool v4 = address->byte_count == ADDRESS_BYTES_IPV4;
    *kernel = (struct sockaddr_storage){.ss_family = v4 ? AF_INET : AF_INET6};
    if (v4) {
        struct sockaddr_in *four = (struct sockaddr_in *)kernel;
        memcpy(&four->sin_addr, address->bytes, 4);
        memcpy(&four->sin_port, address->bytes + 4, 2);
        return sizeof *four;
    }
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)kernel;
    memcpy(&six->sin6_addr, address->bytes, 16);
    memcpy(&six->sin6_port, address->bytes + 16, 2);
    memcpy(&six->sin6_scope_id, address->bytes + 18, 4);
    return sizeof *six;
}

static bool look_up(struct net_address *address, const char *host, uint16_t port, int family, int flags)
{
    struct addrinfo wanted = {.ai_family = family, .ai_socktype = SOCK_DGRAM, .ai_flags = flags};
    struct addrinfo *found;
    struct sockaddr_storage kernel = {0};
    char service[8];
    snprintf(service, sizeof service, "%u", port);
    if (getaddrinfo(host, service, &wanted, &found) != 0)
        return false;
    memcpy(&kernel, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    *address = net_address_of_socket(&kernel);
    return true;
}

bool net_address_find(struct net_address *address, const char *host, uint16_t port)
{
    return look_up(address, host, port, AF_UNSPEC, 0);
}

bool net_address_find_family(struct net_address *address, const char *host, uint16_t port, bool ipv6)
{
    return look_up(address, host, port, ipv6 ? AF_INET6 : AF_INET, 0);
}

bool net_address_parse(struct net_address *address, const char *host, uint16_t port)
{
    return look_up(address, host, port, AF_UNSPEC, AI_NUMERICHOST);
}
