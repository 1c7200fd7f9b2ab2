// SPDX-License-Identifier: MIT
#include "download.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "app/text/text.h"
#include "base/platform/authorities.h"

#define CAPACITY_FIRST 65536u

static bool make_room(struct download *download, size_t needed)
{
    size_t capacity = download->capacity ? download->capacity : CAPACITY_FIRST;
    while (capacity < needed)
        capacity *= 2;
    if (capacity == download->capacity)
        return true;
    uint8_t *bytes = realloc(download->bytes, capacity);
    if (!bytes)
        return false;
    download->bytes = bytes;
    download->capacity = capacity;
    return true;
}

static size_t receive(char *bytes, size_t one, size_t byte_count, void *context)
{
    struct download *download = context;
    download->is_too_large = byte_count > download->byte_count_max - download->byte_count;
    if (download->is_too_large || !make_room(download, download->byte_count + byte_count))
        return 0;
    memcpy(download->bytes + download->byte_count, bytes, byte_count);
    download->byte_count += byte_count;
    return one * byte_count;
}

bool download_open(struct download *download, size_t byte_count_max, uint32_t timeout_s, struct error *error)
{
    const char *authorities;
    *download = (struct download){
        .byte_count_max = byte_count_max, .timeout_s = timeout_s, .multi = curl_multi_init(), .easy = curl_easy_init()};
    if (!download->multi || !download->easy || !make_room(download, 1)) {
        download_close(download);
        return error_set(error, text_of("Not enough memory."));
    }
    curl_easy_setopt(download->easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(download->easy, CURLOPT_WRITEDATA, download);
    curl_easy_setopt(download->easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(download->easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(download->easy, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(download->easy, CURLOPT_MAXREDIRS, 3L);
    curl_easy_setopt(download->easy, CURLOPT_TIMEOUT, (long)timeout_s);
    curl_easy_setopt(download->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(download->easy, CURLOPT_USERAGENT, "deadfall");
    if (authorities_find(&authorities) && authorities)
        curl_easy_setopt(download->easy, CURLOPT_CAINFO, authorities);
    return true;
}

static void give_up(struct download *download)
{
    if (download->runs)
        curl_multi_remove_handle(download->multi, download->easy);
    download->runs = false;
}

void download_close(struct download *download)
{
    give_up(download);
    curl_easy_cleanup(download->easy);
    if (download->multi)
        curl_multi_cleanup(download->multi);
    free(download->bytes);
    *download = (struct download){0};
}

static bool begin(struct download *download, const char *url)
{
    download->byte_count = 0;
    download->status = 0;
    download->is_too_large = false;
    curl_easy_setopt(download->easy, CURLOPT_URL, url);
    download->runs = curl_multi_add_handle(download->multi, download->easy) == CURLM_OK;
    return download->runs;
}

bool download_begin(struct download *download, const char *url)
{
    give_up(download);
    curl_easy_setopt(download->easy, CURLOPT_HTTPGET, 1L);
    return begin(download, url);
}

bool download_post(struct download *download, const char *url, const void *bytes, size_t byte_count)
{
    give_up(download);
    curl_easy_setopt(download->easy, CURLOPT_POSTFIELDSIZE, (long)byte_count);
    curl_easy_setopt(download->easy, CURLOPT_COPYPOSTFIELDS, bytes);
    return begin(download, url);
}

enum download_state download_step(struct download *download, struct error *error)
{
    int running, left;
    long status = 0;
    const char *authorities;
    if (!download->runs)
        return DOWNLOAD_IDLE;
    curl_multi_perform(download->multi, &running);
    const CURLMsg *message = curl_multi_info_read(download->multi, &left);
    if (!message)
        return DOWNLOAD_RUNS;
    CURLcode result = message->data.result;
    give_up(download);
    curl_easy_getinfo(download->easy, CURLINFO_RESPONSE_CODE, &status);
    download->status = (uint32_t)status;
    if (result == CURLE_OK)
        return DOWNLOAD_DONE;
    bool is_distrust = result == CURLE_PEER_FAILED_VERIFICATION || result == CURLE_SSL_CACERT_BADFILE;
    error_set(error, "%s",
              is_distrust && !authorities_find(&authorities)
                  ? text_of("this computer has no list of certificate authorities, install ca-certificates")
                  : curl_easy_strerror(result));
    return DOWNLOAD_FAILED;
}
