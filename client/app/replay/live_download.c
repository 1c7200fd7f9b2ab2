// SPDX-License-Identifier: MIT
#include "live_download.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/web/download.h"
#include "base/error.h"
#include "base/utf8.h"
#include "text/text.h"
#include "wire/message.h"

#define INDEX            "index.json"
#define ANSWER_BYTES_MAX (4u << 20)  ///< two seconds of a full match are a fiftieth of it
#define REPLAY_BYTES_MAX (64u << 20) ///< then it begins again at the newest chunk
#define EARLY_US         50000u      ///< it looks for the next chunk so long before it needs it
#define RETRY_US         2000000u    ///< after a failure
#define TIMEOUT_S        10

// What is being asked for.
enum live_part { LIVE_INDEX, LIVE_HEAD, LIVE_CHUNK };

struct live_transfer {
    struct download download;
    char folder[DOWNLOAD_URL_BYTES]; // of the files, with the final slash
    enum live_part part;
    bool follows;
    uint64_t wait_us;                                  // until the next request
    uint32_t wanted;                                   // number of the chunk that comes next
    char match[sizeof((struct live_index *)0)->match]; // the match of the head that is here
    size_t capacity;                                   // of the replay's bytes
};

// --- the index

static bool is_number(json_int_t number)
{
    return number >= 0 && number <= UINT32_MAX;
}

bool live_download_read_index(struct live_index *index, const char *json, size_t byte_count, struct error *error)
{
    const char *kind, *server, *match;
    json_int_t protocol, format, chunk_ticks, oldest, newest, delay_s;
    int over;
    json_t *root = json_loadb(json, byte_count, JSON_REJECT_DUPLICATES, NULL);
    bool good =
        json_unpack(root, "{s:s, s:I, s:I, s:s, s:s, s:I, s:I, s:I, s:I, s:b}", "deadfall", &kind, "protocol",
                    &protocol, "format", &format, "server", &server, "match", &match, "chunk_ticks", &chunk_ticks,
                    "oldest", &oldest, "newest", &newest, "delay_s", &delay_s, "over", &over) == 0 &&
        strcmp(kind, "live") == 0;
    if (good && (protocol != PROTOCOL_VERSION || format != REPLAY_FORMAT)) {
        json_decref(root);
        return error_set(error, text_of("This match is of another version of the game: watch it with that version."));
    }
    size_t length = good ? strlen(match) : 0;
    bool is_match_name = length > 0 && length < sizeof index->match && strspn(match, "0123456789-") == length;
    if (!is_match_name || chunk_ticks < 1 || chunk_ticks > 60 * TICKS_PER_SECOND || !is_number(oldest) ||
        !is_number(newest) || oldest > newest || !is_number(delay_s) || newest > UINT32_MAX / chunk_ticks) {
        json_decref(root);
        return error_set(error, text_of("This address has no live match: its index.json is not that of a server."));
    }
    *index = (struct live_index){.chunk_ticks = (uint32_t)chunk_ticks,
                                 .oldest = (uint32_t)oldest,
                                 .newest = (uint32_t)newest,
                                 .delay_s = (uint32_t)delay_s,
                                 .is_over = over};
    strcpy(index->match, match);
    utf8_clean(index->server, sizeof index->server, server, strlen(server));
    json_decref(root);
    return true;
}

uint64_t live_download_rest_us(const struct live_index *index)
{
    uint64_t chunk_us = index->chunk_ticks * 1000000ull / TICKS_PER_SECOND;
    return chunk_us > LIVE_DOWNLOAD_POLL_US ? chunk_us - EARLY_US : LIVE_DOWNLOAD_POLL_US;
}

// --- requests

static void request(struct live_download *download, enum live_part part)
{
    struct live_transfer *transfer = download->transfer;
    char url[DOWNLOAD_URL_BYTES + 128];
    if (part == LIVE_INDEX)
        snprintf(url, sizeof url, "%s" INDEX, transfer->folder);
    else if (part == LIVE_HEAD)
        snprintf(url, sizeof url, "%s%s.head", transfer->folder, download->index.match);
    else
        snprintf(url, sizeof url, "%s%s-%" PRIu32 ".chunk", transfer->folder, transfer->match, transfer->wanted);
    transfer->part = part;
    transfer->wait_us = download_begin(&transfer->download, url) ? 0 : RETRY_US;
}

// Chooses what comes next: the head of a new match, the next chunk, or the index.
static void request_next(struct live_download *download)
{
    struct live_transfer *transfer = download->transfer;
    const struct live_index *index = &download->index;
    bool has_index = index->match[0], is_same = strcmp(index->match, transfer->match) == 0;
    if (!has_index || download->is_over)
        request(download, LIVE_INDEX);
    else if (!is_same)
        request(download, LIVE_HEAD);
    else if (transfer->wanted <= index->newest)
        request(download, LIVE_CHUNK);
    else
        request(download, LIVE_INDEX);
}

// --- answers

static void fail(struct live_download *download, const char *text)
{
    error_set(&download->error, "%s", text);
    download->transfer->wait_us = RETRY_US;
}

