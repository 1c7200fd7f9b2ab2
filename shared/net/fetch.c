// SPDX-License-Identifier: MIT
#include "fetch.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/host_port.h"

_Static_assert(sizeof((struct fetch *)0)->place >= sizeof(struct sockaddr_storage), "an address fits");

bool fetch_open(struct fetch *fetch, const char *place)
{
    struct sockaddr_storage address = {0};
    memset(fetch, 0, sizeof *fetch);
    fetch->file = -1;
    if (!*place)
        return true;
    if (!host_port_parse_numeric(place, &address))
        return false;
    memcpy(fetch->place, &address, sizeof address);
    fetch->place_bytes = address.ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    return true;
}

void fetch_close(struct fetch *fetch)
{
    if (fetch->file >= 0)
        close(fetch->file);
    fetch->file = -1;
}

void fetch_ask(struct fetch *fetch)
{
    struct sockaddr_storage place;
    if (fetch->place_bytes == 0 || fetch->file >= 0)
        return;
    memcpy(&place, fetch->place, sizeof place);
    fetch->asked = false;
    fetch->byte_count = 0;
    fetch->file = socket(place.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fetch->file < 0)
        return;
    const struct sockaddr *address = (const struct sockaddr *)(const void *)&place;
    if (connect(fetch->file, address, fetch->place_bytes) != 0 && errno != EINPROGRESS)
        fetch_close(fetch);
}

// A question is shorter than any socket's buffer: it goes whole, or the connection is not there yet.
static void send_question(struct fetch *fetch, const char *path)
{
    char question[256];
    int count = snprintf(question, sizeof question, "GET %.100s HTTP/1.0\r\nConnection: close\r\n\r\n", path);
    fetch->asked = send(fetch->file, question, (size_t)count, MSG_NOSIGNAL) == count;
    if (!fetch->asked && errno != EAGAIN && errno != ENOTCONN)
        fetch_close(fetch);
}

bool fetch_pulse(struct fetch *fetch, const char *path)
{
    if (fetch->file >= 0 && !fetch->asked)
        send_question(fetch, path);
    while (fetch->file >= 0 && fetch->asked) {
        size_t room = FETCH_BYTES - 1 - fetch->byte_count;
        ssize_t count = recv(fetch->file, fetch->answer + fetch->byte_count, room, 0);
        if (count < 0 && errno == EAGAIN)
            return false;
        if (count > 0) {
            fetch->byte_count += (size_t)count;
            continue;
        }
        fetch_close(fetch);
        fetch->answer[fetch->byte_count] = 0;
        return count == 0 && room > 0;
    }
    return false;
}

bool fetch_waits(const struct fetch *fetch)
{
    return fetch->file >= 0;
}
