// SPDX-License-Identifier: MIT
#include "peer_messages.h"

#include <stdio.h>
#include <string.h>

#include "broadcast.h"
#include "chat.h"
#include "drain.h"
#include "peer.h"
#include "sync/game.h"
#include "sync/player_name.h"
#include "vote.h"

static void count_malformed(struct match *match, uint32_t index)
{
    match->statistics.malformed++;
    if (++match->peers[index].malformed >= PEER_MALFORMED_MAX)
        peer_drop(match, index, DENY_PROTOCOL);
}

#define HOUSEHOLD_LOG_US 10000000u

// Counts the seats of a household, or of its whole site if HOUSEHOLD_SITE_MAX others of it have seats.
static uint32_t count_seats(const struct match *match, uint64_t household)
{
    uint32_t own = 0, all = 0;
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        uint64_t other = match->peers[i].client.household;
        bool has_seat = peer_has_seat(&match->peers[i]);
        own += has_seat && other == household;
        all += has_seat && household_site(other) == household_site(household);
    }
    return peer_count_neighbours(match, MATCH_PEER_CAPACITY, household) < HOUSEHOLD_SITE_MAX ? own : all;
}

static void log_household(struct match *match, uint64_t household, uint32_t held, uint64_t now_us)
{
    char text[HOUSEHOLD_TEXT_BYTES];
    match->statistics.household_denials++;
    if (match->household_logged_us != 0 && now_us - match->household_logged_us < HOUSEHOLD_LOG_US)
        return;
    match->household_logged_us = now_us;
    household_text(household, text);
    log_event(match->log, LOG_WARNING,
              &(struct fields){"household_full",
                               "{household} has {held} of {places} places, and gets no more for now: up to {limit} for "
                               "one address (--household-players), and the last ones are for others; "
                               "--household-exempt {household} lifts that, ban {household} ends it",
                               {{"household", .text = text},
                                {"held", .number = held},
                                {"places", .number = match->players_max},
                                {"limit", .number = match->households.players_max}}});
}

// Returns whether a client may have a seat that it does not have yet.
static bool may_sit(struct match *match, uint32_t index, uint64_t now_us)
{
    uint64_t household = match->peers[index].client.household;
    uint32_t taken = roster_count(&match->roster, SEAT_RESERVED) + roster_count(&match->roster, SEAT_PLAYER);
    uint32_t held = count_seats(match, household);
    if (household_is_exempt(&match->households, household) ||
        household_may_sit(&match->households, held, match->players_max - taken, match->players_max))
        return true;
    log_household(match, household, held, now_us);
    return false;
}

// A player who is here already, over a dead connection or from another machine, gets their own seat at once; the older
// connection ends. Returns DENY_NONE, or why there is no seat.
static enum deny_reason take_seat(struct match *match, uint32_t index, const struct join_message *join, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    struct seat_key key = {.local = join->local};
    memcpy(key.identity, peer->client.identity, sizeof key.identity);
    peer->slot = roster_find(&match->roster, &key);
    if (peer->slot != ROSTER_FULL) {
        uint32_t older = peer_at_slot(match, peer->slot);
        if (older < MATCH_PEER_CAPACITY)
            peer_drop(match, older, DENY_REPLACED);
        match->statistics.returns++;
        return DENY_NONE;
    }
    bool was_here = roster_disconnected_has(&match->roster.disconnected, &key);
    if (match->drain.is_on && !was_here)
        return DENY_CLOSING;
    if (!may_sit(match, index, now_us))
        return DENY_HOUSEHOLD;
    peer->slot = roster_reserve(&match->roster, &key, join->name, join->colour);
    match->statistics.returns += was_here && peer->slot != ROSTER_FULL;
    return peer->slot == ROSTER_FULL ? DENY_FULL : DENY_NONE;
}

static void welcome(struct match *match, uint32_t index, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    peer_enter(peer, PEER_LOADING, now_us);
    peer->welcome_tick = match->world.tick;
    struct message message = {.kind = MESSAGE_WELCOME,
                              .as.welcome = {.slot = peer->slot,
                                             .snapshot_rate = TICKS_PER_SECOND / match->snapshot_ticks,
                                             .tick = match->world.tick,
                                             .rules = match->first_world.rules,
                                             .map_hash = match->map_hash,
                                             .map_blob_bytes = match->map_blob_bytes}};
    memcpy(message.as.welcome.map_address, match->prepared->address, MAP_ADDRESS_BYTES);
    memcpy(message.as.welcome.dice, match->dice.commitment, MATCH_DICE_BYTES);
    peer_send(match, index, &message);
    broadcast_hats_to(match, index);
}