static bool append(struct live_download *download)
{
    struct live_transfer *transfer = download->transfer;
    size_t needed = download->byte_count + transfer->download.byte_count;
    if (needed > transfer->capacity) {
        size_t capacity = needed + needed / 2;
        uint8_t *bytes = realloc(download->bytes, capacity);
        if (!bytes)
            return false;
        download->bytes = bytes;
        transfer->capacity = capacity;
    }
    memcpy(download->bytes + download->byte_count, transfer->download.bytes, transfer->download.byte_count);
    download->byte_count = needed;
    return true;
}

static void take_index(struct live_download *download)
{
    struct live_transfer *transfer = download->transfer;
    struct live_index index;
    if (!live_download_read_index(&index, (const char *)transfer->download.bytes, transfer->download.byte_count,
                                  &download->error)) {
        transfer->wait_us = RETRY_US;
        return;
    }
    bool is_same = strcmp(index.match, transfer->match) == 0, has_more = !is_same || index.newest >= transfer->wanted;
    // A viewer sees the end of a match before the next one. A server that was killed has no end to show.
    download->is_over = transfer->match[0] && !transfer->follows && (!is_same || (index.is_over && !has_more));
    download->index = index;
    transfer->wait_us = has_more && !download->is_over ? 0 : LIVE_DOWNLOAD_POLL_US;
    if (is_same && !download->is_over && transfer->wanted < index.oldest)
        transfer->wanted = index.newest;
}

static void take_head(struct live_download *download)
{
    struct live_transfer *transfer = download->transfer;
    download->byte_count = download->chunk_count = 0;
    if (!append(download)) {
        fail(download, text_of("Not enough memory."));
        return;
    }
    strcpy(transfer->match, download->index.match);
    transfer->wanted = download->index.newest;
    transfer->follows = false;
    download->replays++;
}

static void take_chunk(struct live_download *download)
{
    struct live_transfer *transfer = download->transfer;
    size_t offset = download->byte_count;
    bool is_full = download->chunk_count == LIVE_DOWNLOAD_CHUNKS || offset > REPLAY_BYTES_MAX;
    if (is_full) {
        transfer->match[0] = 0; // its head comes again, and behind it the newest chunk
        return;
    }
    if (!append(download)) {
        fail(download, text_of("Not enough memory."));
        return;
    }
    download->chunks[download->chunk_count++] = (struct live_chunk){offset, transfer->wanted++};
    if (transfer->wanted > download->index.newest)
        transfer->wait_us = live_download_rest_us(&download->index);
}

static void take_answer(struct live_download *download)
{
    struct live_transfer *transfer = download->transfer;
    uint32_t status = transfer->download.status;
    char text[ERROR_TEXT_BYTES];
    if (status != 200 && transfer->part == LIVE_CHUNK) { // lost or removed: the next one begins with a keyframe
        transfer->wanted++;
        return;
    }
    if (status != 200) {
        snprintf(text, sizeof text, text_of("Nothing is published here (HTTP %u). Trying again."), status);
        fail(download, text);
        download->index.match[0] = 0;
        return;
    }
    download->error = (struct error){0};
    if (transfer->part == LIVE_INDEX)
        take_index(download);
    else if (transfer->part == LIVE_HEAD)
        take_head(download);
    else
        take_chunk(download);
}

void live_download_step(struct live_download *download, uint64_t elapsed_us)
{
    struct live_transfer *transfer = download->transfer;
    struct error error;
    char text[ERROR_TEXT_BYTES];
    transfer->wait_us -= elapsed_us < transfer->wait_us ? elapsed_us : transfer->wait_us;
    if (!transfer->download.runs && transfer->wait_us == 0)
        request_next(download);
    switch (download_step(&transfer->download, &error)) {
    case DOWNLOAD_IDLE:
    case DOWNLOAD_RUNS:
        break;
    case DOWNLOAD_DONE:
        take_answer(download);
        break;
    case DOWNLOAD_FAILED:
        snprintf(text, sizeof text, text_of("The live match does not come: %s. Trying again."), error.text);
        error_join_periods(text);
        fail(download, text);
        break;
    }
}

void live_download_follow(struct live_download *download)
{
    download->transfer->follows = true;
    download->is_over = false;
}

// --- from open to close

bool live_download_open(struct live_download *download, const char *url, bool is_foreign, struct error *error)
{
    size_t length = strlen(url), index_length = strlen("/" INDEX);
    memset(download, 0, sizeof *download);
    if (!download_is_url(url) || length >= DOWNLOAD_URL_BYTES - sizeof INDEX)
        return error_set(error, text_of("A live match has an address such as https://example.org/live/."));
    struct live_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer)
        return error_set(error, text_of("Not enough memory."));
    download->transfer = transfer;
    if (length > index_length && strcmp(url + length - index_length, "/" INDEX) == 0)
        length -= index_length;
    while (length > 0 && url[length - 1] == '/')
        length--;
    snprintf(transfer->folder, sizeof transfer->folder, "%.*s/", (int)length, url);
    if (!download_open(&transfer->download, ANSWER_BYTES_MAX, TIMEOUT_S, error)) {
        live_download_close(download);
        return false;
    }
    if (is_foreign)
        download_stay_public(&transfer->download);
    return true;
}

void live_download_close(struct live_download *download)
{
    struct live_transfer *transfer = download->transfer;
    if (transfer)
        download_close(&transfer->download);
    free(transfer);
    free(download->bytes);
    memset(download, 0, sizeof *download);
}
