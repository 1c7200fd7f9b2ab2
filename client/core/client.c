// SPDX-License-Identifier: MIT
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client_clock.h"
#include "map_download.h"
#include "prediction.h"
#include "remote_players.h"
#include "sent_inputs.h"
#include "smoothing.h"
#include "snapshot_receiver.h"
#include "view_events.h"

/// How long people can read what the server says.
#define NOTICE_US 8000000u

/// Ticks from a welcome to its first world at most, with much to spare: nobody may load for longer than half a minute.
#define FIRST_WORLD_TICKS_MAX 0x100000u

/// What a light client does without.
struct whole {
    struct held_map held;
    struct snapshot_history told;
    struct world drawn; ///< the present before a correction
    struct prediction prediction;
    struct smoothing smoothing;
    struct remote_players others;
    struct view_events news;
    tick first_tick; ///< events up to here are old
};

struct client {
    struct connection connection;
    struct client_config config;
    char notice[SYSTEM_BYTES_MAX + 1];
    uint64_t notice_us; ///< when it came
    uint64_t heard_us;  ///< when the newest snapshot came
    struct welcome_message welcome;
    struct map_download fetch;
    uint64_t asked_us; ///< when the last question of the join was sent, and
    uint64_t trip_us;  ///< the shortest time that an answer took
    struct client_clock clock;
    struct snapshot_receiver intake;
    struct sent_inputs sent;
    struct client_statistics statistics;
    uint32_t missed_told; ///< modulo 2^16, of the present connection
    struct chat talk;
    uint8_t hats[PLAYER_CAPACITY]; ///< of everybody, as told
    struct whole *whole;           ///< null: light
};

struct client *client_create(struct transport *transport, const struct client_config *config)
{
    size_t whole_bytes = config->light ? 0 : sizeof(struct whole);
    size_t head_bytes = (sizeof(struct client) + 15) / 16 * 16;
    struct client *client = calloc(1, head_bytes + whole_bytes);
    if (!client)
        return NULL;
    client->connection = (struct connection){
        .transport = transport, .reopen = config->reopen, .context = config->context, .state = CLIENT_CONNECTING};
    client->config = *config;
    struct whole *whole = config->light ? NULL : (struct whole *)(void *)((char *)client + head_bytes);
    client->whole = whole;
    client->fetch = (struct map_download){.held = whole ? &whole->held : NULL, .cache = config->map_cache};
    client->intake.told = whole ? &whole->told : NULL;
    client->intake.map = whole ? &whole->held.map : NULL;
    connection_say(&client->connection, "Connecting to the server.");
    return client;
}

void client_destroy(struct client *client)
{
    if (!client)
        return;
    connection_leave(&client->connection, DENY_NONE, "You left.");
    transport_close(client->connection.transport);
    free(client);
}

static void answered(struct client *client, uint64_t now_us)
{
    uint64_t trip_us = now_us - client->asked_us;
    client->trip_us = client->trip_us == 0 || trip_us < client->trip_us ? trip_us : client->trip_us;
}

static void join(struct client *client, uint64_t now_us)
{
    struct message message = {.kind = MESSAGE_JOIN,
                              .as.join = {.protocol = PROTOCOL_VERSION,
                                          .colour = client->config.colour,
                                          .hat = client->config.hat,
                                          .local = client->config.local}};
    for (size_t i = 0; i < PLAYER_NAME_BYTES && client->config.name[i]; i++)
        message.as.join.name[i / 4] |= (uint32_t)(uint8_t)client->config.name[i] << i % 4 * 8;
    if (client->whole && client->whole->held.here)
        message.as.join.map_hash = map_hash(&client->whole->held.map);
    client->missed_told = 0;
    client->asked_us = now_us;
    client->connection.state = CLIENT_JOINING;
    connection_say(&client->connection, "Joining the match.");
    connection_send(&client->connection, &message);
}

/// The whole map is here: the server may send the world.
static void ready(struct client *client, uint64_t now_us)
{
    struct whole *whole = client->whole;
    if (whole)
        snapshot_history_begin(&whole->told, &whole->held.map, &client->welcome.rules);
    client->asked_us = now_us;
    connection_say(&client->connection, map_download_sentence(MAP_DOWNLOAD_DONE));
    connection_send(&client->connection, &(struct message){.kind = MESSAGE_READY, .as.ready = client->welcome.tick});
}

static void fetched(struct client *client, enum map_download_result answer, uint64_t now_us)
{
    if (answer == MAP_DOWNLOAD_DONE)
        ready(client, now_us);
    else if (answer != MAP_DOWNLOAD_WAITS)
        connection_leave(&client->connection, DENY_PROTOCOL, map_download_sentence(answer));
}

