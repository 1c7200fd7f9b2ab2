// SPDX-License-Identifier: MIT
//
// Measures the cost of records per tick, with a full server of known players who score in every tick: the mean, and the
// maximum, when the rows of all players go to the thread. Prints one JSON line per number of players.
//     bench_records [PLAYERS]...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "records/records.h"
#include "test_map.h"

enum { TICKS = 20000 };

static uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time); // CPU time of this thread: the load of the machine does not count
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

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

static void run(uint32_t players, const char *path)
{
    struct match *match = fill(players);
    struct records *records = records_open(path, unix_time, NULL);
    uint64_t total_ns = 0, most_ns = 0;
    if (!match || !records)
        exit(EXIT_FAILURE);
    match->world.round.phase = ROUND_PLAYING;
    for (uint32_t i = 0; i < TICKS; i++) {
        for (uint32_t slot = 0; slot < players; slot++)
            match->world.players[slot].stats.shots++;
        uint64_t begun_ns = now_ns();
        records_update(records, match);
        uint64_t took_ns = now_ns() - begun_ns;
        total_ns += took_ns;
        most_ns = took_ns > most_ns ? took_ns : most_ns;
    }
    printf("{\"players\": %u, \"look_us\": %.2f, \"most_us\": %.1f, \"lost\": %llu}\n", players,
           (double)total_ns / TICKS / 1e3, (double)most_ns / 1e3, (unsigned long long)records_lost(records));
    records_close(records);
    match_destroy(match);
}

int main(int argc, char **argv)
{
    static const char *const ENDINGS[] = {"records.db", "records.db-wal", "records.db-shm"};
    static char *usual[] = {"", "16", "64", "256"};
    char folder[] = "/tmp/bench-records-XXXXXX", path[64];
    if (!mkdtemp(folder))
        return EXIT_FAILURE;
    snprintf(path, sizeof path, "%s/records.db", folder);
    for (int i = 1; i < (argc > 1 ? argc : 4); i++) {
        long players = strtol((argc > 1 ? argv : usual)[i], NULL, 10);
        run(players < 1 ? 1 : players > PLAYER_CAPACITY ? PLAYER_CAPACITY : (uint32_t)players, path);
    }
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, ENDINGS[i]);
        unlink(path);
    }
    return rmdir(folder) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
