// SPDX-License-Identifier: MIT
#include "records.h"

#include <errno.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/process.h"
#include "records_worker.h"

static void destroy(struct records *records)
{
    pthread_cond_destroy(&records->more);
    pthread_mutex_destroy(&records->lock);
    sodium_memzero(&records->vouches, sizeof records->vouches);
    free(records);
}

struct records *records_open(const char *path, int64_t (*unix_time)(void), const struct log *log)
{
    struct records *records = calloc(1, sizeof *records);
    if (!records)
        return NULL;
    snprintf(records->path, sizeof records->path, "%s", path);
    records->unix_time = unix_time;
    records->log = log;
    records->tally.sink = records_put;
    records->tally.context = records;
    // a condition that waits by another clock than the thread's would not wait at all, so there are no records then
    int reason = process_condition_open(&records->more);
    pthread_mutex_init(&records->lock, NULL);
    if (reason == 0)
        reason = pthread_create(&records->thread, NULL, records_worker_serve, records);
    if (reason == 0)
        return records;
    destroy(records);
    errno = reason;
    return NULL;
}

struct records *records_begin(const struct settings *settings, const struct log *log)
{
    char path[RECORDS_PATH_BYTES];
    uint8_t seed[IDENTITY_SEED_BYTES];
    struct error error;
    if (!settings->records || !file_in_state_dir(settings->state_dir, getenv, "records.db", path, sizeof path))
        return NULL;
    struct records *records = records_open(path, log->unix_time, log);
    if (!records) {
        log_write(log, LOG_WARNING, "no records: %s", strerror(errno));
        return NULL;
    }
    // without its key, the server vouches for nobody and believes nobody
    if (!file_in_state_dir(settings->state_dir, getenv, "server.key", path, sizeof path))
        return records;
    if (identity_load(path, seed, &error))
        records_begin_vouches(records, seed, &settings->trust);
    else
        log_write(log, LOG_WARNING, "no vouches: %s", error.text);
    sodium_memzero(seed, sizeof seed);
    return records;
}

void records_put(void *context, const struct records_row *rows, uint32_t count)
{
    struct records *records = context;
    pthread_mutex_lock(&records->lock);
    bool fits = count <= RECORDS_QUEUE_CAPACITY - (records->put - records->got);
    for (uint32_t i = 0; fits && i < count; i++)
        records->ring[records->put++ % RECORDS_QUEUE_CAPACITY] = rows[i];
    records->lost += fits ? 0 : count;
    bool first = !fits && !records->loss_logged;
    records->loss_logged |= first;
    pthread_cond_signal(&records->more);
    pthread_mutex_unlock(&records->lock);
    if (first)
        log_write(records->log, LOG_WARNING, "records are being lost: %d rows already wait for %s",
                  RECORDS_QUEUE_CAPACITY, records->path);
}

void records_update(struct records *records, const struct match *match)
{
    if (records)
        records_tally_update(&records->tally, match);
}

void records_close(struct records *records)
{
    if (!records)
        return;
    records_tally_flush(&records->tally);
    pthread_mutex_lock(&records->lock);
    records->closing = true;
    pthread_cond_signal(&records->more);
    pthread_mutex_unlock(&records->lock);
    pthread_join(records->thread, NULL);
    destroy(records);
}

uint32_t records_top(struct records *records, uint32_t count, struct records_player *players)
{
    if (!records)
        return 0;
    pthread_mutex_lock(&records->lock);
    count = count < records->top_count ? count : records->top_count;
    memcpy(players, records->top, count * sizeof *players);
    pthread_mutex_unlock(&records->lock);
    return count;
}

static uint64_t put_question(struct records *records, enum records_subject subject, const char *argument)
{
    if (!records)
        return 0;
    pthread_mutex_lock(&records->lock);
    uint64_t number = records_question_put(&records->questions, subject, argument);
    pthread_cond_signal(&records->more);
    pthread_mutex_unlock(&records->lock);
    return number;
}

uint64_t records_player(struct records *records, const char *name)
{
    return put_question(records, RECORDS_PLAYER, name);
}

uint64_t records_export_csv(struct records *records, const char *path)
{
    return put_question(records, RECORDS_EXPORT, path);
}

bool records_answer(struct records *records, uint64_t number, struct records_answer *answer)
{
    if (!records)
        return false;
    pthread_mutex_lock(&records->lock);
    bool found = records_question_take(&records->questions, number, answer);
    pthread_mutex_unlock(&records->lock);
    return found;
}

void records_begin_vouches(struct records *records, const uint8_t seed[IDENTITY_SEED_BYTES],
                           const struct option_list *trust)
{
    pthread_mutex_lock(&records->lock);
    records_vouches_begin(&records->vouches, seed, trust);
    records->names_are_due = true;
    pthread_cond_signal(&records->more);
    pthread_mutex_unlock(&records->lock);
}

void records_show_vouch(void *context, const struct seat_key *key, const uint8_t bytes[VOUCH_BYTES])
{
    struct records *records = context;
    pthread_mutex_lock(&records->lock);
    records_vouches_show(&records->vouches, key, bytes);
    pthread_cond_signal(&records->more);
    pthread_mutex_unlock(&records->lock);
}

bool records_keep_name(void *context, const struct seat_key *key, const char *name)
{
    struct records *records = context;
    pthread_mutex_lock(&records->lock);
    bool kept = records_vouches_keep(&records->vouches, key, name);
    pthread_mutex_unlock(&records->lock);
    return kept;
}

bool records_names_changed(struct records *records)
{
    if (!records)
        return false;
    pthread_mutex_lock(&records->lock);
    bool changed = records->names_seen != records->vouches.name_changes;
    records->names_seen = records->vouches.name_changes;
    pthread_mutex_unlock(&records->lock);
    return changed;
}

void records_ask_own(void *context, const struct seat_key *key)
{
    struct records *records = context;
    pthread_mutex_lock(&records->lock);
    records_own_ask(&records->own, key);
    pthread_cond_signal(&records->more);
    pthread_mutex_unlock(&records->lock);
}

bool records_take_own(struct records *records, struct records_mail *mail)
{
    if (!records)
        return false;
    pthread_mutex_lock(&records->lock);
    bool found = records_own_take_found(&records->own, mail);
    pthread_mutex_unlock(&records->lock);
    return found;
}

uint64_t records_lost(struct records *records)
{
    if (!records)
        return 0;
    pthread_mutex_lock(&records->lock);
    uint64_t lost = records->lost;
    pthread_mutex_unlock(&records->lock);
    return lost;
}

void records_report(struct records *records, struct server_health *health)
{
    if (!records)
        return;
    pthread_mutex_lock(&records->lock);
    health->stores[STORE_RECORDS] = records->health;
    pthread_mutex_unlock(&records->lock);
    health->records_lost = records_lost(records);
}
