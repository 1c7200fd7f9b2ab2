// SPDX-License-Identifier: MIT
#include "match.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"
#include "sync/game.h"
#include "wire/replay.h"

// After a longer gap between two calls the server was held up: its ticks are late, and margins say nothing.
#define RECEIVE_GAP_US_MAX 25000u

void match_map_begin(struct match_map *prepared, const struct map *map)
{
    atomic_store(&prepared->has_nav_graph, false);
    prepared->map = *map;
    prepared->hash = map_hash(map);
    prepared->blob_bytes = (uint32_t)map_blob_encode(map, prepared->blob, sizeof prepared->blob);
    identity_of_content(prepared->blob, prepared->blob_bytes, prepared->address);
}

void match_map_build_nav_graph(struct match_map *prepared)
{
    if (atomic_load(&prepared->has_nav_graph))
        return;
    game_prepare_bots(&prepared->nav_graph, &prepared->map);
    atomic_store(&prepared->has_nav_graph, true);
}

const struct nav_graph *match_map_nav_graph(const struct match_map *prepared)
{
    return atomic_load(&prepared->has_nav_graph) ? &prepared->nav_graph : NULL;
}

static void begin(struct match *match, const struct match_map *prepared, const struct rules *rules, tick first_tick)
{
    match->prepared = prepared;
    match->map = prepared->map;
    match->map_hash = prepared->hash;
    match->map_blob_bytes = prepared->blob_bytes;
    world_begin(&match->world, &match->map, rules, first_tick);
    world_init(&match->first_world, &match->map, rules);
    dice_begin(&match->dice, match->dice_key, match->dice_count++);
    match->resumes = false;
}

struct match *match_create(const struct match_config *config, struct transport *transport)
{
    assert(config->players_max >= 1 && config->players_max <= PLAYER_CAPACITY);
    assert(config->snapshot_rate > 0 && TICKS_PER_SECOND % config->snapshot_rate == 0);
    struct match *match = calloc(1, sizeof *match);
    if (!match)
        return NULL;
    if (!config->prepared) {
        match->own = calloc(1, sizeof *match->own);
        if (!match->own) {
            free(match);
            return NULL;
        }
        match_map_begin(match->own, config->map);
        if (config->bots > 0)
            match_map_build_nav_graph(match->own);
    }
    match->transport = transport;
    match->log = config->log;
    match->listener = config->listener;
    match->players_max = match->roster.seat_count = config->players_max;
    match->bots = config->bots;
    match->adapts_bots = config->adapts_bots;
    match->allows_help = config->allows_help;
    match->snapshot_ticks = TICKS_PER_SECOND / config->snapshot_rate;
    memcpy(match->dice_key, config->dice_key, sizeof match->dice_key);
    begin(match, config->prepared ? config->prepared : match->own, &config->rules, 0);
    return match;
}

void match_change(struct match *match, const struct match_map *map, const struct rules *rules, uint64_t now_us)
{
    tick before = match->world.tick;
    struct rules next = *rules;
    if (match->adapts_bots)
        game_keep_bots(&next, &match->world.rules);
    begin(match, map, &next, before < MATCH_TICKS_OLD ? before : 0);
    match->return_deadline -= match->return_deadline ? before - match->world.tick : 0;
    input_log_clear(&match->input_log);
    memset(match->snapshot_sent, 0, sizeof match->snapshot_sent);
    match->command_count = match->journaled_joins = match->wait_deadline = 0;
    match->journaled_vote = match->vote_changes;
    vote_end(match);
    roster_new_match(&match->roster);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        peer_messages_welcome_again(match, i, now_us);
}

void match_receive(struct match *match, uint64_t now_us)
{
    struct net_event event;
    match->arrivals_are_timed = now_us - match->received_us <= RECEIVE_GAP_US_MAX;
    match->received_us = now_us;
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
            match->message_age_us = event.age_us;
            peer_messages_handle(match, event.peer, event.bytes, event.byte_count, now_us);
            match->message_age_us = 0;
            break;
        }
    }
}

