// SPDX-License-Identifier: MIT
#include "playback.h"

#include "sync/world.h"

enum replay_fault playback_open(struct playback *playback, const uint8_t *bytes, size_t byte_count)
{
    enum replay_fault fault = replay_reader_open(&playback->reader, bytes, byte_count);
    playback->world = playback->reader.first;
    return fault;
}

enum replay_fault playback_next(struct playback *playback)
{
    struct replay_reader *reader = &playback->reader;
    enum replay_fault fault = replay_reader_next(reader);
    if (fault != REPLAY_OK)
        return fault;
    for (uint32_t i = 0; i < reader->command_count; i++)
        world_command(&playback->world, &reader->map, &reader->commands[i]); // a refused one shows in the next hash
    world_step(&playback->world, &reader->map, reader->inputs);
    return REPLAY_OK;
}

enum replay_fault playback_seek(struct playback *playback, tick target)
{
    struct replay_reader *reader = &playback->reader;
    enum replay_fault fault = replay_reader_seek(reader, target);
    playback->world = reader->has_keyframe ? reader->keyframe : reader->first;
    while (fault == REPLAY_OK && reader->tick < target)
        fault = playback_next(playback);
    return fault;
}

enum replay_fault playback_join(struct playback *playback, size_t offset, tick number)
{
    enum replay_fault fault = replay_reader_join(&playback->reader, offset, number);
    if (fault == REPLAY_OK)
        playback->world = playback->reader.keyframe;
    return fault;
}

bool playback_hash_differs(const struct playback *playback)
{
    return playback->reader.has_hash && playback->reader.hash != world_hash(&playback->world);
}

bool playback_keyframe_differs(const struct playback *playback, char *text, size_t text_bytes)
{
    return playback->reader.has_keyframe &&
           replication_difference(&playback->world, &playback->reader.keyframe, text, text_bytes);
}
