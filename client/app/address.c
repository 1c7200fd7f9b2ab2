// SPDX-License-Identifier: MIT
#include "address.h"

#include <string.h>

#define SCHEME "deadfall://"

static bool refuse(struct error *error, const char *text)
{
    return error_set(
        error,
        "\"%.100s\" is not a server address: give HOST, HOST:PORT, [IPV6]:PORT or deadfall://HOST:PORT, with a "
        "port from 1 to 65535, and behind it nothing or # and the 32 letters of the server's key.",
        text);
}

bool address_read(struct address *address, const char *text, struct error *error)
{
    const char *host = strncmp(text, SCHEME, strlen(SCHEME)) ? text : text + strlen(SCHEME);
    size_t length = strcspn(host, "/#"), end = strcspn(host, "#");
    if (length != end && (host == text || length + 1 != end))
        return refuse(error, text);
    const char *fingerprint = host + end + (host[end] == '#');
    if (host[end] && !identity_fingerprint_is_valid(fingerprint))
        return refuse(error, text);
    strcpy(address->fingerprint, fingerprint);
    struct host_port place;
    if (!host_port_parse(host, length, &place) || (place.has_port && place.port == 0) ||
        (!place.is_bracketed && strchr(place.host, ':')) || strpbrk(place.host, " \t\r\n@"))
        return refuse(error, text);
    address->port = place.has_port ? place.port : ADDRESS_PORT;
    strcpy(address->host, place.host);
    return true;
}
