// SPDX-License-Identifier: MIT
//
// Plays a replay again without a server: steps the match from the recorded inputs and commands, and compares it with
// the replay's own hashes and keyframes. Used by the replay tool and the window; reads no file and prints nothing.
#ifndef REPLAY_PLAYBACK_H
#define REPLAY_PLAYBACK_H

#include "wire/replay.h"

/// A replay and its match, as far as it was played. About 570 KB: keep it static.
struct playback {
    struct replay_reader reader;
    struct world world; ///< after reader.tick
};

/// Opens a replay in memory. The world is then its first.
enum replay_fault playback_open(struct playback *playback, const uint8_t *bytes, size_t byte_count);

/// Plays the next tick.
enum replay_fault playback_next(struct playback *playback);

/// Goes to a tick, from the last keyframe before it. REPLAY_END if the replay ends earlier.
enum replay_fault playback_seek(struct playback *playback, tick target);

/// Goes on at an offset behind which a tick with a keyframe follows (replay_reader_join()).
enum replay_fault playback_join(struct playback *playback, size_t offset, tick number);

/// Returns whether the newest tick has a hash that is not that of the world.
bool playback_hash_differs(const struct playback *playback);

/// Returns whether the newest tick has a keyframe that is not the world, and writes the first difference to `text`.
bool playback_keyframe_differs(const struct playback *playback, char *text, size_t text_bytes);

#endif
