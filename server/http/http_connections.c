// SPDX-License-Identifier: MIT
#include "http_connections.h"

#include <string.h>

void http_connections_init(struct http_connections *connections, const struct http_connections_limits *limits,
                           struct http_connection *places, uint32_t capacity)
{
    *connections = (struct http_connections){.limits = *limits, .capacity = capacity, .of = places};
    memset(places, 0, capacity * sizeof *places);
}

static bool is_open(const struct http_connection *connection)
{
    return connection->number != 0 && !connection->ends;
}

// Counts the open connections, or only streams, of a household; of all if it is null.
static uint32_t count(const struct http_connections *connections, const uint64_t *household, bool streams)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < connections->top; i++) {
        const struct http_connection *connection = &connections->of[i];
        total += is_open(connection) && (!streams || connection->streams) &&
                 (!household || connection->household == *household);
    }
    return total;
}

// Keeps the number of siblings, in each of them, when one comes or goes.
static void count_siblings(struct http_connections *connections, uint64_t household)
{
    uint32_t siblings = household == 0 ? 0 : count(connections, &household, false);
    for (uint32_t i = 0; i < connections->top; i++)
        if (connections->of[i].household == household)
            connections->of[i].siblings = siblings;
}

// Returns the oldest connection that does not stream: of this household, or of the one that has most.
static uint32_t find_victim(const struct http_connections *connections, const uint64_t *household)
{
    uint32_t victim = HTTP_CONNECTIONS_NONE;
    for (uint32_t i = 0; i < connections->top; i++) {
        const struct http_connection *connection = &connections->of[i], *other = &connections->of[victim];
        if (!is_open(connection) || connection->streams || (household && connection->household != *household))
            continue;
        if (victim == HTTP_CONNECTIONS_NONE || connection->siblings > other->siblings ||
            (connection->siblings == other->siblings && connection->number < other->number))
            victim = i;
    }
    return victim;
}

uint32_t http_connections_add(struct http_connections *connections, uint64_t household, int file, uint32_t *victim)
{
    uint32_t place = 0;
    *victim = HTTP_CONNECTIONS_NONE;
    while (place < connections->top && connections->of[place].number != 0)
        place++;
    if (place == connections->capacity)
        return HTTP_CONNECTIONS_NONE;
    if (household != 0 && count(connections, &household, false) >= connections->limits.household_max)
        *victim = find_victim(connections, &household);
    else if (count(connections, NULL, false) >= connections->limits.max)
        *victim = find_victim(connections, NULL);
    if (*victim != HTTP_CONNECTIONS_NONE) {
        connections->of[*victim].ends = true;
        count_siblings(connections, connections->of[*victim].household);
    }
    connections->top += place == connections->top;
    connections->of[place] =
        (struct http_connection){.number = ++connections->count, .household = household, .file = file};
    count_siblings(connections, household);
    return place;
}

bool http_connections_stream(struct http_connections *connections, uint32_t place)
{
    struct http_connection *connection = &connections->of[place];
    if (connection->ends || count(connections, NULL, true) >= connections->limits.streams_max ||
        count(connections, &connection->household, true) >= connections->limits.streams_household_max)
        return false;
    connection->streams = true;
    return true;
}

uint32_t http_connections_ending(const struct http_connections *connections)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < connections->top; i++)
        total += connections->of[i].ends;
    return total;
}

void http_connections_remove(struct http_connections *connections, uint32_t place)
{
    uint64_t household = connections->of[place].household;
    connections->of[place] = (struct http_connection){0};
    count_siblings(connections, household);
    while (connections->top > 0 && connections->of[connections->top - 1].number == 0)
        connections->top--;
}
