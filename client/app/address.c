// SPDX-License-Identifier: MIT
#include "address.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "net/punch.h"

#define SCHEME "deadfall://"

static bool refuse(struct error *error, const char *text)
{
    char quoted[101];
    utf8_escape(quoted, sizeof quoted, text);
    return error_set(
        error,
        "\"%s\" is not a server address: give HOST, HOST:PORT, [IPV6]:PORT or deadfall://HOST:PORT, with a "
        "port from 1 to 65535, and behind it nothing or # and the 32 letters of the server's key.",
        quoted);
}

bool address_is_link(const char *text)
{
    return strncmp(text, SCHEME, strlen(SCHEME)) == 0;
}

bool address_read(struct address *address, const char *text, struct error *error)
{
    const char *host = address_is_link(text) ? text + strlen(SCHEME) : text;
    size_t length = strcspn(host, "/#"), end = strcspn(host, "#");
    if (length != end && (host == text || length + 1 != end))
        return refuse(error, text);
    struct punch_client_route route = {.port = 0};
    if (host[end] && !punch_client_read_route(host + end + 1, &route))
        return refuse(error, text);
    strcpy(address->fingerprint, route.fingerprint);
    strcpy(address->certificate, route.certificate);
    strcpy(address->through, route.host);
    address->through_port = route.port;
    struct host_port place;
    if (!host_port_parse(host, length, &place) || (place.has_port && place.port == 0) ||
        (!place.is_bracketed && strchr(place.host, ':')))
        return refuse(error, text);
    address->port = place.has_port ? place.port : ADDRESS_PORT;
    strcpy(address->host, place.host);
    return true;
}

void address_link(const struct address *address, char *text, size_t text_bytes)
{
    char key[1 + FINGERPRINT_TEXT_BYTES + WEBRTC_FINGERPRINT_TEXT_BYTES] = "",
                                          through[HOST_BYTES + sizeof "@[]:65535"] = "";
    if (address->fingerprint[0])
        snprintf(key, sizeof key, "#%s%s%s", address->fingerprint, address->certificate[0] ? "." : "",
                 address->certificate);
    if (address->through[0])
        snprintf(through, sizeof through, strchr(address->through, ':') ? "@[%s]:%u" : "@%s:%u", address->through,
                 address->through_port);
    int length = snprintf(text, text_bytes, strchr(address->host, ':') ? SCHEME "[%s]:%u%s%s" : SCHEME "%s:%u%s%s",
                          address->host, address->port, key, through);
    if (length < 0 || (size_t)length >= text_bytes)
        text[0] = 0;
}
