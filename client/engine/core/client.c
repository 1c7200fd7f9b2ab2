// SPDX-License-Identifier: MIT
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "client_clock.h"
#include "map_download.h"
#include "net/rate_limit.h"
#include "simulation.h"
#include "snapshots.h"
#include "sync/player_name.h"

// Ticks after a snapshot was due at which it fails to come.
#define SILENT_TICKS 1

// Ticks from a welcome to its first world at most, with much to spare: a client may load for half a minute at most.
#define FIRST_WORLD_TICKS_MAX 0x100000u

// Further players join at the rate that servers allow, with some to spare.
static const struct rate_limit_rate JOIN_RATE = {.per_s = 1, .burst = LOCAL_PLAYERS};

// How far a local player is with the server.
enum seat_state {
    SEAT_UNWANTED, // or left
    SEAT_WANTED,
    SEAT_ASKED, // and given, if the server says where
    SEAT_DENIED,
};

struct client {
    struct connection connection;
    struct client_config config;
    struct client_seat {
        enum seat_state state;
        enum deny_reason denied;
        struct client_player player;
    } players[LOCAL_PLAYERS];
    struct rate_limit joins;
    struct local_seats seats;
    uint32_t slot; ///< of the first one, or where that was last
    struct notices notices;
    uint64_t heard_us; ///< when the newest snapshot came
    tick acknowledged; ///< newest snapshot in the last input message
    struct welcome_message welcome;
    struct map_download download;
    uint64_t asked_us;      ///< when the newest question of the join was sent
    bool resumes_clock;     ///< the next snapshot is the first of a match
    uint64_t round_trip_us; ///< the shortest time that an answer took
    struct client_clock clock;
    struct snapshot_receiver receiver;
    struct client_inputs inputs;
    struct client_statistics statistics;
    uint32_t inputs_missed_reported; ///< modulo 2^16, of the present connection
    struct simulation *simulation;   ///< null: light
    bool has_view;                   ///< a view was filled, and what it points to is still there
};

// A client with its simulation, in one allocation.
struct full_client {
    struct client client;
    struct simulation simulation;
};

struct client *client_create(struct transport *transport, const struct client_config *config)
{
    void *memory = calloc(1, config->light ? sizeof(struct client) : sizeof(struct full_client));
    if (!memory)
        return NULL;
    struct client *client = memory;
    struct simulation *simulation = config->light ? NULL : &((struct full_client *)memory)->simulation;
    client->connection = (struct connection){
        .transport = transport, .reopen = config->reopen, .context = config->context, .state = CLIENT_CONNECTING};
    client->config = *config;
    client->players[config->local] = (struct client_seat){.state = SEAT_WANTED, .player = config->player};
    client->simulation = simulation;
    client->download.cache = config->map_cache;
    if (simulation) {
        client->download.target = &simulation->downloaded;
        client->receiver.history = &simulation->history;
        client->receiver.map = &simulation->downloaded.map;
    }
    connection_set_status(&client->connection, "Connecting to the server.");
    return client;
}

void client_destroy(struct client *client)
{
    if (!client)
        return;
    notices_keep_vouch(&client->notices, &client->config.vouches, client->config.context);
    connection_leave(&client->connection, DENY_NONE, "You left.");
    transport_close(client->connection.transport);
    if (client->simulation)
        simulation_end(client->simulation);
    free(client);
}

// The server has answered the newest question of the join.
static void measure_round_trip(struct client *client, uint64_t now_us)
{
    uint64_t round_trip_us = now_us - client->asked_us;
    if (client->round_trip_us == 0 || round_trip_us < client->round_trip_us)
        client->round_trip_us = round_trip_us;
}

static bool is_in_session(const struct client *client)
{
    return client->connection.state == CLIENT_JOINING || client->connection.state == CLIENT_PLAYING;
}

// Asks for the seats that local players want, as many as may be asked for now.
static void send_joins(struct client *client, uint64_t now_us)
{
    for (uint32_t local = 0; local < LOCAL_PLAYERS; local++) {
        struct client_seat *seat = &client->players[local];
        const struct client_player *player = &seat->player;
        if (seat->state != SEAT_WANTED || !rate_limit_take(&client->joins, JOIN_RATE, now_us * 1000))
            continue;
        struct message message = {.kind = MESSAGE_JOIN,
                                  .as.join = {.protocol = PROTOCOL_VERSION,
                                              .colour = player->colour,
                                              .hat = player->hat,
                                              .local = local,
                                              .handicap = player->handicap}};
        player_name_from_text(message.as.join.name, player->name);
        if (client->simulation && client->simulation->downloaded.complete)
            message.as.join.map_hash = map_hash(&client->simulation->downloaded.map);
        seat->state = SEAT_ASKED;
        connection_send(&client->connection, &message);
    }
}

