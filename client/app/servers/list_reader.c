// SPDX-License-Identifier: MIT
#include "list_reader.h"

#include <stdlib.h>

static void merge(const struct list_reader_job *job, struct list_reader_result *result)
{
    for (uint32_t i = 0; i < job->count; i++)
        server_list_merge(&result->merged, i == job->index ? &result->list : job->lists[i]);
}

static void read_text(const struct list_reader_job *job, const char *text, size_t byte_count,
                      struct list_reader_result *result)
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
    merge(job, result);
}

static void *work(void *context)
{
    struct list_reader *reader = context;
    const struct list_reader_job *job = &reader->job;
    size_t byte_count = job->byte_count;
    uint8_t *kept = job->text || !job->path[0] ? NULL : file_load(job->path, SERVER_LIST_BYTES_MAX, &byte_count);
    const char *text = kept ? (const char *)kept : job->text;
    if (text)
        read_text(job, text, byte_count, &reader->result);
    free(kept);
    atomic_store(&reader->is_done, true);
    return NULL;
}

void list_reader_begin(struct list_reader *reader, const struct list_reader_job *job)
{
    reader->job = *job;
    reader->result = (struct list_reader_result){.is_good = false};
    reader->runs = true;
    atomic_store(&reader->is_done, false);
    reader->has_thread = pthread_create(&reader->thread, NULL, work, reader) == 0;
    if (!reader->has_thread)
        work(reader);
}

static void finish(struct list_reader *reader)
{
    if (reader->has_thread)
        pthread_join(reader->thread, NULL);
    reader->has_thread = reader->runs = false;
}

bool list_reader_take(struct list_reader *reader, struct list_reader_result *result)
{
    if (!reader->runs || !atomic_load(&reader->is_done))
        return false;
    finish(reader);
    *result = reader->result;
    return true;
}

void list_reader_close(struct list_reader *reader)
{
    if (!reader->runs)
        return;
    finish(reader);
    server_list_free(&reader->result.list);
    server_list_free(&reader->result.merged);
}