static const struct command RESUME = {.kind = COMMAND_PAUSE, .paused = PAUSE_NONE};

// Begins the list of the commands that were applied before a tick.
static uint32_t begin_commands(struct match *match, struct command *commands)
{
    uint32_t count = match->resumes;
    if (match->resumes)
        commands[0] = RESUME;
    match->resumes = false;
    return count;
}

static uint32_t roll(void *context, uint32_t number)
{
    const struct match *match = context;
    return dice_roll(match->dice.secret, number);
}

bool match_enqueue_command(struct match *match, const struct command *command)
{
    if (match->command_count == MATCH_COMMAND_CAPACITY)
        return false;
    match->commands[match->command_count++] = *command;
    return true;
}

static bool has_others(const struct match *match, const uint8_t *identity)
{
    for (uint32_t i = 0; i < match->peer_end; i++) {
        const struct peer *peer = &match->peers[i];
        if (peer_has_seat(peer) && memcmp(peer->client.identity, identity, IDENTITY_BYTES) != 0)
            return true;
    }
    return false;
}

bool match_may_pause_alone(const struct match *match, uint32_t peer)
{
    return peer < MATCH_PEER_CAPACITY && peer_has_seat(&match->peers[peer]) &&
           !has_others(match, match->peers[peer].client.identity);
}

void match_pause_alone(struct match *match, uint32_t peer)
{
    match->paused_alone = true;
    memcpy(match->lone_player, match->peers[peer].client.identity, IDENTITY_BYTES);
}

void match_end_lone_pause(struct match *match)
{
    match->paused_alone = false;
}

static void record(struct match *match, const struct command *commands, uint32_t command_count)
{
    recorder_tick(match->recorder, commands, command_count, match->inputs, &match->world);
    journal_write_seats(match);
    journal_write_vote(match);
    recorder_tick(match->journal, commands, command_count, match->inputs, &match->world);
    live_stream_tick(match->live, commands, command_count, match->inputs, &match->world);
    input_log_add(&match->input_log, commands, command_count, &match->world);
}

void match_stand_still(struct match *match, uint32_t ticks)
{
    struct command commands[2];
    uint32_t command_count = begin_commands(match, commands);
    commands[command_count] = (struct command){.kind = COMMAND_PAUSE, .paused = PAUSE_STALLED};
    bool pauses = world_command(&match->world, &match->map, &commands[command_count]); // false: paused already
    command_count += pauses;
    for (uint32_t i = 0; i < ticks; i++, command_count = 0) {
        world_step(&match->world, &match->map, match->inputs);
        record(match, commands, command_count);
    }
    match->statistics.ticks += ticks;
    match->statistics.ticks_stood_still += ticks;
    match->resumes = pauses && world_command(&match->world, &match->map, &RESUME);
}

// Applies, in this order, what the dice decide, who comes and goes, and what was ordered. Returns how many commands
// that were.
static uint32_t apply_commands(struct match *match)
{
    struct command *commands = match->applied;
    uint32_t capacity = INPUT_LOG_COMMAND_CAPACITY, first = begin_commands(match, commands);
    first += game_roll(&match->world, &match->map, roll, match, commands + first);
    if (match_map_nav_graph(match->prepared)) // clients predict bots with it, so no bot may join without
        roster_fill(&match->roster, match->bots);
    uint32_t count = first + roster_commands(&match->roster, commands + first, capacity - first);
    for (uint32_t i = first; i < count; i++) {
        bool accepted = world_command(&match->world, &match->map, &commands[i]);
        assert(accepted);
        (void)accepted;
    }
    for (uint32_t i = 0; i < match->command_count && count < capacity; i++)
        if (world_command(&match->world, &match->map, &match->commands[i]))
            commands[count++] = match->commands[i];
    match->command_count = 0;
    return count;
}

