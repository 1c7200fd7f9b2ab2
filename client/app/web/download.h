// SPDX-License-Identifier: MIT
//
// Gets one file after another from web servers, http or https, or posts bytes there, and never blocks: the caller steps
// it. An answer has a limit in bytes and in seconds, so a server that sends without end, or nothing, ends in a failure.
// Web servers may compress, and the limit is that of the inflated bytes. What comes is hostile input: the caller reads
// it with care. A web server may send a request on to another place, at most three times, but never from the internet
// into the player's own network, or from https to http. download_curl.c does it by libcurl, download_browser.c by the
// page's own way, where the browser decides about that.
#ifndef APP_WEB_DOWNLOAD_H
#define APP_WEB_DOWNLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/// Where a download may go.
enum download_reach {
    DOWNLOAD_UNDECIDED, ///< it has connected to nothing; if its first address is public, all others must be
    DOWNLOAD_ANYWHERE,  ///< its first address was one of the player's own network
    DOWNLOAD_PUBLIC,    ///< to addresses of the internet alone
};

/// A connection that is used again. Zero-initialise.
struct download {
    uint8_t *bytes;    ///< of the answer; valid until the next one begins
    size_t byte_count; ///< of the answer so far
    uint32_t status;   ///< of HTTP, 200: as asked
    bool runs;
    bool is_too_large;  ///< it has failed for that
    bool is_compressed; ///< what runs is, by its head
    bool is_https;      ///< what runs has been asked for by https
    enum download_reach reach;
    const char *refusal; ///< why what runs may not go on, in English; NULL: it may
    size_t capacity, byte_count_max;
    void *multi, *easy; ///< of libcurl
    uint32_t timeout_s;
    int number; ///< in a browser, of what runs
};

/// Returns whether a text is http://... or https://... without blanks, quotes, '?' and '#', and short enough.
static inline bool download_is_url(const char *url)
{
    size_t scheme = !strncmp(url, "http://", 7) ? 7 : !strncmp(url, "https://", 8) ? 8 : 0, length = strlen(url);
    return scheme && length > scheme && url[scheme] != '/' && length < DOWNLOAD_URL_BYTES &&
           strcspn(url, " \t\r\n\"'<>\\^`{|}?#,") == length;
}

/// Prepares downloads of at most so many bytes and seconds each. Returns false with an error without memory.
bool download_open(struct download *download, size_t byte_count_max, uint32_t timeout_s, struct error *error);
/// Lets a download reach addresses of the internet alone, even first: its URL comes from somebody there.
void download_stay_public(struct download *download);
/// Gives up what runs, and frees all.
void download_close(struct download *download);
/// Begins to ask for a file; what ran is given up. Returns false if that is impossible.
bool download_begin(struct download *download, const char *url);
/// The same with bytes to send (POST), of which it makes a copy.
bool download_post(struct download *download, const char *url, const void *bytes, size_t byte_count);
/// Sends and receives what is possible at once.
enum download_state download_step(struct download *download, struct error *error);

#endif
