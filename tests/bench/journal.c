// SPDX-License-Identifier: MIT
//
// Measures how long a server reads the journal of a match of 16 players before it can continue it, by the length of the
// match. Prints one JSON line. With a PATH the journal is kept there, for restored_start.py.
//     bench_journal MAP.tmj MINUTES [PATH]
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "game/map/tiled/map_file.h"
#include "match/journal.h"
#include "sync/world.h"

enum { PLAYERS = 16, READS = 5, BACKLOG_BYTES_MAX = 1 << 18 };

static struct map map;
static struct world world;
static struct journal_end end;

// Everybody changes what they hold six times a second.
static void hold(struct player_input *inputs, uint64_t *random)
{
    for (uint32_t slot = 0; slot < PLAYERS; slot++) {
        uint64_t dice = random_next64(random);
        if (dice % 10 == 0)
            inputs[slot].buttons = (uint32_t)(dice >> 32) & ((1u << BUTTON_BITS) - 1);
    }
}

static bool play(const char *path, uint32_t ticks, struct error *error)
{
    struct rules rules = {.mode = MODE_FFA, .seed = 1};
    struct command joins[PLAYERS];
    struct replay_seat seats[PLAYERS] = {0};
    struct player_input inputs[PLAYER_CAPACITY] = {0};
    uint64_t random = 1;
    world_init(&world, &map, &rules);
    struct recorder *journal = recorder_open();
    if (!journal || !recorder_begin_at(journal, path, &map, &world) || !recorder_wait(journal, error))
        return false;
    for (uint32_t slot = 0; slot < PLAYERS; slot++) {
        joins[slot] = (struct command){.kind = COMMAND_JOIN, .slot = slot, .name = {'A' + slot}};
        seats[slot] = (struct replay_seat){.slot = slot, .identity = {(uint8_t)slot, 1}};
        world_command(&world, &map, &joins[slot]);
    }
    recorder_seats(journal, seats, PLAYERS);
    for (uint32_t i = 0; i < ticks; i++) {
        hold(inputs, &random);
        world_step(&world, &map, inputs);
        recorder_tick(journal, joins, i == 0 ? PLAYERS : 0, inputs, &world);
        while (recorder_backlog_bytes(journal) > BACKLOG_BYTES_MAX) // until the disk has it
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return recorder_close(journal, error);
}

int main(int argc, char **argv)
{
    struct error error;
    struct stat facts;
    char own[] = "/tmp/bench-journal-XXXXXX";
    uint32_t minutes = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    if (minutes == 0) {
        fprintf(stderr, "usage: bench_journal MAP.tmj MINUTES [PATH]\n");
        return EXIT_FAILURE;
    }
    int file = argc > 3 ? -1 : mkstemp(own);
    const char *path = argc > 3 ? argv[3] : own;
    if (!map_file_read(argv[1], &map, &error) || !play(path, minutes * 60 * TICKS_PER_SECOND - 1, &error) ||
        stat(path, &facts) != 0) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }
    double best_ms = 1e9;
    for (int i = 0; i < READS; i++) {
        uint64_t begun_ns = clock_now_ns();
        if (journal_read(path, &end, &error) != JOURNAL_READ || world_hash(&end.world) != world_hash(&world))
            return EXIT_FAILURE;
        double took_ms = (double)(clock_now_ns() - begun_ns) / 1e6;
        best_ms = took_ms < best_ms ? took_ms : best_ms;
    }
    printf("{\"minutes\": %u, \"bytes\": %lld, \"read_ms\": %.2f}\n", minutes, (long long)facts.st_size, best_ms);
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    return EXIT_SUCCESS;
}
