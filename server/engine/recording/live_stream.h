// SPDX-License-Identifier: MIT
//
// Publishes matches live, as files that any web server can serve: a head for each match, chunks of two seconds, and
// index.json, which names the newest. Head and chunks one behind the other are a replay (wire/replay.h); each chunk
// begins with a keyframe. A file is whole when it gets its name. Chunks come after a delay, so that nobody can play
// by them. The folder is shown to everybody, so it must be one that nobody else fills: a web site would lose its
// index.json. A thread writes; a tick never waits for the disk. PROTOCOL.md describes the files.
#ifndef RECORDING_LIVE_STREAM_H
#define RECORDING_LIVE_STREAM_H

#include "base/error.h"
#include "net/crypto/dice.h"
#include "wire/replay.h"

/// Ticks of a chunk; one begins at each tick that is divisible by this.
#define LIVE_STREAM_CHUNK_TICKS (2 * TICKS_PER_SECOND)
/// Chunks that stay, half an hour of them; older ones are removed.
#define LIVE_STREAM_KEPT 900
/// Longest delay, s.
#define LIVE_STREAM_DELAY_S_MAX 300

/// Endings of the files in the folder: the beginning of a match, a chunk, and what is not whole yet.
#define LIVE_STREAM_HEAD  ".head"
#define LIVE_STREAM_CHUNK ".chunk"
#define LIVE_STREAM_FRESH ".fresh"
/// Names the newest chunk.
#define LIVE_STREAM_INDEX "index.json"
/// As it begins.
#define LIVE_STREAM_INDEX_BEGIN "{\"deadfall\":\"live\""

/// Room that half an hour of a full match needs, with a reserve.
#define LIVE_STREAM_SPACE_BYTES ((uint64_t)64 << 20)

struct live_stream;

/// What has been published.
struct live_stream_totals {
    uint64_t chunks, bytes; ///< placed in the folder: chunks; bytes of all files
    uint64_t lost;          ///< files that could not be placed, or did not fit
    uint32_t delay_s;       ///< as configured
    uint32_t behind_ticks;  ///< from the end of the newest chunk to now
};

/// What is published, and how.
struct live_stream_config {
    const char *folder;
    const char *server; ///< its name, as browsers show it
    uint32_t delay_s;   ///< at most LIVE_STREAM_DELAY_S_MAX
};

/// Checks whether a server could publish into a folder, which may not exist yet, and that there is room for so many
/// bytes. Leaves no trace, and does not ask whether another server publishes there. False with an error.
bool live_stream_check(const char *folder, uint64_t least_bytes, struct error *error);

/// Makes the folder if needed, locks it, so that no other server publishes there while this process runs, removes what
/// an earlier one has published, and starts the thread. Null with an error.
struct live_stream *live_stream_open(const struct live_stream_config *config, struct error *error);

/// Begins a match with its first world. `unix_s` is the time.
void live_stream_begin(struct live_stream *stream, const struct map *map, const struct world *first,
                       const struct dice *dice, int64_t unix_s);

/// Publishes one tick, as recorder_tick(), and the hats from then on. A null stream is allowed, also below.
void live_stream_tick(struct live_stream *stream, const struct command *commands, uint32_t command_count,
                      const struct player_input *inputs, const struct world *world);
void live_stream_hats(struct live_stream *stream, const uint8_t *hats);

/// Ends the match; `dice`: it is over, so their secret is public with its last chunk; NULL: it is not.
void live_stream_end(struct live_stream *stream, const struct dice *dice);

/// Returns how many files were lost so far, because the disk refused them or was too slow, and why the last one was.
uint64_t live_stream_lost(struct live_stream *stream, struct error *why);
/// Reads what has been published.
void live_stream_read_totals(struct live_stream *stream, struct live_stream_totals *totals);

/// Publishes what is due, ends the thread and frees the stream. What the delay still holds back is never published.
void live_stream_close(struct live_stream *stream);

#endif