// Takes who sits where. The server may have said so before it knew who left.
static void seat_players(struct client *client)
{
    for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
        client->seats.of[local] *= client->players[local].state == SEAT_ASKED;
    uint32_t first = local_seats_first(&client->seats);
    client->slot = first < PLAYER_CAPACITY ? first : client->slot;
    if (client->simulation)
        simulation_seat(client->simulation, &client->seats);
}

static void handle_seats(struct client *client, const struct seats_message *message)
{
    client->seats = message->seats;
    for (uint32_t local = 0; local < LOCAL_PLAYERS; local++) {
        struct client_seat *seat = &client->players[local];
        if (seat->state == SEAT_ASKED && message->denied[local] != DENY_NONE) {
            seat->state = SEAT_DENIED;
            seat->denied = message->denied[local];
        }
    }
    seat_players(client);
}

// Once the whole map is here, asks for the world.
static void handle_download(struct client *client, enum map_download_result result, const struct error *error,
                            uint64_t now_us)
{
    struct simulation *simulation = client->simulation;
    if (result == MAP_DOWNLOAD_FAILED)
        connection_leave(&client->connection, DENY_PROTOCOL, error->text);
    if (result != MAP_DOWNLOAD_DONE)
        return;
    if (simulation) {
        simulation_load_map(simulation);
        snapshot_history_begin(&simulation->history, &simulation->downloaded.map, &client->welcome.rules);
    }
    client->asked_us = now_us;
    connection_set_status(&client->connection, "Waiting for the match.");
    connection_send(&client->connection, &(struct message){.kind = MESSAGE_READY, .as.ready = client->welcome.tick});
}

static void handle_welcome(struct client *client, const struct welcome_message *welcome, uint64_t now_us)
{
    measure_round_trip(client, now_us);
    client->welcome = *welcome;
    memset(client->notices.hats, HAT_NONE, sizeof client->notices.hats);
    client->connection.state = CLIENT_JOINING;
    client->resumes_clock = true;
    client->inputs = (struct client_inputs){0};
    snapshot_receiver_begin(&client->receiver, welcome->snapshot_rate);
    if (client->simulation)
        simulation_begin(client->simulation);
    connection_set_status(&client->connection, "Downloading the map.");
    const struct map *map = client_map(client);
    client->has_view &= map && map_hash(map) == welcome->map_hash;
    struct error error;
    handle_download(client, map_download_begin(&client->download, welcome, &error), &error, now_us);
}

static void use_newest_snapshot(struct client *client, const struct snapshot_head *head, uint64_t now_us)
{
    struct client_statistics *statistics = &client->statistics;
    struct client_clock *clock = &client->clock;
    if (client->simulation) {
        struct simulation_correction correction = simulation_confirm(client->simulation, head->tick, now_us);
        statistics->prediction_error_subpx = correction.error_subpx;
        statistics->corrections += correction.error_subpx != 0;
        statistics->resimulations += correction.resimulated;
        statistics->resimulated_ticks += correction.ticks;
    }
    connection_playing(&client->connection);
    client->heard_us = now_us;
    bool resumed = client->resumes_clock && client_clock_resume(clock, head->tick, now_us);
    if (client->resumes_clock && !resumed)
        *clock = (struct client_clock){0};
    client->resumes_clock = false;
    if (resumed) {
        client_inputs_begin(&client->inputs, clock->tick);
    } else if (!clock->running || client_clock_is_behind(clock, head->tick, now_us)) {
        client_clock_start(clock, head->tick, client->round_trip_us, now_us);
        client_inputs_begin(&client->inputs, clock->tick);
    } else if (head->input_tick != 0 || head->margin_quarter_ticks != 0) { // 0 and 0: no input has arrived yet
        client_clock_report(clock, (struct client_clock_report){.snapshot_tick = head->tick,
                                                                .input_tick = head->input_tick,
                                                                .margin_quarter_ticks = head->margin_quarter_ticks,
                                                                .inputs_missed = head->inputs_missed,
                                                                .arrival_us = now_us,
                                                                .interval_ticks = client->receiver.interval_ticks});
    }
}

