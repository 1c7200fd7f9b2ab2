// SPDX-License-Identifier: MIT
#include "directories.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/text/text.h"
#include "base/crc32.h"

#define PAGE         "servers.json"
#define TIMEOUT_S    20
#define HOUR_S       3600
#define DAY_S        86400
#define KEPT_PATH_AT 40 // bytes of a host in the name of its file

// --- addresses

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

bool directories_parse(const char *text, char url[DOWNLOAD_URL_BYTES], char key[FINGERPRINT_TEXT_BYTES])
{
    size_t length = strcspn(text, "#");
    const char *fingerprint = text[length] ? text + length + 1 : "";
    if (length + sizeof "/" PAGE > DOWNLOAD_URL_BYTES || (*fingerprint && !identity_fingerprint_is_valid(fingerprint)))
        return false;
    snprintf(url, DOWNLOAD_URL_BYTES, "%.*s", (int)length, text);
    snprintf(key, FINGERPRINT_TEXT_BYTES, "%s", fingerprint);
    if (!download_is_url(url))
        return false;
    while (url[length - 1] == '/')
        url[--length] = 0;
    if (!ends_with(url, ".json"))
        strcat(url, "/" PAGE);
    return true;
}

bool directories_announce_url(const char *text, char url[DOWNLOAD_URL_BYTES])
{
    char key[FINGERPRINT_TEXT_BYTES];
    if (!directories_parse(text, url, key) || strncmp(url, "http://", strlen("http://")) != 0)
        return false;
    *strrchr(url, '/') = 0;
    return true;
}

static void set_host(struct directory_source *source)
{
    const char *host = strstr(source->url, "://") + 3;
    snprintf(source->host, sizeof source->host, "%.*s", (int)strcspn(host, "/"), host);
}

// The file of a list: its host, so that people find it, and a sum of its URL.
static void set_path(struct directory_source *source, const char *folder)
{
    char name[KEPT_PATH_AT + 1];
    snprintf(name, sizeof name, "%s", source->host);
    for (char *c = name; *c; c++)
        *c = strchr("[]:", *c) ? '_' : *c;
    int length = snprintf(source->path, sizeof source->path, "%s/%s-%08" PRIx32 ".json", folder, name,
                          crc32_of(source->url, strlen(source->url)));
    if (!*folder || length >= (int)sizeof source->path)
        source->path[0] = 0;
}

// --- lists

// Each list in the order of the directories; of a server that is in several, the newest entry stays.
static void merge(struct directories *directories)
{
    server_list_free(&directories->merged);
    for (uint32_t i = 0; i < directories->count; i++)
        server_list_merge(&directories->merged, &directories->sources[i].list);
    directories->changes++;
}

// Takes a list. One that is older than what is here was sent before, by somebody who wants the past back. False: it is
// not signed as it must be.
static bool take(struct directory_source *source, const char *text, size_t byte_count)
{
    struct server_list fresh = {0};
    struct error error;
    if (!server_list_read(&fresh, text, byte_count, source->key[0] ? source->key : NULL, &error)) {
        snprintf(source->reason, sizeof source->reason, "%s", error.text);
        return false;
    }
    if (fresh.made_s < source->list.made_s) {
        server_list_free(&fresh);
        return true;
    }
    server_list_free(&source->list);
    source->list = fresh;
    server_list_set_directory(&source->list, source->host);
    memcpy(source->key, fresh.signer, sizeof source->key);
    return true;
}

static void load_kept(struct directory_source *source)
{
    size_t byte_count;
    uint8_t *bytes = source->path[0] ? file_load(source->path, SERVER_LIST_BYTES_MAX, &byte_count) : NULL;
    if (bytes)
        take(source, (const char *)bytes, byte_count);
    free(bytes);
}

static void keep(const struct directory_source *source)
{
    if (!source->path[0])
        return;
    file_make_folders(source->path);
    file_write(source->path, source->download.bytes, source->download.byte_count);
}

static void set_fault(struct directory_source *source, enum directory_fault fault, const char *reason)
{
    source->fault = fault;
    snprintf(source->reason, sizeof source->reason, "%s", reason);
}

static void take_answer(struct directory_source *source)
{
    const struct download *download = &source->download;
    char status[32];
    int64_t before_s = source->list.made_s;
    snprintf(status, sizeof status, "HTTP %u", download->status);
    if (download->status != 200)
        set_fault(source, DIRECTORY_HAS_NONE, status);
    else if (!take(source, (const char *)download->bytes, download->byte_count))
        source->fault = DIRECTORY_LIES;
    else
        set_fault(source, DIRECTORY_FINE, "");
    if (source->fault == DIRECTORY_FINE && source->list.made_s != before_s)
        keep(source);
}

// --- from open to close

void directories_close(struct directories *directories)
{
    for (uint32_t i = 0; i < directories->count; i++) {
        download_close(&directories->sources[i].download);
        server_list_free(&directories->sources[i].list);
    }
    server_list_free(&directories->merged);
    directories->count = 0;
    directories->changes++;
}

