// SPDX-License-Identifier: MIT
#include "match_state.h"

#include <stdio.h>
#include <string.h>

#include "net/crypto/vouch.h"
#include "sync/game.h"
#include "sync/player_name.h"

static void count_malformed(struct match *match, uint32_t index)
{
    match->statistics.malformed++;
    if (++match->peers[index].malformed >= PEER_MALFORMED_MAX)
        peer_drop(match, index, DENY_PROTOCOL);
}

#define HOUSEHOLD_LOG_US 10000000u

// Further players of a client who may join at once, and then one in so many seconds: each is announced to everybody.
static const struct rate_limit_rate JOIN_RATE = {.per_s = 1, .burst = 2 * LOCAL_PLAYERS};

// Returns whether a client may have a seat that it does not have yet. A household has its own seats, or those of its
// whole site if HOUSEHOLD_SITE_MAX others of it have seats. A refusal is logged at most every HOUSEHOLD_LOG_US.
static bool may_sit(struct match *match, uint32_t index, uint64_t now_us)
{
    uint64_t household = match->peers[index].client.household;
    uint32_t taken = roster_count(&match->roster, SEAT_RESERVED) + roster_count(&match->roster, SEAT_PLAYER);
    bool has_site = peer_count_neighbours(match, MATCH_PEER_CAPACITY, household) >= HOUSEHOLD_SITE_MAX;
    uint32_t held = 0;
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        uint64_t other = match->peers[i].client.household;
        if (peer_has_seat(&match->peers[i]) &&
            (has_site ? household_site(other) == household_site(household) : other == household))
            held += local_seats_count(&match->peers[i].seats);
    }
    if (household_is_exempt(&match->households, household) ||
        household_may_sit(&match->households, held, match->players_max - taken, match->players_max))
        return true;
    match->statistics.household_denials++;
    if (match->household_logged_us != 0 && now_us - match->household_logged_us < HOUSEHOLD_LOG_US)
        return false;
    char text[HOUSEHOLD_TEXT_BYTES];
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
    return false;
}

// A player who is here already, over a dead connection or from another machine, gets their own seat at once; the older
// one ends. Returns DENY_NONE with the slot, or why there is no seat.
static enum deny_reason take_seat(struct match *match, uint32_t index, const struct join_message *join, uint64_t now_us,
                                  uint32_t *slot)
{
    struct seat_key key = {.local = join->local};
    memcpy(key.identity, match->peers[index].client.identity, sizeof key.identity);
    *slot = roster_find(&match->roster, &key);
    if (*slot != ROSTER_FULL) {
        uint32_t older = peer_at_slot(match, *slot);
        if (older < MATCH_PEER_CAPACITY)
            peer_drop_player(match, older, local_seats_find(&match->peers[older].seats, *slot), DENY_REPLACED);
        match->statistics.returns++;
        return DENY_NONE;
    }
    bool was_here = roster_disconnected_has(&match->roster.disconnected, &key);
    if (match->drain.is_on && !was_here)
        return DENY_CLOSING;
    if (!may_sit(match, index, now_us))
        return DENY_HOUSEHOLD;
    *slot = roster_reserve(&match->roster, &key, join->name, join->colour);
    match->statistics.returns += was_here && *slot != ROSTER_FULL;
    return *slot == ROSTER_FULL ? DENY_FULL : DENY_NONE;
}

static void welcome(struct match *match, uint32_t index, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    peer_enter(peer, PEER_LOADING, now_us);
    peer->welcome_tick = match->world.tick;
    struct message message = {.kind = MESSAGE_WELCOME,
                              .as.welcome = {.snapshot_rate = TICKS_PER_SECOND / match->snapshot_ticks,
                                             .tick = match->world.tick,
                                             .rules = match->first_world.rules,
                                             .map_hash = match->map_hash,
                                             .map_blob_bytes = match->map_blob_bytes}};
    memcpy(message.as.welcome.map_address, match->prepared->address, MAP_ADDRESS_BYTES);
    memcpy(message.as.welcome.dice, match->dice.commitment, MATCH_DICE_BYTES);
    peer_send_seats(match, index, NULL);
    peer_send(match, index, &message);
    broadcast_hats_to(match, index);
}

void peer_messages_explain_name(struct match *match, uint32_t slot)
{
    char wanted[PLAYER_NAME_BYTES + 1], name[PLAYER_NAME_BYTES + 1];
    const struct seat *seat = &match->roster.seats[slot];
    struct message message = {.kind = MESSAGE_SYSTEM};
    if (!roster_name_is_kept(&match->roster, slot))
        return;
    player_name_to_text(seat->wanted, wanted);
    player_name_to_text(seat->name, name);
    snprintf(message.as.system, sizeof message.as.system, "%s is the name of another player here: you are %s.", wanted,
             name);
    peer_send(match, peer_at_slot(match, slot), &message);
}

static void enter(struct match *match, uint32_t slot)
{
    struct seat *seat = &match->roster.seats[slot];
    if (seat->kind == SEAT_RESERVED)
        seat->entered_ticks = match->statistics.ticks;
    roster_enter(&match->roster, slot);
}

// The first player of a client brings it into the match; the others join it there.

