// SPDX-License-Identifier: MIT
#include "admin_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"
#include "base/platform/process.h"
#include "base/utf8.h"
#include "game/ai/ai.h"
#include "lifecycle/rotation.h"
#include "match/match.h"

#define AUDIT_FILE_BYTES (1 << 20) // then another file begins
#define AUDIT_FILES_KEPT 5         // besides the one that is written

bool admin_state_find(const struct admin_state *admin, const char *file, char path[ADMIN_STATE_PATH_BYTES])
{
    return file_in_state_dir(admin->settings->state_dir, getenv, file, path, ADMIN_STATE_PATH_BYTES);
}

bool admin_state_lock(const char *path, struct error *error)
{
    char holder[24] = ""; // its process
    file_make_folders(path);
    int file = disk_open(path, DISK_UPDATE | DISK_NO_LINK, DISK_OWNER);
    if (file < 0)
        return error_set(error, "the state directory cannot be locked by %.400s: %s", path, strerror(errno));
    if (disk_lock(file)) {
        int length = snprintf(holder, sizeof holder, "%ld\n", process_id());
        if (disk_cut(file, 0))
            file_write_all(file, holder, (size_t)length); // on a full disk, the lock holds without a number
        return true;                                      // the file stays open as long as the program runs
    }
    int reason = errno;
    disk_read_at(file, holder, sizeof holder - 1, 0);
    if (reason == EWOULDBLOCK)
        error_set(error,
                  "another server (process %ld) keeps its state here and holds %.400s; give this server another "
                  "--state-dir, or use --resume never to keep no state",
                  strtol(holder, NULL, 10), path);
    else
        error_set(error, "the state directory cannot be locked by %.400s: %s", path, strerror(reason));
    disk_close(file);
    return false;
}

int admin_state_open(struct admin_state *admin)
{
    struct error error;
    char path[ADMIN_STATE_PATH_BYTES], aside[ADMIN_STATE_PATH_BYTES + 16];
    admin->read = *admin->settings;
    if (admin->settings->resume != RESUME_NEVER) {
        if (!admin_state_find(admin, "lock", path)) {
            log_write(admin->log, LOG_ERROR, "there is no folder for the server's state: set --state-dir or HOME");
            return EXIT_IO;
        }
        if (!admin_state_lock(path, &error)) {
            log_write(admin->log, LOG_ERROR, "%s", error.text);
            return EXIT_UNAVAILABLE;
        }
        admin->audit.log = admin->log;
        admin->keeps = admin_state_find(admin, "audit.log", admin->audit.path);
    }
    if (!admin_state_find(admin, "bans", admin->bans_path))
        return EXIT_OK;
    admin->ban_file.path = admin->bans_path;
    admin->ban_file.bans = &admin->bans;
    admin->ban_file.unix_time = admin->unix_time;
    switch (ban_list_read(&admin->bans, admin->bans_path, admin->unix_time(), &error)) {
    case BAN_LIST_READ:
        break;
    case BAN_LIST_FAULTY: // the valid bans replace it, and its owner can correct it under another name
        snprintf(aside, sizeof aside, "%s.aside", admin->bans_path);
        if (!admin->keeps)
            log_write(admin->log, LOG_ERROR, "%s; the other %u bans are in force", error.text, admin->bans.count);
        else if (rename(admin->bans_path, aside) == 0 &&
                 ban_list_write(&admin->bans, admin->bans_path, admin->unix_time()))
            log_write(admin->log, LOG_ERROR, "%s; the other %u bans are in force; the file is kept as %s", error.text,
                      admin->bans.count, aside);
        else
            log_write(admin->log, LOG_ERROR, "%s; the file cannot be replaced: %s", error.text, strerror(errno));
        break;
    case BAN_LIST_UNREADABLE:
        log_write(admin->log, LOG_ERROR, "%s; nobody is banned", error.text);
        admin->bans_path[0] = 0; // a file that cannot be read is not overwritten
        break;
    }
    return EXIT_OK;
}

