// SPDX-License-Identifier: MIT
//
// A real replay for fuzzers: some ticks around a keyframe of a small match, with each kind of record. An input damages
// a copy of it; then its checksums are corrected, so that the decoders behind them are reached.
#ifndef FUZZ_SMALL_REPLAY_H
#define FUZZ_SMALL_REPLAY_H

#include <string.h>

#include "base/hash.h"
#include "base/little_endian.h"
#include "damage.h"
#include "require.h"
#include "small_match.h"
#include "wire/replay.h"

enum { SMALL_REPLAY_BYTES_MAX = 1 << 16, SMALL_REPLAY_TICKS = 8, SMALL_REPLAY_KEYFRAME_TICK = 600 };

/// How an input changes it, by bits of its first byte.
enum { SMALL_REPLAY_ANY_BYTES = 1, SMALL_REPLAY_TORN = 2 };

/// A replay. Zero-initialise.
struct small_replay {
    size_t byte_count; ///< 0: not recorded yet
    uint8_t bytes[SMALL_REPLAY_BYTES_MAX];
    uint8_t commitment[REPLAY_DICE_BYTES], secret[REPLAY_DICE_BYTES]; ///< of the dice, given before it is recorded
};

// Corrects the checksums of records.
static inline void small_replay_mend(uint8_t *copy, size_t byte_count)
{
    size_t offset = REPLAY_HEADER_BYTES;
    while (offset + RECORD_BEFORE_BYTES + RECORD_AFTER_BYTES <= byte_count) {
        size_t covered = RECORD_BEFORE_BYTES + (size_t)little_endian_read(copy + offset + 1, 3);
        if (covered > byte_count - offset - RECORD_AFTER_BYTES)
            return;
        little_endian_write(copy + offset + covered, hash_crc32(copy + offset, covered), RECORD_AFTER_BYTES);
        offset += covered + RECORD_AFTER_BYTES;
    }
}

static inline bool small_replay_keep(void *context, const uint8_t *bytes, size_t byte_count)
{
    struct small_replay *real = context;
    require(byte_count <= sizeof real->bytes - real->byte_count);
    memcpy(real->bytes + real->byte_count, bytes, byte_count);
    real->byte_count += byte_count;
    return true;
}

// Records the ticks around a keyframe, with commands, a chest that opens, somebody who joins, seats and hats.
static inline void small_replay_record(struct small_replay *real)
{
    static struct test_match match;
    static struct replay_writer writer;
    uint8_t hats[PLAYER_CAPACITY] = {1, 2};
    small_match_begin(&match);
    while (match.world.tick < SMALL_REPLAY_KEYFRAME_TICK - SMALL_REPLAY_TICKS / 2)
        small_match_step(&match);
    for (uint32_t i = 0; i < match.world.chest_count; i++)
        if (match.world.chests[i].state == CHEST_CLOSED)
            match.world.chests[i].state = CHEST_OPENING, match.world.chests[i].opener = 1;
    require(replay_writer_begin(&writer, small_replay_keep, real, &match.map, &match.world));
    require(replay_writer_dice(&writer, real->commitment, NULL));
    for (uint32_t i = 0; i < SMALL_REPLAY_TICKS; i++) {
        struct command commands[1 + MAP_CHEST_CAPACITY] = {{.kind = COMMAND_TEAM, .slot = i % 3, .team = 3}};
        if (i == 4)
            commands[0] = (struct command){.kind = COMMAND_JOIN, .slot = 3, .bot = 1, .name = {'"' | '\\' << 8}};
        require(i != 1 || replay_writer_hats(&writer, hats));
        require(i != 2 || replay_writer_seats(&writer, &(struct replay_seat){.slot = 1}, 1));
        bool given = i >= 3 && world_command(&match.world, &match.map, &commands[0]);
        small_match_step(&match);
        memcpy(commands + given, match.rolls, match.roll_count * sizeof *commands);
        require(replay_writer_tick(&writer, commands, given + match.roll_count, match.inputs, &match.world));
    }
    require(replay_writer_dice(&writer, real->commitment, real->secret));
    require(replay_writer_end(&writer));
}

/// Fills `copy` with the bytes of an input or with the replay, changed as the input says. Returns its bytes; 0 if the
/// input is too short.
static inline size_t small_replay_copy(struct small_replay *real, uint8_t copy[SMALL_REPLAY_BYTES_MAX],
                                       const uint8_t *bytes, size_t byte_count)
{
    if (real->byte_count == 0)
        small_replay_record(real);
    if (byte_count < 3)
        return 0;
    size_t rest = byte_count - 3 < SMALL_REPLAY_BYTES_MAX ? byte_count - 3 : SMALL_REPLAY_BYTES_MAX;
    if (bytes[0] & SMALL_REPLAY_ANY_BYTES) {
        memcpy(copy, bytes + 3, rest);
        small_replay_mend(copy, rest);
        return rest;
    }
    size_t cut = bytes[0] & SMALL_REPLAY_TORN ? (size_t)(bytes[1] | bytes[2] << 8) % real->byte_count : 0;
    memcpy(copy, real->bytes, real->byte_count);
    damage(copy, real->byte_count, bytes + 3, rest);
    small_replay_mend(copy, real->byte_count - cut);
    return real->byte_count - cut;
}

#endif
