// SPDX-License-Identifier: MIT
#include "download.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform/ip_address.h"
#include "base/platform/process.h"
#include "base/platform/stream.h"
#include "text/text.h"

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

static size_t refuse_size(struct download *download)
{
    download->is_too_large = true;
    download->refusal = TEXT_KEY("it is too large");
    return 0;
}

// What is compressed is inflated by libcurl before receive() counts it, so its size is bounded. But what is compressed
// twice could grow a thousand times in each layer and end in no byte at all: then nothing would be counted.
static size_t receive_header(char *line, size_t one, size_t byte_count, void *context)
{
    static const char status[] = "HTTP/", content[] = "Content-Encoding:", transfer[] = "Transfer-Encoding: chunked";
    size_t name_bytes = strcspn(transfer, " ");
    struct download *download = context;
    bool was_compressed = download->is_compressed, is_layered = false;
    (void)one;
    if (byte_count >= sizeof status && strncasecmp(line, status, sizeof status - 1) == 0) {
        download->is_compressed = false;
    } else if (byte_count >= sizeof content && strncasecmp(line, content, sizeof content - 1) == 0) {
        download->is_compressed = true;
        is_layered = was_compressed || memchr(line, ',', byte_count);
    } else if (byte_count > name_bytes && strncasecmp(line, transfer, name_bytes) == 0) {
        is_layered = byte_count != sizeof transfer + 1 || strncasecmp(line, transfer, sizeof transfer - 1) != 0;
    }
    return is_layered ? refuse_size(download) : byte_count;
}

static size_t receive(char *bytes, size_t one, size_t byte_count, void *context)
{
    struct download *download = context;
    if (byte_count > download->byte_count_max - download->byte_count)
        return refuse_size(download);
    if (!make_room(download, download->byte_count + byte_count))
        return 0;
    memcpy(download->bytes + download->byte_count, bytes, byte_count);
    download->byte_count += byte_count;
    return one * byte_count;
}

// Opens the socket of a connection, if the address may be reached. The name of a host says nothing: its owner can let
// it mean any address, and another one each time.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *to)
{
    struct download *download = context;
    (void)purpose;
    struct net_address address = ip_address_of_socket((const struct sockaddr_storage *)&to->addr);
    bool is_public = ip_address_is_public(&address);
    if (download->reach == DOWNLOAD_UNDECIDED)
        download->reach = is_public ? DOWNLOAD_PUBLIC : DOWNLOAD_ANYWHERE;
    if (download->reach == DOWNLOAD_PUBLIC && !is_public) {
        download->refusal = TEXT_KEY("it leads from the internet into a network of your own");
        return CURL_SOCKET_BAD;
    }
    return (curl_socket_t)stream_open(to->family == AF_INET6);
}

// Is called before each request, also after a redirect, and on a connection that is used again.
static int may_request(void *context, char *to, char *own, int to_port, int own_port)
{
    struct download *download = context;
    const char *url = NULL;
    (void)to, (void)own, (void)to_port, (void)own_port;
    curl_easy_getinfo(download->easy, CURLINFO_EFFECTIVE_URL, &url);
    bool is_https = url && strncasecmp(url, "https:", 6) == 0;
    if (download->is_https && !is_https) {
        download->refusal = TEXT_KEY("it leads from https to http, which others can read and change");
        return CURL_PREREQFUNC_ABORT;
    }
    download->is_https = is_https;
    return CURL_PREREQFUNC_OK;
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
    curl_easy_setopt(download->easy, CURLOPT_HEADERFUNCTION, receive_header);
    curl_easy_setopt(download->easy, CURLOPT_HEADERDATA, download);
    curl_easy_setopt(download->easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(download->easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(download->easy, CURLOPT_OPENSOCKETDATA, download);
    curl_easy_setopt(download->easy, CURLOPT_PREREQFUNCTION, may_request);
    curl_easy_setopt(download->easy, CURLOPT_PREREQDATA, download);
    curl_easy_setopt(download->easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(download->easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(download->easy, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(download->easy, CURLOPT_MAXREDIRS, 3L);
    curl_easy_setopt(download->easy, CURLOPT_TIMEOUT, (long)timeout_s);
    curl_easy_setopt(download->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(download->easy, CURLOPT_USERAGENT, "deadfall");
    if (process_find_authorities(&authorities) && authorities)
        curl_easy_setopt(download->easy, CURLOPT_CAINFO, authorities);
    return true;
}

void download_stay_public(struct download *download)
{
    download->reach = DOWNLOAD_PUBLIC;
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
    download->is_too_large = download->is_https = download->is_compressed = false;
    download->refusal = NULL;
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
    bool has_no_authorities = is_distrust && !process_find_authorities(&authorities);
    error_set(error, "%s",
              download->refusal ? text_of(download->refusal)
              : has_no_authorities
                  ? text_of("this computer has no list of certificate authorities, install ca-certificates")
                  : curl_easy_strerror(result));
    return DOWNLOAD_FAILED;
}
