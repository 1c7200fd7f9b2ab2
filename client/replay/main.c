// SPDX-License-Identifier: MIT
//
// deadfall-replay: prints what a replay contains, plays it again and compares it with its own hashes. Links only
// shared/.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "options/options.h"
#include "print.h"
#include "replay/playback.h"
#include "roll_check.h"
#include "sync/world.h"

// Largest replay, bytes: about a day of 64 players.
#define FILE_BYTES_MAX ((size_t)512 * 1024 * 1024)

static struct settings {
    bool info, verify, events, json;
    int64_t hash_every, print_tick;
} settings;

static struct playback playback;

static const struct option OPTIONS[] = {
    {"info", OPTION_FLAG, .offset = offsetof(struct settings, info), NULL, NULL,
     "print map, mode, ticks, players, duration and the commitment to the dice; the default", 0, 0, NULL},
    {"verify", OPTION_FLAG, .offset = offsetof(struct settings, verify), NULL, NULL,
     "simulate the match again and compare each hash, keyframe and roll; exit 1 if one differs", 0, 0, NULL},
    {"events", OPTION_FLAG, .offset = offsetof(struct settings, events), NULL, NULL,
     "simulate the match again and print what happened: kills, rounds, pickups and all other events", 0, 0, NULL},
    {"hash-every", OPTION_NUMBER, .offset = offsetof(struct settings, hash_every), NULL, "N",
     "simulate the match again and print TICK HASH at each tick divisible by N", 1, UINT32_MAX, NULL},
    {"print-tick", OPTION_NUMBER, .offset = offsetof(struct settings, print_tick), "-1", "N",
     "print the world after tick N, all fields that are not zero; -1: none", -1, UINT32_MAX, NULL},
    {"json", OPTION_FLAG, .offset = offsetof(struct settings, json), NULL, NULL, "print JSON, one object per line", 0,
     0, NULL},
};

static const struct program PROGRAM = {
    .name = "deadfall-replay",
    .summary =
        "Reads a replay (.dfr). Give one of --info (the default), --verify, --events, --hash-every and --print-tick.",
    .operands = "FILE",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .operand_capacity = 1,
};

// What the options can ask of an open replay. Each fills the error unless the code is EXIT_OK or EXIT_FAILED.

// Says where in the file a fault is.
static enum exit_code fail(struct error *error, enum replay_fault fault)
{
    error_set(error, "byte %zu: %s", playback.reader.fault_offset, replay_fault_text(fault));
    return EXIT_DATA;
}

// Reads the replay to its end without playing it.
static enum exit_code info(struct error *error)
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
    summary.proof = roll_check_proof(reader);
    print_info(reader, &summary, settings.json);
    return summary.end == REPLAY_END ? EXIT_OK : fail(error, summary.end);
}

// After the first hash that differs it goes on to the next keyframe, which shows the field that differs, and ends
// there.
static enum exit_code verify(struct error *error)
{
    static struct roll_check rolls;
    struct print_verification found = {0};
    bool field_found = false;
    enum replay_fault fault = REPLAY_OK;
    char text[200];
    roll_check_begin(&rolls, &playback);
    while (!field_found && (fault = roll_check_next(&rolls, &playback)) == REPLAY_OK) {
        found.ticks++;
        found.hashes += playback.reader.has_hash;
        found.keyframes += playback.reader.has_keyframe;
        if (roll_check_differs(&rolls, &playback, text, sizeof text)) {
            print_difference(playback.reader.tick, text, settings.json);
            found.wrong_rolls++;
        }
        if (found.differences == 0 && playback_hash_differs(&playback)) {
            snprintf(text, sizeof text, "the hash is %016" PRIx64 ", the replay has %016" PRIx64,
                     world_hash(&playback.world), playback.reader.hash);
            print_difference(playback.reader.tick, text, settings.json);
            found.differences++;
        }
        field_found = playback_keyframe_differs(&playback, text, sizeof text);
        if (field_found)
            print_difference(playback.reader.tick, text, settings.json);
        found.differences += field_found;
    }
    found.rolls = rolls.rolls;
    found.rolls_are_proven = rolls.proof == ROLL_CHECK_PROVEN && found.wrong_rolls == 0;
    found.proof = roll_check_text(rolls.proof);
    print_verified(&found, settings.json);
    if (!field_found && fault != REPLAY_END)
        return fail(error, fault);
    return found.differences || found.wrong_rolls || rolls.proof == ROLL_CHECK_FORGED ? EXIT_FAILED : EXIT_OK;
}

