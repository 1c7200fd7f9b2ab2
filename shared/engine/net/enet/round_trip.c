// SPDX-License-Identifier: MIT
#include "round_trip.h"

#include <stddef.h>

static struct round_trip_sent *find(struct round_trip *trips, uint16_t ms)
{
    for (size_t i = 0; i < ROUND_TRIP_CAPACITY; i++)
        if (trips->sent[i].at_ns != 0 && trips->sent[i].ms == ms)
            return &trips->sent[i];
    return NULL;
}

void round_trip_send(struct round_trip *trips, uint16_t ms, uint64_t now_ns)
{
    if (!find(trips, ms))
        trips->sent[trips->next++ % ROUND_TRIP_CAPACITY] = (struct round_trip_sent){ms, now_ns};
}

void round_trip_acknowledge(struct round_trip *trips, uint16_t ms, uint64_t arrived_ns)
{
    struct round_trip_sent *sent = find(trips, ms);
    if (!sent || arrived_ns < sent->at_ns)
        return;
    uint64_t took_us = (arrived_ns - sent->at_ns) / 1000;
    sent->at_ns = 0;
    trips->count++;
    trips->newest_us = took_us < UINT32_MAX ? (uint32_t)took_us : UINT32_MAX;
}
