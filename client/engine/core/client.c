// SPDX-License-Identifier: MIT
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "client_clock.h"
#include "sent_inputs.h"
#include "simulation.h"
#include "snapshots.h"
#include "sync/player_name.h"

// How long a message of the server stays on the screen.
#define SYSTEM_MESSAGE_US 8000000u

// Ticks after a snapshot was due at which it fails to come.
#define SILENT_TICKS 1

// Ticks from a welcome to its first world at most, with much to spare: a client may load for half a minute at most.
#define FIRST_WORLD_TICKS_MAX 0x100000u

struct client {
    struct connection connection;
    struct client_config config;
    char system_message[SYSTEM_BYTES_MAX + 1];
    uint64_t system_message_us; ///< when it came
    uint64_t heard_us;          ///< when the newest snapshot came
    tick acknowledged;          ///< newest snapshot in the last input message
    struct welcome_message welcome;
    struct map_download download;
    uint64_t asked_us;      ///< when the newest question of the join was sent
    bool resumes_clock;     ///< the next snapshot is the first of a match
    uint64_t round_trip_us; ///< the shortest time that an answer took
    struct client_clock clock;
    struct snapshot_receiver receiver;
    struct sent_inputs sent;
    struct client_statistics statistics;
    uint32_t inputs_missed_reported; ///< modulo 2^16, of the present connection
    struct chat chat;
    uint8_t hats[PLAYER_CAPACITY];                    ///< by slot
    uint8_t tags[PLAYER_CAPACITY][MESSAGE_TAG_BYTES]; ///< by slot, of the present connection
    struct vouch_exchange vouches;
    struct simulation *simulation; ///< null: light
    bool has_view;                 ///< a view was filled, and what it points to is still there
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
    vouch_exchange_end(&client->vouches, &client->config.vouches, client->config.context);
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

static void send_join(struct client *client, uint64_t now_us)
{
    struct message message = {.kind = MESSAGE_JOIN,
                              .as.join = {.protocol = PROTOCOL_VERSION,
                                          .colour = client->config.colour,
                                          .hat = client->config.hat,
                                          .local = client->config.local,
                                          .handicap = client->config.handicap}};
    player_name_from_text(message.as.join.name, client->config.name);
    if (client->simulation && client->simulation->downloaded.complete)
        message.as.join.map_hash = map_hash(&client->simulation->downloaded.map);
    client->inputs_missed_reported = 0;
    client->asked_us = now_us;
    client->connection.state = CLIENT_JOINING;
    connection_set_status(&client->connection, "Joining the match.");
    connection_send(&client->connection, &message);
}

// The whole map is here: asks for the world.
static void send_ready(struct client *client, uint64_t now_us)
{
    struct simulation *simulation = client->simulation;
    if (simulation) {
        simulation_load_map(simulation);
        snapshot_history_begin(&simulation->history, &simulation->downloaded.map, &client->welcome.rules);
    }
    client->asked_us = now_us;
    connection_set_status(&client->connection, "Waiting for the match.");
    connection_send(&client->connection, &(struct message){.kind = MESSAGE_READY, .as.ready = client->welcome.tick});
}

static void handle_download(struct client *client, enum map_download_result result, const struct error *error,
                            uint64_t now_us)
{
    if (result == MAP_DOWNLOAD_DONE)
        send_ready(client, now_us);
    else if (result == MAP_DOWNLOAD_FAILED)
        connection_leave(&client->connection, DENY_PROTOCOL, error->text);
}

static void handle_welcome(struct client *client, const struct welcome_message *welcome, uint64_t now_us)
{
    measure_round_trip(client, now_us);
    client->welcome = *welcome;
    memset(client->hats, HAT_NONE, sizeof client->hats);
    client->connection.state = CLIENT_JOINING;
    client->resumes_clock = true;
    client->sent = (struct sent_inputs){0};
    snapshot_receiver_begin(&client->receiver, welcome->snapshot_rate);
    if (client->simulation)
        simulation_begin(client->simulation, welcome->slot);
    connection_set_status(&client->connection, "Downloading the map.");
    const struct map *map = client_map(client);
    client->has_view &= map && map_hash(map) == welcome->map_hash;
    struct error error;
    handle_download(client, map_download_begin(&client->download, welcome, &error), &error, now_us);
}

// A snapshot that was overtaken reports fewer than are known.
static void count_missed_inputs(struct client *client, uint32_t reported)
{
    int32_t more = (int16_t)(reported - client->inputs_missed_reported);
    if (more <= 0)
        return;
    client->statistics.inputs_missed += (uint32_t)more;
    client->inputs_missed_reported = reported;
}

static void record_head(struct client *client, const struct snapshot_head *head, uint64_t now_us)
{
    struct client_statistics *statistics = &client->statistics;
    sent_inputs_confirm(&client->sent, head->input_tick);
    statistics->snapshot_bytes = client->receiver.assembly.byte_count;
    count_missed_inputs(client, head->inputs_missed);
    statistics->margin_quarter_ticks = head->margin_quarter_ticks;
    statistics->input_acks +=
        client->clock.running && sent_inputs_age(&client->sent, head->tick, now_us, &statistics->input_ack_us);
}

static void adjust_clock(struct client *client, const struct snapshot_head *head, uint64_t now_us)
{
    struct client_clock *clock = &client->clock;
    bool resumed = client->resumes_clock && client_clock_resume(clock, head->tick, now_us);
    if (client->resumes_clock && !resumed)
        *clock = (struct client_clock){0};
    client->resumes_clock = false;
    if (resumed) {
        sent_inputs_begin(&client->sent, clock->tick);
    } else if (!clock->running || client_clock_is_behind(clock, head->tick, now_us)) {
        client_clock_start(clock, head->tick, client->round_trip_us, now_us);
        sent_inputs_begin(&client->sent, clock->tick);
    } else if (head->input_tick != 0 || head->margin_quarter_ticks != 0) { // 0 and 0: no input has arrived yet
        client_clock_report(clock, (struct client_clock_report){.snapshot_tick = head->tick,
                                                                .input_tick = head->input_tick,
                                                                .margin_quarter_ticks = head->margin_quarter_ticks,
                                                                .inputs_missed = head->inputs_missed,
                                                                .arrival_us = now_us,
                                                                .interval_ticks = client->receiver.interval_ticks});
    }
}

static void use_newest_snapshot(struct client *client, const struct snapshot_head *head, uint64_t now_us)
{
    struct client_statistics *statistics = &client->statistics;
    if (client->simulation) {
        struct simulation_correction correction = simulation_confirm(client->simulation, head->tick, now_us);
        statistics->prediction_error_subpx = correction.error_subpx;
        statistics->corrections += correction.error_subpx != 0;
        statistics->resimulations += correction.resimulated;
        statistics->resimulated_ticks += correction.ticks;
    }
    connection_playing(&client->connection);
    client->heard_us = now_us;
    adjust_clock(client, head, now_us);
}

// Returns whether a snapshot belongs to the present match. A late one of an earlier match has a tick up to that of the
// welcome or, if the server counts ticks from the start again, one far beyond it; the latter can be taken only before
// the first world.
static bool is_of_match(const struct client *client, tick number)
{
    tick since = number - client->welcome.tick;
    return since != 0 && since <= (client->receiver.has_world ? INT32_MAX : FIRST_WORLD_TICKS_MAX);
}

static void handle_snapshot_part(struct client *client, const struct net_event *event, uint64_t now_us)
{
    struct snapshot_head head;
    const uint8_t *bytes;
    size_t count;
    if (client->connection.state < CLIENT_JOINING || !map_download_is_done(&client->download) ||
        !snapshot_part_decode(&head, &bytes, &count, event->bytes, event->byte_count) ||
        !is_of_match(client, head.tick))
        return;
    bool first = client->receiver.newest == 0;
    enum snapshot_result result = snapshot_receiver_take(&client->receiver, &head, bytes, count);
    if (result == SNAPSHOT_INCOMPLETE)
        return;
    if (first)
        measure_round_trip(client, now_us);
    record_head(client, &client->receiver.assembly.head, now_us);
    if (result == SNAPSHOT_INSERTED)
        use_newest_snapshot(client, &client->receiver.assembly.head, now_us);
}

// The server may have said more about it just before.
static const char *deny_text(const struct client *client, enum deny_reason reason, uint64_t now_us)
{
    const char *text = client_system_message(client, now_us);
    return *text ? text : message_deny_text(reason);
}

static void handle_message(struct client *client, const struct net_event *event, uint64_t now_us)
{
    if (event->byte_count > 0 && event->bytes[0] == MESSAGE_SNAPSHOT) {
        handle_snapshot_part(client, event, now_us);
        return;
    }
    struct message message;
    struct error error;
    if (!message_decode(&message, event->bytes, event->byte_count))
        return;
    switch (message.kind) {
    case MESSAGE_WELCOME:
        handle_welcome(client, &message.as.welcome, now_us);
        break;
    case MESSAGE_DENY:
        if (message.as.deny == DENY_RESTARTING)
            connection_return(&client->connection, now_us);
        else
            connection_leave(&client->connection, message.as.deny, deny_text(client, message.as.deny, now_us));
        break;
    case MESSAGE_MAP_PART:
        handle_download(client, map_download_take(&client->download, &message.as.map_part, &error), &error, now_us);
        break;
    case MESSAGE_SYSTEM:
        snprintf(client->system_message, sizeof client->system_message, "%s", message.as.system);
        client->system_message_us = now_us;
        break;
    case MESSAGE_CHAT_LINE:
        chat_receive(&client->chat, &message.as.chat_line, now_us);
        break;
    case MESSAGE_VOTE:
        chat_set_vote(&client->chat, &message.as.vote, now_us);
        break;
    case MESSAGE_HATS:
        memcpy(client->hats + message.as.hats.first, message.as.hats.hats, message.as.hats.count);
        break;
    case MESSAGE_TAGS:
        memcpy(client->tags[message.as.tags.first], message.as.tags.tags, message.as.tags.count * sizeof *client->tags);
        break;
    case MESSAGE_VOUCH:
    case MESSAGE_TRUSTED:
        vouch_exchange_take(&client->vouches, &message);
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
        client->chat.vote.choice_count = 0; // of the old connection
        memset(client->tags, 0, sizeof client->tags);
        client->vouches.has_trusted = false;
    }
    while (transport_poll(client->connection.transport, &event)) {
        if (event.kind == NET_CONNECTED && client->connection.state == CLIENT_CONNECTING)
            send_join(client, now_us);
        else if (event.kind == NET_DISCONNECTED)
            connection_lost(&client->connection, event.reason, now_us);
        else if (event.kind == NET_MESSAGE && client->connection.state != CLIENT_ENDED)
            handle_message(client, &event, now_us);
    }
    vouch_exchange_step(&client->vouches, &client->config.vouches, &client->connection, now_us);
}

uint64_t client_next_tick_us(const struct client *client)
{
    return client->connection.state == CLIENT_PLAYING ? client_clock_due_us(&client->clock) : UINT64_MAX;
}

bool client_tick_due(const struct client *client, uint64_t now_us)
{
    return client->connection.state == CLIENT_PLAYING && now_us >= client_clock_due_us(&client->clock);
}

// Returns whether snapshots fail to come, or come without a baseline.
static bool is_cut_off(const struct client *client, uint64_t now_us)
{
    uint64_t silence_us = (client->receiver.interval_ticks + SILENT_TICKS) * UINT64_C(1000000) / TICKS_PER_SECOND;
    return now_us > client->heard_us + silence_us;
}

static void send_inputs(struct client *client, uint64_t now_us)
{
    struct message message = {.kind = MESSAGE_INPUT};
    message.as.input.snapshot_tick = client->acknowledged = client->receiver.acknowledge;
    message.as.input.repeats = is_cut_off(client, now_us) ? 0 : snapshot_receiver_repeats(&client->receiver);
    sent_inputs_batch(&client->sent, client->receiver.newest, &message.as.input);
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t count = message_encode(&message, bytes);
    // A later message repeats a lost one.
    transport_send(client->connection.transport, 0, NET_UNSEQUENCED, bytes, count);
    transport_flush(client->connection.transport);
}

// Each message asks for a full snapshot if there is no world. When snapshots fail to come, the address of the client
// may have changed, or the server is another one: the sooner it hears from the client, the shorter the gap. The first
// snapshot after a gap is acknowledged at once, because those that follow are long until then.
static bool is_hasty(const struct client *client, uint64_t now_us)
{
    const struct snapshot_receiver *receiver = &client->receiver;
    return receiver->acknowledge == 0 || is_cut_off(client, now_us) ||
           receiver->acknowledge - client->acknowledged > receiver->interval_ticks + INPUT_INTERVAL_TICKS;
}

void client_tick(struct client *client, struct player_input input, uint64_t now_us)
{
    if (client->connection.state != CLIENT_PLAYING)
        return;
    tick now = client_clock_advance(&client->clock, now_us);
    sent_inputs_add(&client->sent, now, input, now_us);
    if (sent_inputs_due(&client->sent) || is_hasty(client, now_us))
        send_inputs(client, now_us);
    if (client->simulation)
        simulation_tick(client->simulation, now, input);
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

bool client_chat_send(struct client *client, bool team, const char *text)
{
    struct message message = {.kind = MESSAGE_CHAT_SEND, .as.chat_send.team = team};
    size_t length = utf8_clean(message.as.chat_send.text, sizeof message.as.chat_send.text, text, strlen(text));
    if (length == 0 || client->connection.state != CLIENT_PLAYING)
        return false;
    connection_send(&client->connection, &message);
    return true;
}

bool client_chat_next(struct client *client, struct chat_line *line)
{
    return chat_next(&client->chat, line);
}

bool client_open_vote(const struct client *client, uint64_t now_us, struct vote_message *vote)
{
    return client->connection.state == CLIENT_PLAYING && chat_open_vote(&client->chat, now_us, vote);
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
    return now_us - client->system_message_us < SYSTEM_MESSAGE_US ? client->system_message : "";
}

uint64_t client_silence_us(const struct client *client, uint64_t now_us)
{
    return client->connection.state == CLIENT_PLAYING && now_us > client->heard_us ? now_us - client->heard_us : 0;
}

uint32_t client_slot(const struct client *client)
{
    return client->welcome.slot;
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
    return client->tags[slot];
}

const struct map *client_map(const struct client *client)
{
    return client->simulation && client->simulation->downloaded.complete ? &client->simulation->downloaded.map : NULL;
}

static void fill_accuracy(const struct simulation *simulation, struct client_statistics *statistics)
{
    const struct view_events_counts *events = &simulation->events.counts;
    const struct accuracy_counts *accuracy = &simulation->accuracy.counts;
    statistics->facts = events->facts;
    statistics->fact_delay_ticks = events->late_ticks;
    statistics->facts_lost = events->lost;
    memcpy(statistics->refuted, events->refuted, sizeof statistics->refuted);
    statistics->deaths_guessed = accuracy->deaths_guessed;
    statistics->deaths_refuted = accuracy->deaths_refuted;
    statistics->others_error_subpx = accuracy->error_subpx;
    statistics->others_jumps = accuracy->jumps;
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
    if (client->simulation)
        fill_accuracy(client->simulation, statistics);
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
    view->hats = client->hats;
    simulation_view(client->simulation, now_us, client_clock_between(&client->clock, now_us), view);
    return true;
}
