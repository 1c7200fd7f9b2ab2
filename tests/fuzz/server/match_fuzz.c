// SPDX-License-Identifier: MIT
//
// Fuzzes a running match with any messages of clients. The bytes are a list of messages, each after its length and the
// number of its connection; a length of 255 advances one tick, and one of 254 is the message of a client that joins,
// which an input could not have after a change of the protocol.
#include <stdlib.h>
#include <string.h>

#include "kept_match.h"
#include "match/match.h"
#include "memory_network.h"
#include "sync/world.h"

#define PEERS    4
#define START_US 1000000
#define TICKS    16 // of an input at most

static struct map map;

static void make_map(void)
{
    map = (struct map){.name = "fuzzed", .columns = 20, .rows = 12, .spawn_count = 1};
    map.spawns[0] = (struct map_spawn){.x = 80, .y = 80};
    for (int32_t column = 0; column < map.columns; column++)
        map.tiles[10 * map.columns + column] = DF_TILE_SOLID;
}

static void join(struct match *match, uint32_t peer, uint64_t now_us)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    struct message message = {.kind = MESSAGE_JOIN, .as.join = {.protocol = PROTOCOL_VERSION, .name = {'A' + peer}}};
    peer_messages_handle(match, peer, bytes, message_encode(&message, bytes), now_us);
}

static uint64_t play(struct match *match, const uint8_t *data, size_t size)
{
    uint64_t now_us = START_US;
    for (uint32_t i = 0; i < PEERS; i++)
        peer_connected(match, i, &(struct net_client){.identity = {(uint8_t)i}}, now_us);
    uint32_t ticks = 0;
    for (size_t at = 0; at + 2 <= size && ticks < TICKS;) {
        uint32_t peer = data[at] % PEERS;
        size_t length = data[at + 1], rest = size - at - 2;
        if (length == 255) {
            match_tick(match, now_us += 16667);
            ticks++;
            at += 2;
            continue;
        }
        if (length == 254) {
            join(match, peer, now_us);
            at += 2;
            continue;
        }
        length = length < rest ? length : rest;
        peer_messages_handle(match, peer, data + at + 2, length, now_us);
        at += 2 + length;
    }
    match_tick(match, now_us + 16667);
    return world_hash(&match->world);
}

static struct match *new_match(void)
{
    struct impairment perfect = {0};
    make_map();
    struct memory_network *network = memory_network_create(1, &perfect, PEERS);
    return network ? match_create(&(struct match_config){.map = &map,
                                                         .rules = {.mode = MODE_FFA, .seed = 1},
                                                         .players_max = PEERS - 1,
                                                         .bots = 1,
                                                         .snapshot_rate = 60},
                                  memory_network_server(network))
                   : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct match *match, *unplayed;
    if (!match) {
        match = new_match();
        unplayed = malloc(sizeof *unplayed);
        if (!match || !unplayed)
            abort();
        match_tick(match, START_US); // its bot makes the navigation graph
        memcpy(unplayed, match, sizeof *match);
    }
    play(match, data, size);
    kept_match_restore(match, unplayed);
    return 0;
}
