// SPDX-License-Identifier: MIT
//
// Fuzzes replays: by the first byte of the input, any bytes or a damaged real replay with each kind of record.
// Checksums are corrected first, so that the decoders behind them are reached; accepted ticks are played.
#include <string.h>

#include "base/crc32.h"
#include "damage.h"
#include "require.h"
#include "small_match.h"
#include "wire/replay.h"
#include "wire/replay_record.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

enum { BYTES_MAX = 1 << 16, TICKS = 8, KEYFRAME_TICK = 600 };

static uint8_t real[BYTES_MAX], copy[BYTES_MAX];
static size_t real_bytes;
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
    for (int t = 0; t < TICKS && replay_reader_next(&reader) == REPLAY_OK; t++) {
        for (uint32_t i = 0; i < reader.command_count; i++)
            world_command(&world, &reader.map, &reader.commands[i]);
        world_step(&world, &reader.map, reader.inputs);
    }
}

static bool keep(void *context, const uint8_t *bytes, size_t byte_count)
{
    (void)context;
    require(byte_count <= sizeof real - real_bytes);
    memcpy(real + real_bytes, bytes, byte_count);
    real_bytes += byte_count;
    return true;
}

// Records the ticks around a keyframe, with commands, seats and hats.
static void record_once(void)
{
    static struct test_match match;
    static struct replay_writer writer;
    uint8_t hats[PLAYER_CAPACITY] = {1, 2};
    if (real_bytes > 0)
        return;
    small_match_begin(&match);
    while (match.world.tick < KEYFRAME_TICK - TICKS / 2)
        small_match_step(&match);
    require(replay_writer_begin(&writer, keep, NULL, &match.map, &match.world));
    for (uint32_t i = 0; i < TICKS; i++) {
        struct command commands[1 + MAP_CHEST_CAPACITY] = {{.kind = COMMAND_TEAM, .slot = i % 3, .team = 3}};
        require(i != 1 || replay_writer_hats(&writer, hats));
        require(i != 2 || replay_writer_seats(&writer, &(struct replay_seat){.slot = 1}, 1));
        bool given = i >= 3 && world_command(&match.world, &match.map, &commands[0]);
        small_match_step(&match);
        memcpy(commands + given, match.rolls, match.roll_count * sizeof *commands);
        require(replay_writer_tick(&writer, commands, given + match.roll_count, match.inputs, &match.world));
    }
    require(replay_writer_end(&writer));
    require(replay_reader_open(&reader, real, real_bytes) == REPLAY_OK && reader.index_count > 0);
}

// Plays from the beginning, or from the last keyframe.
static void read_copy(size_t byte_count, bool seek)
{
    mend_checksums(byte_count);
    if (replay_reader_open(&reader, copy, byte_count) != REPLAY_OK ||
        (seek && replay_reader_seek(&reader, UINT32_MAX) != REPLAY_OK))
        return;
    world_copy(&world, seek && reader.has_keyframe ? &reader.keyframe : &reader.first);
    play();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    record_once();
    if (byte_count < 3)
        return 0;
    size_t rest = byte_count - 3 < BYTES_MAX ? byte_count - 3 : BYTES_MAX;
    if (bytes[0] & 1) {
        memcpy(copy, bytes + 3, rest);
        read_copy(rest, bytes[0] & 4);
        return 0;
    }
    size_t cut = bytes[0] & 2 ? (size_t)(bytes[1] | bytes[2] << 8) % real_bytes : 0;
    memcpy(copy, real, real_bytes);
    damage(copy, real_bytes, bytes + 3, rest);
    read_copy(real_bytes - cut, bytes[0] & 4);
    return 0;
}
