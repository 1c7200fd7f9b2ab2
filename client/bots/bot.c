// SPDX-License-Identifier: MIT
#include "bot.h"

#include <stdio.h>

// Ticks for which a random walk holds the same buttons.
#define WALK_TICKS 20
// A longer gap between snapshots is more than jitter.
#define SILENCE_US 250000
// A churning bot stays, and is away, for one to three times this.
#define STAY_US  2000000u
#define PAUSE_US 500000u
// Longer than a server keeps the worlds that a client may confirm.
#define SLOW_READ_US 2000000
// Messages of a flood in each pulse.
#define FLOOD_MESSAGES 32
// One message in so many is nonsense.
#define FLOOD_NONSENSE 64

static uint32_t next_random(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

static struct transport *reopen(void *context)
{
    const struct bot *bot = context;
    return bot->settings->connect(bot->settings->context, bot->index);
}

// Returns whether the bot tries again, as a player does who was in the match and gets no answer now.
static bool tries_again(struct bot *bot, enum deny_reason reason)
{
    return bot->settings->reconnect && bot->joined && reason == DENY_NONE && bot->tries++ < CONNECTION_TRIES_MAX;
}

static void lose(struct bot *bot, struct sample *sample, enum deny_reason reason, uint64_t now_us)
{
    bool abusive = behaviour_is_abusive(bot->behaviour), again = abusive || tries_again(bot, reason);
    sample->expelled += abusive;
    sample->disconnects[reason] += !again;
    client_destroy(bot->client);
    bot->client = NULL;
    bot->state = again ? BOT_AWAY : BOT_ENDED;
    bot->change_us = now_us + PAUSE_US;
}

static void open_client(struct bot *bot, struct sample *sample, uint64_t now_us)
{
    struct client_config config = {
        .colour = bot->index % 16, .hat = bot->index % HATS, .light = !bot->whole, .context = bot};
    config.reopen = bot->settings->reconnect && !behaviour_is_abusive(bot->behaviour) ? reopen : NULL;
    snprintf(config.name, sizeof config.name, "%.10s%u", bot->settings->name, bot->index % 10000 + 1);
    bot->opened_us = now_us;
    bot->played = false;
    bot->overdue = bot->late_arrivals = 0;
    bot->transport = reopen(bot);
    bot->client = bot->transport ? client_create(bot->transport, &config) : NULL;
    bot->state = BOT_IN;
    if (bot->transport && !bot->client)
        transport_close(bot->transport);
    if (!bot->client)
        lose(bot, sample, DENY_NONE, now_us);
}

void bot_open(struct bot *bot, const struct bot_settings *settings, uint32_t index, struct sample *sample,
              uint64_t now_us)
{
    bot->settings = settings;
    bot->index = index;
    bot->behaviour = behaviour_mix_pick(&settings->mix, index);
    bot->whole = index < settings->verify;
    bot->random = settings->seed * 2654435761u + index;
    open_client(bot, sample, now_us);
}

void bot_leave(struct bot *bot)
{
    client_destroy(bot->client);
    bot->client = NULL;
    bot->state = BOT_OUT;
}

static struct player_input think(struct bot *bot)
{
    if (bot->behaviour == BEHAVIOUR_IDLE)
        return (struct player_input){0};
    if (bot->whole)
        return ai_think(client_world(bot->client), client_map(bot->client), NULL, client_slot(bot->client),
                        bot->settings->skill);
    if (bot->walk_ticks++ % WALK_TICKS == 0)
        bot->walk.buttons = next_random(&bot->random) & (BUTTON_LEFT | BUTTON_RIGHT | BUTTON_UP | BUTTON_DOWN |
                                                         BUTTON_JUMP | BUTTON_DASH | BUTTON_SHOOT);
    return bot->walk;
}

static void joined(struct bot *bot, struct sample *sample, uint64_t now_us)
{
    bot->played = bot->joined = true;
    bot->tries = 0;
    bot->measured_us = bot->snapshot_us = now_us;
    bot->change_us = now_us + STAY_US + next_random(&bot->random) % (2 * STAY_US);
    histogram_add(&sample->connect_us, now_us - bot->opened_us);
    client_chat_send(bot->client, false, bot->settings->say);
    client_statistics(bot->client, &bot->seen);
}

// Returns the snapshots that a bot has lost since the last pulse: those that the client misses once a later one comes,
// and those that are overdue while none comes, because a dead server sends no later one; minus those that came after
// all.
static uint32_t lost_since(struct bot *bot, const struct client_statistics *now, uint64_t now_us)
{
    int32_t lost = (int32_t)(now->snapshots_lost - bot->seen.snapshots_lost) - bot->late_arrivals;
    uint64_t silence_us = now_us - bot->snapshot_us;
    if (now->snapshots != bot->seen.snapshots) {
        lost -= bot->overdue;
        bot->overdue = 0;
    } else if (silence_us >= SILENCE_US) {
        int32_t overdue = (int32_t)(silence_us * now->snapshot_rate / 1000000);
        lost += overdue - bot->overdue;
        bot->overdue = overdue;
    }
    bot->late_arrivals = lost < 0 ? -lost : 0;
    return lost < 0 ? 0 : (uint32_t)lost;
}

// Adds what one bot has seen since the last pulse.
static void measure(struct bot *bot, struct sample *sample, uint64_t now_us)
{
    struct client_statistics now;
    const struct client_statistics *seen = &bot->seen;
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
    sample->inputs_missed += now.inputs_missed - seen->inputs_missed;
    sample->corrections += now.corrections - seen->corrections;
    sample->resimulated_ticks += now.resimulated_ticks - seen->resimulated_ticks;
    sample->desyncs += now.desyncs - seen->desyncs;
    sample->play_us += now_us - bot->measured_us;
    sample->verify_play_us += bot->whole ? now_us - bot->measured_us : 0;
    bot->play_us += now_us - bot->measured_us;
    bot->snapshots += now.snapshots - seen->snapshots;
    bot->measured_us = now_us;
    bot->seen = now;
}

// Sends what a client may send, but far more of it, and now and then random bytes.
static void flood(struct bot *bot, struct sample *sample)
{
    for (uint32_t i = 0; i < FLOOD_MESSAGES; i++) {
        uint8_t bytes[NET_MESSAGE_BYTES_MAX];
        struct message say = {.kind = MESSAGE_CHAT_SEND, .as.say.text = "flood"};
        struct message input = {.kind = MESSAGE_INPUT,
                                .as.input = {.newest_tick = next_random(&bot->random), .count = 1}};
        size_t count = message_encode(i % 4 == 0 ? &say : &input, bytes);
        if (next_random(&bot->random) % FLOOD_NONSENSE == 0)
            for (count = 0; count < sizeof bytes; count++)
                bytes[count] = (uint8_t)next_random(&bot->random);
        sample->flood_messages += transport_send(bot->transport, 0, NET_UNSEQUENCED, bytes, count);
    }
    transport_flush(bot->transport);
}

// Returns whether a slow reader does not read yet.
static bool waits_to_read(struct bot *bot, uint64_t now_us)
{
    if (bot->behaviour != BEHAVIOUR_SLOW_READER || !bot->played || now_us - bot->read_us >= SLOW_READ_US) {
        bot->read_us = now_us;
        return false;
    }
    return true;
}

bool bot_pulse(struct bot *bot, struct sample *sample, uint64_t now_us, struct error *error)
{
    if (bot->state == BOT_AWAY && now_us >= bot->change_us)
        open_client(bot, sample, now_us);
    if (bot->state == BOT_ENDED)
        return error_set(error, "A connection could not be opened.");
    if (bot->state != BOT_IN)
        return true;
    if (!waits_to_read(bot, now_us))
        client_receive(bot->client, now_us);
    if (client_state(bot->client) == CLIENT_PLAYING && !bot->played)
        joined(bot, sample, now_us);
    bool measured = bot->played && !behaviour_is_abusive(bot->behaviour);
    if (measured)
        measure(bot, sample, now_us);
    for (; client_tick_due(bot->client, now_us); sample->inputs += measured)
        client_tick(bot->client, think(bot), now_us);
    if (client_state(bot->client) == CLIENT_ENDED) {
        error_set(error, "%s", client_status_text(bot->client));
        lose(bot, sample, client_reason(bot->client), now_us);
        return bot->state != BOT_ENDED;
    }
    if (bot->played && bot->behaviour == BEHAVIOUR_FLOOD)
        flood(bot, sample);
    if (bot->played && bot->behaviour == BEHAVIOUR_CHURN && now_us >= bot->change_us) {
        bot_leave(bot);
        bot->state = BOT_AWAY;
        bot->change_us = now_us + PAUSE_US + next_random(&bot->random) % (2 * PAUSE_US);
    }
    return true;
}