static void handle_join(struct match *match, uint32_t index, const struct message *message, uint64_t now_us)
{
    const struct join_message *join = &message->as.join;
    struct peer *peer = &match->peers[index];
    if (join->protocol != PROTOCOL_VERSION) {
        peer_drop(match, index, DENY_VERSION);
        return;
    }
    bool is_first = peer->state == PEER_CONNECTED;
    if (!is_first && (peer->seats.of[join->local] || !rate_limit_take(&peer->joins, JOIN_RATE, now_us * 1000))) {
        count_malformed(match, index);
        return;
    }
    uint32_t slot;
    enum deny_reason denied[LOCAL_PLAYERS] = {[0] = DENY_NONE}, denial = take_seat(match, index, join, now_us, &slot);
    if (denial != DENY_NONE) {
        denied[join->local] = denial;
        if (!is_first)
            peer_send_seats(match, index, denied);
        else if (denial == DENY_CLOSING)
            drain_refuse(match, index);
        else
            peer_drop(match, index, denial);
        return;
    }
    peer->seats.of[join->local] = slot + 1;
    match->roster.seats[slot].hat = (uint8_t)join->hat;
    game_record_handicap(&match->roster.seats[slot].record, join->handicap, match->allows_help);
    match->statistics.joins++;
    if (is_first) {
        transport_keep(match->transport, index);
        peer->map_sent_bytes = join->map_hash == match->map_hash ? match->map_blob_bytes : 0;
        welcome(match, index, now_us);
        broadcast_tags_to(match, index);
    } else {
        if (peer->state == PEER_PLAYING)
            enter(match, slot);
        peer_send_seats(match, index, NULL);
    }
    if (match->vouches.trusted.count > 0) // not all vouches: clients need not say where else they play
        peer_send(match, index, &(struct message){.kind = MESSAGE_TRUSTED, .as.trusted = match->vouches.trusted});
    if (match->joins.joined)
        match->joins.joined(match->joins.context, &match->roster.seats[slot].key);
    peer_messages_explain_name(match, slot);
    peer_log(match, index, slot, &(struct fields){"join", "{name} joins at slot {slot} from {address}", {{0}}});
}

// A leave may have crossed with the end that the server has made of that player's match.
static void handle_leave(struct match *match, uint32_t index, const struct message *message, uint64_t now_us)
{
    (void)now_us;
    if (match->peers[index].seats.of[message->as.leave])
        peer_drop_player(match, index, message->as.leave, DENY_NONE);
}

static void handle_show(struct match *match, uint32_t index, const struct message *message, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    uint32_t local = vouch_local(message->as.show);
    (void)now_us;
    if (++peer->shown > match->vouches.trusted.count * LOCAL_PLAYERS || local >= LOCAL_PLAYERS)
        count_malformed(match, index);
    else if (peer->seats.of[local])
        match->vouches.shown(match->vouches.context, &match->roster.seats[peer->seats.of[local] - 1].key,
                             message->as.show);
}

void peer_messages_welcome_again(struct match *match, uint32_t index, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    if (!peer_has_seat(peer))
        return;
    *peer = (struct peer){.state = peer->state,
                          .client = peer->client,
                          .seats = peer->seats,
                          .malformed = peer->malformed,
                          .shown = peer->shown,
                          .acknowledge_after = match->world.tick,
                          .joins = peer->joins,
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
    for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
        if (peer->seats.of[local])
            enter(match, peer->seats.of[local] - 1);
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

static void handle_input(struct match *match, uint32_t index, const struct message *message, uint64_t now_us)
{
    const struct input_message *input = &message->as.input;
    struct match_statistics *statistics = &match->statistics;
    struct input_queue *queue = &match->peers[index].inputs;
    if ((int32_t)(input->newest_tick - match->world.tick) > (int32_t)(MATCH_TICKS_OLD / 2))
        return; // of an earlier match, if ticks have started again at 0 since
    acknowledge(match, &match->peers[index], input, now_us);

    uint64_t since_us = match->stepped_us + match->message_age_us;
    uint64_t elapsed_us = now_us > since_us ? now_us - since_us : 0;
    uint64_t quarters = (elapsed_us * 4 * TICKS_PER_SECOND + 999999) / 1000000;
    uint32_t late = queue->late, missed = queue->missed, measured = queue->margin_count;
    input_queue_push(queue, input, match->world.tick, match->arrivals_are_timed ? quarters : INPUT_UNTIMED);
    for (; measured != queue->margin_count; measured++) {
        int32_t margin = queue->margins[measured % INPUT_MARGIN_TICKS];
        uint32_t row = 0;
        while (row < INPUT_MARGIN_CLASSES && margin > INPUT_MARGIN_EDGES[row])
            row++;
        if (row < INPUT_MARGIN_CLASSES)
            statistics->input_margin_classes[row]++;
        statistics->input_margins++;
        statistics->input_margin_quarter_ticks += margin;
    }
    statistics->inputs_late += queue->late - late;
    statistics->inputs_missed += queue->missed - missed;
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
    {MESSAGE_JOIN, IN(PEER_CONNECTED) | IN(PEER_LOADING) | IN(PEER_PLAYING), handle_join},
    {MESSAGE_LEAVE, IN(PEER_LOADING) | IN(PEER_PLAYING), handle_leave},
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
