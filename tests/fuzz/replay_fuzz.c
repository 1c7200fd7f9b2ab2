// SPDX-License-Identifier: MIT
//
// Fuzzes replays with any bytes. Checksums are corrected first, so that the decoders behind them are reached; accepted
// ticks are played.
#include <string.h>

#include "base/crc32.h"
#include "wire/replay.h"
#include "wire/replay_record.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

enum { BYTES_MAX = 1 << 20, TICKS_MAX = 100 };

static uint8_t copy[BYTES_MAX];
static struct replay_reader reader;
static struct world world;

static void mend_checksums(size_t byte_count)
{
    size_t offset = REPLAY_HEADER_BYTES;
    while (offset + RECORD_BEFORE_BYTES + RECORD_AFTER_BYTES <= byte_count) {
        size_t covered = RECORD_BEFORE_BYTES + (size_t)replay_record_load(copy + offset + 1, 3);
        if (covered > byte_count - offset - RECORD_AFTER_BYTES)
            return;
        replay_record_store(copy + offset + covered, crc32_of(copy + offset, covered), RECORD_AFTER_BYTES);
        offset += covered + RECORD_AFTER_BYTES;
    }
}

static void play(void)
{
    for (int t = 0; t < TICKS_MAX && replay_reader_next(&reader) == REPLAY_OK; t++) {
        for (uint32_t i = 0; i < reader.command_count; i++)
            world_command(&world, &reader.map, &reader.commands[i]);
        world_step(&world, &reader.map, reader.inputs);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    byte_count = byte_count < BYTES_MAX ? byte_count : BYTES_MAX;
    memcpy(copy, bytes, byte_count);
    mend_checksums(byte_count);
    if (replay_reader_open(&reader, copy, byte_count) != REPLAY_OK)
        return 0;
    world = reader.first;
    play();
    if (replay_reader_seek(&reader, UINT32_MAX) == REPLAY_OK) {
        world = reader.has_keyframe ? reader.keyframe : reader.first;
        play();
    }
    return 0;
}
