// SPDX-License-Identifier: MIT
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "interpolation.h"
#include "map_cache.h"
#include "news.h"
#include "prediction.h"
#include "smoothing.h"
#include "told.h"
#include "wire/map_blob.h"
#include "wire/snapshot.h"

/// Own inputs kept, by tick.
#define INPUTS 64
/// How long people can read what the server says.
#define NOTICE_US 8000000u
_Static_assert(INPUTS > INPUT_BATCH_CAPACITY, "a batch is taken from the kept inputs");

/// What a light client does without.
struct whole {
    struct map map;
    bool has_map;
    struct told told;
    struct world drawn; ///< the present before a correction
    struct world shown; ///< by an interpolated view
    struct prediction prediction;
    struct smoothing smoothing;
    struct interpolation interpolation;
    struct news news;
    tick first_tick; ///< events up to here are old
    uint8_t blob[MAP_BLOB_BYTES_MAX];
};

struct client {
    struct connection connection;
    struct client_config config;
    char notice[NOTICE_BYTES_MAX + 1];
    uint64_t notice_us; ///< when it came
    uint64_t heard_us;  ///< when the newest snapshot came
    struct welcome_message welcome;
    uint32_t blob_bytes; ///< of the map, so far
    uint64_t asked_us;   ///< when the last question of the join was sent, and
    uint64_t trip_us;    ///< the shortest time that an answer took
    struct clock clock;
    tick newest;      ///< newest snapshot seen
    uint64_t taken;   ///< bit n: the snapshot of tick newest - n came, too
    tick acknowledge; ///< baseline to ask for; 0: a full snapshot
    tick confirmed;   ///< newest own input that the server holds
    tick first_input; ///< the oldest kept
    struct player_input inputs[INPUTS];
    uint64_t sent_us[INPUTS];
    struct client_statistics statistics;
    struct talk talk;
    struct snapshot_assembly assembly;
    struct whole *whole; ///< null: light
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
    client->whole = config->light ? NULL : (struct whole *)(void *)((char *)client + head_bytes);
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
    struct message message = {
        .kind = MESSAGE_JOIN,
        .as.join = {.protocol = PROTOCOL_VERSION, .colour = client->config.colour, .local = client->config.local}};
    for (size_t i = 0; i < PLAYER_NAME_BYTES && client->config.name[i]; i++)
        message.as.join.name[i / 4] |= (uint32_t)(uint8_t)client->config.name[i] << i % 4 * 8;
    if (client->whole && client->whole->has_map)
        message.as.join.map_hash = map_hash(&client->whole->map);
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
        told_begin(&whole->told, &whole->map, &client->welcome.rules);
    client->asked_us = now_us;
    connection_say(&client->connection, "Waiting for the match.");
    connection_send(&client->connection, &(struct message){.kind = MESSAGE_READY, .as.ready = client->welcome.tick});
}

static bool keeps_maps(const struct client *client)
{
    return client->whole && client->config.map_cache && client->config.map_cache[0];
}

/// Whether the bytes at `blob` are the announced map; then it is held.
static bool hold_map(struct client *client)
{
    struct whole *whole = client->whole;
    const struct welcome_message *welcome = &client->welcome;
    uint8_t address[BLOB_ADDRESS_BYTES];
    blob_address(whole->blob, welcome->map_blob_bytes, address);
    whole->has_map = memcmp(address, welcome->map_address, sizeof address) == 0 &&
                     map_blob_decode(&whole->map, whole->blob, welcome->map_blob_bytes) &&
                     map_hash(&whole->map) == welcome->map_hash;
    return whole->has_map;
}

static bool knows_map(struct client *client)
{
    struct whole *whole = client->whole;
    const struct welcome_message *welcome = &client->welcome;
    return whole->has_map ||
           (keeps_maps(client) &&
            map_cache_read(client->config.map_cache, welcome->map_address, whole->blob, welcome->map_blob_bytes) &&
            hold_map(client));
}

