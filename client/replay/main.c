// SPDX-License-Identifier: MIT
//
// deadfall-replay: tells what a replay holds, plays it again and compares it with its own hashes. Links shared/ alone.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/options.h"
#include "playback.h"
#include "print.h"

// Largest replay, bytes: about a day of 64 players.
#define FILE_BYTES_MAX ((size_t)512 * 1024 * 1024)

static struct settings {
    bool info, verify, json;
    int64_t hash_every, print_tick;
} settings;

static struct playback playback;

static const struct option OPTIONS[] = {
    {"info", OPTION_FLAG, offsetof(struct settings, info), NULL, NULL,
     "map, mode, ticks, players, duration: what it does when asked nothing else", 0, 0, NULL},
    {"verify", OPTION_FLAG, offsetof(struct settings, verify), NULL, NULL,
     "play it again and compare each hash and keyframe; exit 1 if one differs", 0, 0, NULL},
    {"hash-every", OPTION_NUMBER, offsetof(struct settings, hash_every), NULL, "N",
     "play it again and print TICK HASH at each tick divisible by N", 1, UINT32_MAX, NULL},
    {"print-tick", OPTION_NUMBER, offsetof(struct settings, print_tick), "-1", "N",
     "print the world after tick N, all fields that are not zero; -1: none", -1, UINT32_MAX, NULL},
    {"json", OPTION_FLAG, offsetof(struct settings, json), NULL, NULL, "answer in JSON, an object a line", 0, 0, NULL},
};

static const struct program PROGRAM = {
    .name = "deadfall-replay",
    .summary = "Reads a replay (.dfr) and plays it again: one of --info (if none is given), --verify, --hash-every\n"
               "and --print-tick.",
    .operands = "FILE",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .operand_capacity = 1,
};

static int complain(const char *path, const char *sentence, enum exit_code code)
{
    fprintf(stderr, "deadfall-replay: %s: %s\n", path, sentence);
    return (int)code;
}

static int complain_fault(const char *path, enum replay_fault fault)
{
    fprintf(stderr, "deadfall-replay: %s: byte %zu: %s\n", path, playback.reader.fault_offset,
            replay_fault_sentence(fault));
    return EXIT_DATA;
}

// Null if the file cannot be read, is too large, or memory is out; errno says which.
static uint8_t *read_file(const char *path, size_t *byte_count)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    uint8_t *bytes = NULL;
    size_t room = 0;
    *byte_count = 0;
    while (!feof(file) && !ferror(file)) {
        if (*byte_count == room) {
            room = room ? 2 * room : 64 * 1024;
            uint8_t *larger = room <= FILE_BYTES_MAX ? realloc(bytes, room) : NULL;
            errno = larger ? 0 : room <= FILE_BYTES_MAX ? ENOMEM : EFBIG;
            if (!larger)
                break;
            bytes = larger;
        }
        *byte_count += fread(bytes + *byte_count, 1, room - *byte_count, file);
    }
    bool whole = feof(file) && !ferror(file);
    int error = errno;
    fclose(file);
    if (whole)
        return bytes;
    free(bytes);
    errno = error;
    return NULL;
}

// Reads without playing.
static int info(const char *path)
{
    struct replay_reader *reader = &playback.reader;
    static struct print_summary summary;
    for (uint32_t slot = 0; slot < reader->first.player_slots; slot++) {
        if (reader->first.players[slot].state == PLAYER_ABSENT)
            continue;
        summary.players++;
        print_summary_add(&summary, reader->first.players[slot].name);
    }
    for (summary.last_tick = reader->tick; (summary.end = replay_reader_next(reader)) == REPLAY_OK;) {
        summary.last_tick = reader->tick;
        for (uint32_t i = 0; i < reader->command_count; i++) {
            if (reader->commands[i].kind != COMMAND_JOIN)
                continue;
            summary.joins++;
            print_summary_add(&summary, reader->commands[i].name);
        }
    }
    print_info(reader, &summary, settings.json);
    return summary.end == REPLAY_END ? EXIT_OK : complain_fault(path, summary.end);
}

