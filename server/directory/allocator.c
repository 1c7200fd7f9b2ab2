// SPDX-License-Identifier: MIT
#include "allocator.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <jansson.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform/disk.h"
#include "base/platform/process.h"

#define PATH         "/gameserverallocation"
#define URL_BYTES    512
#define FILE_BYTES   1024
#define ANSWER_BYTES 16384
#define CALLS_MAX    64
#define CONNECT_MS   1000L
#define PATIENCE_MS  3000L
#define ALONE_NS     (2 * CLOCK_SECOND_NS) // after a failure
#define WAIT_MS      1000
#define LETTERS      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-."
#define SCHEME       "deadfall://"
#define INVITATION   "agones.dev/sdk-invitation"
// As the gateway of gRPC puts the codes RESOURCE_EXHAUSTED and ABORTED. An allocator can be set to another one for the
// first, but not to another message.
#define STATUS_NO_ARENA   429
#define STATUS_CONTENTION 409
#define NO_ARENA          "there is no available GameServer to allocate"

struct call {
    CURL *curl;
    struct allocator_answer *answer; // null: free
    bool is_begun;
    char mode[ALLOCATION_WORD_BYTES];
    char *request;
    size_t byte_count;
    char bytes[ANSWER_BYTES];
};

struct allocator {
    struct allocator_settings settings;
    char url[URL_BYTES], name_space[ALLOCATION_WORD_BYTES], fleet[ALLOCATION_WORD_BYTES];
    char certificate[FILE_BYTES], key[FILE_BYTES], authority[FILE_BYTES];
    CURLM *multi;
    struct curl_slist *headers;
    pthread_t thread;
    pthread_mutex_t lock; // of what follows; the thread alone touches a call that has begun
    bool has_ended, was_lost;
    uint64_t alone_ns; // until then nothing is asked
    uint64_t places, none, failures;
    struct call calls[CALLS_MAX];
};

// Cuts [NAMESPACE/]FLEET. False if they are no names.
static bool read_fleet(const char *text, char *name_space, char *fleet)
{
    const char *slash = strchr(text, '/'), *name = slash ? slash + 1 : text;
    int length = slash ? (int)(slash - text) : 0;
    if (length >= ALLOCATION_WORD_BYTES || strlen(name) >= ALLOCATION_WORD_BYTES || !name[0] || (slash && length == 0))
        return false;
    snprintf(name_space, ALLOCATION_WORD_BYTES, "%.*s", slash ? length : (int)strlen("default"),
             slash ? text : "default");
    snprintf(fleet, ALLOCATION_WORD_BYTES, "%s", name);
    return allocator_word_is_valid(name_space) && allocator_word_is_valid(fleet);
}

static bool can_read(const char *folder, const char *name, char path[FILE_BYTES], struct error *error)
{
    return (snprintf(path, FILE_BYTES, "%s/%s", folder, name) < FILE_BYTES && disk_is_readable(path)) ||
           error_set(error, "--allocator-tls is a directory with tls.crt, tls.key and ca.crt; %.500s cannot be read",
                     path);
}

bool allocator_settings_validate(const struct allocator_settings *settings, struct error *error)
{
    char name_space[ALLOCATION_WORD_BYTES], fleet[ALLOCATION_WORD_BYTES], path[FILE_BYTES];
    bool is_http = strncmp(settings->url, "http://", 7) == 0, is_https = strncmp(settings->url, "https://", 8) == 0;
    if ((!is_http && !is_https) || strlen(settings->url) + sizeof PATH > URL_BYTES ||
        strpbrk(settings->url, " \t\r\n\"<>\\^`{|}?#@"))
        return error_set(error, "--allocator is http://HOST[:PORT] or https://HOST[:PORT], or off");
    if (!read_fleet(settings->fleet, name_space, fleet))
        return error_set(error, "--allocator-fleet is FLEET or NAMESPACE/FLEET");
    return !settings->tls[0] ||
           (can_read(settings->tls, "tls.crt", path, error) && can_read(settings->tls, "tls.key", path, error) &&
            can_read(settings->tls, "ca.crt", path, error));
}

