// SPDX-License-Identifier: MIT
#include "records_worker.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/platform/disk.h"
#include "base/platform/process.h"
#include "records_text.h"

#define RETRY_S 2 // from a failure to the next attempt

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
    int number = disk_open(path, DISK_CREATE, DISK_OWNER);
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

void *records_worker_serve(void *context)
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