void directories_open(struct directories *directories, const struct option_list *texts, const char *folder)
{
    struct error error;
    directories_close(directories);
    for (uint32_t i = 0; i < texts->count && directories->count < DIRECTORIES_MAX; i++) {
        struct directory_source *source = &directories->sources[directories->count];
        *source = (struct directory_source){.fault = DIRECTORY_WAITS};
        if (!directories_parse(texts->values[i], source->url, source->key) ||
            !download_open(&source->download, SERVER_LIST_BYTES_MAX, TIMEOUT_S, &error))
            continue;
        set_host(source);
        set_path(source, folder);
        load_kept(source);
        directories->count++;
    }
    merge(directories);
}

void directories_refresh(struct directories *directories, uint64_t now_us)
{
    for (uint32_t i = 0; i < directories->count; i++) {
        struct directory_source *source = &directories->sources[i];
        if (source->next_us > now_us + DIRECTORIES_AGAIN_US)
            source->next_us = now_us + DIRECTORIES_AGAIN_US;
    }
}

static void step(struct directories *directories, struct directory_source *source, uint64_t now_us, uint64_t period_us)
{
    struct error error;
    if (!source->download.runs && now_us >= source->next_us) {
        source->next_us = now_us + period_us;
        download_begin(&source->download, source->url);
    }
    switch (download_step(&source->download, &error)) {
    case DOWNLOAD_IDLE:
    case DOWNLOAD_RUNS:
        break;
    case DOWNLOAD_DONE:
        take_answer(source);
        merge(directories);
        break;
    case DOWNLOAD_FAILED:
        if (source->download.is_too_large)
            set_fault(source, DIRECTORY_FLOODS, "its list is too large");
        else
            set_fault(source, DIRECTORY_SILENT, error.text);
        directories->changes++;
        break;
    }
}

void directories_step(struct directories *directories, uint64_t now_us, uint64_t period_us)
{
    for (uint32_t i = 0; i < directories->count; i++)
        step(directories, &directories->sources[i], now_us, period_us);
}

// --- sentences

static void describe_age(int64_t age_s, char *text, size_t text_bytes)
{
    uint32_t age = age_s < 0 ? 0 : age_s > 99 * DAY_S ? 99 * DAY_S : (uint32_t)age_s;
    if (age < 120)
        snprintf(text, text_bytes, text_of("%u s"), age);
    else if (age < 2 * HOUR_S)
        snprintf(text, text_bytes, text_of("%u min"), age / 60);
    else if (age < 2 * DAY_S)
        snprintf(text, text_bytes, text_of("%u h"), age / HOUR_S);
    else
        snprintf(text, text_bytes, text_plural("%u day", "%u days", age / DAY_S), age / DAY_S);
}

static const char *fault_text(enum directory_fault fault)
{
    switch (fault) {
    case DIRECTORY_FINE:
    case DIRECTORY_WAITS:
        break;
    case DIRECTORY_SILENT:
        return text_of("%s does not answer.");
    case DIRECTORY_HAS_NONE:
        return text_of("%s has no list of servers.");
    case DIRECTORY_FLOODS:
        return text_of("%s sends a list that is too large; it is not used.");
    case DIRECTORY_LIES:
        return text_of("%s sends a list that is not signed by its key; it is not used.");
    }
    return "%s";
}

// The first that is at fault, else the first that has sent nothing yet, else none.
static const struct directory_source *worst_of(const struct directories *directories)
{
    const struct directory_source *worst = NULL;
    for (uint32_t i = directories->count; i-- > 0;) {
        const struct directory_source *source = &directories->sources[i];
        bool waits = source->fault == DIRECTORY_WAITS;
        if (source->fault > DIRECTORY_WAITS || (waits && !(worst && worst->fault > DIRECTORY_WAITS)))
            worst = source;
    }
    return worst;
}

void directories_describe(const struct directories *directories, int64_t unix_s, char text[DIRECTORIES_TEXT_BYTES])
{
    const struct directory_source *worst = worst_of(directories);
    char age[32], problem[DIRECTORIES_TEXT_BYTES] = "";
    if (worst && worst->fault > DIRECTORY_WAITS)
        snprintf(problem, sizeof problem, fault_text(worst->fault), worst->host);
    describe_age(unix_s - (worst ? worst->list.made_s : directories->merged.made_s), age, sizeof age);
    if (directories->count == 0)
        snprintf(text, DIRECTORIES_TEXT_BYTES, "%s",
                 text_of("No list of servers on the internet is chosen. \"Lists of servers\" adds one."));
    else if (worst && worst->list.made_s == 0 && problem[0])
        snprintf(text, DIRECTORIES_TEXT_BYTES, "%s", problem);
    else if (worst && worst->list.made_s == 0)
        snprintf(text, DIRECTORIES_TEXT_BYTES, text_of("Asking %s for its servers."), worst->host);
    else if (problem[0])
        snprintf(text, DIRECTORIES_TEXT_BYTES, text_of("%.150s Its last list is %s old."), problem, age);
    else
        snprintf(text, DIRECTORIES_TEXT_BYTES,
                 text_plural("The lists have %u server, as of %s ago.", "The lists have %u servers, as of %s ago.",
                             directories->merged.count),
                 directories->merged.count, age);
}
