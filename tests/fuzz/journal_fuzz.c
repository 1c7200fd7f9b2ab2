// SPDX-License-Identifier: MIT
//
// Fuzzes journals, as a server reads one after a crash: by the first byte of the input, any bytes or a damaged real
// one. The match of an accepted journal goes on.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kept_match.h"
#include "match/journal.h"
#include "memory_network.h"
#include "small_replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

static struct match *begin_match(const struct journal_end *end, const struct match_map *prepared)
{
    static struct memory_network *network;
    struct match_config config = {
        .map = &end->map, .rules = end->world.rules, .players_max = 3, .snapshot_rate = 60, .prepared = prepared};
    network = network ? network : memory_network_create(1, &(struct impairment){0}, 4);
    struct match *match = match_create(&config, memory_network_server(network));
    require(match != NULL);
    return match;
}

static void resume(struct match *match, const struct journal_end *end)
{
    journal_restore(match, end);
    for (uint64_t i = 0; i < SMALL_REPLAY_TICKS; i++)
        match_tick(match, 1000000 + i * 16667);
}

// Most journals are of the same match, so its map is prepared once.
static void resume_kept(const struct journal_end *end)
{
    static struct match_map prepared;
    static struct match *match, unplayed;
    if (!match) {
        match_map_begin(&prepared, &end->map);
        match = begin_match(end, &prepared);
        unplayed = *match;
    }
    if (memcmp(&end->map, &unplayed.map, sizeof end->map) == 0 &&
        memcmp(&end->world.rules, &unplayed.world.rules, sizeof end->world.rules) == 0) {
        resume(match, end);
        kept_match_restore(match, &unplayed);
        return;
    }
    struct match *other = begin_match(end, NULL);
    resume(other, end);
    match_destroy(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    static struct small_replay real;
    static uint8_t copy[SMALL_REPLAY_BYTES_MAX];
    static struct journal_end end;
    static int file = -1;
    static char path[64];
    struct error error = {0};
    if (file < 0) {
        file = memfd_create("journal", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    size_t copy_bytes = small_replay_copy(&real, copy, bytes, byte_count);
    require(ftruncate(file, 0) == 0 && pwrite(file, copy, copy_bytes, 0) == (ssize_t)copy_bytes);
    enum journal_outcome outcome = journal_read(path, &end, &error);
    require((outcome == JOURNAL_FAULTY) == (error.text[0] != 0));
    if (outcome == JOURNAL_READ)
        resume_kept(&end);
    return 0;
}
