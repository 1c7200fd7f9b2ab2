// SPDX-License-Identifier: MIT
//
// Fuzzes the table of HTTP connections with any order of connections that come, stream and end, from a few households.
// The limits hold, a stream never gives way, and one that does is the oldest of its household. The input is a list of
// steps, two bytes each.
#include <string.h>

#include "http/http_connections.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    HOUSEHOLDS = 8,
    STEPS_MAX = 128,
    MAX = 64,
    HOUSEHOLD_MAX = 16,
    STREAMS_MAX = 32,
    STREAMS_HOUSEHOLD_MAX = 8,
    CAPACITY = 96,
};

static const struct http_connections_limits LIMITS = {MAX, HOUSEHOLD_MAX, STREAMS_MAX, STREAMS_HOUSEHOLD_MAX};
static struct http_connection places[CAPACITY], before[CAPACITY];
static struct http_connections connections;

static void check_limits(uint64_t household)
{
    uint32_t open = 0, streams = 0, open_here = 0, streams_here = 0;
    for (uint32_t i = 0; i < CAPACITY; i++) {
        const struct http_connection *connection = &connections.of[i];
        bool counts = connection->number != 0 && !connection->ends, here = connection->household == household;
        open += counts;
        streams += counts && connection->streams;
        open_here += counts && here;
        streams_here += counts && here && connection->streams;
    }
    require(open <= MAX && streams <= STREAMS_MAX);
    require(open_here <= HOUSEHOLD_MAX && streams_here <= STREAMS_HOUSEHOLD_MAX);
}

static void check_victim(uint32_t victim)
{
    const struct http_connection *ended = &before[victim];
    require(ended->number != 0 && !ended->ends && !ended->streams && connections.of[victim].ends);
    for (uint32_t i = 0; i < CAPACITY; i++) {
        const struct http_connection *other = &before[i];
        bool may_end = other->number != 0 && !other->ends && !other->streams && other->household == ended->household;
        require(!may_end || other->number >= ended->number);
    }
}

static void add(uint64_t household)
{
    memcpy(before, places, sizeof before);
    uint32_t victim, place = http_connections_add(&connections, household, 1, &victim), free_places = 0;
    for (uint32_t i = 0; i < CAPACITY; i++)
        free_places += before[i].number == 0;
    require((place == HTTP_CONNECTIONS_NONE) == (free_places == 0));
    require(place == HTTP_CONNECTIONS_NONE || before[place].number == 0);
    if (victim != HTTP_CONNECTIONS_NONE)
        check_victim(victim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    http_connections_init(&connections, &LIMITS, places, CAPACITY);
    for (size_t i = 0; i + 1 < size && i < 2 * STEPS_MAX; i += 2) {
        uint32_t place = data[i + 1] % CAPACITY;
        uint64_t household = connections.of[place].household;
        if (data[i] % 4 == 0 && household != 0) {
            http_connections_remove(&connections, place);
        } else if (data[i] % 4 == 1 && household != 0) {
            http_connections_stream(&connections, place);
        } else {
            household = 1 + data[i + 1] % HOUSEHOLDS;
            add(household);
        }
        check_limits(household);
    }
    return 0;
}
