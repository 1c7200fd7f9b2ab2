// SPDX-License-Identifier: MIT
#include "probe.h"
#include "memory_network.h"
#include "sync/world.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

void probe_send(struct probe *probe, const struct message *message, enum net_channel channel)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    transport_send(probe->transport, 0, channel, bytes, message_encode(message, bytes));
}

static void get_ready(struct probe *probe)
{
    world_init(&probe->fresh, &probe->map, &probe->welcome.rules);
    probe->ready = true;
    probe_send(probe, &(struct message){.kind = MESSAGE_READY, .as.ready = probe->welcome.tick}, NET_RELIABLE);
}

static void take_map_part(struct probe *probe, const struct map_part_message *part)
{
    assert_int_equal(part->offset, probe->map_bytes);
    assert_true(part->offset + part->count <= probe->welcome.map_blob_bytes);
    memcpy(probe->blob + part->offset, part->bytes, part->count);
    probe->map_bytes += part->count;
    probe->map_parts++;
    if (probe->map_bytes < probe->welcome.map_blob_bytes)
        return;
    assert_true(map_blob_decode(&probe->map, probe->blob, probe->map_bytes));
    assert_true(map_hash(&probe->map) == probe->welcome.map_hash);
    get_ready(probe);
}

static void take_snapshot(struct probe *probe)
{
    const struct snapshot_head *head = &probe->assembly.head;
    const struct world *baseline =
        head->baseline_tick ? &probe->held[head->baseline_tick % INPUT_LOG_TICKS] : &probe->fresh;
    const uint8_t *body = probe->assembly.body;
    uint32_t body_bytes = probe->assembly.byte_count;
    probe->world = *baseline;
    bool decoded = baseline->tick == head->baseline_tick &&
                   (head->baseline_tick
                        ? input_log_decode((struct input_log_target){&probe->world, &probe->map, NULL, probe->held},
                                           baseline, head->tick, body, body_bytes)
                        : snapshot_body_decode(&probe->world, baseline, &probe->map, body, body_bytes));
    if (!decoded) {
        probe->undecodable++;
        return;
    }
    probe->desyncs += (uint32_t)world_hash(&probe->world) != head->world_hash || probe->world.tick != head->tick;
    probe->snapshots++;
    probe->full_snapshots += head->baseline_tick == 0;
    probe->head = *head;
    probe->held[head->tick % INPUT_LOG_TICKS] = probe->world;
    if (head->tick > probe->newest)
        probe->newest = probe->acknowledge = head->tick;
}

static void take_message(struct probe *probe, const struct net_event *event)
{
    struct snapshot_head head;
    const uint8_t *part;
    size_t part_bytes;
    struct message message;
    if (snapshot_part_decode(&head, &part, &part_bytes, event->bytes, event->byte_count)) {
        probe->parts++;
        if (snapshot_assembly_add(&probe->assembly, &head, part, part_bytes))
            take_snapshot(probe);
        return;
    }
    assert_true(message_decode(&message, event->bytes, event->byte_count));
    if (message.kind == MESSAGE_SEATS) {
        probe->slot = message.as.seats.seats.of[0] - 1;
    } else if (message.kind == MESSAGE_WELCOME) {
        probe->welcomed = true;
        probe->welcome = message.as.welcome;
        memset(probe->hats, 0, sizeof probe->hats);
        probe->map_bytes = probe->newest = probe->acknowledge = 0;
        probe->assembly.head.tick = 0;
        probe->ready = false;
        if (probe->map_hash_held == probe->welcome.map_hash)
            get_ready(probe);
    } else if (message.kind == MESSAGE_MAP_PART) {
        take_map_part(probe, &message.as.map_part);
    } else if (message.kind == MESSAGE_DENY) {
        probe->denied = message.as.deny;
    } else if (message.kind == MESSAGE_SYSTEM) {
        memcpy(probe->notice, message.as.system, sizeof probe->notice);
    } else if (message.kind == MESSAGE_CHAT_LINE) {
        if (probe->chat_line_count < PROBE_CHAT_CAPACITY)
            probe->chat_lines[probe->chat_line_count] = message.as.chat_line;
        probe->chat_line_count++;
    } else if (message.kind == MESSAGE_VOTE) {
        probe->open_vote = message.as.vote;
    } else if (message.kind == MESSAGE_TAGS) {
        memcpy(probe->tags[message.as.tags.first], message.as.tags.tags, message.as.tags.count * sizeof *probe->tags);
        probe->tag_bytes += event->byte_count;
    } else if (message.kind == MESSAGE_HATS) {
        memcpy(probe->hats + message.as.hats.first, message.as.hats.hats, message.as.hats.count);
    } else {
        fail_msg("the server sent a message of kind %d", (int)message.kind);
    }
}

void probe_receive(struct probe *probe)
{
    struct net_event event;
    while (transport_poll(probe->transport, &event)) {
        if (event.kind == NET_CONNECTED && !probe->mute) {
            probe->connected = true;
            probe_send(
                probe,
                &(struct message){
                    .kind = MESSAGE_JOIN,
                    .as.join = {.protocol = PROTOCOL_VERSION, .hat = probe->hat, .map_hash = probe->map_hash_held}},
                NET_RELIABLE);
        } else if (event.kind == NET_DISCONNECTED) {
            probe->ended = true;
        } else if (event.kind == NET_MESSAGE) {
            take_message(probe, &event);
        }
    }
}

void probe_send_input(struct probe *probe)
{
    if (probe->mute || !probe->ready || probe->snapshots == 0)
        return;
    tick wanted = probe->newest + probe->lead_ticks;
    probe->input_tick = wanted > probe->input_tick ? wanted : probe->input_tick + 1;
    struct message message = {.kind = MESSAGE_INPUT};
    message.as.input.newest_tick = probe->input_tick;
    message.as.input.snapshot_tick = probe->acknowledge;
    message.as.input.repeats = probe->repeats;
    message.as.input.players = 1;
    message.as.input.count = probe->input_tick < INPUT_BATCH_CAPACITY ? probe->input_tick : INPUT_BATCH_CAPACITY;
    for (uint32_t i = 0; i < message.as.input.count; i++)
        message.as.input.inputs[i].of[0].buttons = probe->buttons;
    probe_send(probe, &message, NET_UNSEQUENCED);
}

void session_begin(struct session *session, const struct match_config *config, const struct impairment *impairment,
                   uint32_t probe_count)
{
    *session = (struct session){.probe_count = probe_count};
    session->network = memory_network_create(1, impairment, MATCH_PEER_CAPACITY);
    session->match = match_create(config, memory_network_server(session->network));
    session->probes = calloc(probe_count, sizeof *session->probes);
    assert_true(session->network && session->match && session->probes);
    for (uint32_t i = 0; i < probe_count; i++) {
        session->probes[i].transport = memory_network_client(session->network);
        session->probes[i].lead_ticks = 3 + (2 * impairment->delay_us + impairment->jitter_us) / TICK_US;
    }
}

void session_run(struct session *session, uint32_t ticks)
{
    for (; ticks > 0; ticks--) {
        session->now_us += TICK_US;
        memory_network_advance(session->network, session->now_us);
        match_receive(session->match, session->now_us);
        match_tick(session->match, session->now_us);
        memory_network_advance(session->network, session->now_us);
        for (uint32_t i = 0; i < session->probe_count; i++) {
            probe_receive(&session->probes[i]);
            probe_send_input(&session->probes[i]);
        }
    }
}

void session_end(struct session *session)
{
    match_destroy(session->match);
    memory_network_destroy(session->network);
    free(session->probes);
}
