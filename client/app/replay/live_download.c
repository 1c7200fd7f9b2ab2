// SPDX-License-Identifier: MIT
#include "live_download.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/text/text.h"
#include "base/utf8.h"
#include "wire/message.h"

#define URL_BYTES        1024
#define INDEX            "index.json"
#define ANSWER_BYTES_MAX (4u << 20)  ///< two seconds of a full match are a fiftieth of it
#define REPLAY_BYTES_MAX (64u << 20) ///< then it begins again at the newest chunk
#define POLL_US          500000u     ///< between two looks at the index
#define RETRY_US         2000000u    ///< after a failure
#define TIMEOUT_S        10L

// What is being asked for.
enum live_part { LIVE_INDEX, LIVE_HEAD, LIVE_CHUNK };

struct live_transfer {
    CURLM *multi;
    CURL *easy;
    char folder[URL_BYTES]; // of the files, with the final slash
    enum live_part part;
    bool runs, follows;
    uint64_t wait_us;                                  // until the next request
    uint32_t wanted;                                   // number of the chunk that comes next
    char match[sizeof((struct live_index *)0)->match]; // the match of the head that is here
    uint8_t *answer;
    size_t answer_bytes, capacity; // capacity: of the replay's bytes
};

// --- the index

static bool is_match_name(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && length < sizeof((struct live_index *)0)->match && strspn(name, "0123456789-") == length;
}

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
    if (!good || !is_match_name(match) || chunk_ticks < 1 || chunk_ticks > 60 * TICKS_PER_SECOND ||
        !is_number(oldest) || !is_number(newest) || oldest > newest || !is_number(delay_s) ||
        newest > UINT32_MAX / chunk_ticks) {
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

// --- requests

static size_t receive(char *bytes, size_t one, size_t byte_count, void *context)
{
    struct live_transfer *transfer = context;
    if (byte_count > ANSWER_BYTES_MAX - transfer->answer_bytes)
        return 0;
    memcpy(transfer->answer + transfer->answer_bytes, bytes, byte_count);
    transfer->answer_bytes += byte_count;
    return one * byte_count;
}

static void request(struct live_download *download, enum live_part part)
{
    struct live_transfer *transfer = download->transfer;
    char url[URL_BYTES + 128];
    if (part == LIVE_INDEX)
        snprintf(url, sizeof url, "%s" INDEX, transfer->folder);
    else if (part == LIVE_HEAD)
        snprintf(url, sizeof url, "%s%s.head", transfer->folder, download->index.match);
    else
        snprintf(url, sizeof url, "%s%s-%" PRIu32 ".chunk", transfer->folder, transfer->match, transfer->wanted);
    transfer->part = part;
    transfer->answer_bytes = 0;
    curl_easy_setopt(transfer->easy, CURLOPT_URL, url);
    transfer->runs = curl_multi_add_handle(transfer->multi, transfer->easy) == CURLM_OK;
    transfer->wait_us = transfer->runs ? 0 : RETRY_US;
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
    size_t needed = download->byte_count + transfer->answer_bytes;
    if (needed > transfer->capacity) {
        size_t capacity = needed + needed / 2;
        uint8_t *bytes = realloc(download->bytes, capacity);
        if (!bytes)
            return false;
        download->bytes = bytes;
        transfer->capacity = capacity;
    }
    memcpy(download->bytes + download->byte_count, transfer->answer, transfer->answer_bytes);
    download->byte_count = needed;
    return true;
}

static void take_index(struct live_download *download)
{
    struct live_transfer *transfer = download->transfer;
    struct live_index index;
    if (!live_download_read_index(&index, (const char *)transfer->answer, transfer->answer_bytes, &download->error)) {
        transfer->wait_us = RETRY_US;
        return;
    }
    bool is_same = strcmp(index.match, transfer->match) == 0, has_more = !is_same || index.newest >= transfer->wanted;
    // A viewer sees the end of a match before the next one. A server that was killed has no end to show.
    download->is_over = transfer->match[0] && !transfer->follows && (!is_same || (index.is_over && !has_more));
    download->index = index;
    transfer->wait_us = has_more && !download->is_over ? 0 : POLL_US;
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
}

static void take_answer(struct live_download *download, CURLcode result)
{
    struct live_transfer *transfer = download->transfer;
    long status = 0;
    char text[ERROR_TEXT_BYTES];
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    if (result != CURLE_OK) {
        snprintf(text, sizeof text, text_of("The live match does not come: %s. Trying again."),
                 curl_easy_strerror(result));
        fail(download, text);
        return;
    }
    if (status != 200 && transfer->part == LIVE_CHUNK) { // lost or removed: the next one begins with a keyframe
        transfer->wanted++;
        return;
    }
    if (status != 200) {
        snprintf(text, sizeof text, text_of("Nothing is published here (HTTP %ld). Trying again."), status);
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
    int running, left;
    transfer->wait_us -= elapsed_us < transfer->wait_us ? elapsed_us : transfer->wait_us;
    if (!transfer->runs && transfer->wait_us == 0)
        request_next(download);
    if (!transfer->runs)
        return;
    curl_multi_perform(transfer->multi, &running);
    for (CURLMsg *message = curl_multi_info_read(transfer->multi, &left); message;
         message = curl_multi_info_read(transfer->multi, &left)) {
        CURLcode result = message->data.result;
        curl_multi_remove_handle(transfer->multi, transfer->easy);
        transfer->runs = false;
        take_answer(download, result);
    }
}

void live_download_follow(struct live_download *download)
{
    download->transfer->follows = true;
    download->is_over = false;
}

// --- from open to close

static bool is_url(const char *url)
{
    bool is_web = strncmp(url, "http://", 7) == 0 || strncmp(url, "https://", 8) == 0;
    return is_web && strlen(url) < URL_BYTES - sizeof INDEX && strchr(url, '?') == NULL && strchr(url, '#') == NULL;
}

static void set_folder(struct live_transfer *transfer, const char *url)
{
    size_t length = strlen(url), index_length = strlen("/" INDEX);
    if (length > index_length && strcmp(url + length - index_length, "/" INDEX) == 0)
        length -= index_length;
    while (length > 0 && url[length - 1] == '/')
        length--;
    snprintf(transfer->folder, sizeof transfer->folder, "%.*s/", (int)length, url);
}

bool live_download_open(struct live_download *download, const char *url, struct error *error)
{
    memset(download, 0, sizeof *download);
    if (!is_url(url))
        return error_set(error, text_of("A live match has an address such as https://example.org/live/."));
    struct live_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer)
        return error_set(error, text_of("Not enough memory."));
    download->transfer = transfer;
    set_folder(transfer, url);
    transfer->answer = malloc(ANSWER_BYTES_MAX);
    transfer->multi = curl_multi_init();
    transfer->easy = curl_easy_init();
    if (!transfer->answer || !transfer->multi || !transfer->easy) {
        live_download_close(download);
        return error_set(error, text_of("Not enough memory."));
    }
    curl_easy_setopt(transfer->easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(transfer->easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(transfer->easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(transfer->easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(transfer->easy, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(transfer->easy, CURLOPT_MAXREDIRS, 3L);
    curl_easy_setopt(transfer->easy, CURLOPT_TIMEOUT, TIMEOUT_S);
    curl_easy_setopt(transfer->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(transfer->easy, CURLOPT_USERAGENT, "deadfall");
    return true;
}

void live_download_close(struct live_download *download)
{
    struct live_transfer *transfer = download->transfer;
    if (transfer && transfer->runs)
        curl_multi_remove_handle(transfer->multi, transfer->easy);
    if (transfer) {
        curl_easy_cleanup(transfer->easy);
        curl_multi_cleanup(transfer->multi);
        free(transfer->answer);
    }
    free(transfer);
    free(download->bytes);
    memset(download, 0, sizeof *download);
}
