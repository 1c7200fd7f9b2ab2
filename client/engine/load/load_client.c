// SPDX-License-Identifier: MIT
#include "load_client.h"

#include <stdio.h>

#include "base/clock.h"
#include "load_game.h"

// Ticks for which a random walk holds the same buttons.
#define WALK_TICKS 20
// A longer gap between snapshots is more than jitter.
#define SILENCE_US 250000
// A churning client stays, and is away, for one to three times this.
#define STAY_US  2000000u
#define PAUSE_US 500000u
// Longer than a server keeps the worlds that a client may confirm.
#define SLOW_READ_US 2000000
// Messages of a flood in each pulse.
#define FLOOD_MESSAGES 32
// One message in so many is nonsense.
#define FLOOD_NONSENSE 64
// Without an acknowledgement for so long there was a stall.
#define STALL_US 100000u
// As fast as before: within 10 % and a quarter of a tick.
#define TOLERANCE_US(usual_us) ((usual_us) / 10 + 4167)

// --- what interrupts a client

bool load_client_outage_pulse(struct outage *outage, const struct outage_pulse *pulse, uint64_t *lasted_us)
{
    uint64_t since_us = outage->pulsed_us ? pulse->now_us - outage->pulsed_us : 0;
    outage->pulsed_us = pulse->now_us;
    if (pulse->expects)
        outage->silent_us += since_us < OUTAGE_PULSE_US_MAX ? since_us : OUTAGE_PULSE_US_MAX;
    uint64_t intervals_us = pulse->snapshot_rate ? OUTAGE_INTERVALS_MIN * CLOCK_SECOND_US / pulse->snapshot_rate : 0;
    outage->is_open |= outage->silent_us >= (intervals_us > OUTAGE_US_MIN ? intervals_us : OUTAGE_US_MIN);
    return pulse->heard && load_client_outage_end(outage, lasted_us);
}

bool load_client_outage_end(struct outage *outage, uint64_t *lasted_us)
{
    bool was_open = outage->is_open;
    *lasted_us = outage->silent_us;
    outage->is_open = false;
    outage->silent_us = 0;
    return was_open;
}

static uint32_t average(uint32_t average_us, uint32_t value_us, int32_t count)
{
    return (uint32_t)((int32_t)average_us + ((int32_t)value_us - (int32_t)average_us) / count);
}

bool load_client_recovery_ack(struct recovery *recovery, uint32_t ack_us, uint64_t now_us, uint64_t *took_us)
{
    uint64_t silence_us = now_us - recovery->acked_us;
    recovery->acked_us = now_us;
    if (recovery->usual_us == 0) {
        recovery->usual_us = ack_us;
        return false;
    }
    if (silence_us >= STALL_US) {
        recovery->resumed_us = now_us;
        recovery->recent_us = ack_us;
    }
    if (recovery->resumed_us == 0) {
        recovery->usual_us = average(recovery->usual_us, ack_us, 32);
        return false;
    }
    recovery->recent_us = average(recovery->recent_us, ack_us, 4);
    *took_us = now_us - recovery->resumed_us;
    if (recovery->recent_us > recovery->usual_us + TOLERANCE_US(recovery->usual_us)) {
        if (*took_us < RECOVERY_US_MAX)
            return false;
        *took_us = RECOVERY_US_MAX;
        recovery->usual_us = recovery->recent_us;
    }
    recovery->resumed_us = 0;
    return true;
}

// --- the client

