// SPDX-License-Identifier: MIT
#include "host_port.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

bool host_port_parse_port(const char *text, uint16_t *port)
{
    uint32_t value = 0;
    const char *digit = text;
    for (; *digit >= '0' && *digit <= '9' && value <= UINT16_MAX; digit++)
        value = value * 10 + (uint32_t)(*digit - '0');
    *port = (uint16_t)value;
    return digit != text && *digit == 0 && value <= UINT16_MAX;
}

bool host_port_parse(const char *text, size_t byte_count, struct host_port *place)
{
    char copy[HOST_BYTES + sizeof "[]:65535"];
    *place = (struct host_port){.is_bracketed = byte_count > 0 && *text == '['};
    byte_count = strnlen(text, byte_count < sizeof copy ? byte_count : sizeof copy);
    if (byte_count == sizeof copy)
        return false;
    memcpy(copy, text, byte_count);
    copy[byte_count] = 0;
    char *host = copy + place->is_bracketed, *colon = strchr(host, ':');
    char *end = place->is_bracketed ? strchr(host, ']') : colon && !strchr(colon + 1, ':') ? colon : strchr(host, 0);
    if (!end || end == host || (size_t)(end - host) >= sizeof place->host)
        return false;
    memcpy(place->host, host, (size_t)(end - host));
    if (strpbrk(place->host, "[]"))
        return false;
    end += place->is_bracketed;
    place->has_port = *end == ':';
    return place->has_port ? host_port_parse_port(end + 1, &place->port) : *end == 0;
}

bool host_port_parse_numeric(const char *text, struct sockaddr_storage *address)
{
    struct host_port place;
    if (!host_port_parse(text, SIZE_MAX, &place) || !place.has_port)
        return false;
    *address = (struct sockaddr_storage){.ss_family = place.is_bracketed ? AF_INET6 : AF_INET};
    if (place.is_bracketed) {
        struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)address;
        ipv6->sin6_port = htons(place.port);
        return inet_pton(AF_INET6, place.host, &ipv6->sin6_addr) == 1;
    }
    struct sockaddr_in *ipv4 = (struct sockaddr_in *)address;
    ipv4->sin_port = htons(place.port);
    return inet_pton(AF_INET, place.host, &ipv4->sin_addr) == 1;
}

bool host_port_is_numeric(const char *text)
{
    struct sockaddr_storage address;
    return host_port_parse_numeric(text, &address);
}