// Not all vouches that a client has: it need not say where else its player plays.
static void ask_for_vouches(struct match *match, uint32_t index)
{
    struct message message = {.kind = MESSAGE_TRUSTED, .as.trusted = match->vouches.trusted};
    if (message.as.trusted.count > 0)
        peer_send(match, index, &message);
}

void peer_messages_explain_name(struct match *match, uint32_t index)
{
    char wanted[PLAYER_NAME_BYTES + 1], name[PLAYER_NAME_BYTES + 1];
    const struct seat *seat = &match->roster.seats[match->peers[index].slot];
    struct message message = {.kind = MESSAGE_SYSTEM};
    if (!roster_name_is_kept(&match->roster, match->peers[index].slot))
        return;
    player_name_to_text(seat->wanted, wanted);
    player_name_to_text(seat->name, name);
    snprintf(message.as.system, sizeof message.as.system, "%s is the name of another player here: you are %s.", wanted,
             name);
    peer_send(match, index, &message);
}

static void handle_join(struct match *match, uint32_t index, const struct message *message, uint64_t now_us)
{
    const struct join_message *join = &message->as.join;
    struct peer *peer = &match->peers[index];
    if (join->protocol != PROTOCOL_VERSION) {
        peer_drop(match, index, DENY_VERSION);
        return;
    }
    enum deny_reason denial = take_seat(match, index, join, now_us);
    if (denial == DENY_CLOSING) {
        drain_refuse(match, index);
        return;
    }
    if (denial != DENY_NONE) {
        peer_drop(match, index, denial);
        return;
    }
    uint32_t slot = peer->slot;
    transport_keep(match->transport, index);
    match->roster.seats[slot].hat = (uint8_t)join->hat;
    game_record_handicap(&match->roster.seats[slot].record, join->handicap, match->allows_help);
    peer->map_sent_bytes = join->map_hash == match->map_hash ? match->map_blob_bytes : 0;
    match->statistics.joins++;
    welcome(match, index, now_us);
    broadcast_tags_to(match, index);
    ask_for_vouches(match, index);
    if (match->joins.joined)
        match->joins.joined(match->joins.context, &match->roster.seats[slot].key);
    peer_messages_explain_name(match, index);
    peer_log(match, index, &(struct fields){"join", "{name} joins at slot {slot} from {address}", {{0}}});
}

static void handle_show(struct match *match, uint32_t index, const struct message *message, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    (void)now_us;
    if (++peer->shown > match->vouches.trusted.count)
        count_malformed(match, index);
    else
        match->vouches.shown(match->vouches.context, &match->roster.seats[peer->slot].key, message->as.show);
}

void peer_messages_welcome_again(struct match *match, uint32_t index, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    if (!peer_has_seat(peer))
        return;
    *peer = (struct peer){.state = peer->state,
                          .client = peer->client,
                          .slot = peer->slot,
                          .malformed = peer->malformed,
                          .shown = peer->shown,
                          .acknowledge_after = match->world.tick,
                          .chat_sender = peer->chat_sender,
                          .inputs.missed = peer->inputs.missed};
    welcome(match, index, now_us);
}

static void handle_ready(struct match *match, uint32_t index, const struct message *message, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    if (message->as.ready != peer->welcome_tick)
        return;                                   // another match has begun since
    peer->map_sent_bytes = match->map_blob_bytes; // it may have found the map by its address before all of it was sent
    peer_enter(peer, PEER_PLAYING, now_us);
    if (match->roster.seats[peer->slot].kind == SEAT_RESERVED)
        match->roster.seats[peer->slot].entered_ticks = match->statistics.ticks;
    roster_enter(&match->roster, peer->slot);
    drain_notify(match, index);
    vote_show(match, index);
}