static void welcomed(struct client *client, const struct welcome_message *welcome, uint64_t now_us)
{
    answered(client, now_us);
    client->welcome = *welcome;
    memset(client->hats, HAT_NONE, sizeof client->hats);
    client->connection.state = CLIENT_JOINING;
    client->clock = (struct client_clock){0};
    client->sent = (struct sent_inputs){0};
    snapshot_receiver_begin(&client->intake, welcome->snapshot_rate);
    struct whole *whole = client->whole;
    if (whole) {
        memset(&whole->prediction, 0, sizeof whole->prediction);
        memset(&whole->smoothing, 0, sizeof whole->smoothing);
        memset(&whole->others.interpolation, 0, sizeof whole->others.interpolation);
        memset(&whole->news, 0, sizeof whole->news);
        whole->prediction.slot = welcome->slot;
    }
    connection_say(&client->connection, map_download_sentence(MAP_DOWNLOAD_WAITS));
    fetched(client, map_download_begin(&client->fetch, welcome), now_us);
}

static uint32_t own_error_subpx(const struct world *drawn, const struct world *corrected, uint32_t slot)
{
    const struct df_actor *a = &drawn->actors[slot], *b = &corrected->actors[slot];
    if (drawn->players[slot].state != PLAYER_ALIVE || corrected->players[slot].state != PLAYER_ALIVE ||
        drawn->players[slot].deaths != corrected->players[slot].deaths)
        return 0;
    int32_t x = abs(a->x * 256 + a->rem_x - b->x * 256 - b->rem_x);
    int32_t y = abs(a->y * 256 + a->rem_y - b->y * 256 - b->rem_y);
    return (uint32_t)(x > y ? x : y);
}

/// The heart of prediction: right, or everything again from the told world on.
static void reconcile(struct client *client, const struct world *told)
{
    struct whole *whole = client->whole;
    client->statistics.prediction_error_subpx = 0;
    if (prediction_confirm(&whole->prediction, &whole->held.map, told))
        return;
    bool first = client->connection.state == CLIENT_JOINING;
    if (first)
        whole->first_tick = told->tick;
    else
        world_copy(&whole->drawn, prediction_world(&whole->prediction));
    uint32_t steps = prediction_restore(&whole->prediction, &whole->held.map, told);
    const struct world *corrected = prediction_world(&whole->prediction);
    if (!first) {
        uint32_t error = own_error_subpx(&whole->drawn, corrected, client->welcome.slot);
        client->statistics.prediction_error_subpx = error;
        client->statistics.corrections += error != 0;
        client->statistics.resimulations++;
        client->statistics.resimulated_ticks += steps;
        smoothing_correct(&whole->smoothing, &whole->held.map, &whole->drawn, corrected);
    }
    view_events_collect(&whole->news, corrected, whole->first_tick);
}

// A head that was overtaken tells of less than is known.
static void count_missed(struct client *client, uint32_t told)
{
    int32_t more = (int16_t)(told - client->missed_told);
    if (more <= 0)
        return;
    client->statistics.inputs_missed += (uint32_t)more;
    client->missed_told = told;
}

static void note_head(struct client *client, const struct snapshot_head *head, uint64_t now_us)
{
    struct client_statistics *statistics = &client->statistics;
    sent_inputs_confirm(&client->sent, head->input_tick);
    statistics->snapshot_bytes = client->intake.assembly.byte_count;
    count_missed(client, head->inputs_missed);
    statistics->margin_quarter_ticks = head->margin_quarter_ticks;
    statistics->input_acks +=
        client->clock.running && sent_inputs_age(&client->sent, head->tick, now_us, &statistics->input_ack_us);
}

static void steer(struct client *client, const struct snapshot_head *head, uint64_t now_us)
{
    struct client_clock *clock = &client->clock;
    if (!clock->running || (int32_t)(clock->tick - head->tick) < 0) {
        client_clock_start(clock, head->tick, client->trip_us, now_us);
        sent_inputs_begin(&client->sent, clock->tick);
    } else if (head->input_tick != 0 || head->margin_quarter_ticks != 0) { // none has arrived: nothing is known
        client_clock_report(clock, (struct client_clock_report){head->tick, head->input_tick,
                                                                head->margin_quarter_ticks, head->inputs_missed});
    }
}