static void handle_snapshot_part(struct client *client, const struct net_event *event, uint64_t now_us)
{
    struct snapshot_receiver *receiver = &client->receiver;
    struct client_statistics *statistics = &client->statistics;
    struct snapshot_head part;
    const uint8_t *bytes;
    size_t count;
    if (client->connection.state < CLIENT_JOINING || !map_download_is_done(&client->download) ||
        !snapshot_part_decode(&part, &bytes, &count, event->bytes, event->byte_count))
        return;
    // A late part of an earlier match has a tick up to that of the welcome or, if the server counts ticks from the
    // start again, one far beyond it; the latter can be taken only before the first world.
    tick since = part.tick - client->welcome.tick;
    if (since == 0 || since > (receiver->has_world ? INT32_MAX : FIRST_WORLD_TICKS_MAX))
        return;
    bool first = receiver->newest == 0;
    enum snapshot_result result = snapshot_receiver_take(receiver, &part, bytes, count);
    if (result == SNAPSHOT_INCOMPLETE)
        return;
    if (first)
        measure_round_trip(client, now_us);
    const struct snapshot_head *head = &receiver->assembly.head;
    client_inputs_confirm(&client->inputs, head->input_tick);
    statistics->snapshot_bytes = receiver->assembly.byte_count;
    statistics->margin_quarter_ticks = head->margin_quarter_ticks;
    statistics->input_acks +=
        client->clock.running && client_inputs_age(&client->inputs, head->tick, now_us, &statistics->input_ack_us);
    int32_t more_missed = (int16_t)(head->inputs_missed - client->inputs_missed_reported);
    if (more_missed > 0) { // one that was overtaken reports fewer than are known
        statistics->inputs_missed += (uint32_t)more_missed;
        client->inputs_missed_reported = head->inputs_missed;
    }
    if (result == SNAPSHOT_INSERTED)
        use_newest_snapshot(client, head, now_us);
}

static void handle_message(struct client *client, const struct net_event *event, uint64_t now_us)
{
    if (event->byte_count > 0 && event->bytes[0] == MESSAGE_SNAPSHOT) {
        handle_snapshot_part(client, event, now_us);
        return;
    }
    struct message message;
    struct error error;
    const char *text;
    if (!message_decode(&message, event->bytes, event->byte_count))
        return;
    switch (message.kind) {
    case MESSAGE_SEATS:
        handle_seats(client, &message.as.seats);
        break;
    case MESSAGE_WELCOME:
        handle_welcome(client, &message.as.welcome, now_us);
        break;
    case MESSAGE_DENY: // the server may have said more about it just before
        text = client_system_message(client, now_us);
        if (message.as.deny == DENY_RESTARTING)
            connection_return(&client->connection, now_us);
        else
            connection_leave(&client->connection, message.as.deny, *text ? text : message_deny_text(message.as.deny));
        break;
    case MESSAGE_MAP_PART:
        handle_download(client, map_download_take(&client->download, &message.as.map_part, &error), &error, now_us);
        break;
    case MESSAGE_SYSTEM:
    case MESSAGE_CHAT_LINE:
    case MESSAGE_VOTE:
    case MESSAGE_HATS:
    case MESSAGE_TAGS:
    case MESSAGE_VOUCH:
    case MESSAGE_TRUSTED:
        notices_take(&client->notices, &message, now_us);
        break;
    case MESSAGE_RECORD:
        if (client->config.keep_record)
            client->config.keep_record(client->config.context, &message.as.record);
        break;
    case MESSAGE_JOIN:
    case MESSAGE_READY:
    case MESSAGE_INPUT:
    case MESSAGE_SNAPSHOT:
    case MESSAGE_CHAT_SEND:
    case MESSAGE_SHOW:
    case MESSAGE_LEAVE:
    case MESSAGE_KINDS:
        break;
    }
}

void client_receive(struct client *client, uint64_t now_us)
{
    struct net_event event;
    if (connection_retry(&client->connection, now_us)) {
        client->round_trip_us = 0;
        client->clock = (struct client_clock){0};
        client->joins = (struct rate_limit){0};
        client->seats = (struct local_seats){{0}};
        for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
            if (client->players[local].state == SEAT_ASKED)
                client->players[local].state = SEAT_WANTED;
        notices_reconnect(&client->notices);
    }
    while (transport_poll(client->connection.transport, &event)) {
        if (event.kind == NET_CONNECTED && client->connection.state == CLIENT_CONNECTING) {
            client->inputs_missed_reported = 0;
            client->asked_us = now_us;
            client->connection.state = CLIENT_JOINING;
            connection_set_status(&client->connection, "Joining the match.");
        } else if (event.kind == NET_DISCONNECTED)
            connection_lost(&client->connection, event.reason, now_us);
        else if (event.kind == NET_MESSAGE && client->connection.state != CLIENT_ENDED)
            handle_message(client, &event, now_us);
    }
    if (is_in_session(client))
        send_joins(client, now_us);
    uint32_t players = 0;
    for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
        players |= client->players[local].state == SEAT_ASKED ? 1u << local : 0;
    notices_exchange_vouches(&client->notices, &client->config.vouches, &client->connection, players, now_us);
}