void match_tick(struct match *match, uint64_t now_us)
{
    for (uint32_t i = 0; i < match->peer_end; i++)
        peer_expire(match, i, now_us);
    journal_expire_players(match);
    journal_await_players(match);
    // A lone pause ends when another account is connected; unless the command to pause is queued before this one.
    if (match->paused_alone && has_others(match, match->lone_player) && match->command_count < MATCH_COMMAND_CAPACITY) {
        if (match->world.round.paused != PAUSE_STALLED)
            match_enqueue_command(match, &RESUME);
        match->paused_alone = false;
    }
    if (match->adapts_bots && match->command_count < MATCH_COMMAND_CAPACITY) {
        struct command command;
        const char *change = game_adapt_bots(&match->world, &command);
        if (change) {
            log_write(match->log, LOG_INFO, "%s", change);
            match_enqueue_command(match, &command);
        }
    }
    uint32_t command_count = apply_commands(match);

    memset(match->inputs, 0, sizeof match->inputs);
    const struct nav_graph *nav_graph = match_map_nav_graph(match->prepared);
    if (nav_graph)
        game_think_bots(&match->world, &match->map, nav_graph, match->inputs);
    for (uint32_t i = 0; i < match->peer_end; i++) {
        struct peer *peer = &match->peers[i];
        if (peer->state != PEER_PLAYING)
            continue;
        uint32_t missed = peer->inputs.missed;
        struct local_inputs inputs = input_queue_take(&peer->inputs, match->world.tick + 1);
        for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
            if (peer->seats.of[local])
                match->inputs[peer->seats.of[local] - 1] = inputs.of[local];
        match->statistics.inputs_missed += peer->inputs.missed - missed;
    }
    world_step(&match->world, &match->map, match->inputs);
    if (game_round_begins(&match->world))
        roster_new_round(&match->roster);
    match->stepped_us = now_us;
    match->statistics.ticks++;

    broadcast_marks(match);
    record(match, match->applied, command_count);
    broadcast_map_parts(match);
    broadcast_snapshots(match);
    transport_flush(match->transport);
}

bool match_may_sleep(const struct match *match)
{
    return match->peer_count == 0 && match->command_count == 0 && roster_is_shown(&match->roster);
}

bool match_is_empty(const struct match *match)
{
    return match->peer_count == 0;
}

void match_close(struct match *match)
{
    struct message notice = {.kind = MESSAGE_SYSTEM};
    snprintf(notice.as.system, sizeof notice.as.system, "%s", message_deny_text(DENY_CLOSING));
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        if (match->peers[i].state == PEER_PLAYING)
            peer_send(match, i, &notice);
        peer_drop(match, i, DENY_CLOSING);
    }
    transport_flush(match->transport);
}

void match_announce_restart(struct match *match)
{
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        if (peer_has_seat(&match->peers[i]))
            peer_send(match, i, &(struct message){.kind = MESSAGE_DENY, .as.deny = DENY_RESTARTING});
    transport_flush(match->transport);
    // Said twice, because nobody is here any more to repeat what is lost; also to those who are connecting, and have no
    // peer yet.
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        transport_disconnect(match->transport, i, DENY_RESTARTING, true);
    transport_flush(match->transport);
}

void match_limit_households(struct match *match, const struct household_rules *rules)
{
    match->households = *rules;
    transport_limit(match->transport, rules);
}

void match_refresh_names(struct match *match)
{
    for (uint32_t pass = 0; pass < 2; pass++) // first the others give up a name, then its owner gets it
        for (uint32_t slot = 0; slot < match->players_max; slot++)
            if (peer_at_slot(match, slot) < MATCH_PEER_CAPACITY &&
                roster_rename(&match->roster, slot, match->world.players))
                peer_messages_explain_name(match, slot);
}

void match_destroy(struct match *match)
{
    if (match) {
        dice_wipe(match->dice_key);
        dice_wipe(match->dice.secret);
        free(match->own);
    }
    free(match);
}
