// SPDX-License-Identifier: MIT
#include "swarm.h"

#include <stdlib.h>
#include <string.h>

struct swarm {
    struct load_client_settings settings;
    uint32_t ended;
    struct error error; ///< why the first client ended
    struct sample total, since;
    struct load_client clients[SWARM_CAPACITY];
};

struct swarm *swarm_create(const struct load_client_settings *settings)
{
    struct swarm *swarm = calloc(1, sizeof *swarm);
    if (swarm)
        swarm->settings = *settings;
    return swarm;
}

void swarm_destroy(struct swarm *swarm)
{
    for (uint32_t i = 0; swarm && i < SWARM_CAPACITY; i++)
        load_client_leave(&swarm->clients[i], &swarm->since);
    free(swarm);
}

void swarm_pulse(struct swarm *swarm, uint32_t wanted, uint64_t now_us)
{
    for (uint32_t i = 0; i < wanted && i < SWARM_CAPACITY; i++) {
        struct load_client *client = &swarm->clients[i];
        struct error error;
        if (client->state == LOAD_CLIENT_OUT)
            load_client_open(client, &swarm->settings, i, &swarm->since, now_us);
        else if (client->state == LOAD_CLIENT_ENDED)
            continue;
        if (!load_client_pulse(client, &swarm->since, now_us, &error) && swarm->ended++ == 0)
            swarm->error = error;
    }
    for (uint32_t i = wanted; i < SWARM_CAPACITY; i++) {
        if (swarm->clients[i].state == LOAD_CLIENT_IN || swarm->clients[i].state == LOAD_CLIENT_AWAY)
            load_client_leave(&swarm->clients[i], &swarm->since);
    }
}

bool swarm_end_outages(struct swarm *swarm)
{
    bool any = false;
    for (uint32_t i = 0; i < SWARM_CAPACITY; i++)
        any |= load_client_end_outage(&swarm->clients[i], &swarm->since);
    return any;
}

uint32_t swarm_silent(const struct swarm *swarm, uint64_t *longest_us)
{
    uint32_t silent = 0;
    *longest_us = 0;
    for (uint32_t i = 0; i < SWARM_CAPACITY; i++) {
        const struct outage *outage = &swarm->clients[i].outage;
        silent += outage->is_open;
        if (outage->is_open && outage->silent_us > *longest_us)
            *longest_us = outage->silent_us;
    }
    return silent;
}

void swarm_set_mix(struct swarm *swarm, const struct behaviour_mix *mix)
{
    swarm->settings.mix = *mix;
    for (uint32_t i = 0; i < SWARM_CAPACITY; i++)
        swarm->clients[i].behaviour = workload_mix_pick(mix, i);
}

uint32_t swarm_connected(const struct swarm *swarm)
{
    uint32_t connected = 0;
    for (uint32_t i = 0; i < SWARM_CAPACITY; i++)
        connected += swarm->clients[i].state == LOAD_CLIENT_IN && swarm->clients[i].played;
    return connected;
}

uint32_t swarm_joined(const struct swarm *swarm)
{
    uint32_t joined = 0;
    for (uint32_t i = 0; i < SWARM_CAPACITY; i++)
        joined += swarm->clients[i].joined;
    return joined;
}

uint32_t swarm_settled(const struct swarm *swarm)
{
    uint32_t settled = 0;
    for (uint32_t i = 0; i < SWARM_CAPACITY; i++)
        settled += swarm->clients[i].joined || swarm->clients[i].state == LOAD_CLIENT_ENDED;
    return settled;
}

uint32_t swarm_ended(const struct swarm *swarm)
{
    return swarm->ended;
}

double swarm_least_snapshots_per_s(const struct swarm *swarm)
{
    double least = 0;
    bool any = false;
    for (uint32_t i = 0; i < SWARM_CAPACITY; i++) {
        const struct load_client *client = &swarm->clients[i];
        if (client->play_us == 0)
            continue;
        double rate = (double)client->snapshots * 1e6 / (double)client->play_us;
        least = !any || rate < least ? rate : least;
        any = true;
    }
    return least;
}

const char *swarm_error_text(const struct swarm *swarm)
{
    return swarm->error.text;
}

const struct client *swarm_full_client(const struct swarm *swarm)
{
    for (uint32_t i = 0; i < SWARM_CAPACITY; i++) {
        const struct load_client *client = &swarm->clients[i];
        if (client->core && client->full && client_world(client->core))
            return client->core;
    }
    return NULL;
}

void swarm_take_sample(struct swarm *swarm, struct sample *sample)
{
    *sample = swarm->since;
    metric_sample_add(&swarm->total, sample);
    memset(&swarm->since, 0, sizeof swarm->since);
}

const struct sample *swarm_total(const struct swarm *swarm)
{
    return &swarm->total;
}
