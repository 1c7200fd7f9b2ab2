// SPDX-License-Identifier: MIT
#include "http_connections.h"

#include <stddef.h>

static bool is_open(const struct http_connection *connection)
{
    return connection->number != 0 && !connection->ends;
}

// Counts the open connections, or only streams, of a household; of all if it is null.
static uint32_t count(const struct http_connections *connections, const uint64_t *household, bool streams)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < HTTP_CONNECTIONS_CAPACITY; i++) {
        const struct http_connection *connection = &connections->of[i];
        total += is_open(connection) && (!streams || connection->streams) &&
                 (!household || connection->household == *household);
    }
    return total;
}

// Returns the oldest connection that does not stream: of this household, or of the one that has most.
static uint32_t find_victim(const struct http_connections *connections, const uint64_t *household)
{
    uint32_t victim = HTTP_CONNECTIONS_NONE, most = 0;
    for (uint32_t i = 0; i < HTTP_CONNECTIONS_CAPACITY; i++) {
        const struct http_connection *connection = &connections->of[i];
        if (!is_open(connection) || connection->streams || (household && connection->household != *household))
            continue;
        uint32_t siblings = household ? 1 : count(connections, &connection->household, false);
        if (siblings > most || (siblings == most && connection->number < connections->of[victim].number)) {
            victim = i;
            most = siblings;
        }
    }
    return victim;
}

uint32_t http_connections_add(struct http_connections *connections, uint64_t household, int file, uint32_t *victim)
{
    uint32_t place = 0;
    *victim = HTTP_CONNECTIONS_NONE;
    while (place < HTTP_CONNECTIONS_CAPACITY && connections->of[place].number != 0)
        place++;
    if (place == HTTP_CONNECTIONS_CAPACITY)
        return HTTP_CONNECTIONS_NONE;
    if (count(connections, &household, false) >= HTTP_CONNECTIONS_HOUSEHOLD_MAX)
        *victim = find_victim(connections, &household);
    else if (count(connections, NULL, false) >= HTTP_CONNECTIONS_MAX)
        *victim = find_victim(connections, NULL);
    if (*victim != HTTP_CONNECTIONS_NONE)
        connections->of[*victim].ends = true;
    connections->of[place] =
        (struct http_connection){.number = ++connections->count, .household = household, .file = file};
    return place;
}

bool http_connections_stream(struct http_connections *connections, uint32_t place)
{
    struct http_connection *connection = &connections->of[place];
    if (connection->ends || count(connections, NULL, true) >= HTTP_CONNECTIONS_STREAMS_MAX ||
        count(connections, &connection->household, true) >= HTTP_CONNECTIONS_STREAMS_HOUSEHOLD_MAX)
        return false;
    connection->streams = true;
    return true;
}

uint32_t http_connections_ending(const struct http_connections *connections)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < HTTP_CONNECTIONS_CAPACITY; i++)
        total += connections->of[i].ends;
    return total;
}

void http_connections_remove(struct http_connections *connections, uint32_t place)
{
    connections->of[place] = (struct http_connection){0};
}