static void welcomed(struct client *client, const struct welcome_message *welcome, uint64_t now_us)
{
    answered(client, now_us);
    client->welcome = *welcome;
    client->connection.state = CLIENT_JOINING;
    client->blob_bytes = 0;
    client->newest = client->acknowledge = client->confirmed = 0;
    client->clock = (struct clock){0};
    client->assembly.head.tick = 0;
    struct whole *whole = client->whole;
    if (whole) {
        told_forget(&whole->told);
        memset(&whole->prediction, 0, sizeof whole->prediction);
        memset(&whole->smoothing, 0, sizeof whole->smoothing);
        memset(&whole->interpolation, 0, sizeof whole->interpolation);
        memset(&whole->news, 0, sizeof whole->news);
        whole->prediction.slot = welcome->slot;
        whole->has_map = whole->has_map && map_hash(&whole->map) == welcome->map_hash;
    }
    if (welcome->map_blob_bytes > MAP_BLOB_BYTES_MAX)
        connection_leave(&client->connection, DENY_PROTOCOL, "The server's map is larger than any map may be.");
    else if (whole && knows_map(client))
        ready(client, now_us);
    else
        connection_say(&client->connection, "Fetching the map.");
}

static void take_map_part(struct client *client, const struct map_part_message *part, uint64_t now_us)
{
    uint32_t whole_bytes = client->welcome.map_blob_bytes;
    struct whole *whole = client->whole;
    if (whole && whole->has_map)
        return; // it was under way when the map was found here
    if (client->connection.state != CLIENT_JOINING || part->offset != client->blob_bytes ||
        part->count > whole_bytes - client->blob_bytes) {
        connection_leave(&client->connection, DENY_PROTOCOL,
                         "The server sent parts of a map that do not fit together.");
        return;
    }
    if (whole)
        memcpy(whole->blob + part->offset, part->bytes, part->count);
    client->blob_bytes += part->count;
    if (client->blob_bytes < whole_bytes)
        return;
    if (whole && !hold_map(client)) {
        connection_leave(&client->connection, DENY_PROTOCOL,
                         "The map that the server sent is damaged, or not the one it announced.");
        return;
    }
    if (keeps_maps(client))
        map_cache_write(client->config.map_cache, client->welcome.map_address, whole->blob, whole_bytes);
    ready(client, now_us);
}

/// The told world of a complete snapshot. Null if it could not be had; then a full one is asked for.
static const struct world *decode(struct client *client, const struct snapshot_assembly *assembly)
{
    struct whole *whole = client->whole;
    enum told_answer answer =
        told_take(&whole->told, &whole->map, &assembly->head, assembly->body, assembly->byte_count);
    if (answer == TOLD_HELD)
        return told_at(&whole->told, assembly->head.tick);
    client->statistics.desyncs += answer == TOLD_DESYNC;
    client->statistics.snapshots_lost++;
    client->acknowledge = 0;
    return NULL;
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
    if (prediction_confirm(&whole->prediction, &whole->map, told))
        return;
    bool first = client->connection.state == CLIENT_JOINING;
    if (first)
        whole->first_tick = told->tick;
    else
        world_copy(&whole->drawn, prediction_world(&whole->prediction));
    uint32_t steps = prediction_restore(&whole->prediction, &whole->map, told);
    const struct world *corrected = prediction_world(&whole->prediction);
    if (!first) {
        uint32_t error = own_error_subpx(&whole->drawn, corrected, client->welcome.slot);
        client->statistics.prediction_error_subpx = error;
        client->statistics.corrections += error != 0;
        client->statistics.resimulations++;
        client->statistics.resimulated_ticks += steps;
        smoothing_correct(&whole->smoothing, &whole->drawn, corrected);
    }
    news_gather(&whole->news, corrected, whole->first_tick);
}