static void take_newest(struct client *client, const struct snapshot_head *head, uint64_t now_us)
{
    struct whole *whole = client->whole;
    if (whole) {
        reconcile(client, snapshot_history_at(&whole->told, head->tick));
        interpolation_arrived(&whole->others.interpolation, head->tick, now_us);
    }
    connection_plays(&client->connection);
    client->heard_us = now_us;
    steer(client, head, now_us);
}

/// What a match before this still sent has a tick up to that of the welcome or, if ticks have begun anew with it, one
/// far beyond, and comes before the first world if it can be taken at all.
static bool is_of_match(const struct client *client, tick number)
{
    tick since = number - client->welcome.tick;
    return since != 0 && since <= (client->intake.begun ? INT32_MAX : FIRST_WORLD_TICKS_MAX);
}

static void take_snapshot_part(struct client *client, const struct net_event *event, uint64_t now_us)
{
    struct snapshot_head head;
    const uint8_t *bytes;
    size_t count;
    if (client->connection.state < CLIENT_JOINING || !map_download_is_done(&client->fetch) ||
        !snapshot_part_decode(&head, &bytes, &count, event->bytes, event->byte_count) ||
        !is_of_match(client, head.tick))
        return;
    bool first = client->intake.newest == 0;
    enum snapshot_receiver_result answer = snapshot_receiver_take(&client->intake, &head, bytes, count);
    if (answer == SNAPSHOT_RECEIVER_WAITS)
        return;
    if (first)
        answered(client, now_us);
    note_head(client, &client->intake.assembly.head, now_us);
    if (answer == SNAPSHOT_RECEIVER_NEWEST)
        take_newest(client, &client->intake.assembly.head, now_us);
}

static void take_message(struct client *client, const struct net_event *event, uint64_t now_us)
{
    if (event->byte_count > 0 && event->bytes[0] == MESSAGE_SNAPSHOT) {
        take_snapshot_part(client, event, now_us);
        return;
    }
    struct message message;
    if (!message_decode(&message, event->bytes, event->byte_count))
        return;
    switch (message.kind) {
    case MESSAGE_WELCOME:
        welcomed(client, &message.as.welcome, now_us);
        break;
    case MESSAGE_DENY:
        connection_leave(&client->connection, message.as.deny, deny_sentence(message.as.deny));
        break;
    case MESSAGE_MAP_PART:
        fetched(client, map_download_take(&client->fetch, &message.as.map_part), now_us);
        break;
    case MESSAGE_SYSTEM:
        snprintf(client->notice, sizeof client->notice, "%s", message.as.notice);
        client->notice_us = now_us;
        break;
    case MESSAGE_CHAT_LINE:
        chat_receive(&client->talk, &message.as.talk, now_us);
        break;
    case MESSAGE_VOTE:
        chat_set_vote(&client->talk, &message.as.ballot, now_us);
        break;
    case MESSAGE_HATS:
        memcpy(client->hats + message.as.hats.first, message.as.hats.hats, message.as.hats.count);
        break;
    case MESSAGE_JOIN:
    case MESSAGE_READY:
    case MESSAGE_INPUT:
    case MESSAGE_SNAPSHOT:
    case MESSAGE_CHAT_SEND:
    case MESSAGE_KINDS:
        break;
    }
}

void client_receive(struct client *client, uint64_t now_us)
{
    struct net_event event;
    if (connection_try(&client->connection, now_us))
        client->trip_us = 0;
    while (transport_poll(client->connection.transport, &event)) {
        if (event.kind == NET_CONNECTED && client->connection.state == CLIENT_CONNECTING)
            join(client, now_us);
        else if (event.kind == NET_DISCONNECTED)
            connection_lost(&client->connection, event.reason, now_us);
        else if (event.kind == NET_MESSAGE && client->connection.state != CLIENT_ENDED)
            take_message(client, &event, now_us);
    }
}

uint64_t client_next_tick_us(const struct client *client)
{
    return client->connection.state == CLIENT_PLAYING ? client_clock_due_us(&client->clock) : UINT64_MAX;
}

bool client_tick_due(const struct client *client, uint64_t now_us)
{
    return client->connection.state == CLIENT_PLAYING && now_us >= client_clock_due_us(&client->clock);
}

static void send_inputs(struct client *client)
{
    struct message message = {.kind = MESSAGE_INPUT};
    message.as.input.snapshot_tick = client->intake.acknowledge;
    sent_inputs_batch(&client->sent, client->intake.newest, &message.as.input);
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t count = message_encode(&message, bytes);
    // A lost one is repeated by the next.
    transport_send(client->connection.transport, 0, NET_UNSEQUENCED, bytes, count);
    transport_flush(client->connection.transport);
}