// Messages can overtake each other, so acknowledgements only go forward. A request for a full snapshot (tick 0) counts
// only in a message that is newer than all before.
static void acknowledge(struct match *match, struct peer *peer, const struct input_message *input, uint64_t now_us)
{
    bool newest = (int32_t)(input->newest_tick - peer->newest_input) > 0;
    if (input->snapshot_tick == 0) {
        if (newest && peer->acknowledged != 0) {
            peer->acknowledged = 0;
            peer->acknowledge_after = match->world.tick;
            match->statistics.full_requests++;
        }
    } else if (input->snapshot_tick > peer->acknowledged && input->snapshot_tick > peer->acknowledge_after &&
               input->snapshot_tick <= match->world.tick) {
        peer->acknowledged = input->snapshot_tick;
        peer->heard_us = now_us;
    }
    if (newest) {
        peer->newest_input = input->newest_tick;
        peer->repeats = input->repeats;
    }
}

static void count_margin(struct match_statistics *statistics, int32_t margin)
{
    uint32_t row = 0;
    while (row < INPUT_MARGIN_CLASSES && margin > INPUT_MARGIN_EDGES[row])
        row++;
    if (row < INPUT_MARGIN_CLASSES)
        statistics->input_margin_classes[row]++;
    statistics->input_margins++;
    statistics->input_margin_quarter_ticks += margin;
}

static void queue_inputs(struct match *match, struct peer *peer, const struct input_message *input, uint64_t now_us)
{
    uint64_t since_us = match->stepped_us + match->message_age_us;
    uint64_t elapsed_us = now_us > since_us ? now_us - since_us : 0;
    uint64_t quarters = (elapsed_us * 4 * TICKS_PER_SECOND + 999999) / 1000000;
    uint64_t elapsed = match->arrivals_are_timed ? quarters : INPUT_UNTIMED;
    uint32_t late = peer->inputs.late, missed = peer->inputs.missed, measured = peer->inputs.margin_count;
    input_queue_push(&peer->inputs, input, match->world.tick, elapsed);
    for (; measured != peer->inputs.margin_count; measured++)
        count_margin(&match->statistics, peer->inputs.margins[measured % INPUT_MARGIN_TICKS]);
    match->statistics.inputs_late += peer->inputs.late - late;
    match->statistics.inputs_missed += peer->inputs.missed - missed;
}

static void handle_input(struct match *match, uint32_t index, const struct message *message, uint64_t now_us)
{
    const struct input_message *input = &message->as.input;
    if ((int32_t)(input->newest_tick - match->world.tick) > (int32_t)(MATCH_TICKS_OLD / 2))
        return; // of an earlier match, if ticks have started again at 0 since
    acknowledge(match, &match->peers[index], input, now_us);
    queue_inputs(match, &match->peers[index], input, now_us);
}

static void handle_chat(struct match *match, uint32_t index, const struct message *message, uint64_t now_us)
{
    chat_handle(match, index, &message->as.chat_send, now_us);
}

// An input may overtake READY; no other message may come early.
static void ignore(struct match *match, uint32_t index, const struct message *message, uint64_t now_us)
{
    (void)match, (void)index, (void)message, (void)now_us;
}

#define IN(state) (1u << (state))

static const struct {
    enum message_kind kind;
    uint32_t states; // bits
    void (*handle)(struct match *match, uint32_t index, const struct message *message, uint64_t now_us);
} HANDLERS[] = {
    {MESSAGE_JOIN, IN(PEER_CONNECTED), handle_join},
    {MESSAGE_READY, IN(PEER_LOADING), handle_ready},
    {MESSAGE_INPUT, IN(PEER_PLAYING), handle_input},
    {MESSAGE_INPUT, IN(PEER_LOADING), ignore},
    {MESSAGE_SHOW, IN(PEER_LOADING) | IN(PEER_PLAYING), handle_show},
    {MESSAGE_CHAT_SEND, IN(PEER_LOADING) | IN(PEER_PLAYING), handle_chat},
};

void peer_messages_handle(struct match *match, uint32_t index, const uint8_t *bytes, size_t byte_count, uint64_t now_us)
{
    enum peer_state state = match->peers[index].state;
    struct message message;
    if (state == PEER_FREE || state == PEER_LEAVING)
        return;
    if (message_decode(&message, bytes, byte_count))
        for (size_t i = 0; i < sizeof HANDLERS / sizeof *HANDLERS; i++)
            if (HANDLERS[i].kind == message.kind && HANDLERS[i].states & IN(state)) {
                HANDLERS[i].handle(match, index, &message, now_us);
                return;
            }
    count_malformed(match, index);
}
