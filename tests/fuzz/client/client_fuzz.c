// SPDX-License-Identifier: MIT
//
// Fuzzes a whole client with a malicious server. A real match serves it over two queues, and the input damages, drops,
// repeats and injects messages on their way. Whatever comes, the client runs, its worlds are valid, and its texts are
// printable. One client takes many short inputs, since joining takes longer than all else; after it has ended, or after
// 256 inputs, the next one begins with everything new.
#include <string.h>

#include "base/utf8.h"
#include "core/client.h"
#include "damage.h"
#include "match/match.h"
#include "require.h"
#include "sync/world.h"
#include "test_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

enum { QUEUE_MESSAGES = 256, INPUTS_OF_CLIENT = 256, TICKS_TO_JOIN = 120, STEPS_MAX = 6 };

#define TICK_US 16667

// What an input does, by its first byte modulo their number.
enum step_kind { ADVANCE, DAMAGE, DROP, REPEAT, INJECT, STEPS };

// One direction.
struct queue {
    struct transport transport; // of the end that reads it
    struct queue *other;
    bool announced; // the connection
    uint32_t read, written;
    struct {
        uint16_t byte_count;
        uint8_t bytes[NET_MESSAGE_BYTES_MAX];
    } messages[QUEUE_MESSAGES];
};

static struct queue to_client, to_server;
static struct match *match;
static struct client *client;
static uint64_t now_us;
static uint32_t inputs;

// What happens to the next message to the client.
static struct {
    bool drop, repeat;
    const uint8_t *damage;
    size_t damage_bytes;
} next;

static struct queue *read_by(struct transport *transport)
{
    return (struct queue *)transport;
}

static bool poll_queue(struct transport *transport, struct net_event *event)
{
    static const struct net_client description = {.identity = {1},
                                                  .address = {.bytes = {192, 0, 2, 1, 0, 1}, .byte_count = 6}};
    struct queue *queue = read_by(transport);
    if (!queue->announced) {
        queue->announced = true;
        *event = (struct net_event){.kind = NET_CONNECTED, .client = queue == &to_server ? &description : NULL};
        return true;
    }
    if (queue->read == queue->written)
        return false;
    size_t at = queue->read++ % QUEUE_MESSAGES;
    *event = (struct net_event){
        .kind = NET_MESSAGE, .bytes = queue->messages[at].bytes, .byte_count = queue->messages[at].byte_count};
    return true;
}

static void push(struct queue *queue, const uint8_t *bytes, size_t byte_count)
{
    if (queue->written - queue->read == QUEUE_MESSAGES || byte_count == 0)
        return;
    size_t at = queue->written++ % QUEUE_MESSAGES;
    queue->messages[at].byte_count = (uint16_t)byte_count;
    memcpy(queue->messages[at].bytes, bytes, byte_count);
}

static bool send_to_other(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                          size_t byte_count)
{
    (void)peer, (void)channel;
    struct queue *queue = read_by(transport)->other;
    uint8_t damaged[NET_MESSAGE_BYTES_MAX];
    bool drop = queue == &to_client && next.drop, repeat = queue == &to_client && next.repeat;
    memcpy(damaged, bytes, byte_count);
    if (queue == &to_client) {
        damage(damaged, byte_count, next.damage, next.damage_bytes);
        memset(&next, 0, sizeof next);
    }
    for (int i = drop ? 1 : 0; i < (repeat ? 2 : 1); i++)
        push(queue, damaged, byte_count);
    return true;
}

static void do_nothing(struct transport *transport)
{
    (void)transport;
}

static void disconnect(struct transport *transport, uint32_t peer, uint32_t reason, bool now)
{
    (void)transport, (void)peer, (void)reason, (void)now;
}

static void no_totals(const struct transport *transport, struct net_totals *totals)
{
    (void)transport, (void)totals;
}

static uint32_t no_rtt(const struct transport *transport, uint32_t peer)
{
    (void)transport, (void)peer;
    return 0;
}