static void count_snapshot(struct client *client, const struct snapshot_head *head, uint64_t now_us)
{
    struct client_statistics *statistics = &client->statistics;
    tick apart = TICKS_PER_SECOND / (client->welcome.snapshot_rate ? client->welcome.snapshot_rate : TICKS_PER_SECOND);
    if (client->newest && head->tick - client->newest > apart)
        statistics->snapshots_lost += (head->tick - client->newest) / apart - 1;
    statistics->snapshot_bytes = client->assembly.byte_count;
    statistics->inputs_missed = head->inputs_missed;
    statistics->margin_quarter_ticks = head->margin_quarter_ticks;
    bool own = client->clock.running && (int32_t)(head->tick - client->first_input) >= 0 &&
               (int32_t)(client->confirmed - head->tick) >= 0 && client->clock.tick - head->tick < INPUTS;
    if (own) {
        statistics->input_acks++;
        statistics->input_ack_us = (uint32_t)(now_us - client->sent_us[head->tick % INPUTS]);
    }
}

static void steer(struct client *client, const struct snapshot_head *head, uint64_t now_us)
{
    struct clock *clock = &client->clock;
    if (!clock->running || (int32_t)(clock->tick - head->tick) < 0) {
        clock_start(clock, head->tick, client->trip_us, now_us);
        client->first_input = clock->tick + 1;
    } else if (head->input_tick != 0 || head->margin_quarter_ticks != 0) { // none has arrived: nothing is known
        clock_report(clock, (struct clock_report){head->tick, head->input_tick, head->margin_quarter_ticks,
                                                  head->inputs_missed});
    }
}

static void take_snapshot(struct client *client, uint64_t now_us)
{
    const struct snapshot_head *head = &client->assembly.head;
    if (client->newest == 0)
        answered(client, now_us);
    if ((int32_t)(head->input_tick - client->confirmed) > 0)
        client->confirmed = head->input_tick;
    count_snapshot(client, head, now_us);
    tick ahead = head->tick - client->newest;
    if (client->newest == 0)
        client->taken = UINT64_MAX; // none before the first is missed
    else
        client->taken = (ahead < TOLD_TICKS ? client->taken << ahead : 0) | 1;
    client->newest = head->tick;
    const struct world *told = client->whole ? decode(client, &client->assembly) : NULL;
    if (client->whole && !told)
        return;
    client->acknowledge = head->tick;
    client->statistics.snapshots++;
    if (told) {
        reconcile(client, told);
        interpolation_arrived(&client->whole->interpolation, told->tick, now_us);
    }
    connection_plays(&client->connection);
    client->heard_us = now_us;
    steer(client, head, now_us);
}

/// Whether a snapshot's baseline is here. One that a match before the present WELCOME still sent has none, and may bear
/// a tick far ahead: let into the assembly it would hold up all that follow. Everything begins with a full one.
static bool has_baseline(const struct client *client, tick baseline)
{
    if (baseline == 0)
        return true;
    if (client->connection.state != CLIENT_PLAYING)
        return false;
    return client->whole ? told_at(&client->whole->told, baseline) != NULL
                         : (int32_t)(client->newest - baseline) >= 0 && client->newest - baseline < TOLD_TICKS;
}

/// One that later ones overtook: its world is true all the same, and a gap less for an interpolated view.
static void take_overtaken(struct client *client, const struct snapshot_head *head, const uint8_t *body, size_t count)
{
    tick age = client->newest - head->tick;
    struct whole *whole = client->whole;
    if (head->parts > 1 || client->newest == 0 || age >= TOLD_TICKS || client->taken >> age & 1)
        return;
    enum told_answer answer = whole ? told_take(&whole->told, &whole->map, head, body, count) : TOLD_HELD;
    client->statistics.desyncs += answer == TOLD_DESYNC;
    if (answer != TOLD_HELD)
        return;
    client->taken |= UINT64_C(1) << age;
    client->statistics.snapshots++;
    client->statistics.snapshots_lost--;
}

