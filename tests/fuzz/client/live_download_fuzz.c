// SPDX-License-Identifier: MIT
//
// Fuzzes what a web server sends to somebody who watches live: by the first byte of the input, an index, or a head and
// chunks that are any bytes or a damaged real replay, joined at any offset, and with more bytes behind them later.
// What is accepted names files by digits alone, and is played.
#include <string.h>

#include "app/replay/live_download.h"
#include "base/little_endian.h"
#include "base/utf8.h"
#include "replay/playback.h"
#include "small_replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

enum { INDEX = 4, MORE = 8 }; // bits of an input's first byte, beside those of small_replay.h

static void read_index(const uint8_t *bytes, size_t byte_count)
{
    struct live_index index;
    struct error error;
    if (!live_download_read_index(&index, (const char *)bytes, byte_count, &error)) {
        require(error.text[0] != 0);
        return;
    }
    require(index.match[0] && strspn(index.match, "0123456789-") == strlen(index.match));
    require(index.chunk_ticks > 0 && index.oldest <= index.newest);
    require(index.newest <= UINT32_MAX / index.chunk_ticks);
    require(utf8_is_clean(index.server, strlen(index.server)));
}

static void play(struct playback *playback)
{
    for (int ticks = 0; ticks < SMALL_REPLAY_TICKS && playback_next(playback) == REPLAY_OK; ticks++)
        playback_hash_differs(playback);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    static struct small_replay real;
    static uint8_t copy[SMALL_REPLAY_BYTES_MAX], moved[SMALL_REPLAY_BYTES_MAX];
    static struct playback playback;
    if (byte_count > 0 && bytes[0] & INDEX) {
        read_index(bytes + 1, byte_count - 1);
        return 0;
    }
    size_t copy_bytes = small_replay_copy(&real, copy, bytes, byte_count);
    bool has_more = copy_bytes > 0 && bytes[0] & MORE;
    size_t here_bytes = has_more ? copy_bytes * bytes[2] / 256 : copy_bytes;
    if (playback_open(&playback, copy, here_bytes) != REPLAY_OK)
        return 0;
    size_t offset = playback.reader.first_offset;
    for (uint32_t skipped = bytes[1] % 16; skipped > 0 && offset + RECORD_BEFORE_BYTES < here_bytes; skipped--) {
        offset += (size_t)little_endian_read(copy + offset + 1, 3) + RECORD_BEFORE_BYTES + RECORD_AFTER_BYTES;
    }
    if (bytes[1] & 16 && playback_join(&playback, offset, SMALL_REPLAY_KEYFRAME_TICK) != REPLAY_OK)
        return 0;
    play(&playback);
    memcpy(moved, copy, copy_bytes);
    memset(copy, 0, copy_bytes);
    replay_reader_extend(&playback.reader, moved, copy_bytes);
    play(&playback);
    return 0;
}