// Answers that are too large fail.
static size_t take_bytes(char *bytes, size_t one, size_t byte_count, void *context)
{
    struct call *call = context;
    if (byte_count > sizeof call->bytes - call->byte_count)
        return 0;
    memcpy(call->bytes + call->byte_count, bytes, byte_count);
    call->byte_count += byte_count;
    return one * byte_count;
}

// Ends a call: `why` is null if the allocator has answered as it should. Says once that it fails, and once that it
// answers again.
static void finish(struct allocator *allocator, struct call *call, const char *why)
{
    struct allocator_answer *answer = call->answer;
    bool is_lost = why != NULL;
    if (call->is_begun)
        curl_multi_remove_handle(allocator->multi, call->curl);
    curl_easy_cleanup(call->curl);
    free(call->request);
    pthread_mutex_lock(&allocator->lock);
    if (is_lost != allocator->was_lost)
        log_event(allocator->settings.log, is_lost ? LOG_WARNING : LOG_INFO,
                  &(struct fields){is_lost ? "allocator_lost" : "allocator_back",
                                   is_lost ? "the allocator {url} gives no place: {reason}. Players get places in "
                                             "the list"
                                           : "the allocator {url} answers again",
                                   {{"url", .text = allocator->url}, {"reason", .text = why}}});
    allocator->was_lost = is_lost;
    allocator->alone_ns = why ? clock_now_ns() + ALONE_NS : 0;
    allocator->failures += is_lost;
    allocator->places += !why && answer->place[0];
    allocator->none += !why && !answer->place[0];
    call->curl = NULL;
    call->request = NULL;
    call->is_begun = false;
    call->byte_count = 0;
    call->answer = NULL;
    pthread_mutex_unlock(&allocator->lock);
    answer->done(answer);
}

