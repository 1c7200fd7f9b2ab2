// SPDX-License-Identifier: MIT
//
// A replay played again without a server: steps the match from what the replay holds and says where the replay's own
// hashes and keyframes differ. Called by the replay tool; reads no file and prints nothing.
#ifndef REPLAY_PLAYBACK_H
#define REPLAY_PLAYBACK_H

#include "wire/replay.h"

/// One replay and the match as far as it was played. About 460 KB: keep it static.
struct playback {
    struct replay_reader reader;
    struct world world; ///< after reader.tick
};

/// Opens a replay in memory; the world is its first.
enum replay_fault playback_open(struct playback *playback, const uint8_t *bytes, size_t byte_count);

/// Plays the next tick.
enum replay_fault playback_next(struct playback *playback);

/// Goes to a tick, from the newest keyframe before it. REPLAY_END if the replay ends earlier.
enum replay_fault playback_seek(struct playback *playback, tick target);

/// True if the tick read last carries a hash that is not that of the world.
bool playback_hash_differs(const struct playback *playback);

/// True if the tick read last carries a keyframe that is not the world; says the first difference in `text`.
bool playback_keyframe_differs(const struct playback *playback, char *text, size_t text_bytes);

#endif