static uint32_t next_random(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

// Connects, or connects again after a loss.
static struct transport *reopen(void *context)
{
    struct load_client *client = context;
    struct transport *transport = client->settings->connect(client->settings->context, client->index);
    if (transport) {
        client->transport = transport;
        client->counted = (struct load_client_traffic){0};
    }
    return transport;
}

static void lose(struct load_client *client, struct sample *sample, enum deny_reason reason, uint64_t now_us)
{
    // A player who was in the match and gets no answer now tries again.
    bool abusive = workload_is_abusive(client->behaviour);
    bool again = abusive || (client->settings->reconnect && client->joined && reason == DENY_NONE &&
                             client->tries++ < CONNECTION_TRIES_MAX);
    sample->expelled += abusive;
    sample->disconnects[reason] += !again;
    if (again && !abusive && client->lost_us == 0)
        client->lost_us = client->snapshot_us;
    if (!again)
        load_client_end_outage(client, sample);
    client_destroy(client->core);
    client->core = NULL;
    client->state = again ? LOAD_CLIENT_AWAY : LOAD_CLIENT_ENDED;
    client->change_us = now_us + PAUSE_US;
}

static void open_client(struct load_client *client, struct sample *sample, uint64_t now_us)
{
    struct client_config config = {.player = {.colour = client->index % 16, .hat = client->index % HATS},
                                   .light = !client->full,
                                   .context = client};
    config.reopen = client->settings->reconnect && !workload_is_abusive(client->behaviour) ? reopen : NULL;
    snprintf(config.player.name, sizeof config.player.name, "%.10s%u", client->settings->name,
             client->index % 10000 + 1);
    client->opened_us = now_us;
    client->played = false;
    client->overdue = client->late_arrivals = 0;
    client->recovery = (struct recovery){0};
    struct transport *transport = reopen(client);
    client->core = transport ? client_create(transport, &config) : NULL;
    client->state = LOAD_CLIENT_IN;
    if (transport && !client->core)
        transport_close(transport);
    if (!client->core)
        lose(client, sample, DENY_NONE, now_us);
}

void load_client_open(struct load_client *client, const struct load_client_settings *settings, uint32_t index,
                      struct sample *sample, uint64_t now_us)
{
    client->settings = settings;
    client->index = index;
    client->behaviour = workload_mix_pick(&settings->mix, index);
    client->full = index < settings->verify;
    client->random = settings->seed * 2654435761u + index;
    open_client(client, sample, now_us);
}

bool load_client_end_outage(struct load_client *client, struct sample *sample)
{
    uint64_t lasted_us;
    if (!load_client_outage_end(&client->outage, &lasted_us))
        return false;
    histogram_add(&sample->outage_us, lasted_us);
    return true;
}

void load_client_leave(struct load_client *client, struct sample *sample)
{
    load_client_end_outage(client, sample);
    client->outage = (struct outage){0};
    client->lost_us = 0;
    client_destroy(client->core);
    client->core = NULL;
    client->state = LOAD_CLIENT_OUT;
}

static struct player_input think(struct load_client *client)
{
    if (client->behaviour == BEHAVIOUR_IDLE)
        return (struct player_input){0};
    if (client->full)
        return load_game_think(client_world(client->core), client_map(client->core), client_slot(client->core),
                               client->settings->skill);
    if (client->walk_ticks++ % WALK_TICKS == 0)
        client->walk = load_game_walk(next_random(&client->random));
    return client->walk;
}

// While a connection is lost, all snapshots are missing; but none is between two matches, nor after the first world,
// which a server waits to see acknowledged.
static void measure_outage(struct load_client *client, struct sample *sample, bool heard, uint64_t now_us)
{
    enum client_state state = client->state == LOAD_CLIENT_AWAY ? CLIENT_CONNECTING : client_state(client->core);
    if (state == CLIENT_CONNECTING && client->lost_us == 0)
        client->lost_us = client->snapshot_us;
    if (state == CLIENT_JOINING)
        client->settled = false;
    else if (heard)
        client->settled = client->lost_us == 0;
    if (heard && client->lost_us != 0) { // the connection is there again
        sample->reconnects++;
        histogram_add(&sample->recover_us, now_us - client->lost_us);
        client->lost_us = 0;
    }
    struct outage_pulse pulse = {.heard = heard,
                                 .expects = client->lost_us != 0 || (state == CLIENT_PLAYING && client->settled),
                                 .snapshot_rate = client->seen.snapshot_rate,
                                 .now_us = now_us};
    uint64_t lasted_us;
    if (load_client_outage_pulse(&client->outage, &pulse, &lasted_us))
        histogram_add(&sample->outage_us, lasted_us);
}

static void joined(struct load_client *client, struct sample *sample, uint64_t now_us)
{
    client->played = client->joined = true;
    client->tries = 0;
    if (client->lost_us != 0)
        measure_outage(client, sample, true, now_us);
    client->settled = false;
    client->measured_us = client->snapshot_us = now_us;
    client->change_us = now_us + STAY_US + next_random(&client->random) % (2 * STAY_US);
    histogram_add(&sample->connect_us, now_us - client->opened_us);
    client_chat_send(client->core, 0, false, client->settings->say);
    client_statistics(client->core, &client->seen);
    const struct world *world = client_world_confirmed(client->core);
    client->seen_events = world ? world->event_count : 0;
}

// Counts what the own player did in the confirmed worlds, as far as the newest remembers it.
static void count_events(struct load_client *client, struct sample *sample)
{
    const struct world *world = client_world_confirmed(client->core);
    if (!world)
        return;
    uint32_t since = world->event_count - client->seen_events;
    for (uint32_t i = since < EVENT_CAPACITY ? since : EVENT_CAPACITY; i > 0; i--) {
        const struct event *event = &world->events[(world->event_count - i) % EVENT_CAPACITY];
        sample->events[event->kind < EVENT_KINDS ? event->kind : 0] += event->subject == client_slot(client->core);
    }
    client->seen_events = world->event_count;
}

// Adds what one client has seen since the last pulse.
static void measure(struct load_client *client, struct sample *sample, const struct client_statistics *statistics,
                    uint64_t now_us)
{
    struct client_statistics now = *statistics;
    const struct client_statistics *seen = &client->seen;
    measure_outage(client, sample, now.snapshots != seen->snapshots, now_us);
    for (uint32_t i = seen->snapshots; i != now.snapshots; i++) {
        histogram_add(&sample->snapshot_gap_us, now_us - client->snapshot_us);
        client->snapshot_us = now_us;
        if (!client->full)
            continue;
        count_events(client, sample);
        histogram_add(&sample->prediction_error_subpx, now.prediction_error_subpx);
        histogram_add(&sample->others_error_subpx, now.others_error_subpx);
    }
    uint64_t took_us;
    if (now.input_acks != seen->input_acks) {
        histogram_add(&sample->input_ack_us, now.input_ack_us);
        if (load_client_recovery_ack(&client->recovery, now.input_ack_us, now_us, &took_us))
            histogram_add(&sample->stall_recovery_us, took_us);
    }
    if (now.round_trips != seen->round_trips)
        histogram_add(&sample->rtt_us, now.round_trip_us);
    sample->snapshots += now.snapshots - seen->snapshots;
    // Lost are those that are missing once a later one comes, and those that are overdue while none comes, because a
    // dead server sends no later one; minus those that came after all.
    int32_t lost = (int32_t)(now.snapshots_lost - seen->snapshots_lost) - client->late_arrivals;
    uint64_t silence_us = now_us - client->snapshot_us;
    if (now.snapshots != seen->snapshots) {
        lost -= client->overdue;
        client->overdue = 0;
    } else if (silence_us >= SILENCE_US) {
        int32_t overdue = (int32_t)(silence_us * now.snapshot_rate / CLOCK_SECOND_US);
        lost += overdue - client->overdue;
        client->overdue = overdue;
    }
    client->late_arrivals = lost < 0 ? -lost : 0;
    sample->snapshots_lost += lost < 0 ? 0 : (uint32_t)lost;
    // A new connection counts from zero.
    bool counts_again = now.bytes_in < seen->bytes_in || now.bytes_out < seen->bytes_out;
    sample->bytes_down += now.bytes_in - (counts_again ? 0 : seen->bytes_in);
    sample->bytes_up += now.bytes_out - (counts_again ? 0 : seen->bytes_out);
    sample->inputs_missed += now.inputs_missed - seen->inputs_missed;
    sample->corrections += now.corrections - seen->corrections;
    sample->resimulated_ticks += now.resimulated_ticks - seen->resimulated_ticks;
    sample->desyncs += now.desyncs - seen->desyncs;
    sample->facts += now.facts - seen->facts;
    sample->fact_delay_ticks += now.fact_delay_ticks - seen->fact_delay_ticks;
    sample->facts_lost += now.facts_lost - seen->facts_lost;
    sample->deaths_refuted += now.deaths_refuted - seen->deaths_refuted;
    sample->others_jumps += now.others_jumps - seen->others_jumps;
    for (uint32_t i = 0; i < EVENT_KINDS; i++)
        sample->actions_refuted[i] += now.refuted[i] - seen->refuted[i];
    sample->play_us += now_us - client->measured_us;
    sample->verify_play_us += client->full ? now_us - client->measured_us : 0;
    client->play_us += now_us - client->measured_us;
    client->snapshots += now.snapshots - seen->snapshots;
    client->measured_us = now_us;
    client->seen = now;
}

// Sends what a client may send, but far more of it, and now and then random bytes.
static void flood(struct load_client *client, struct sample *sample)
{
    for (uint32_t i = 0; i < FLOOD_MESSAGES; i++) {
        uint8_t bytes[NET_MESSAGE_BYTES_MAX];
        struct message say = {.kind = MESSAGE_CHAT_SEND, .as.chat_send.text = "flood"};
        struct message input = {.kind = MESSAGE_INPUT,
                                .as.input = {.newest_tick = next_random(&client->random), .count = 1, .players = 1}};
        size_t count = message_encode(i % 4 == 0 ? &say : &input, bytes);
        if (next_random(&client->random) % FLOOD_NONSENSE == 0)
            for (count = 0; count < sizeof bytes; count++)
                bytes[count] = (uint8_t)next_random(&client->random);
        sample->flood_messages += transport_send(client->transport, 0, NET_UNSEQUENCED, bytes, count);
    }
    transport_flush(client->transport);
}

bool load_client_pulse(struct load_client *client, struct sample *sample, uint64_t now_us, struct error *error)
{
    if (client->state == LOAD_CLIENT_AWAY && now_us >= client->change_us)
        open_client(client, sample, now_us);
    if (client->state == LOAD_CLIENT_ENDED)
        return error_set(error, "A connection could not be opened.");
    if (client->lost_us != 0 && (client->state == LOAD_CLIENT_AWAY || !client->played))
        measure_outage(client, sample, false, now_us);
    if (client->state != LOAD_CLIENT_IN)
        return true;
    bool reads_slowly = client->behaviour == BEHAVIOUR_SLOW_READER && client->played;
    if (!reads_slowly || now_us - client->read_us >= SLOW_READ_US) {
        client->read_us = now_us;
        client_receive(client->core, now_us);
    }
    if (client_state(client->core) == CLIENT_PLAYING && !client->played)
        joined(client, sample, now_us);
    struct client_statistics now;
    client_statistics(client->core, &now);
    struct load_client_traffic *counted = &client->counted; // begins at zero with a new connection
    sample->datagram_bytes_down += now.bytes_in - counted->bytes_in;
    sample->datagram_bytes_up += now.bytes_out - counted->bytes_out;
    sample->datagrams_down += now.packets_in - counted->packets_in;
    sample->datagrams_up += now.packets_out - counted->packets_out;
    *counted = (struct load_client_traffic){now.bytes_in, now.bytes_out, now.packets_in, now.packets_out};
    bool measured = client->played && !workload_is_abusive(client->behaviour);
    if (measured)
        measure(client, sample, &now, now_us);
    for (; client_tick_due(client->core, now_us); sample->inputs += measured)
        client_tick(client->core, &(struct local_inputs){{think(client)}}, now_us);
    if (client_state(client->core) == CLIENT_ENDED) {
        error_set(error, "%s", client_status_text(client->core));
        lose(client, sample, client_reason(client->core), now_us);
        return client->state != LOAD_CLIENT_ENDED;
    }
    if (client->played && client->behaviour == BEHAVIOUR_FLOOD)
        flood(client, sample);
    if (client->played && client->behaviour == BEHAVIOUR_CHURN && now_us >= client->change_us) {
        load_client_leave(client, sample);
        client->state = LOAD_CLIENT_AWAY;
        client->change_us = now_us + PAUSE_US + next_random(&client->random) % (2 * PAUSE_US);
    }
    return true;
}