uint64_t client_next_tick_us(const struct client *client)
{
    return client->connection.state == CLIENT_PLAYING ? client_clock_due_us(&client->clock) : UINT64_MAX;
}

bool client_tick_due(const struct client *client, uint64_t now_us)
{
    return client->connection.state == CLIENT_PLAYING && now_us >= client_clock_due_us(&client->clock);
}

void client_tick(struct client *client, const struct local_inputs *inputs, uint64_t now_us)
{
    const struct snapshot_receiver *receiver = &client->receiver;
    if (client->connection.state != CLIENT_PLAYING)
        return;
    tick now = client_clock_advance(&client->clock, now_us);
    client_inputs_add(&client->inputs, now, inputs, now_us);
    // Each message asks for a full snapshot if there is no world. When snapshots fail to come, the address of the
    // client may have changed, or the server is another one: the sooner it hears from the client, the shorter the gap.
    // The first snapshot after a gap is acknowledged at once, because those that follow are long until then.
    uint64_t silence_us = (receiver->interval_ticks + SILENT_TICKS) * CLOCK_SECOND_US / TICKS_PER_SECOND;
    bool cut_off = now_us > client->heard_us + silence_us; // no snapshots come, or none with a baseline
    if (client_inputs_due(&client->inputs) || receiver->acknowledge == 0 || cut_off ||
        receiver->acknowledge - client->acknowledged > receiver->interval_ticks + INPUT_INTERVAL_TICKS) {
        struct message message = {.kind = MESSAGE_INPUT};
        uint8_t bytes[MESSAGE_BYTES_MAX];
        message.as.input.snapshot_tick = client->acknowledged = receiver->acknowledge;
        message.as.input.repeats = cut_off ? 0 : snapshot_receiver_repeats(receiver);
        client_inputs_batch(&client->inputs, receiver->newest, &message.as.input);
        for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
            message.as.input.players |= client->seats.of[local] ? 1u << local : 0;
        message.as.input.players |= message.as.input.players == 0; // a server that gives no seat still gets its answer
        // A later message repeats a lost one.
        transport_send(client->connection.transport, 0, NET_UNSEQUENCED, bytes, message_encode(&message, bytes));
        transport_flush(client->connection.transport);
    }
    if (client->simulation)
        simulation_tick(client->simulation, now, inputs);
}

// Gives up the seat of a local player, if they have one or have asked for it.
static void leave_seat(struct client *client, uint32_t local)
{
    if (client->players[local].state == SEAT_ASKED && is_in_session(client))
        connection_send(&client->connection, &(struct message){.kind = MESSAGE_LEAVE, .as.leave = local});
    client->players[local] = (struct client_seat){.state = SEAT_UNWANTED};
    seat_players(client);
}

void client_join_player(struct client *client, uint32_t local, const struct client_player *player)
{
    leave_seat(client, local);
    client->players[local] = (struct client_seat){.state = SEAT_WANTED, .player = *player};
}

void client_leave_player(struct client *client, uint32_t local)
{
    bool is_last = true;
    for (uint32_t other = 0; other < LOCAL_PLAYERS; other++)
        is_last &= other == local || client->players[other].state == SEAT_UNWANTED ||
                   client->players[other].state == SEAT_DENIED;
    if (is_last)
        client_leave(client);
    else
        leave_seat(client, local);
}

void client_leave(struct client *client)
{
    connection_leave(&client->connection, DENY_NONE, "You left.");
}

bool client_retry(const struct client *client, uint64_t now_us, struct client_retry *retry)
{
    const struct connection *connection = &client->connection;
    bool is_away = connection->state == CLIENT_CONNECTING || connection->state == CLIENT_JOINING;
    if (!is_away || connection->tries == 0)
        return false;
    bool waits = connection->retry_us > now_us;
    *retry = (struct client_retry){.cause = connection->return_us == 0       ? CLIENT_RETRY_LOSS
                                            : connection->return_us > now_us ? CLIENT_RETRY_RESTART
                                                                             : CLIENT_RETRY_OVERDUE,
                                   .attempt = connection->tries,
                                   .attempts_max = CONNECTION_TRIES_MAX,
                                   .wait_us = waits ? connection->retry_us - now_us : 0};
    return true;
}

