// SPDX-License-Identifier: MIT
#include "swarm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct swarm {
    struct bot_settings settings;
    uint32_t ended;
    char sentence[256];
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
    const char *sentence = bot_pulse(bot, &swarm->since, now_us);
    if (sentence && swarm->ended++ == 0)
        snprintf(swarm->sentence, sizeof swarm->sentence, "%s", sentence);
}

void swarm_pulse(struct swarm *swarm, uint32_t wanted, uint64_t now_us)
{
<<<<<<< HEAD
    if (swarm->settings.idle)
        return (struct player_input){0};
    if (bot->whole)
        return brain_think(client_world(bot->client), client_map(bot->client), client_slot(bot->client),
                           swarm->settings.skill);
    if (bot->walk_ticks++ % WALK_TICKS == 0)
        bot->walk.buttons = dice(&bot->random) & (BUTTON_LEFT | BUTTON_RIGHT | BUTTON_UP | BUTTON_DOWN | BUTTON_JUMP |
                                                  BUTTON_DASH | BUTTON_SHOOT);
    return bot->walk;
}

static void joined(struct swarm *swarm, struct bot *bot, uint64_t now_us)
{
    bot->played = true;
    bot->pulse_us = bot->snapshot_us = now_us;
    swarm->joined++;
    histogram_add(&swarm->since.connect_us, now_us - bot->opened_us);
    if (swarm->settings.say)
        client_say(bot->client, false, swarm->settings.say);
    client_statistics(bot->client, &bot->seen);
    bot->snapshots_before = bot->seen.snapshots;
}

/// Snapshots that a bot has lost since the last pulse: those that the client misses once a later one comes, and those
/// that are overdue when none does, since a server that has died sends no later one. Less those that came after all.
static uint32_t lost_since(struct bot *bot, const struct client_statistics *now, uint64_t now_us)
{
    int32_t lost = (int32_t)(now->snapshots_lost - bot->seen.snapshots_lost) - bot->found;
    uint64_t silence_us = now_us - bot->snapshot_us;
    if (now->snapshots != bot->seen.snapshots) {
        lost -= bot->overdue;
        bot->overdue = 0;
    } else if (silence_us >= SILENCE_US) {
        int32_t overdue = (int32_t)(silence_us * now->snapshot_rate / 1000000);
        lost += overdue - bot->overdue;
        bot->overdue = overdue;
    }
    bot->found = lost < 0 ? -lost : 0;
    return lost < 0 ? 0 : (uint32_t)lost;
}

/// Books what one bot has seen since the last pulse.
static void measure(struct swarm *swarm, struct bot *bot, uint64_t now_us)
{
    struct client_statistics now;
    const struct client_statistics *seen = &bot->seen;
    struct swarm_sample *sample = &swarm->since;
    client_statistics(bot->client, &now);
    for (uint32_t i = seen->snapshots; i != now.snapshots; i++) {
        histogram_add(&sample->snapshot_gap_us, now_us - bot->snapshot_us);
        bot->snapshot_us = now_us;
        if (bot->whole)
            histogram_add(&sample->prediction_error_subpx, now.prediction_error_subpx);
    }
    if (now.input_acks != seen->input_acks)
        histogram_add(&sample->input_ack_us, now.input_ack_us);
    if (now_us - bot->sampled_rtt_us >= 1000000) {
        histogram_add(&sample->rtt_us, now.rtt_ms * UINT64_C(1000));
        bot->sampled_rtt_us = now_us;
    }
    sample->snapshots += now.snapshots - seen->snapshots;
    sample->snapshots_lost += lost_since(bot, &now, now_us);
    bool anew = now.bytes_in < seen->bytes_in || now.bytes_out < seen->bytes_out; // a new connection counts from zero
    sample->bytes_down += now.bytes_in - (anew ? 0 : seen->bytes_in);
    sample->bytes_up += now.bytes_out - (anew ? 0 : seen->bytes_out);
    sample->inputs_missed += (now.inputs_missed - seen->inputs_missed) & 0xFFFF;
    sample->corrections += now.corrections - seen->corrections;
    sample->resimulated_ticks += now.resimulated_ticks - seen->resimulated_ticks;
    sample->desyncs += now.desyncs - seen->desyncs;
    sample->play_us += now_us - bot->pulse_us;
    sample->verify_play_us += bot->whole ? now_us - bot->pulse_us : 0;
    bot->play_us += now_us - bot->pulse_us;
    bot->pulse_us = now_us;
    bot->seen = now;
}

static void pulse(struct swarm *swarm, struct bot *bot, uint64_t now_us)
{
    client_receive(bot->client, now_us);
    if (client_state(bot->client) == CLIENT_PLAYING && !bot->played)
        joined(swarm, bot, now_us);
    if (bot->played)
        measure(swarm, bot, now_us);
    for (; client_tick_due(bot->client, now_us); swarm->since.inputs++)
        client_tick(bot->client, think(swarm, bot), now_us);
    if (client_state(bot->client) == CLIENT_ENDED)
        lose(swarm, bot, client_reason(bot->client), client_sentence(bot->client));
}

void swarm_pulse(struct swarm *swarm, uint64_t now_us)
{
    if (!swarm->started)
        swarm->start_us = now_us;
    swarm->started = true;
    uint64_t due = 1 + (now_us - swarm->start_us) * swarm->settings.spawn_rate / 1000000;
    while (swarm->opened < swarm->settings.count && swarm->opened < due)
        open_bot(swarm, now_us);
    for (uint32_t i = 0; i < swarm->opened; i++) {
        if (swarm->bots[i].client)
            pulse(swarm, &swarm->bots[i], now_us);
=======
    for (uint32_t i = 0; i < wanted && i < SWARM_CAPACITY; i++)
        pulse(swarm, i, now_us);
    for (uint32_t i = wanted; i < SWARM_CAPACITY; i++) {
        if (swarm->bots[i].state == BOT_IN || swarm->bots[i].state == BOT_AWAY)
            bot_leave(&swarm->bots[i]);
>>>>>>> 9b78391 (Load a server by stages and by behaviour, watch its metrics meanwhile, and report as a page with plots; soak it with kills and restarts)
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

const char *swarm_sentence(const struct swarm *swarm)
{
    return swarm->sentence;
}

const struct client *swarm_witness(const struct swarm *swarm)
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
