// SPDX-License-Identifier: MIT
#include "ip_address.h"

#include <stdio.h>
#include <string.h>

// The names are the same in both families, the headers are not.
#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>

#include "windows/system.h"
#else
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#endif

static bool look_up(struct net_address *address, const char *host, uint16_t port, int family, int flags)
{
    struct addrinfo wanted = {.ai_family = family, .ai_socktype = SOCK_DGRAM, .ai_flags = flags};
    struct addrinfo *found;
    struct sockaddr_storage system = {0};
    char service[8];
    snprintf(service, sizeof service, "%u", port);
#ifdef _WIN32
    windows_system_begin_sockets();
#endif
    if (getaddrinfo(host, service, &wanted, &found) != 0)
        return false;
    memcpy(&system, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    *address = ip_address_of_socket(&system);
    return true;
}

bool ip_address_find(struct net_address *address, const char *host, uint16_t port, enum ip_address_family family)
{
    static const int FAMILIES[] = {
        [IP_ADDRESS_ANY] = AF_UNSPEC, [IP_ADDRESS_IPV4] = AF_INET, [IP_ADDRESS_IPV6] = AF_INET6};
    return look_up(address, host, port, FAMILIES[family], 0);
}

bool ip_address_parse(struct net_address *address, const char *host, uint16_t port)
{
    return look_up(address, host, port, AF_UNSPEC, AI_NUMERICHOST);
}

size_t ip_address_read_number(const char *text, uint8_t bytes[16])
{
    if (inet_pton(AF_INET, text, bytes) == 1)
        return 4;
    return inet_pton(AF_INET6, text, bytes) == 1 ? 16 : 0;
}

void ip_address_write_number(const uint8_t *bytes, bool is_ipv6, char text[IP_ADDRESS_NUMBER_BYTES])
{
    inet_ntop(is_ipv6 ? AF_INET6 : AF_INET, bytes, text, IP_ADDRESS_NUMBER_BYTES);
}

bool ip_address_is_loopback(const struct net_address *address)
{
    static const uint8_t v6[16] = {[15] = 1};
    return address->byte_count == ADDRESS_BYTES_IPV4 ? address->bytes[0] == 127 : memcmp(address->bytes, v6, 16) == 0;
}

// RFC 1122, 1918, 6598 and 3927; 224/3 has multicast and what is reserved.
static bool is_public_ipv4(const uint8_t bytes[4])
{
    static const struct {
        uint32_t prefix, bits;
    } others[] = {{0x00000000, 8},  {0x0A000000, 8},  {0x64400000, 10}, {0x7F000000, 8},
                  {0xA9FE0000, 16}, {0xAC100000, 12}, {0xC0A80000, 16}, {0xE0000000, 3}};
    uint32_t number = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (number >> (32 - others[i].bits) == others[i].prefix >> (32 - others[i].bits))
            return false;
    return true;
}

// Of IPv6, 2000::/3 alone is given out (RFC 4291). Lines without IPv4 reach it through 64:ff9b::/96 (RFC 6052).
bool ip_address_is_public(const struct net_address *address)
{
    static const uint8_t translated[12] = {0x00, 0x64, 0xFF, 0x9B};
    const uint8_t *bytes = address->bytes;
    if (address->byte_count == ADDRESS_BYTES_IPV4)
        return is_public_ipv4(bytes);
    if (memcmp(bytes, translated, sizeof translated) == 0)
        return is_public_ipv4(bytes + sizeof translated);
    return bytes[0] >> 5 == 1;
}

struct net_address ip_address_of_socket(const struct sockaddr_storage *system)
{
    struct net_address address = {.byte_count = ADDRESS_BYTES_IPV4};
    if (system->ss_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)system;
        memcpy(address.bytes, &four->sin_addr, 4);
        memcpy(address.bytes + 4, &four->sin_port, 2);
        return address;
    }
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)system;
    address.byte_count = ADDRESS_BYTES_MAX;
    memcpy(address.bytes, &six->sin6_addr, 16);
    memcpy(address.bytes + 16, &six->sin6_port, 2);
    memcpy(address.bytes + 18, &six->sin6_scope_id, 4);
    return address;
}

uint32_t ip_address_to_socket(const struct net_address *address, struct sockaddr_storage *system)
{
    bool is_ipv4 = address->byte_count == ADDRESS_BYTES_IPV4;
    *system = (struct sockaddr_storage){.ss_family = is_ipv4 ? AF_INET : AF_INET6};
    if (is_ipv4) {
        struct sockaddr_in *four = (struct sockaddr_in *)system;
        memcpy(&four->sin_addr, address->bytes, 4);
        memcpy(&four->sin_port, address->bytes + 4, 2);
        return sizeof *four;
    }
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)system;
    memcpy(&six->sin6_addr, address->bytes, 16);
    memcpy(&six->sin6_port, address->bytes + 16, 2);
    memcpy(&six->sin6_scope_id, address->bytes + 18, 4);
    return sizeof *six;
}