static void take_snapshot_part(struct client *client, const struct net_event *event, uint64_t now_us)
{
    struct snapshot_head head;
    const uint8_t *bytes;
    size_t count;
    bool map_here = client->whole ? client->whole->has_map : client->blob_bytes == client->welcome.map_blob_bytes;
    if (client->connection.state < CLIENT_JOINING || !map_here ||
        !snapshot_part_decode(&head, &bytes, &count, event->bytes, event->byte_count) ||
        (int32_t)(head.tick - client->welcome.tick) <= 0) // of a match before this
        return;
    if (!has_baseline(client, head.baseline_tick)) {
        bool newer = client->connection.state == CLIENT_PLAYING && (int32_t)(head.tick - client->newest) > 0;
        client->statistics.snapshots_lost += newer;
        client->acknowledge = newer ? 0 : client->acknowledge;
        return;
    }
    if (snapshot_assembly_add(&client->assembly, &head, bytes, count))
        take_snapshot(client, now_us);
    else
        take_overtaken(client, &head, bytes, count);
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
        take_map_part(client, &message.as.map_part, now_us);
        break;
    case MESSAGE_NOTICE:
        snprintf(client->notice, sizeof client->notice, "%s", message.as.notice);
        client->notice_us = now_us;
        break;
    case MESSAGE_TALK:
        talk_heard(&client->talk, &message.as.talk, now_us);
        break;
    case MESSAGE_BALLOT:
        talk_voted(&client->talk, &message.as.ballot, now_us);
        break;
    case MESSAGE_JOIN:
    case MESSAGE_READY:
    case MESSAGE_INPUT:
    case MESSAGE_SNAPSHOT:
    case MESSAGE_SAY:
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
    return client->connection.state == CLIENT_PLAYING ? clock_due_us(&client->clock) : UINT64_MAX;
}

bool client_tick_due(const struct client *client, uint64_t now_us)
{
    return client->connection.state == CLIENT_PLAYING && now_us >= clock_due_us(&client->clock);
}

/// Ticks that the clock left out hold what is held now.
static void keep_input(struct client *client, tick before, tick now, struct player_input input, uint64_t now_us)
{
    for (tick i = 0; i < now - before && i < INPUTS; i++) {
        client->inputs[(now - i) % INPUTS] = input;
        client->sent_us[(now - i) % INPUTS] = now_us;
    }
}

static uint32_t batch_count(const struct client *client)
{
    tick now = client->clock.tick;
    uint32_t unconfirmed = now - client->confirmed, undone = now - client->newest;
    uint32_t kept = now - client->first_input + 1;
    uint32_t count = client->confirmed && unconfirmed < undone ? unconfirmed : undone;
    count = count < kept ? count : kept;
    return count == 0 ? 1 : count < INPUT_BATCH_CAPACITY ? count : INPUT_BATCH_CAPACITY;
}

static void send_inputs(struct client *client)
{
    struct message message = {.kind = MESSAGE_INPUT};
    struct input_message *batch = &message.as.input;
    batch->newest_tick = client->clock.tick;
    batch->snapshot_tick = client->acknowledge;
    batch->count = batch_count(client);
    for (uint32_t i = 0; i < batch->count; i++)
        batch->inputs[i] = client->inputs[(batch->newest_tick - (batch->count - 1) + i) % INPUTS];
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t count = message_encode(&message, bytes);
    transport_send(client->connection.transport, 0, NET_UNSEQUENCED, bytes,
                   count); // a lost one is repeated by the next
    transport_flush(client->connection.transport);
}

