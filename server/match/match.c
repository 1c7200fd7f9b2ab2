// SPDX-License-Identifier: MIT
#include "match.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cosmetics.h"
#include "restore.h"
#include "snapshot_sender.h"
#include "wire/replay.h"

static void begin(struct match *match, const struct map *map, const struct rules *rules, tick first_tick)
{
    match->map = *map;
    match->map_hash = map_hash(map);
    match->map_blob_bytes = (uint32_t)map_blob_encode(map, match->map_blob, sizeof match->map_blob);
    content_hash(match->map_blob, match->map_blob_bytes, match->map_address);
    world_begin(&match->world, &match->map, rules, first_tick);
    world_init(&match->fresh, &match->map, rules);
    match->ways_drawn = match->bots > 0;
    if (match->ways_drawn)
        nav_graph_build(&match->ways, &match->map);
}

struct match *match_create(const struct match_config *config, struct transport *transport)
{
    assert(config->players_max >= 1 && config->players_max <= PLAYER_CAPACITY);
    assert(config->snapshot_rate > 0 && TICKS_PER_SECOND % config->snapshot_rate == 0);
    struct match *match = calloc(1, sizeof *match);
    if (!match)
        return NULL;
    match->transport = transport;
    match->log = config->log;
    match->listener = config->listener;
    match->players_max = match->roster.seat_count = config->players_max;
    match->bots = config->bots;
    match->bot_skill = config->bot_skill;
    match->snapshot_ticks = TICKS_PER_SECOND / config->snapshot_rate;
    begin(match, config->map, &config->rules, 0);
    return match;
}

void match_change(struct match *match, const struct map *map, const struct rules *rules, uint64_t now_us)
{
    tick before = match->world.tick;
    begin(match, map, rules, before < MATCH_TICKS_OLD ? before : 0);
    match->return_tick -= match->return_tick ? before - match->world.tick : 0;
    memset(&match->moves, 0, sizeof match->moves);
    match->order_count = match->guests_noted = 0;
    vote_end(match);
    roster_new_match(&match->roster);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        peer_welcome_again(match, i, now_us);
}

bool match_send(struct match *match, uint32_t peer, const struct message *message)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t size = message_encode(message, bytes);
    bool sent = transport_send(match->transport, peer, NET_RELIABLE, bytes, size);
    match->statistics.unsent += !sent;
    return sent;
}

void match_drop(struct match *match, uint32_t index, enum deny_reason reason)
{
    struct peer *peer = &match->peers[index];
    if (peer->state == PEER_FREE || peer->state == PEER_LEAVING)
        return;
    bool seated = peer->state == PEER_LOADING || peer->state == PEER_PLAYING;
    if (seated && reason != DENY_REPLACED) // whoever is replaced leaves his seat to his successor
        roster_leave(&match->roster, peer->slot, match->world.players);
    log_write(match->log, LOG_INFO, "peer %u is sent away: %s", index, deny_sentence(reason));
    match->statistics.denials++;
    match_send(match, index, &(struct message){.kind = MESSAGE_DENY, .as.deny = reason});
    transport_disconnect(match->transport, index, reason, false);
    peer->state = PEER_LEAVING;
}

void match_receive(struct match *match, uint64_t now_us)
{
    struct net_event event;
    while (transport_poll(match->transport, &event)) {
        if (event.peer >= MATCH_PEER_CAPACITY)
            continue;
        switch (event.kind) {
        case NET_NOTHING:
            break;
        case NET_CONNECTED:
            peer_connected(match, event.peer, event.client, now_us);
            break;
        case NET_DISCONNECTED:
            peer_disconnected(match, event.peer);
            break;
        case NET_MESSAGE:
            peer_message(match, event.peer, event.bytes, event.byte_count, now_us);
            break;
        }
    }
}

static uint32_t apply_commands(struct match *match, struct command *commands, uint32_t capacity)
{
    roster_fill(&match->roster, match->bots);
    uint32_t count = roster_commands(&match->roster, commands, capacity);
    for (uint32_t i = 0; i < count; i++) {
        bool made_sense = world_command(&match->world, &match->map, &commands[i]);
        assert(made_sense);
        (void)made_sense;
    }
    for (uint32_t i = 0; i < match->order_count && count < capacity; i++)
        if (world_command(&match->world, &match->map, &match->orders[i]))
            commands[count++] = match->orders[i];
    match->order_count = 0;
    return count;
}

bool match_enqueue_command(struct match *match, const struct command *command)
{
    if (match->order_count == MATCH_COMMAND_CAPACITY)
        return false;
    match->orders[match->order_count++] = *command;
    return true;
}

static void gather_inputs(struct match *match)
{
    const struct nav_graph *ways = match->ways_drawn ? &match->ways : NULL;
    tick next = match->world.tick + 1;
    memset(match->inputs, 0, sizeof match->inputs);
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        if (match->roster.seats[slot].kind == SEAT_BOT)
            match->inputs[slot] = ai_think(&match->world, &match->map, ways, slot, match->bot_skill);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        struct peer *peer = &match->peers[i];
        if (peer->state != PEER_PLAYING)
            continue;
        uint32_t missed = peer->inputs.missed;
        match->inputs[peer->slot] = input_queue_take(&peer->inputs, next);
        match->statistics.inputs_missed += peer->inputs.missed - missed;
    }
}

void match_tick(struct match *match, uint64_t now_us)
{
    struct command commands[INPUT_LOG_COMMAND_CAPACITY];
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        peer_expire(match, i, now_us);
    restore_expire(match);
    uint32_t command_count = apply_commands(match, commands, INPUT_LOG_COMMAND_CAPACITY);
    gather_inputs(match);
    world_step(&match->world, &match->map, match->inputs);
    const struct round *round = &match->world.round;
    if (round->phase == ROUND_PLAYING && round->since_tick == match->world.tick && !round->paused)
        roster_new_round(&match->roster);
    match->stepped_us = now_us;
    match->statistics.ticks++;
    cosmetics_broadcast(match);
    recorder_tick(match->recorder, commands, command_count, match->inputs, &match->world);
    restore_record_seats(match);
    recorder_tick(match->journal, commands, command_count, match->inputs, &match->world);
    input_log_log_add(&match->moves, commands, command_count, &match->world);
    snapshot_sender_send_map_parts(match);
    snapshot_sender_send(match);
    transport_flush(match->transport);
}

bool match_may_sleep(const struct match *match)
{
    return match->peer_count == 0 && match->order_count == 0 && roster_is_shown(&match->roster);
}

bool match_is_empty(const struct match *match)
{
    return match->peer_count == 0;
}

void match_close(struct match *match)
{
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        if (match->peers[i].state == PEER_PLAYING)
            match_send(match, i, &(struct message){.kind = MESSAGE_SYSTEM, .as.notice = "The server is closing."});
        match_drop(match, i, DENY_CLOSING);
    }
    transport_flush(match->transport);
}

void match_destroy(struct match *match)
{
    free(match);
}
