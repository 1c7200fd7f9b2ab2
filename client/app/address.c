// SPDX-License-Identifier: MIT
#include "address.h"

#include <stdio.h>
#include <string.h>

#include "net/identity.h"

#define SCHEME "deadfall://"

static bool port_read(uint16_t *port, const char *text)
{
    uint32_t value = 0;
    for (const char *digit = text; *digit; digit++) {
        if (*digit < '0' || *digit > '9' || value > 65535)
            return false;
        value = value * 10 + (uint32_t)(*digit - '0');
    }
    *port = (uint16_t)value;
    return *text && value >= 1 && value <= 65535;
}

static bool refuse(struct error *error, const char *text)
{
    return error_set(
        error,
        "\"%.100s\" is no address of a server: give HOST, HOST:PORT, [IPV6]:PORT or deadfall://HOST:PORT, with a "
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
    snprintf(address->fingerprint, sizeof address->fingerprint, "%s", fingerprint);
    if (host[end] && !identity_fingerprint_is_valid(fingerprint))
        return refuse(error, text);
    char place[sizeof address->host + 16];
    snprintf(place, sizeof place, "%.*s", (int)length, host);
    char *name = place, *rest = place;
    if (*place == '[') {
        name++;
        rest = strchr(place, ']');
        if (!rest)
            return refuse(error, text);
        *rest++ = 0;
    } else {
        rest += strcspn(place, ":");
    }
    address->port = ADDRESS_PORT;
    if (*rest && (*rest != ':' || !port_read(&address->port, rest + 1)))
        return refuse(error, text);
    if (*rest)
        *rest = 0;
    if (!*name || strlen(name) >= sizeof address->host || strpbrk(name, " \t\r\n@"))
        return refuse(error, text);
    snprintf(address->host, sizeof address->host, "%.*s", (int)sizeof address->host - 1, name);
    return true;
}
