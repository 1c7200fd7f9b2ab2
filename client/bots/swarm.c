// SPDX-License-Identifier: MIT
#include "swarm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Ticks of one leg of a random walk.
#define WALK_TICKS 20
/// A pause between snapshots that is more than jitter.
#define SILENCE_US 250000

struct bot {
    struct swarm *swarm;
    struct client *client; ///< null: not opened yet, or ended
    bool whole;
    bool played;
    uint32_t random;
    struct player_input walk;
    uint32_t walk_ticks;
    uint64_t opened_us;
    uint64_t pulse_us;         ///< of the last pulse in the match
    uint64_t snapshot_us;      ///< when the newest came
    int32_t overdue;           ///< snapshots lost since then, already counted
    int32_t found;             ///< snapshots counted as lost that came after all, to be made good
    uint64_t play_us;          ///< in the match
    uint64_t sampled_rtt_us;   ///< when the round trip was sampled last
    uint32_t snapshots_before; ///< it was counted in the match
    struct client_statistics seen;
};

struct swarm {
    struct swarm_settings settings;
    uint64_t start_us;
    bool started;
    uint32_t opened, ended, joined;
    char sentence[256];
    struct swarm_sample total, since;
    struct bot bots[SWARM_CAPACITY];
};

const char *swarm_reason_name(uint32_t reason)
{
    static const char *const names[DENY_REASONS] = {
        [DENY_NONE] = "lost",     [DENY_VERSION] = "version",   [DENY_FULL] = "full",
        [DENY_KICKED] = "kicked", [DENY_CLOSING] = "closing",   [DENY_PROTOCOL] = "protocol",
        [DENY_SILENT] = "silent", [DENY_REPLACED] = "replaced",
    };
    return reason < DENY_REASONS && names[reason] ? names[reason] : "other";
}

struct swarm *swarm_create(const struct swarm_settings *settings)
{
    struct swarm *swarm = calloc(1, sizeof *swarm);
    if (swarm)
        swarm->settings = *settings;
    return swarm;
}

void swarm_destroy(struct swarm *swarm)
{
    for (uint32_t i = 0; swarm && i < swarm->opened; i++)
        client_destroy(swarm->bots[i].client);
    free(swarm);
}

static uint32_t dice(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

static void lose(struct swarm *swarm, struct bot *bot, enum deny_reason reason, const char *sentence)
{
    if (swarm->ended++ == 0)
        snprintf(swarm->sentence, sizeof swarm->sentence, "%s", sentence);
    swarm->since.disconnects[reason]++;
    client_destroy(bot->client);
    bot->client = NULL;
}

static struct transport *reopen(void *context)
{
    const struct bot *bot = context;
    return bot->swarm->settings.open(bot->swarm->settings.context, (uint32_t)(bot - bot->swarm->bots));
}

static void open_bot(struct swarm *swarm, uint64_t now_us)
{
    uint32_t index = swarm->opened++;
    struct bot *bot = &swarm->bots[index];
    bot->whole = index < swarm->settings.verify;
    bot->random = swarm->settings.seed * 2654435761u + index;
    bot->opened_us = now_us;
    struct client_config config = {.colour = index % 16, .light = !bot->whole, .context = bot};
    bot->swarm = swarm;
    config.reopen = swarm->settings.reconnect ? reopen : NULL;
    snprintf(config.name, sizeof config.name, "%.10s%u", swarm->settings.name, index % 10000 + 1);
    struct transport *transport = reopen(bot);
    bot->client = transport ? client_create(transport, &config) : NULL;
    if (transport && !bot->client)
        transport_close(transport);
    if (!bot->client)
        lose(swarm, bot, DENY_NONE, "A connection could not be opened.");
}

static struct player_input think(const struct swarm *swarm, struct bot *bot)
{
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
    }
}

uint32_t swarm_connected(const struct swarm *swarm)
{
    uint32_t connected = 0;
    for (uint32_t i = 0; i < swarm->opened; i++)
        connected += swarm->bots[i].client && swarm->bots[i].played;
    return connected;
}

uint32_t swarm_joined(const struct swarm *swarm)
{
    return swarm->joined;
}

uint32_t swarm_ended(const struct swarm *swarm)
{
    return swarm->ended;
}

double swarm_least_snapshots_per_s(const struct swarm *swarm)
{
    double least = 0;
    bool any = false;
    for (uint32_t i = 0; i < swarm->opened; i++) {
        const struct bot *bot = &swarm->bots[i];
        if (bot->play_us == 0)
            continue;
        double rate = (bot->seen.snapshots - bot->snapshots_before) * 1e6 / (double)bot->play_us;
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
    for (uint32_t i = 0; i < swarm->opened; i++) {
        const struct bot *bot = &swarm->bots[i];
        if (bot->client && bot->whole && client_world(bot->client))
            return bot->client;
    }
    return NULL;
}

void swarm_sample_add(struct swarm_sample *sum, const struct swarm_sample *sample)
{
    histogram_merge(&sum->connect_us, &sample->connect_us);
    histogram_merge(&sum->rtt_us, &sample->rtt_us);
    histogram_merge(&sum->input_ack_us, &sample->input_ack_us);
    histogram_merge(&sum->snapshot_gap_us, &sample->snapshot_gap_us);
    histogram_merge(&sum->prediction_error_subpx, &sample->prediction_error_subpx);
    sum->play_us += sample->play_us;
    sum->verify_play_us += sample->verify_play_us;
    sum->snapshots += sample->snapshots;
    sum->snapshots_lost += sample->snapshots_lost;
    sum->bytes_down += sample->bytes_down;
    sum->bytes_up += sample->bytes_up;
    sum->inputs += sample->inputs;
    sum->inputs_missed += sample->inputs_missed;
    sum->corrections += sample->corrections;
    sum->resimulated_ticks += sample->resimulated_ticks;
    sum->desyncs += sample->desyncs;
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        sum->disconnects[i] += sample->disconnects[i];
}

void swarm_take_sample(struct swarm *swarm, struct swarm_sample *sample)
{
    *sample = swarm->since;
    swarm_sample_add(&swarm->total, sample);
    memset(&swarm->since, 0, sizeof swarm->since);
}

const struct swarm_sample *swarm_total(const struct swarm *swarm)
{
    return &swarm->total;
}
