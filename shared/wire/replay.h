// SPDX-License-Identifier: MIT
//
// A match on disk (.dfr): the map blob, the rules, the first world, every tick's inputs and commands, a world hash
// every second, a keyframe every ten, and an index at the end. Written as it happens and readable up to the last
// good record if it was torn. Bytes only: files are the caller's.
#ifndef WIRE_REPLAY_H
#define WIRE_REPLAY_H

#include "game/world.h"

/// Ticks between two hashes, and between two keyframes.
#define REPLAY_HASH_TICKS     60
#define REPLAY_KEYFRAME_TICKS 600
/// Commands that one tick can have.
#define REPLAY_COMMAND_CAPACITY 256

/// Where a writer puts its bytes. False: they could not be stored; the writer then stops and says so.
typedef bool replay_sink(void *context, const uint8_t *bytes, size_t byte_count);

/// Writes one replay. Plain data; one copy of the last inputs inside.
struct replay_writer {
    replay_sink *sink;
    void *context;
    uint64_t offset; ///< bytes written
    bool failed;     ///< the sink refused; nothing more is written
    tick first_tick; ///< of the first world
    struct player_input before[PLAYER_CAPACITY];
    uint64_t keyframe_offsets[4096]; ///< for the index; beyond, keyframes are thinned
    uint32_t keyframe_count;
};

/// Begins: header, map, rules, first world. False if the sink refused.
bool replay_writer_begin(struct replay_writer *writer, replay_sink *sink, void *context, const struct map *map,
                         const struct world *first);

/// One tick: the commands applied before it, the inputs it was stepped with, and the world after it (for hash and
/// keyframe).
bool replay_writer_tick(struct replay_writer *writer, const struct command *commands, uint32_t command_count,
                        const struct player_input *inputs, const struct world *world);

/// Ends it with the index. A file without it can still be read.
bool replay_writer_end(struct replay_writer *writer);

/// Why a replay cannot be read.
enum replay_fault {
    REPLAY_OK,
    REPLAY_NOT_A_REPLAY, ///< other magic
    REPLAY_VERSION,      ///< other format or protocol version
    REPLAY_DAMAGED,      ///< a checksum or a bound is wrong at `fault_offset`
    REPLAY_TORN,         ///< ends in the middle of a record: all before it is good
    REPLAY_END,          ///< no more ticks
};

/// Reads one replay from memory.
struct replay_reader {
    const uint8_t *bytes;
    size_t byte_count;
    size_t offset;                               ///< of the next record
    size_t fault_offset;                         ///< where a fault was met
    struct map map;                              ///< as stored
    struct world first;                          ///< the first world
    struct player_input inputs[PLAYER_CAPACITY]; ///< of the tick read last
    struct command commands[REPLAY_COMMAND_CAPACITY];
    uint32_t command_count;
    tick tick;         ///< read last
    bool has_hash;     ///< that tick carries a hash
    uint64_t hash;     ///< world_hash after that tick
    bool has_keyframe; ///< that tick carries a keyframe: `keyframe` is the world after it
    struct world keyframe;
};

/// Opens: reads header, map, rules and first world.
enum replay_fault replay_reader_open(struct replay_reader *reader, const uint8_t *bytes, size_t byte_count);

/// Reads the next tick into inputs, commands and hash.
enum replay_fault replay_reader_next(struct replay_reader *reader);

/// A sentence for a fault.
const char *replay_fault_sentence(enum replay_fault fault);

#endif
