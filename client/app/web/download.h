// SPDX-License-Identifier: MIT
//
// Gets one file after another from web servers, http or https, or posts bytes there, and never blocks: the caller steps
// it. An answer has a limit in bytes and in seconds, so a server that sends without end, or nothing, ends in a failure.
// What comes is hostile input: the caller reads it with care. download_curl.c does it by libcurl, download_browser.c by
// the page's own way.
#ifndef APP_WEB_DOWNLOAD_H
#define APP_WEB_DOWNLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/// Bytes of a URL with its final zero.
#define DOWNLOAD_URL_BYTES 1024

/// What a download is at.
enum download_state {
    DOWNLOAD_IDLE,   ///< nothing was asked for, or the answer was taken
    DOWNLOAD_RUNS,   ///< the answer is coming
    DOWNLOAD_DONE,   ///< the whole answer is here, whatever its status; once per answer
    DOWNLOAD_FAILED, ///< there is no answer; the error says why; once per failure
};

/// A connection that is used again. Zero-initialise.
struct download {
    uint8_t *bytes;    ///< of the answer; valid until the next one begins
    size_t byte_count; ///< of the answer so far
    uint32_t status;   ///< of HTTP, 200: as asked
    bool runs;
    bool is_too_large; ///< it has failed for that
    size_t capacity, byte_count_max;
    void *multi, *easy; ///< of libcurl
    uint32_t timeout_s;
    int number; ///< in a browser, of what runs
};

/// Returns whether a text is http://... or https://... without blanks, quotes, '?' and '#', and short enough.
bool download_is_url(const char *url);

/// Prepares downloads of at most so many bytes and seconds each. Returns false with an error without memory.
bool download_open(struct download *download, size_t byte_count_max, uint32_t timeout_s, struct error *error);
/// Gives up what runs, and frees all.
void download_close(struct download *download);
/// Begins to ask for a file; what ran is given up. Returns false if that is impossible.
bool download_begin(struct download *download, const char *url);
/// The same with bytes to send (POST), of which it makes a copy.
bool download_post(struct download *download, const char *url, const void *bytes, size_t byte_count);
/// Sends and receives what is possible at once.
enum download_state download_step(struct download *download, struct error *error);

#endif
