// SPDX-License-Identifier: MIT
//
// Measures the cost of records per tick, with a full server of known players who score in every tick: the mean, and the
// maximum, when the rows of all players go to the thread. Prints one JSON line per number of players.
//     bench_records [PLAYERS]...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "records/records.h"
#include "test_map.h"

enum { TICKS = 20000 };

static char path[64];

static int64_t unix_time(void)
{
    return 0;
}

static struct match *fill(uint32_t players)
{
    static struct map map;
    test_map_random(&map, 4, 60, 40);
    struct match *match = match_create(
        &(struct match_config){.map = &map, .players_max = players, .snapshot_rate = TICKS_PER_SECOND}, NULL);
    struct command commands[PLAYER_CAPACITY];
    for (uint32_t slot = 0; match && slot < players; slot++) {
        struct seat_key key = {.identity = {(uint8_t)slot, 1}};
        uint32_t name[PLAYER_NAME_BYTES / 4] = {'p'};
        roster_enter(&match->roster, roster_reserve(&match->roster, &key, name, 0));
    }
    for (uint32_t i = 0, count = match ? roster_commands(&match->roster, commands, PLAYER_CAPACITY) : 0; i < count; i++)
        world_command(&match->world, &match->map, &commands[i]);
    return match;
}

static void run(uint32_t players)
{
    struct match *match = fill(players);
    struct records *records = records_open(path, unix_time, NULL);
    double total_us = 0, most_us = 0;
    if (!match || !records)
        exit(EXIT_FAILURE);
    match->world.round.phase = ROUND_PLAYING;
    for (uint32_t i = 0; i < TICKS; i++) {
        for (uint32_t slot = 0; slot < players; slot++)
            match->world.players[slot].stats.shots++;
        double begun_us = bench_cpu_us();
        records_update(records, match);
        double took_us = bench_cpu_us() - begun_us;
        total_us += took_us;
        most_us = took_us > most_us ? took_us : most_us;
    }
    printf("{\"players\": %u, \"look_us\": %.2f, \"most_us\": %.1f, \"lost\": %llu}\n", players, total_us / TICKS,
           most_us, (unsigned long long)records_lost(records));
    records_close(records);
    match_destroy(match);
}

int main(int argc, char **argv)
{
    static const char *const ENDINGS[] = {"records.db", "records.db-wal", "records.db-shm"};
    static const uint32_t USUAL[] = {16, 64, 256, 0};
    char folder[] = "/tmp/bench-records-XXXXXX";
    if (!mkdtemp(folder))
        return EXIT_FAILURE;
    snprintf(path, sizeof path, "%s/records.db", folder);
    bench_each(argc, argv, PLAYER_CAPACITY, USUAL, run);
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, ENDINGS[i]);
        unlink(path);
    }
    return rmdir(folder) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
