// SPDX-License-Identifier: MIT
//
// Downloads a live match while it is played: the files of a server's --publish, from any web server. The bytes that
// have come are a replay that grows. What is missing or does not answer is asked for again; what is damaged ends in a
// sentence. Never blocks; the caller passes the time. All answers are hostile input.
#ifndef APP_REPLAY_LIVE_DOWNLOAD_H
#define APP_REPLAY_LIVE_DOWNLOAD_H

#include "base/error.h"
#include "wire/replay.h"

/// Chunks of a replay: an hour. Then it begins again at the newest one.
#define LIVE_DOWNLOAD_CHUNKS 1800

/// Where a chunk begins.
struct live_chunk {
    size_t offset; ///< in the bytes of the replay
    uint32_t number;
};

/// What index.json says.
struct live_index {
    char match[48];   ///< digits and hyphens; empty: no match is known
    char server[256]; ///< its name, clean UTF-8
    uint32_t chunk_ticks, oldest, newest, delay_s;
    bool is_over; ///< no chunk follows the newest
};

/// Between two looks at an index that names no new chunk, us.
#define LIVE_DOWNLOAD_POLL_US 500000u

struct live_transfer;

/// A match as far as it is here.
struct live_download {
    uint8_t *bytes;    ///< a head and chunks; valid until the next step
    size_t byte_count; ///< 0: the head is not here yet
    struct live_chunk chunks[LIVE_DOWNLOAD_CHUNKS];
    uint32_t chunk_count;
    uint32_t replays; ///< grows when `bytes` become another replay: of the next match, or from a later chunk on
    bool is_over;     ///< all of the match is here; live_download_follow() goes on to the next
    struct live_index index;
    struct error error; ///< why nothing comes at present; empty: it does
    struct live_transfer *transfer;
};

/// Reads an index. False with an error that says what is wrong.
bool live_download_read_index(struct live_index *index, const char *json, size_t byte_count, struct error *error);

/// Returns how long to leave the index alone after its newest chunk has come, us: nearly until the next one. So many
/// viewers ask for it once a chunk, and not four times.
uint64_t live_download_rest_us(const struct live_index *index);

/// Begins at a URL: of a folder, or of its index.json; if it `is_foreign`, from a server on the internet, it must lead
/// there. Returns false with an error if it is none.
bool live_download_open(struct live_download *download, const char *url, bool is_foreign, struct error *error);
void live_download_close(struct live_download *download);

/// Sends and receives what is possible after so much more time.
void live_download_step(struct live_download *download, uint64_t elapsed_us);

/// After the end of a match: goes on to the next one as soon as there is one.
void live_download_follow(struct live_download *download);

#endif
