// SPDX-License-Identifier: MIT
#include "web_address.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SCHEME   "http://"
#define SECURE   "https://"
#define WEB_PORT 80

// What needs no escape in a path, and the escape itself.
static const char PATH_LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/%";

bool web_address_parse(const char *text, struct web_address *address, struct error *error)
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