static void begin(struct allocator *allocator, struct call *call)
{
    uint8_t random[8];
    char player[2 * sizeof random + 1];
    const char *authorities;
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(player, sizeof player, random, sizeof random);
    call->request =
        allocator_write_request(&(struct allocation){allocator->name_space, allocator->fleet, call->mode, player});
    call->curl = curl_easy_init();
    if (!call->curl || !call->request) {
        finish(allocator, call, "out of memory");
        return;
    }
    curl_easy_setopt(call->curl, CURLOPT_URL, allocator->url);
    curl_easy_setopt(call->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(call->curl, CURLOPT_PROXY, "");
    curl_easy_setopt(call->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(call->curl, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
    curl_easy_setopt(call->curl, CURLOPT_TIMEOUT_MS, PATIENCE_MS);
    curl_easy_setopt(call->curl, CURLOPT_HTTPHEADER, allocator->headers);
    curl_easy_setopt(call->curl, CURLOPT_POSTFIELDS, call->request);
    curl_easy_setopt(call->curl, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(call->curl, CURLOPT_WRITEDATA, call);
    curl_easy_setopt(call->curl, CURLOPT_PRIVATE, call);
    if (allocator->settings.tls[0]) {
        curl_easy_setopt(call->curl, CURLOPT_SSLCERT, allocator->certificate);
        curl_easy_setopt(call->curl, CURLOPT_SSLKEY, allocator->key);
        curl_easy_setopt(call->curl, CURLOPT_CAINFO, allocator->authority);
    } else if (process_find_authorities(&authorities) && authorities) {
        curl_easy_setopt(call->curl, CURLOPT_CAINFO, authorities);
    }
    call->is_begun = curl_multi_add_handle(allocator->multi, call->curl) == CURLM_OK;
    if (!call->is_begun)
        finish(allocator, call, "out of memory");
}

// Ends a call that libcurl has made, and says what is wrong with its answer.
static void settle(struct allocator *allocator, struct call *call, CURLcode code)
{
    char text[64];
    long status = 0;
    const char *why = NULL, *authorities;
    curl_easy_getinfo(call->curl, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_PEER_FAILED_VERIFICATION && !process_find_authorities(&authorities)) {
        why = "this machine has no list of certificate authorities (package ca-certificates)";
    } else if (code != CURLE_OK) {
        why = curl_easy_strerror(code);
    } else if (status != 200 && !allocator_says_none(status, call->bytes, call->byte_count)) {
        snprintf(text, sizeof text, "it answers with status %ld", status);
        why = text;
    } else if (status == 200 && !allocator_read_place(call->bytes, call->byte_count, call->answer->place)) {
        why = "its answer has no invitation (agones.dev/sdk-invitation)";
    }
    finish(allocator, call, why);
}

static void *run(void *context)
{
    struct allocator *allocator = context;
    for (;;) {
        CURLMsg *message;
        void *call = NULL;
        int running, left;
        for (uint32_t i = 0; i < CALLS_MAX; i++) {
            pthread_mutex_lock(&allocator->lock);
            bool is_new = allocator->calls[i].answer && !allocator->calls[i].is_begun;
            pthread_mutex_unlock(&allocator->lock);
            if (is_new)
                begin(allocator, &allocator->calls[i]);
        }
        pthread_mutex_lock(&allocator->lock);
        bool has_ended = allocator->has_ended;
        pthread_mutex_unlock(&allocator->lock);
        if (has_ended)
            break;
        curl_multi_perform(allocator->multi, &running);
        while ((message = curl_multi_info_read(allocator->multi, &left)) != NULL)
            if (message->msg == CURLMSG_DONE) {
                CURLcode code = message->data.result;
                curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &call);
                settle(allocator, call, code);
            }
        curl_multi_poll(allocator->multi, NULL, 0, WAIT_MS, NULL);
    }
    for (uint32_t i = 0; i < CALLS_MAX; i++)
        if (allocator->calls[i].answer)
            finish(allocator, &allocator->calls[i], "the directory ends");
    return NULL;
}

struct allocator *allocator_open(const struct allocator_settings *settings, struct error *error)
{
    struct allocator *allocator = calloc(1, sizeof *allocator);
    error_set(error, "out of memory");
    if (!allocator || curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
        free(allocator);
        return NULL;
    }
    allocator->settings = *settings;
    size_t length = strlen(settings->url);
    while (length > 0 && settings->url[length - 1] == '/')
        length--;
    snprintf(allocator->url, sizeof allocator->url, "%.*s" PATH, (int)length, settings->url);
    bool good = read_fleet(settings->fleet, allocator->name_space, allocator->fleet) &&
                (!settings->tls[0] || (can_read(settings->tls, "tls.crt", allocator->certificate, error) &&
                                       can_read(settings->tls, "tls.key", allocator->key, error) &&
                                       can_read(settings->tls, "ca.crt", allocator->authority, error)));
    allocator->headers = curl_slist_append(NULL, "Content-Type: application/json");
    allocator->multi = curl_multi_init();
    pthread_mutex_init(&allocator->lock, NULL);
    if (good && allocator->headers && allocator->multi && pthread_create(&allocator->thread, NULL, run, allocator) == 0)
        return allocator;
    curl_multi_cleanup(allocator->multi);
    curl_slist_free_all(allocator->headers);
    free(allocator);
    return NULL;
}

bool allocator_ask(struct allocator *allocator, const char *mode, struct allocator_answer *answer)
{
    uint32_t i = 0;
    answer->place[0] = 0;
    if (!allocator_word_is_valid(mode))
        return false;
    pthread_mutex_lock(&allocator->lock);
    while (i < CALLS_MAX && allocator->calls[i].answer)
        i++;
    bool asks = i < CALLS_MAX && !allocator->has_ended && clock_now_ns() >= allocator->alone_ns;
    if (asks) {
        snprintf(allocator->calls[i].mode, sizeof allocator->calls[i].mode, "%s", mode);
        allocator->calls[i].answer = answer;
    }
    pthread_mutex_unlock(&allocator->lock);
    if (asks)
        curl_multi_wakeup(allocator->multi);
    return asks;
}

void allocator_metrics_write(FILE *file, struct allocator *allocator)
{
    pthread_mutex_lock(&allocator->lock);
    fprintf(file,
            "# HELP deadfall_directory_allocations_total Calls of the allocator, by what they got.\n"
            "# TYPE deadfall_directory_allocations_total counter\n"
            "deadfall_directory_allocations_total{result=\"place\"} %" PRIu64 "\n"
            "deadfall_directory_allocations_total{result=\"none\"} %" PRIu64 "\n"
            "deadfall_directory_allocations_total{result=\"failed\"} %" PRIu64 "\n",
            allocator->places, allocator->none, allocator->failures);
    pthread_mutex_unlock(&allocator->lock);
}

void allocator_end(struct allocator *allocator)
{
    pthread_mutex_lock(&allocator->lock);
    bool runs = !allocator->has_ended;
    allocator->has_ended = true;
    pthread_mutex_unlock(&allocator->lock);
    if (!runs)
        return;
    curl_multi_wakeup(allocator->multi);
    pthread_join(allocator->thread, NULL);
}

void allocator_close(struct allocator *allocator)
{
    if (!allocator)
        return;
    allocator_end(allocator);
    curl_multi_cleanup(allocator->multi);
    curl_slist_free_all(allocator->headers);
    pthread_mutex_destroy(&allocator->lock);
    curl_global_cleanup();
    free(allocator);
}

bool allocator_word_is_valid(const char *text)
{
    return strlen(text) < ALLOCATION_WORD_BYTES && strspn(text, LETTERS "_") == strlen(text);
}

static json_t *write_selector(const struct allocation *allocation, const char *state)
{
    json_t *labels = json_pack("{s:s, s:s}", "agones.dev/fleet", allocation->fleet, "agones.dev/sdk-open", "true");
    if (labels && allocation->mode[0])
        json_object_set_new(labels, "agones.dev/sdk-mode", json_string(allocation->mode));
    return json_pack("{s:o, s:s, s:{s:{s:i}}}", "matchLabels", labels, "gameServerState", state, "lists", "players",
                     "minAvailable", 1);
}

char *allocator_write_request(const struct allocation *allocation)
{
    json_auto_t *object =
        json_pack("{s:s, s:[o, o], s:[{s:s, s:s, s:s}], s:{s:{s:[s]}}}", "namespace", allocation->name_space,
                  "gameServerSelectors", write_selector(allocation, "ALLOCATED"), write_selector(allocation, "READY"),
                  "priorities", "type", "List", "key", "players", "order", "Ascending", "lists", "players", "addValues",
                  allocation->player);
    return object ? json_dumps(object, JSON_COMPACT) : NULL;
}

bool allocator_says_none(long status, const char *text, size_t byte_count)
{
    if (status == STATUS_NO_ARENA || status == STATUS_CONTENTION)
        return true;
    json_auto_t *object = json_loadb(text, byte_count, JSON_REJECT_DUPLICATES, NULL);
    const char *message = json_string_value(json_object_get(object, "message"));
    return message && strcmp(message, NO_ARENA) == 0;
}

bool allocator_read_place(const char *text, size_t byte_count, char place[ALLOCATION_PLACE_BYTES])
{
    struct host_port address;
    json_auto_t *object = json_loadb(text, byte_count, JSON_REJECT_DUPLICATES, NULL);
    const json_t *annotations = json_object_get(json_object_get(object, "metadata"), "annotations");
    const char *invitation = json_string_value(json_object_get(annotations, INVITATION));
    if (!invitation || strncmp(invitation, SCHEME, strlen(SCHEME)) != 0)
        return false;
    const char *server = invitation + strlen(SCHEME), *fingerprint = strchr(server, '#');
    if (!fingerprint || strlen(server) >= ALLOCATION_PLACE_BYTES || !identity_fingerprint_is_valid(fingerprint + 1) ||
        !host_port_parse(server, (size_t)(fingerprint - server), &address) || address.port == 0 ||
        strspn(address.host, LETTERS ":") != strlen(address.host))
        return false;
    strcpy(place, server);
    return true;
}