bool client_chat_send(struct client *client, uint32_t local, bool team, const char *text)
{
    struct message message = {.kind = MESSAGE_CHAT_SEND, .as.chat_send = {.local = local, .team = team}};
    size_t length = utf8_clean(message.as.chat_send.text, sizeof message.as.chat_send.text, text, strlen(text));
    if (length == 0 || client->connection.state != CLIENT_PLAYING)
        return false;
    connection_send(&client->connection, &message);
    return true;
}

bool client_chat_next(struct client *client, struct chat_line *line)
{
    return notices_next_line(&client->notices, line);
}

bool client_open_vote(const struct client *client, uint64_t now_us, struct vote_message *vote)
{
    return client->connection.state == CLIENT_PLAYING && notices_open_vote(&client->notices, now_us, vote);
}

enum client_state client_state(const struct client *client)
{
    return client->connection.state;
}

bool client_has_played(const struct client *client)
{
    return client->connection.has_played;
}

enum deny_reason client_reason(const struct client *client)
{
    return client->connection.reason;
}

enum denial client_denial(const struct client *client)
{
    return client->connection.denial;
}

const char *client_status_text(const struct client *client)
{
    return client->connection.status;
}

const char *client_system_message(const struct client *client, uint64_t now_us)
{
    return notices_system_message(&client->notices, now_us);
}

uint64_t client_silence_us(const struct client *client, uint64_t now_us)
{
    return client->connection.state == CLIENT_PLAYING && now_us > client->heard_us ? now_us - client->heard_us : 0;
}

const struct local_seats *client_seats(const struct client *client)
{
    return &client->seats;
}

uint32_t client_slot(const struct client *client)
{
    return client->slot;
}

enum deny_reason client_player_denied(const struct client *client, uint32_t local)
{
    return client->players[local].denied;
}

const struct world *client_world(const struct client *client)
{
    bool has_world = client->simulation && client->connection.state == CLIENT_PLAYING;
    return has_world ? prediction_world(&client->simulation->prediction) : NULL;
}

const struct world *client_world_confirmed(const struct client *client)
{
    return client->simulation ? snapshot_history_at(&client->simulation->history, client->receiver.acknowledge) : NULL;
}

const uint8_t *client_player_tag(const struct client *client, uint32_t slot)
{
    return client->notices.tags[slot];
}

const struct map *client_map(const struct client *client)
{
    return client->simulation && client->simulation->downloaded.complete ? &client->simulation->downloaded.map : NULL;
}

void client_statistics(const struct client *client, struct client_statistics *statistics)
{
    struct net_totals totals;
    transport_totals(client->connection.transport, &totals);
    *statistics = client->statistics;
    statistics->rtt_ms = transport_rtt_ms(client->connection.transport, 0);
    statistics->round_trip_us = totals.round_trip_us;
    statistics->round_trips = totals.round_trips;
    statistics->snapshots = client->receiver.counts.received;
    statistics->snapshots_lost = client->receiver.counts.lost;
    statistics->desyncs = client->receiver.counts.desyncs;
    if (client->simulation) {
        const struct view_events_counts *events = &client->simulation->events.counts;
        const struct accuracy_counts *accuracy = &client->simulation->accuracy.counts;
        statistics->facts = events->facts;
        statistics->fact_delay_ticks = events->late_ticks;
        statistics->facts_lost = events->lost;
        memcpy(statistics->refuted, events->refuted, sizeof statistics->refuted);
        statistics->deaths_guessed = accuracy->deaths_guessed;
        statistics->deaths_refuted = accuracy->deaths_refuted;
        statistics->others_error_subpx = accuracy->error_subpx;
        statistics->others_jumps = accuracy->jumps;
    }
    memcpy(statistics->dice, client->welcome.dice, sizeof statistics->dice);
    statistics->lead_ticks = client->clock.tick - client->receiver.newest;
    statistics->clock_restarts = client->clock.restarts;
    statistics->clock_stalls = client->clock.stalls;
    statistics->snapshot_rate = client->welcome.snapshot_rate ? client->welcome.snapshot_rate : TICKS_PER_SECOND;
    statistics->bytes_in = totals.bytes_in;
    statistics->bytes_out = totals.bytes_out;
    statistics->packets_in = totals.packets_in;
    statistics->packets_out = totals.packets_out;
}

bool client_view(struct client *client, uint64_t now_us, struct view *view)
{
    struct client_retry retry;
    if (client->has_view && client_retry(client, now_us, &retry)) {
        view->event_count = 0;
        return true;
    }
    if (!client->simulation || client->connection.state != CLIENT_PLAYING)
        return false;
    client->has_view = true;
    view->hats = client->notices.hats;
    simulation_view(client->simulation, now_us, client_clock_between(&client->clock, now_us), view);
    return true;
}