static enum exit_code events(struct error *error)
{
    enum replay_fault fault;
    const struct world *world = &playback.world;
    uint32_t printed = world->event_count;
    while ((fault = playback_next(&playback)) == REPLAY_OK) {
        uint32_t fresh = world->event_count - printed;
        printed += fresh > EVENT_CAPACITY ? fresh - EVENT_CAPACITY : 0; // a world remembers no more
        for (; printed != world->event_count; printed++)
            print_event(&world->events[printed % EVENT_CAPACITY], settings.json);
    }
    return fault == REPLAY_END ? EXIT_OK : fail(error, fault);
}

static enum exit_code hash_every(tick every, struct error *error)
{
    enum replay_fault fault;
    while ((fault = playback_next(&playback)) == REPLAY_OK)
        if (playback.reader.tick % every == 0)
            print_hash(playback.reader.tick, world_hash(&playback.world), settings.json);
    return fault == REPLAY_END ? EXIT_OK : fail(error, fault);
}

static enum exit_code print_tick(tick target, struct error *error)
{
    enum replay_fault fault = playback_seek(&playback, target);
    if (fault != REPLAY_OK && fault != REPLAY_END)
        return fail(error, fault);
    if (fault == REPLAY_OK && playback.reader.tick == target) {
        print_world(&playback.world, settings.json);
        return EXIT_OK;
    }
    error_set(error, "it has no tick %" PRIu32 ": it goes from %" PRIu32 " to %" PRIu32 ".", target,
              playback.reader.first.tick, playback.reader.tick);
    return EXIT_USAGE;
}

static int complain(const char *path, const char *text, enum exit_code code)
{
    struct error line;
    error_set(&line, "deadfall-replay: %s: %s", path, text);
    fprintf(stderr, "%s\n", line.text);
    return (int)code;
}

static int run_file(const char *path)
{
    size_t byte_count;
    uint8_t *bytes = file_load(path, FILE_BYTES_MAX, &byte_count);
    if (!bytes)
        return complain(path, strerror(errno), EXIT_IO);
    struct error error = {.text = ""};
    enum replay_fault fault = playback_open(&playback, bytes, byte_count);
    enum exit_code code = fault != REPLAY_OK         ? fail(&error, fault)
                          : settings.verify          ? verify(&error)
                          : settings.events          ? events(&error)
                          : settings.hash_every > 0  ? hash_every((tick)settings.hash_every, &error)
                          : settings.print_tick >= 0 ? print_tick((tick)settings.print_tick, &error)
                                                     : info(&error);
    free(bytes);
    if (error.text[0])
        complain(path, error.text, code);
    if (fflush(stdout) != 0 || ferror(stdout))
        return complain("standard output", strerror(errno), EXIT_IO);
    return (int)code;
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
    int actions =
        settings.info + settings.verify + settings.events + (settings.hash_every > 0) + (settings.print_tick >= 0);
    if (result.operand_count == 1 && actions <= 1)
        return run_file(result.operands[0]);
    fprintf(stderr, "deadfall-replay: %s: see deadfall-replay --help\n",
            actions > 1 ? "only one of --info, --verify, --events, --hash-every and --print-tick"
                        : "a replay is missing");
    return EXIT_USAGE;
}
