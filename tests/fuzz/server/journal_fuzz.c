// SPDX-License-Identifier: MIT
//
// Fuzzes journals, as a server reads one after a crash: by the first byte of the input, any bytes or a damaged real
// one. The match of an accepted journal goes on.
#include "base/platform/disk.h"
#include "kept_match.h"
#include "match/journal.h"
#include "memory_network.h"
#include "small_replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

enum { FILE_NUMBER = 1000 };

// The file, which stays in memory.
static uint8_t copy[SMALL_REPLAY_BYTES_MAX];
static size_t copy_bytes;

int __wrap_disk_open(const char *path, unsigned way, uint32_t permissions);
bool __wrap_disk_look_at(int file, struct disk_facts *facts);
const void *__wrap_disk_map(int file, size_t byte_count);
void __wrap_disk_unmap(const void *bytes, size_t byte_count);
bool __wrap_disk_close(int file);

int __wrap_disk_open(const char *path, unsigned way, uint32_t permissions)
{
    (void)path, (void)way, (void)permissions;
    return FILE_NUMBER;
}

bool __wrap_disk_look_at(int file, struct disk_facts *facts)
{
    *facts = (struct disk_facts){.kind = DISK_FILE, .byte_count = copy_bytes};
    return file == FILE_NUMBER;
}

const void *__wrap_disk_map(int file, size_t byte_count)
{
    require(file == FILE_NUMBER && byte_count == copy_bytes);
    return copy;
}

void __wrap_disk_unmap(const void *bytes, size_t byte_count)
{
    require(bytes == copy && byte_count == copy_bytes);
}

bool __wrap_disk_close(int file)
{
    require(file == FILE_NUMBER);
    return true;
}

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
    static struct journal_end end;
    struct error error = {0};
    copy_bytes = small_replay_copy(&real, copy, bytes, byte_count);
    enum journal_outcome outcome = journal_read("journal", &end, &error);
    require((outcome == JOURNAL_FAULTY) == (error.text[0] != 0));
    if (outcome == JOURNAL_READ)
        resume_kept(&end);
    return 0;
}
