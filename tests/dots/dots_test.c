// SPDX-License-Identifier: MIT
//
// Another game on the same engine: dots is hosted, joined over a bad line, predicted, recorded and replayed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/client.h"
#include "match/match.h"
#include "memory_network.h"
#include "recording/recorder.h"
#include "replay/playback.h"
#include "sync/world.h"
#include "test.h"

enum { CLIENTS = 3, TICK_US = 1000000 / TICKS_PER_SECOND, PLAYED_TICKS = 1200 };

static struct memory_network *network;
static struct match *match;
static struct client *clients[CLIENTS];
static uint64_t now_us;
static uint64_t compared;

static void run(uint32_t ticks)
{
    static struct world history[64];
    for (uint32_t i = 0; i < ticks; i++) {
        now_us += TICK_US;
        memory_network_advance(network, now_us);
        match_receive(match, now_us);
        match_tick(match, now_us);
        history[match->world.tick % 64] = match->world;
        for (uint32_t k = 0; k < CLIENTS; k++) {
            client_receive(clients[k], now_us);
            while (client_tick_due(clients[k], now_us)) {
                uint32_t way = 1u << (match->world.tick / 30 + k) % 4;
                way |= i % 37 == k ? (uint32_t)BUTTON_SHOOT : 0;
                client_tick(clients[k], &(struct local_inputs){{{way}}}, now_us);
            }
            const struct world *confirmed = client_world_confirmed(clients[k]);
            if (!confirmed || match->world.tick - confirmed->tick >= 64)
                continue;
            assert_true(world_hash(confirmed) == world_hash(&history[confirmed->tick % 64]));
            compared++;
        }
    }
}

static void host(const struct map *map)
{
    static const struct impairment line = {.delay_us = 40000, .loss_ppm = 50000, .reorder_ppm = 50000};
    network = memory_network_create(1, &line, 16);
    match = match_create(
        &(struct match_config){.map = map, .rules = {.seed = 7}, .players_max = 8, .bots = 5, .snapshot_rate = 60},
        memory_network_server(network));
    assert_non_null(match);
    for (uint32_t k = 0; k < CLIENTS; k++) {
        struct client_config config = {.player.colour = k};
        snprintf(config.player.name, sizeof config.player.name, "dot %u", k);
        clients[k] = client_create(memory_network_client_as(network, k + 1), &config);
    }
}

static void replay(const char *path)
{
    static struct playback playback;
    static uint8_t bytes[4 << 20];
    FILE *file = fopen(path, "rb");
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(playback_open(&playback, bytes, count), REPLAY_OK);
    uint32_t hashes = 0;
    while (playback_next(&playback) == REPLAY_OK) {
        hashes += playback.reader.has_hash;
        assert_false(playback_hash_differs(&playback));
    }
    assert_true(hashes >= PLAYED_TICKS / REPLAY_HASH_TICKS - 1);
    assert_true(memcmp(&playback.world, &match->world, sizeof match->world) == 0);
}

TEST(another_game_is_hosted_joined_predicted_recorded_and_replayed)
{
    static const struct map plain = {400};
    char path[] = "/tmp/dots-XXXXXX";
    close(mkstemp(path));
    host(&plain);
    struct recorder *recorder = recorder_open();
    assert_true(recorder_begin_at(recorder, path, &match->map, &match->world));
    match->recorder = recorder;
    run(PLAYED_TICKS);
    match->recorder = NULL;
    struct error error;
    recorder_end(recorder);
    assert_true(recorder_close(recorder, &error));

    uint32_t coins = 0, deaths = 0;
    for (uint32_t slot = 0; slot < match->world.player_slots; slot++) {
        coins += match->world.players[slot].coins;
        deaths += match->world.players[slot].deaths;
    }
    assert_int_equal(match->world.player_slots, 5);
    assert_true(coins > 0 && deaths > 0);
    for (uint32_t k = 0; k < CLIENTS; k++) {
        struct client_statistics counted;
        static struct view view;
        client_statistics(clients[k], &counted);
        assert_int_equal(client_state(clients[k]), CLIENT_PLAYING);
        assert_int_equal(counted.desyncs, 0);
        assert_true(client_view(clients[k], now_us, &view));
        assert_true(client_world(clients[k])->tick > client_world_confirmed(clients[k])->tick); // predicts
    }
    assert_true(compared > CLIENTS * PLAYED_TICKS / 2);
    replay(path);
    unlink(path);
    for (uint32_t k = 0; k < CLIENTS; k++)
        client_destroy(clients[k]);
    match_destroy(match);
    memory_network_destroy(network);
}
