// SPDX-License-Identifier: MIT
#include "records.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/platform/disk.h"
#include "base/platform/process.h"
#include "records_text.h"

#define RETRY_S    2 // from a failure to the next attempt
#define PATH_BYTES (2 * OPTION_TEXT_BYTES)

struct records {
    char path[PATH_BYTES];
    int64_t (*unix_time)(void);
    const struct log *log;
    struct records_tally tally; // only the tick's thread uses it
    pthread_t thread;
    // Only the second thread uses these.
    struct records_file *file; // null: not open
    uint64_t retry_ns;
    bool failure_logged; // that the file cannot be used
    bool is_replacement; // of a damaged file, and nothing has been written to it yet
    bool given_up;       // the file belongs to a newer program
    struct error reason;
    struct records_player fresh_top[RECORDS_TOP_CAPACITY];
    struct records_name fresh_names[RECORDS_NAMES_CAPACITY];
    struct records_row batch[RECORDS_QUEUE_CAPACITY];
    // Both threads use these, under the lock.
    pthread_mutex_t lock;
    pthread_cond_t more;
    bool closing, loss_logged;
    uint64_t put, got; // rows queued and written so far
    uint64_t lost;
    struct store_health health;
    struct records_questions questions;
    struct records_vouches vouches; // its keys do not change
    bool names_are_due;
    struct records_own own;
    uint32_t names_seen; // by the tick's thread
    uint32_t top_count;
    struct records_player top[RECORDS_TOP_CAPACITY];
    struct records_row ring[RECORDS_QUEUE_CAPACITY];
};

static void publish(struct records *records)
{
    uint32_t count = records_database_top(records->file, records->fresh_top, RECORDS_TOP_CAPACITY);
    pthread_mutex_lock(&records->lock);
    memcpy(records->top, records->fresh_top, count * sizeof *records->top);
    records->top_count = count;
    pthread_mutex_unlock(&records->lock);
}

// Called without the lock.
static void publish_names(struct records *records)
{
    uint32_t count =
        records_database_names(records->file, records->unix_time(), records->fresh_names, RECORDS_NAMES_CAPACITY);
    pthread_mutex_lock(&records->lock);
    records_vouches_set_names(&records->vouches, records->fresh_names, count);
    pthread_mutex_unlock(&records->lock);
}

// Looks up a player, to be sent what is on record about them; `vouch`: and a vouch with it.
static void find_own(struct records *records, const struct seat_key *key, bool vouch)
{
    struct records_mail mail;
    struct records_vouch made;
    if (!records_database_get(records->file, key, &mail.player))
        return;
    mail.has_vouch = vouch && mail.player.name[0];
    if (mail.has_vouch) {
        records_vouches_sign(&records->vouches, &mail.player, records->unix_time(), &made);
        memcpy(mail.vouch, made.bytes, sizeof mail.vouch);
    }
    pthread_mutex_lock(&records->lock);
    records_own_put_found(&records->own, &mail);
    pthread_mutex_unlock(&records->lock);
}

// If the replacement is damaged before anything has been written to it, another one would not help.
static bool replace_damaged(struct records *records)
{
    char kept[FILE_PATH_BYTES];
    struct error error;
    records_database_close(records->file);
    records->file = NULL;
    if (records->is_replacement)
        return false;
    records->is_replacement = records_database_put_aside(records->path, kept, &error);
    if (records->is_replacement)
        log_write(records->log, LOG_WARNING, "%s: %s; it is kept as %s, and a new file replaces it", records->path,
                  records->reason.text, kept);
    else
        log_write(records->log, LOG_WARNING, "%s: %s; %s", records->path, records->reason.text, error.text);
    return records->is_replacement;
}

static bool open_file(struct records *records)
{
    while (!records->file && !records->given_up) {
        switch (records_database_open(&records->file, records->path, &records->reason)) {
        case RECORDS_DONE:
            publish(records);
            return true;
        case RECORDS_LATER:
            return false;
        case RECORDS_DAMAGED:
            if (!replace_damaged(records))
                return false;
            break;
        case RECORDS_NEWER:
            records->given_up = true;
            break;
        }
    }
    return records->file != NULL;
}

static bool write_batch(struct records *records, uint32_t count)
{
    while (open_file(records)) {
        switch (records_database_write(records->file, records->batch, count, records->unix_time(), &records->reason)) {
        case RECORDS_DONE:
            records->is_replacement = false;
            publish(records);
            return true;
        case RECORDS_DAMAGED:
            if (!replace_damaged(records))
                return false;
            break;
        case RECORDS_LATER:
        case RECORDS_NEWER:
            records_database_close(records->file);
            records->file = NULL;
            return false;
        }
    }
    return false;
}

static void note_outcome(struct records *records, bool good)
{
    pthread_mutex_lock(&records->lock);
    records->health.wanted = true;
    records->health.failures += !good && !records->failure_logged;
    records->health.up = good;
    if (good)
        records->health.success_s = records->unix_time();
    pthread_mutex_unlock(&records->lock);
    if (!good) {
        records->retry_ns = clock_now_ns() + RETRY_S * CLOCK_SECOND_NS;
        if (!records->failure_logged)
            log_write(records->log, LOG_WARNING, "records cannot be kept in %s: %s; the match goes on", records->path,
                      records->reason.text);
        records->failure_logged = true;
    } else if (records->failure_logged) {
        records->failure_logged = false;
        log_write(records->log, LOG_INFO, "records are written again");
    }
}