static const struct transport_table table = {.poll = poll_queue,
                                             .send = send_to_other,
                                             .flush = do_nothing,
                                             .disconnect = disconnect,
                                             .totals = no_totals,
                                             .rtt_ms = no_rtt,
                                             .close = do_nothing};

// What decoders promise. Blanks in a row are a stranger's own affair.
static void require_printable(const char *text)
{
    require(utf8_is_clean(text, strlen(text)));
}

// As a window does once a frame, here once an input, since it takes as long as a tick.
static void show(void)
{
    static struct view view;
    struct chat_line line;
    struct vote_message vote;
    struct client_statistics statistics;
    client_statistics(client, &statistics);
    view.kind = inputs % 2 ? VIEW_INTERPOLATED : VIEW_PREDICTED;
    if (client_view(client, now_us, &view))
        require(world_validate(view.confirmed, client_map(client)));
    require_printable(client_status_text(client));
    require_printable(client_system_message(client, now_us));
    while (client_chat_next(client, &line))
        require_printable(line.text);
    if (client_open_vote(client, now_us, &vote))
        require_printable(vote.question);
}

static void advance(uint32_t buttons)
{
    now_us += TICK_US;
    match_receive(match, now_us);
    match_tick(match, now_us);
    client_receive(client, now_us);
    while (client_tick_due(client, now_us))
        client_tick(client, &(struct local_inputs){{{buttons}}}, now_us);
}

static void end(void)
{
    client_destroy(client);
    match_destroy(match);
    match = NULL;
}

// One of each kind of thing that moves; every one more takes time in each tick that the client predicts.
static void make_map(struct map *map)
{
    static const struct map_point aside[] = {{0, 0}, {48, 0}};
    test_map_draw(map, TEST_MAP_HALL);
    test_map_mover(map, (struct df_box){64, 40, 24, 4}, aside, 2, MAP_PATH_PINGPONG, 240);
    test_map_crusher(map, (struct df_box){160, 8, 16, 16}, 40);
    test_map_ball(map, 120, 32, 5, 300, -260);
    test_map_chest(map, 200, 64, MAP_GIFTS_ANY, 300);
}

static void begin(void)
{
    static struct map map;
    make_map(&map);
    memset(&to_client, 0, sizeof to_client);
    memset(&to_server, 0, sizeof to_server);
    to_client = (struct queue){.transport = {&table}, .other = &to_server};
    to_server = (struct queue){.transport = {&table}, .other = &to_client};
    now_us = 1000000;
    inputs = 0;
    match = match_create(
        &(struct match_config){
            .map = &map, .rules = {.mode = MODE_FFA, .seed = 1}, .players_max = 3, .snapshot_rate = 60},
        &to_server.transport);
    client = client_create(&to_client.transport, &(struct client_config){.player.name = "fuzzed"});
    require(match && client);
    for (int i = 0; i < TICKS_TO_JOIN && client_state(client) != CLIENT_PLAYING; i++)
        advance(0);
    require(client_state(client) == CLIENT_PLAYING);
}

// Each step of an input: what it does, an argument, and for some as many bytes as the argument says.
static size_t step(const uint8_t *bytes, size_t byte_count)
{
    size_t rest = byte_count - 2, count = bytes[1] < rest ? bytes[1] : rest;
    switch ((enum step_kind)(bytes[0] % STEPS)) {
    case DAMAGE:
        next.damage = bytes + 2;
        next.damage_bytes = count;
        break;
    case DROP:
        next.drop = true;
        return 2;
    case REPEAT:
        next.repeat = true;
        return 2;
    case INJECT:
        push(&to_client, bytes + 2, count);
        return 2 + count;
    case ADVANCE:
    case STEPS:
        count = 0;
        break;
    }
    advance(bytes[1]);
    return 2 + count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    if (!match)
        begin();
    inputs++;
    size_t at = 0;
    for (int i = 0; i < STEPS_MAX && at + 2 <= byte_count; i++)
        at += step(bytes + at, byte_count - at);
    memset(&next, 0, sizeof next);
    advance(0);
    show();
    if (client_state(client) != CLIENT_PLAYING || inputs == INPUTS_OF_CLIENT)
        end();
    return 0;
}