// After the first hash that differs it goes on to the next keyframe, which tells the field, and ends there.
static int verify(const char *path)
{
    uint32_t ticks = 0, hashes = 0, keyframes = 0, differences = 0;
    bool told = false;
    enum replay_fault fault = REPLAY_OK;
    char text[200];
    while (!told && (fault = playback_next(&playback)) == REPLAY_OK) {
        ticks++;
        hashes += playback.reader.has_hash;
        keyframes += playback.reader.has_keyframe;
        if (differences == 0 && playback_hash_differs(&playback)) {
            snprintf(text, sizeof text, "the hash is %016" PRIx64 ", the replay has %016" PRIx64,
                     world_hash(&playback.world), playback.reader.hash);
            print_difference(playback.reader.tick, text, settings.json);
            differences++;
        }
        told = playback_keyframe_differs(&playback, text, sizeof text);
        if (told)
            print_difference(playback.reader.tick, text, settings.json);
        differences += told;
    }
    print_verified(ticks, hashes, keyframes, differences, settings.json);
    if (!told && fault != REPLAY_END)
        return complain_fault(path, fault);
    return differences ? EXIT_FAILED : EXIT_OK;
}

static int hash_every(const char *path, tick every)
{
    enum replay_fault fault;
    while ((fault = playback_next(&playback)) == REPLAY_OK)
        if (playback.reader.tick % every == 0)
            print_hash(playback.reader.tick, world_hash(&playback.world), settings.json);
    return fault == REPLAY_END ? EXIT_OK : complain_fault(path, fault);
}

static int print_tick(const char *path, tick target)
{
    enum replay_fault fault = playback_seek(&playback, target);
    if (fault == REPLAY_OK && playback.reader.tick == target) {
        print_world(&playback.world, settings.json);
        return EXIT_OK;
    }
    if (fault != REPLAY_OK && fault != REPLAY_END)
        return complain_fault(path, fault);
    char sentence[120];
    snprintf(sentence, sizeof sentence, "it has no tick %" PRIu32 ": it goes from %" PRIu32 " to %" PRIu32 ".", target,
             playback.reader.first.tick, playback.reader.tick);
    return complain(path, sentence, EXIT_USAGE);
}

static int run(const char *path)
{
    size_t byte_count;
    uint8_t *bytes = read_file(path, &byte_count);
    if (!bytes)
        return complain(path, strerror(errno), EXIT_IO);
    enum replay_fault fault = playback_open(&playback, bytes, byte_count);
    int code = fault != REPLAY_OK         ? complain_fault(path, fault)
               : settings.verify          ? verify(path)
               : settings.hash_every > 0  ? hash_every(path, (tick)settings.hash_every)
               : settings.print_tick >= 0 ? print_tick(path, (tick)settings.print_tick)
                                          : info(path);
    free(bytes);
    if (fflush(stdout) != 0 || ferror(stdout))
        return complain("standard output", strerror(errno), EXIT_IO);
    return code;
}

int main(int argc, char **argv)
{
    struct options_result result;
    switch (options_read(&PROGRAM, &settings, argc, argv, getenv, stdout, &result)) {
    case OPTIONS_RUN:
        break;
    case OPTIONS_DONE:
        return EXIT_OK;
    case OPTIONS_WRONG:
        fprintf(stderr, "deadfall-replay: %s\n", result.error.text);
        return (int)result.error.code;
    }
    int actions = settings.info + settings.verify + (settings.hash_every > 0) + (settings.print_tick >= 0);
    if (result.operand_count == 1 && actions <= 1)
        return run(result.operands[0]);
    fprintf(stderr, "deadfall-replay: %s: see deadfall-replay --help\n",
            actions > 1 ? "only one of --info, --verify, --hash-every and --print-tick" : "a replay is missing");
    return EXIT_USAGE;
}
