// SPDX-License-Identifier: MIT
#include "ban.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/platform/disk.h"
#include "base/utf8.h"

#define BAN_SECONDS_MAX ((int64_t)10 * 366 * 86400) // longer is forever
#define FILE_BYTES_MAX  (1u << 20)                  // a full list has less than a fifth of that

_Static_assert(BAN_TARGET_BYTES >= ADDRESS_RANGE_TEXT_BYTES, "a range fits");

bool ban_target_parse(const char *text, struct ban_target *target)
{
    *target = (struct ban_target){0};
    if (identity_fingerprint_is_valid(text)) {
        strcpy(target->key, text);
        return true;
    }
    if (!net_address_range_parse(text, &target->addresses))
        return false;
    bool ipv4 = net_address_range_is_ipv4(&target->addresses);
    return target->addresses.bits >=
           (ipv4 ? ADDRESS_RANGE_BITS_IPV4 + BAN_PREFIX_BITS_MIN_IPV4 : BAN_PREFIX_BITS_MIN_IPV6);
}

void ban_target_text(const struct ban_target *target, char text[BAN_TARGET_BYTES])
{
    if (target->key[0])
        snprintf(text, BAN_TARGET_BYTES, "%s", target->key);
    else
        net_address_range_text(&target->addresses, text);
}

bool ban_target_equal(const struct ban_target *a, const struct ban_target *b)
{
    return strcmp(a->key, b->key) == 0 && a->addresses.bits == b->addresses.bits &&
           memcmp(a->addresses.prefix, b->addresses.prefix, sizeof a->addresses.prefix) == 0;
}

bool ban_target_means(const struct ban_target *target, const char *fingerprint, const struct address_range *address)
{
    if (target->key[0])
        return strcmp(target->key, fingerprint) == 0;
    return address && net_address_range_contains(&target->addresses, address);
}

bool ban_time_parse(const char *word, int64_t now, int64_t *until)
{
    static const struct {
        char unit;
        int64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 7 * 86400}};
    char *end;
    if (strcmp(word, "forever") == 0 || strcmp(word, "never") == 0) {
        *until = BAN_FOREVER;
        return true;
    }
    if (word[0] < '0' || word[0] > '9')
        return false;
    long value = strtol(word, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (end[0] != units[i].unit || end[1] != 0 || value == 0)
            continue;
        *until = value > BAN_SECONDS_MAX / units[i].seconds ? BAN_FOREVER : now + value * units[i].seconds;
        return true;
    }
    return false;
}

void ban_time_text(int64_t until, char text[BAN_TIME_BYTES])
{
    if (until == BAN_FOREVER || !clock_date_utc(until, "%Y-%m-%dT%H:%M:%SZ", text, BAN_TIME_BYTES))
        strcpy(text, "never");
}

bool ban_time_read(const char *text, int64_t *until)
{
    struct tm parts = {0};
    if (strcmp(text, "never") == 0) {
        *until = BAN_FOREVER;
        return true;
    }
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    if (!end || *end || strlen(text) != 20)
        return false;
    *until = (int64_t)timegm(&parts);
    return true;
}

static const char HEAD[] =
    "# Who may not play on this server, one a line: KEY, ADDRESS or ADDRESS/BITS, then until when\n"
    "# (or never), then why. Edit it while no server runs; a running one overwrites it.\n";

static void drop_expired(struct ban_list *bans, int64_t now)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < bans->count; i++)
        if (bans->rows[i].until > now)
            bans->rows[kept++] = bans->rows[i];
    bans->count = kept;
}

static struct ban *find_row(struct ban_list *bans, const struct ban_target *target)
{
    for (uint32_t i = 0; i < bans->count; i++)
        if (ban_target_equal(&bans->rows[i].target, target))
            return &bans->rows[i];
    return NULL;
}

bool ban_list_add(struct ban_list *bans, const struct ban *ban, int64_t now)
{
    struct ban *row = find_row(bans, &ban->target);
    if (!row) {
        drop_expired(bans, now);
        if (bans->count == BAN_LIST_CAPACITY)
            return false;
        row = &bans->rows[bans->count++];
    }
    *row = *ban;
    return true;
}

bool ban_list_remove(struct ban_list *bans, const struct ban_target *target, int64_t now)
{
    drop_expired(bans, now);
    struct ban *row = find_row(bans, target);
    if (!row)
        return false;
    size_t after = (size_t)(bans->rows + bans->count - (row + 1));
    memmove(row, row + 1, after * sizeof *row);
    bans->count--;
    return true;
}

const struct ban *ban_list_find(const struct ban_list *bans, const struct net_client *client, int64_t now)
{
    char fingerprint[FINGERPRINT_TEXT_BYTES], of_sign[FINGERPRINT_TEXT_BYTES];
    struct address_range address = net_address_range_of(&client->address);
    bool is_known = client->address.byte_count > 0;
    const struct ban *found = NULL;
    identity_fingerprint(client->identity, fingerprint);
    identity_fingerprint_of_sign(client->identity, of_sign);
    for (uint32_t i = 0; i < bans->count; i++) {
        const struct ban *ban = &bans->rows[i];
        bool is_meant = ban_target_means(&ban->target, fingerprint, is_known ? &address : NULL) ||
                        ban_target_means(&ban->target, of_sign, NULL);
        if (ban->until > now && is_meant && (!found || ban->until > found->until))
            found = ban;
    }
    return found;
}

