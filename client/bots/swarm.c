// SPDX-License-Identifier: MIT
#include "swarm.h"

#include <stdlib.h>
#include <string.h>

struct swarm {
    struct bot_settings settings;
    uint32_t ended;
    struct error error; ///< why the first bot ended
    struct sample total, since;
    struct bot bots[SWARM_CAPACITY];
};

struct swarm *swarm_create(const struct bot_settings *settings)
{
    struct swarm *swarm = calloc(1, sizeof *swarm);
    if (swarm)
        swarm->settings = *settings;
    return swarm;
}

void swarm_destroy(struct swarm *swarm)
{
    for (uint32_t i = 0; swarm && i < SWARM_CAPACITY; i++)
        bot_leave(&swarm->bots[i]);
    free(swarm);
}

static void pulse(struct swarm *swarm, uint32_t index, uint64_t now_us)
{
    struct bot *bot = &swarm->bots[index];
    if (bot->state == BOT_ENDED)
        return;
    if (bot->state == BOT_OUT)
        bot_open(bot, &swarm->settings, index, &swarm->since, now_us);
    struct error error;
    if (!bot_pulse(bot, &swarm->since, now_us, &error) && swarm->ended++ == 0)
        swarm->error = error;
}

void swarm_pulse(struct swarm *swarm, uint32_t wanted, uint64_t now_us)
{
    for (uint32_t i = 0; i < wanted && i < SWARM_CAPACITY; i++)
        pulse(swarm, i, now_us);
    for (uint32_t i = wanted; i < SWARM_CAPACITY; i++) {
        if (swarm->bots[i].state == BOT_IN || swarm->bots[i].state == BOT_AWAY)
            bot_leave(&swarm->bots[i]);
    }
}

uint32_t swarm_connected(const struct swarm *swarm)
{
    uint32_t connected = 0;
    for (uint32_t i = 0; i < SWARM_CAPACITY; i++)
        connected += swarm->bots[i].state == BOT_IN && swarm->bots[i].played;
    return connected;
}

uint32_t swarm_joined(const struct swarm *swarm)
{
    uint32_t joined = 0;
    for (uint32_t i = 0; i < SWARM_CAPACITY; i++)
        joined += swarm->bots[i].joined;
    return joined;
}

uint32_t swarm_settled(const struct swarm *swarm)
{
    uint32_t settled = 0;
    for (uint32_t i = 0; i < SWARM_CAPACITY; i++)
        settled += swarm->bots[i].joined || swarm->bots[i].state == BOT_ENDED;
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
        const struct bot *bot = &swarm->bots[i];
        if (bot->play_us == 0)
            continue;
        double rate = (double)bot->snapshots * 1e6 / (double)bot->play_us;
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
        const struct bot *bot = &swarm->bots[i];
        if (bot->client && bot->whole && client_world(bot->client))
            return bot->client;
    }
    return NULL;
}

void swarm_take_sample(struct swarm *swarm, struct sample *sample)
{
    *sample = swarm->since;
    sample_add(&swarm->total, sample);
    memset(&swarm->since, 0, sizeof swarm->since);
}

const struct sample *swarm_total(const struct swarm *swarm)
{
    return &swarm->total;
}