bool admin_state_is_admin(const struct admin_state *admin, const struct net_client *client)
{
    char fingerprint[FINGERPRINT_TEXT_BYTES], of_sign[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(client->identity, fingerprint);
    identity_fingerprint_of_sign(client->identity, of_sign);
    for (uint32_t i = 0; i < admin->settings->admin_keys.count; i++)
        if (strcmp(admin->settings->admin_keys.values[i], fingerprint) == 0 ||
            strcmp(admin->settings->admin_keys.values[i], of_sign) == 0)
            return true;
    return false;
}

static bool admits(void *context, const struct net_client *client, char reason[NET_REASON_BYTES])
{
    const struct admin_state *admin = context;
    const struct ban *ban = ban_list_find(&admin->bans, client, admin->unix_time());
    if (!ban || admin_state_is_admin(admin, client))
        return true;
    ban_list_message(ban, reason);
    return false;
}

struct net_admission admin_state_admission(struct admin_state *admin)
{
    return (struct net_admission){admits, admin};
}

uint64_t admin_state_save_bans(struct admin_state *admin)
{
    return admin->keeps && admin->bans_path[0] ? ban_file_save(&admin->ban_file) : 0;
}

enum ban_saving admin_state_saved_bans(const struct admin_state *admin, uint64_t number,
                                       char answer[ADMIN_STATE_ANSWER_BYTES])
{
    const struct answer *written = answers_look(&admin->ban_file.writings, number);
    const char *why = written->text;
    if (number > 0 && written->outcome == ANSWER_OPEN)
        return BANS_PENDING;
    if (!admin->keeps)
        why = "it was started with --resume never and keeps nothing";
    else if (!admin->bans_path[0])
        why = "the file of bans could not be read, so it is not overwritten";
    else if (written->outcome != ANSWER_FAILED)
        return BANS_SAVED;
    snprintf(answer, ADMIN_STATE_ANSWER_BYTES, "That lasts only until this server ends: %.900s.", why);
    return BANS_LOST;
}

// Once the file is large, it becomes PATH.1, that one PATH.2 and so on; the oldest is lost.
static void rotate(const char *path)
{
    char from[sizeof((struct audit_log *)0)->path + 16], to[sizeof from];
    struct disk_facts facts;
    if (!disk_look(path, &facts) || facts.byte_count < AUDIT_FILE_BYTES)
        return;
    for (int number = AUDIT_FILES_KEPT; number >= 1; number--) {
        snprintf(to, sizeof to, "%s.%d", path, number);
        if (number > 1)
            snprintf(from, sizeof from, "%s.%d", path, number - 1);
        else
            snprintf(from, sizeof from, "%s", path);
        disk_move(from, to);
    }
}

static void write_audit(struct worker_job *job)
{
    struct audit_log *audit = (struct audit_log *)job; // its first field
    for (; atomic_load(&audit->taken) != atomic_load(&audit->put); atomic_fetch_add(&audit->taken, 1)) {
        const char *line = audit->lines[atomic_load(&audit->taken) % AUDIT_LOG_LINES];
        int64_t length = (int64_t)strlen(line);
        rotate(audit->path);
        int file = disk_open(audit->path, DISK_APPEND | DISK_NO_LINK, DISK_OWNER);
        int64_t written = file < 0 ? -1 : disk_write(file, line, (size_t)length);
        int reason = written >= 0 ? ENOSPC : errno;
        if (file >= 0)
            disk_close(file);
        if (written != length && !audit->failed)
            log_write(audit->log, LOG_ERROR, "the audit log %s cannot be written: %s", audit->path, strerror(reason));
        audit->failed = written != length;
    }
}

void admin_state_audit(struct admin_state *admin, const char *who, const char *line, bool done, const char *answer)
{
    struct audit_log *audit = &admin->audit;
    char text[AUDIT_LOG_LINE_BYTES], when[BAN_TIME_BYTES];
    if (!admin->keeps)
        return;
    ban_time_text(admin->unix_time(), when);
    snprintf(text, sizeof text, "%s %s %s: %.600s -> %.600s", when, who, done ? "done" : "refused", line, answer);
    unsigned put = atomic_load(&audit->put);
    if (put - atomic_load(&audit->taken) == AUDIT_LOG_LINES) {
        log_write(audit->log, LOG_ERROR, "the audit log %s cannot keep up, and lacks this: %s", audit->path, text);
        return;
    }
    char *kept = audit->lines[put % AUDIT_LOG_LINES];
    size_t length = utf8_clean(kept, AUDIT_LOG_LINE_BYTES - 1, text, strlen(text));
    memcpy(kept + length, "\n", 2);
    atomic_store(&audit->put, put + 1);
    audit->job.run = write_audit;
    worker_ask(audit->worker, &audit->job);
}

bool admin_state_record_folder(const struct admin_state *admin, char path[ADMIN_STATE_PATH_BYTES])
{
    if (strcmp(admin->settings->record, "off") == 0)
        return admin->keeps && admin_state_find(admin, "replays", path);
    snprintf(path, ADMIN_STATE_PATH_BYTES, "%s", admin->settings->record);
    return true;
}

void admin_state_limit(struct admin_state *admin)
{
    struct rules rules = rotation_rules(admin->settings, (enum mode)admin->match->world.rules.mode, 0);
    struct command command = {.kind = COMMAND_RULES,
                              .score_limit = rules.score_limit,
                              .time_limit_ticks = rules.time_limit_ticks,
                              .friendly_fire = rules.friendly_fire,
                              .bot_skill = rules.bot_skill};
    admin->match->adapts_bots = admin->settings->bot_skill == AI_SKILL_ADAPTIVE;
    if (admin->match->adapts_bots)
        command.bot_skill = admin->match->world.rules.bot_skill;
    if (!match_enqueue_command(admin->match, &command))
        log_write(admin->log, LOG_ERROR, "too many commands at once: the limits of this match stay as they are");
}