void client_tick(struct client *client, struct player_input input, uint64_t now_us)
{
    if (client->connection.state != CLIENT_PLAYING)
        return;
    tick now = client_clock_advance(&client->clock, now_us);
    sent_inputs_add(&client->sent, now, input, now_us);
    send_inputs(client);
    struct whole *whole = client->whole;
    if (!whole)
        return;
    prediction_push(&whole->prediction, &whole->held.map, now, input);
    smoothing_decay(&whole->smoothing);
    view_events_collect(&whole->news, prediction_world(&whole->prediction), whole->first_tick);
}

void client_leave(struct client *client)
{
    connection_leave(&client->connection, DENY_NONE, "You left.");
}

bool client_retry(const struct client *client, uint64_t now_us, struct client_retry *retry)
{
    const struct connection *connection = &client->connection;
    if (connection->state != CLIENT_CONNECTING || connection->tries == 0)
        return false;
    bool waits = connection->again_us > now_us;
    *retry = (struct client_retry){.attempt = connection->tries,
                                   .attempts_max = CONNECTION_TRIES_MAX,
                                   .wait_us = waits ? connection->again_us - now_us : 0};
    return true;
}

bool client_chat_send(struct client *client, bool team, const char *text)
{
    struct message message = {.kind = MESSAGE_CHAT_SEND, .as.say.team = team};
    size_t length = strlen(text) < CHAT_SEND_BYTES_MAX ? strlen(text) : CHAT_SEND_BYTES_MAX;
    memcpy(message.as.say.text, text, length);
    if (length == 0 || client->connection.state != CLIENT_PLAYING)
        return false;
    connection_send(&client->connection, &message);
    return true;
}

bool client_chat_next(struct client *client, struct chat_line *line)
{
    return chat_next(&client->talk, line);
}

bool client_open_vote(const struct client *client, uint64_t now_us, struct vote_message *ballot)
{
    return client->connection.state == CLIENT_PLAYING && chat_open_vote(&client->talk, now_us, ballot);
}

enum client_state client_state(const struct client *client)
{
    return client->connection.state;
}

enum deny_reason client_reason(const struct client *client)
{
    return client->connection.reason;
}

enum denial client_denial(const struct client *client)
{
    return client->connection.denial;
}

const char *client_sentence(const struct client *client)
{
    return client->connection.sentence;
}

const char *client_system_message(const struct client *client, uint64_t now_us)
{
    return now_us - client->notice_us < NOTICE_US ? client->notice : "";
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
    return client->whole && client->connection.state == CLIENT_PLAYING ? prediction_world(&client->whole->prediction)
                                                                       : NULL;
}

const struct world *client_world_confirmed(const struct client *client)
{
    return client->whole ? snapshot_history_at(&client->whole->told, client->intake.acknowledge) : NULL;
}

const struct map *client_map(const struct client *client)
{
    return client->whole && client->whole->held.here ? &client->whole->held.map : NULL;
}

void client_statistics(const struct client *client, struct client_statistics *statistics)
{
    struct net_totals totals;
    transport_totals(client->connection.transport, &totals);
    *statistics = client->statistics;
    statistics->rtt_ms = transport_rtt_ms(client->connection.transport, 0);
    statistics->snapshots = client->intake.counts.taken;
    statistics->snapshots_lost = client->intake.counts.lost;
    statistics->desyncs = client->intake.counts.desyncs;
    statistics->lead_ticks = client->clock.tick - client->intake.newest;
    statistics->clock_restarts = client->clock.restarts;
    statistics->snapshot_rate = client->welcome.snapshot_rate ? client->welcome.snapshot_rate : TICKS_PER_SECOND;
    statistics->bytes_in = totals.bytes_in;
    statistics->bytes_out = totals.bytes_out;
    statistics->packets_in = totals.packets_in;
    statistics->packets_out = totals.packets_out;
}

bool client_view(struct client *client, uint64_t now_us, struct view *view)
{
    struct whole *whole = client->whole;
    if (!whole || client->connection.state != CLIENT_PLAYING)
        return false;
    view->slot = client->welcome.slot;
    view->hats = client->hats;
    view_fill(view, &whole->held.map, prediction_world_before(&whole->prediction), prediction_world(&whole->prediction),
              client_clock_between(&client->clock, now_us), &whole->smoothing);
    bool told = view->kind == VIEW_INTERPOLATED;
    tick others =
        told ? remote_players_show(&whole->others, &whole->told, &whole->prediction, now_us, view) : view->world->tick;
    view_events_drain(&whole->news, view, others);
    return true;
}
