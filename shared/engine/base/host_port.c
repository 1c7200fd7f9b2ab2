// SPDX-License-Identifier: MIT
#include "host_port.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

// Of names and numbers; : and % stand in those of IPv6.
#define HOST_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:%"

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
    if (place->host[strspn(place->host, HOST_LETTERS)])
        return false;
    end += place->is_bracketed;
    place->has_port = *end == ':';
    return place->has_port ? host_port_parse_port(end + 1, &place->port) : *end == 0;
}

bool host_port_parse_numeric(const char *text, struct net_address *address)
{
    struct host_port place;
    if (!host_port_parse(text, SIZE_MAX, &place) || !place.has_port)
        return false;
    *address = (struct net_address){.byte_count = 0};
    size_t byte_count = ip_address_read_number(place.host, address->bytes);
    address->byte_count = place.is_bracketed ? ADDRESS_BYTES_MAX : ADDRESS_BYTES_IPV4;
    address->bytes[byte_count] = (uint8_t)(place.port >> 8);
    address->bytes[byte_count + 1] = (uint8_t)place.port;
    return byte_count == (place.is_bracketed ? 16 : 4);
}

bool host_port_is_numeric(const char *text)
{
    struct net_address address;
    return host_port_parse_numeric(text, &address);
}

#define SCHEME   "http://"
#define SECURE   "https://"
#define WEB_PORT 80

// What needs no escape in a path, and the escape itself.
static const char PATH_LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/%";

bool host_port_parse_web(const char *text, struct web_address *address, struct error *error)
{
    if (strncasecmp(text, SECURE, strlen(SECURE)) == 0)
        return error_set(error,
                         "\"%.80s\" begins with https://, which is not spoken here; announcements are signed, "
                         "so write http://",
                         text);
    if (strncasecmp(text, SCHEME, strlen(SCHEME)) != 0)
        return error_set(error, "\"%.80s\" does not begin with http://", text);
    const char *authority = text + strlen(SCHEME);
    size_t authority_bytes = strcspn(authority, "/?#"), path_bytes = strlen(authority + authority_bytes);
    const char *path = authority + authority_bytes;
    while (path_bytes > 0 && path[path_bytes - 1] == '/')
        path_bytes--;
    if (authority_bytes >= WEB_ADDRESS_AUTHORITY_BYTES || path_bytes >= WEB_ADDRESS_PATH_BYTES)
        return error_set(error, "\"%.80s...\" is too long", text);
    if (!host_port_parse(authority, authority_bytes, &address->place) ||
        (address->place.has_port && address->place.port == 0) || strspn(path, PATH_LETTERS) < path_bytes)
        return error_set(error, "\"%.80s\" is not http://HOST[:PORT][/PATH]", text);
    if (!address->place.has_port)
        address->place.port = WEB_PORT;
    address->place.has_port = true;
    snprintf(address->authority, sizeof address->authority, "%.*s", (int)authority_bytes, authority);
    snprintf(address->path, sizeof address->path, "%.*s", (int)path_bytes, path);
    return true;
}