// Called under the lock, which it releases while it writes: the tick's thread only adds rows behind these.
static bool write_rows(struct records *records)
{
    uint32_t count = (uint32_t)(records->put - records->got), left = 0, results = 0;
    pthread_mutex_unlock(&records->lock);
    for (uint32_t i = 0; i < count; i++)
        records->batch[i] = records->ring[(records->got + i) % RECORDS_QUEUE_CAPACITY];
    bool good = write_batch(records, count);
    for (uint32_t i = 0; i < count && good; i++) { // the players of matches are sent what is on record now
        left = records->batch[i].match_rows > 0 ? records->batch[i].match_rows : left;
        if (left == 0)
            continue;
        find_own(records, &records->batch[i].key, records->vouches.has_key);
        left--;
        results++;
    }
    if (results > 0 && records->vouches.has_key)
        publish_names(records); // some may have expired
    note_outcome(records, good);
    pthread_mutex_lock(&records->lock);
    if (good)
        records->got += count;
    return good;
}

static bool each_row(void *context, const struct records_player *player)
{
    return records_text_csv_row(context, player);
}

static bool export_csv(struct records *records, const char *path, struct records_answer *answer)
{
    int number = disk_open(path, DISK_CREATE, DISK_GROUP);
    FILE *out = number >= 0 ? fdopen(number, "w") : NULL;
    int reason = errno;
    if (out) {
        bool good = records_text_csv_header(out) && records_database_all(records->file, each_row, out);
        reason = errno;
        if (fclose(out) == 0 && good) {
            snprintf(answer->text, sizeof answer->text, "All players were written to %s.\n", path);
            snprintf(answer->path, sizeof answer->path, "%s", path);
            return true;
        }
        reason = good ? errno : reason;
        disk_remove(path);
    }
    snprintf(answer->text, sizeof answer->text, "cannot write %s: %s\n", path, strerror(reason));
    return false;
}

// Called under the lock, which it releases while it reads. The question cannot change meanwhile: only answered ones
// are replaced.
static void answer(struct records *records, const struct records_question *question)
{
    struct records_answer found = {.done = true};
    pthread_mutex_unlock(&records->lock);
    if (!open_file(records)) {
        note_outcome(records, false);
        snprintf(found.text, sizeof found.text, "The records cannot be read: %s.\n", records->reason.text);
        found.done = false;
    } else if (question->subject == RECORDS_EXPORT) {
        found.done = export_csv(records, question->argument, &found);
    } else {
        found.player_count = records_database_find(records->file, question->argument, found.players, RECORDS_FOUND_MAX);
        if (found.player_count > 0)
            records_text_players(found.players, found.player_count, found.text, sizeof found.text);
        else
            snprintf(found.text, sizeof found.text, "No player with the name or key \"%s\" has played here.\n",
                     question->argument);
    }
    pthread_mutex_lock(&records->lock);
    records_question_answer(&records->questions, &found);
}

// Notes a vouch that a player shows, if it is good. If that fails, they can show it again.
static void note_vouch(struct records *records, const struct records_vouch *shown)
{
    struct vouch vouch;
    bool is_new = false;
    int64_t now_s = records->unix_time();
    if (!records_vouches_judge(&records->vouches, shown, now_s, &vouch))
        return;
    if (!open_file(records) ||
        records_database_vouch(records->file, &vouch, now_s, &is_new, &records->reason) != RECORDS_DONE) {
        log_write(records->log, LOG_WARNING, "a vouch for %s is not noted: %s", vouch.name, records->reason.text);
        return;
    }
    if (is_new)
        log_event(records->log, LOG_INFO,
                  &(struct fields){"vouch",
                                   "{server} vouches for {name}",
                                   {{"name", .text = vouch.name},
                                    {"server", .text = vouch.fingerprint},
                                    {"rating", .number = vouch.mean / 100},
                                    {"deviation", .number = vouch.deviation / 100},
                                    {"matches", .number = vouch.matches}}});
    publish_names(records);
}

static void *serve(void *context)
{
    struct records *records = context;
    struct records_question *question;
    struct records_vouch shown;
    struct seat_key key;
    note_outcome(records, open_file(records));
    pthread_mutex_lock(&records->lock);
    while (!records->closing) {
        bool has_rows = records->put != records->got && !records->given_up;
        if ((question = records_question_next(&records->questions))) {
            answer(records, question);
        } else if (records->names_are_due) {
            records->names_are_due = false;
            pthread_mutex_unlock(&records->lock);
            if (open_file(records))
                publish_names(records);
            pthread_mutex_lock(&records->lock);
        } else if (records_vouches_take_shown(&records->vouches, &shown)) {
            pthread_mutex_unlock(&records->lock);
            note_vouch(records, &shown);
            pthread_mutex_lock(&records->lock);
        } else if (has_rows && clock_now_ns() >= records->retry_ns) {
            write_rows(records);
        } else if (records_own_take_asked(&records->own, &key)) {
            pthread_mutex_unlock(&records->lock);
            if (open_file(records))
                find_own(records, &key, false);
            pthread_mutex_lock(&records->lock);
        } else if (has_rows) {
            process_condition_wait(&records->more, &records->lock, records->retry_ns);
        } else {
            pthread_cond_wait(&records->more, &records->lock);
        }
    }
    if (records->put != records->got && !write_rows(records))
        records->lost += records->put - records->got;
    if (records->lost > 0)
        log_write(records->log, LOG_WARNING, "%" PRIu64 " rows of records were lost: %s", records->lost,
                  records->reason.text);
    pthread_mutex_unlock(&records->lock);
    records_database_close(records->file);
    return NULL;
}

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
        reason = pthread_create(&records->thread, NULL, serve, records);
    if (reason == 0)
        return records;
    destroy(records);
    errno = reason;
    return NULL;
}

struct records *records_begin(const struct settings *settings, const struct log *log)
{
    char path[PATH_BYTES];
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