void client_tick(struct client *client, struct player_input input, uint64_t now_us)
{
    if (client->connection.state != CLIENT_PLAYING)
        return;
    tick before = client->clock.tick, now = clock_advance(&client->clock, now_us);
    keep_input(client, before, now, input, now_us);
    send_inputs(client);
    struct whole *whole = client->whole;
    if (!whole)
        return;
    prediction_push(&whole->prediction, &whole->map, now, input);
    smoothing_decay(&whole->smoothing);
    news_gather(&whole->news, prediction_world(&whole->prediction), whole->first_tick);
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

bool client_say(struct client *client, bool team, const char *text)
{
    struct message message = {.kind = MESSAGE_SAY, .as.say.team = team};
    size_t length = strlen(text) < SAY_BYTES_MAX ? strlen(text) : SAY_BYTES_MAX;
    memcpy(message.as.say.text, text, length);
    if (length == 0 || client->connection.state != CLIENT_PLAYING)
        return false;
    connection_send(&client->connection, &message);
    return true;
}

bool client_talk_next(struct client *client, struct talk_line *line)
{
    return talk_next(&client->talk, line);
}

bool client_ballot(const struct client *client, uint64_t now_us, struct ballot_message *ballot)
{
    return client->connection.state == CLIENT_PLAYING && talk_ballot(&client->talk, now_us, ballot);
}

enum client_state client_state(const struct client *client)
{
    return client->connection.state;
}

enum deny_reason client_reason(const struct client *client)
{
    return client->connection.reason;
}

const char *client_sentence(const struct client *client)
{
    return client->connection.sentence;
}

const char *client_notice(const struct client *client, uint64_t now_us)
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

const struct world *client_world_told(const struct client *client)
{
    return client->whole ? told_at(&client->whole->told, client->acknowledge) : NULL;
}

const struct map *client_map(const struct client *client)
{
    return client->whole && client->whole->has_map ? &client->whole->map : NULL;
}

void client_statistics(const struct client *client, struct client_statistics *statistics)
{
    struct net_totals totals;
    transport_totals(client->connection.transport, &totals);
    *statistics = client->statistics;
    statistics->rtt_ms = transport_rtt_ms(client->connection.transport, 0);
    statistics->lead_ticks = client->clock.tick - client->newest;
    statistics->clock_restarts = client->clock.restarts;
    statistics->snapshot_rate = client->welcome.snapshot_rate ? client->welcome.snapshot_rate : TICKS_PER_SECOND;
    statistics->bytes_in = totals.bytes_in;
    statistics->bytes_out = totals.bytes_out;
    statistics->packets_in = totals.packets_in;
    statistics->packets_out = totals.packets_out;
}

/// A world to draw others from: told, or, a little past the newest told one, guessed.
static const struct world *world_for_others(const struct whole *whole, tick number)
{
    const struct world *told = told_at(&whole->told, number);
    if (told)
        return told;
    int32_t ahead = (int32_t)(number - whole->interpolation.newest);
    return ahead > 0 && ahead <= INTERPOLATION_GUESS_TICKS ? prediction_world_at(&whole->prediction, number) : NULL;
}

/// Returns the tick at which others are then shown.
static tick show_others(struct whole *whole, uint64_t now_us, struct view *view)
{
    struct interpolation_moment moment = interpolation_moment(&whole->interpolation, now_us);
    const struct world *from = NULL, *to = NULL;
    for (tick i = 0; !from && i < TOLD_TICKS / 2; i++)
        from = world_for_others(whole, moment.tick - i);
    for (tick i = 1; !to && i <= INTERPOLATION_GAP_TICKS; i++)
        to = world_for_others(whole, moment.tick + i);
    from = from ? from : to ? to : &whole->told.worlds[whole->interpolation.newest % TOLD_TICKS];
    to = to ? to : from;
    uint32_t apart = to->tick - from->tick, since = (moment.tick - from->tick) * 256 + moment.between;
    view_show_told(view, &whole->shown, from, to, apart ? since / apart : 256);
    return moment.tick;
}

bool client_view(struct client *client, uint64_t now_us, struct view *view)
{
    struct whole *whole = client->whole;
    if (!whole || client->connection.state != CLIENT_PLAYING)
        return false;
    view->slot = client->welcome.slot;
    view_fill(view, &whole->map, prediction_world_before(&whole->prediction), prediction_world(&whole->prediction),
              clock_between(&client->clock, now_us), &whole->smoothing);
    bool told = view->kind == VIEW_INTERPOLATED;
    tick others = told ? show_others(whole, now_us, view) : view->world->tick;
    news_take(&whole->news, view, others);
    return true;
}
