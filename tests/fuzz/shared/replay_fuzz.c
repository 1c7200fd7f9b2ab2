// SPDX-License-Identifier: MIT
//
// Fuzzes replays: by the first byte of the input, any bytes or a damaged real replay. Accepted ticks are played, from
// the beginning or from the last keyframe.
#include "small_replay.h"
#include "sync/world.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

enum { SEEK = 4 }; // a bit of an input's first byte

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    static struct small_replay real;
    static uint8_t copy[SMALL_REPLAY_BYTES_MAX];
    static struct replay_reader reader;
    static struct world world;
    size_t copy_bytes = small_replay_copy(&real, copy, bytes, byte_count);
    bool seek = copy_bytes > 0 && bytes[0] & SEEK;
    if (replay_reader_open(&reader, copy, copy_bytes) != REPLAY_OK ||
        (seek && replay_reader_seek(&reader, UINT32_MAX) != REPLAY_OK))
        return 0;
    world_copy(&world, seek && reader.has_keyframe ? &reader.keyframe : &reader.first);
    for (int t = 0; t < SMALL_REPLAY_TICKS && replay_reader_next(&reader) == REPLAY_OK; t++) {
        for (uint32_t i = 0; i < reader.command_count; i++)
            world_command(&world, &reader.map, &reader.commands[i]);
        world_step(&world, &reader.map, reader.inputs);
    }
    return 0;
}