void ban_list_message(const struct ban *ban, char reason[NET_REASON_BYTES])
{
    char until[BAN_TIME_BYTES], when[32];
    ban_time_text(ban->until, until);
    snprintf(when, sizeof when, "%.10s %.5s UTC", until, until + 11);
    if (ban->until == BAN_FOREVER)
        snprintf(reason, NET_REASON_BYTES, ban->reason[0] ? "You are banned: %s." : "You are banned.", ban->reason);
    else
        snprintf(reason, NET_REASON_BYTES, ban->reason[0] ? "You are banned until %s: %s." : "You are banned until %s.",
                 when, ban->reason);
    error_join_periods(reason);
}

// Reads one line of the file. Returns null, or what is wrong with it.
static const char *read_line(struct ban_list *bans, char *line, int64_t now)
{
    struct ban ban = {0};
    char *reason, *target = strtok_r(line, " \t\r", &reason), *until = strtok_r(NULL, " \t\r", &reason);
    if (!target || target[0] == '#')
        return NULL;
    if (!ban_target_parse(target, &ban.target))
        return "does not begin with a key or an address";
    if (!until || !ban_time_read(until, &ban.until))
        return "has no time, like 2026-12-24T18:00:00Z or never, behind the key or address";
    if (utf8_clean(reason, strlen(reason) + 1, reason, strlen(reason)) >= sizeof ban.reason)
        return "has too long a reason";
    strcpy(ban.reason, reason);
    if (ban.until > now && !ban_list_add(bans, &ban, now))
        return "is one more than there is room for";
    return NULL;
}

enum ban_list_outcome ban_list_read(struct ban_list *bans, const char *path, int64_t now, struct error *error)
{
    enum ban_list_outcome outcome = BAN_LIST_READ;
    size_t byte_count;
    char *text = (char *)file_load(path, FILE_BYTES_MAX, &byte_count);
    bans->count = 0;
    if (!text && errno == ENOENT)
        return BAN_LIST_READ;
    if (!text) {
        error_set(error, "the bans in %.400s cannot be read: %s", path, strerror(errno));
        return BAN_LIST_UNREADABLE;
    }
    char *line = text, *end = text + byte_count;
    for (uint32_t number = 1; line < end; number++) {
        char *line_end = memchr(line, '\n', (size_t)(end - line));
        line_end = line_end ? line_end : end;
        *line_end = 0;
        bool has_zero = strlen(line) < (size_t)(line_end - line);
        const char *fault = has_zero ? "has a zero byte" : read_line(bans, line, now);
        line = line_end + 1;
        if (fault && outcome == BAN_LIST_READ) {
            outcome = BAN_LIST_FAULTY;
            error_set(error, "%.400s:%u: this line %s", path, number, fault);
        }
    }
    free(text);
    return outcome;
}

bool ban_list_write(const struct ban_list *bans, const char *path, int64_t now)
{
    struct disk_memory memory;
    size_t text_bytes;
    FILE *file = disk_memory_open(&memory);
    if (!file)
        return false;
    fputs(HEAD, file);
    for (uint32_t i = 0; i < bans->count; i++) {
        const struct ban *ban = &bans->rows[i];
        char who[BAN_TARGET_BYTES], until[BAN_TIME_BYTES];
        ban_target_text(&ban->target, who);
        ban_time_text(ban->until, until);
        if (ban->until > now)
            fprintf(file, "%s %s%s%s\n", who, until, ban->reason[0] ? " " : "", ban->reason);
    }
    char *text = disk_memory_close(&memory, &text_bytes);
    bool good = text && file_write(path, text, text_bytes);
    int reason = errno;
    free(text);
    errno = reason;
    return good;
}

static void run(struct worker_job *job)
{
    struct ban_file *file = (struct ban_file *)job; // its first field
    file->fault = ban_list_write(&file->copy, file->path, file->copied_s) ? 0 : errno;
}

void ban_file_update(struct ban_file *file)
{
    if (worker_is_busy(file->worker, &file->job))
        return;
    answers_give(&file->writings, file->begun, file->fault ? ANSWER_FAILED : ANSWER_DONE,
                 file->fault ? strerror(file->fault) : NULL);
    if (answers_open(&file->writings) == 0)
        return;
    file->begun = file->writings.asked;
    file->copied_s = file->unix_time();
    memcpy(&file->copy, file->bans, offsetof(struct ban_list, rows) + file->bans->count * sizeof *file->bans->rows);
    file->job.run = run;
    worker_ask(file->worker, &file->job);
    if (!file->worker)
        ban_file_update(file); // it is written already
}

uint64_t ban_file_save(struct ban_file *file)
{
    uint64_t number = answers_ask(&file->writings);
    ban_file_update(file);
    return number;
}
