// SPDX-License-Identifier: MIT
#include "directories.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "text/text.h"

static void read_text(const struct directory_reader_job *job, const char *text, size_t byte_count,
                      struct directory_reader_result *result)
{
    int64_t before_s = job->lists[job->index]->made_s;
    result->is_good = server_list_read(&result->list, text, byte_count, job->key[0] ? job->key : NULL, &result->error);
    // One that is older than what is here was sent before, by somebody who wants the past back.
    result->is_new = result->is_good && result->list.made_s >= before_s;
    if (!result->is_new) {
        server_list_free(&result->list);
        return;
    }
    if (job->text && job->path[0] && result->list.made_s != before_s) {
        file_make_folders(job->path);
        file_write(job->path, text, byte_count);
    }
    server_list_set_directory(&result->list, job->host);
    for (uint32_t i = 0; i < job->count; i++)
        server_list_merge(&result->merged, i == job->index ? &result->list : job->lists[i]);
}

static void *work(void *context)
{
    struct directory_reader *reader = context;
    const struct directory_reader_job *job = &reader->job;
    size_t byte_count = job->byte_count;
    uint8_t *kept = job->text || !job->path[0] ? NULL : file_load(job->path, SERVER_LIST_BYTES_MAX, &byte_count);
    const char *text = kept ? (const char *)kept : job->text;
    if (text)
        read_text(job, text, byte_count, &reader->result);
    free(kept);
    atomic_store(&reader->is_done, true);
    return NULL;
}

static void finish(struct directory_reader *reader)
{
    if (reader->has_thread)
        pthread_join(reader->thread, NULL);
    reader->has_thread = reader->runs = false;
}

#define PAGE         "servers.json"
#define TIMEOUT_S    20
#define HOUR_S       3600
#define DAY_S        86400
#define KEPT_PATH_AT 40 // bytes of a host in the name of its file

// --- addresses

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
    if (length < strlen(".json") || strcmp(url + length - strlen(".json"), ".json") != 0)
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

// Finds the host of a list, and its file: the host, so that people find it, and a sum of its URL.
static void set_path(struct directory_source *source, const char *folder)
{
    const char *host = strstr(source->url, "://") + 3;
    snprintf(source->host, sizeof source->host, "%.*s", (int)strcspn(host, "/"), host);
    char name[KEPT_PATH_AT + 1];
    snprintf(name, sizeof name, "%s", source->host);
    for (char *c = name; *c; c++)
        *c = strchr("[]:", *c) ? '_' : *c;
    int length = snprintf(source->path, sizeof source->path, "%s/%s-%08" PRIx32 ".json", folder, name,
                          hash_crc32(source->url, strlen(source->url)));
    if (!*folder || length >= (int)sizeof source->path)
        source->path[0] = 0;
}

// --- lists

static void set_fault(struct directory_source *source, enum directory_fault fault, const char *reason)
{
    source->fault = fault;
    snprintf(source->reason, sizeof source->reason, "%s", reason);
}

// Begins to read the first list that has come, from the disk or from its directory.
static void begin_reading(struct directories *directories)
{
    uint32_t at = 0;
    while (at < directories->count && !directories->sources[at].has_kept && !directories->sources[at].has_answer)
        at++;
    if (at == directories->count || directories->reader.runs)
        return;
    struct directory_reader *reader = &directories->reader;
    const struct directory_source *source = &directories->sources[at];
    struct directory_reader_job *job = &reader->job;
    *job = (struct directory_reader_job){.path = source->path, .count = directories->count, .index = at};
    if (!source->has_kept) {
        job->text = (const char *)source->download.bytes;
        job->byte_count = source->download.byte_count;
    }
    memcpy(job->key, source->key, sizeof job->key);
    memcpy(job->host, source->host, sizeof job->host);
    for (uint32_t i = 0; i < directories->count; i++)
        job->lists[i] = &directories->sources[i].list;
    reader->result = (struct directory_reader_result){.is_good = false};
    reader->runs = true;
    atomic_store(&reader->is_done, false);
    reader->has_thread = pthread_create(&reader->thread, NULL, work, reader) == 0;
    if (!reader->has_thread)
        work(reader);
}

// Takes the list that was read. What was kept is as good as nothing if it is wrong.
static void take_list(struct directories *directories)
{
    struct directory_reader *reader = &directories->reader;
    struct directory_source *source = &directories->sources[reader->job.index];
    if (!reader->runs || !atomic_load(&reader->is_done))
        return;
    finish(reader);
    struct directory_reader_result result = reader->result;
    if (!source->has_kept)
        set_fault(source, result.is_good ? DIRECTORY_FINE : DIRECTORY_LIES, result.is_good ? "" : result.error.text);
    directories->changes += result.is_new || !source->has_kept;
    *(source->has_kept ? &source->has_kept : &source->has_answer) = false;
    if (!result.is_new)
        return;
    server_list_free(&source->list);
    server_list_free(&directories->merged);
    source->list = result.list;
    directories->merged = result.merged;
    memcpy(source->key, source->list.signer, sizeof source->key);
}

// --- from open to close

void directories_close(struct directories *directories)
{
    struct directory_reader *reader = &directories->reader;
    if (reader->runs) {
        finish(reader);
        server_list_free(&reader->result.list);
        server_list_free(&reader->result.merged);
    }
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
        *source = (struct directory_source){.fault = DIRECTORY_WAITS, .has_kept = true};
        if (!directories_parse(texts->values[i], source->url, source->key) ||
            !download_open(&source->download, SERVER_LIST_BYTES_MAX, TIMEOUT_S, &error))
            continue;
        set_path(source, folder);
        directories->count++;
    }
    begin_reading(directories);
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
    char status[32];
    struct error error;
    if (source->has_answer) // whose bytes are being read
        return;
    if (!source->download.runs && now_us >= source->next_us) {
        source->next_us = now_us + period_us;
        download_begin(&source->download, source->url);
    }
    switch (download_step(&source->download, &error)) {
    case DOWNLOAD_IDLE:
    case DOWNLOAD_RUNS:
        break;
    case DOWNLOAD_DONE:
        source->has_answer = source->download.status == 200;
        if (source->has_answer)
            break;
        snprintf(status, sizeof status, "HTTP %u", source->download.status);
        set_fault(source, DIRECTORY_HAS_NONE, status);
        directories->changes++;
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
    take_list(directories);
    begin_reading(directories);
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
                 text_of("For servers on the internet, add a list under \"Lists of servers\"."));
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
