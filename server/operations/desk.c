// SPDX-License-Identifier: MIT
#include "desk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "match/match.h"
#include "match/text.h"
#include "options/password_file.h"
#include "options/state_dir.h"
#include "rotation.h"
#include "state_lock.h"

#define AUDIT_LINE_BYTES 1500

bool desk_find(const struct desk *desk, const char *file, char path[DESK_PATH_BYTES])
{
    return state_dir_file(desk->settings->state_dir, getenv, file, path, DESK_PATH_BYTES);
}

static int take_state(struct desk *desk)
{
    struct error error;
    char path[DESK_PATH_BYTES];
    if (desk->settings->resume == RESUME_NEVER)
        return EXIT_OK;
    if (!desk_find(desk, "lock", path)) {
        log_write(desk->log, LOG_ERROR, "there is no place for the server's state: give --state-dir, or set HOME");
        return EXIT_IO;
    }
    if (!state_lock_take(path, &error)) {
        log_write(desk->log, LOG_ERROR, "%s", error.text);
        return EXIT_UNAVAILABLE;
    }
    desk->keeps = desk_find(desk, "audit.log", desk->audit_path);
    return EXIT_OK;
}

// A file with faults is put aside whole, so that its owner can mend it, before anything is written in its place.
static void put_aside(struct desk *desk, const char *sentence)
{
    char aside[DESK_PATH_BYTES + 16];
    snprintf(aside, sizeof aside, "%s.aside", desk->bans_path);
    if (!desk->keeps)
        log_write(desk->log, LOG_ERROR, "%s; the other %u bans hold", sentence, desk->bans.count);
    else if (rename(desk->bans_path, aside) == 0 && bans_write(&desk->bans, desk->bans_path, desk->unix_time()))
        log_write(desk->log, LOG_ERROR, "%s; the other %u bans hold, the file is kept as %s", sentence,
                  desk->bans.count, aside);
    else
        log_write(desk->log, LOG_ERROR, "%s; and it cannot be put aside: %s", sentence, strerror(errno));
}

int desk_open(struct desk *desk)
{
    struct error error;
    int code = take_state(desk);
    if (code != EXIT_OK || !desk_find(desk, "bans", desk->bans_path))
        return code;
    switch (bans_read(&desk->bans, desk->bans_path, desk->unix_time(), &error)) {
    case BANS_READ:
        break;
    case BANS_FAULTY:
        put_aside(desk, error.text);
        break;
    case BANS_UNREADABLE:
        log_write(desk->log, LOG_ERROR, "%s; nobody is banned", error.text);
        desk->bans_path[0] = 0; // what cannot be read is not written over
        break;
    }
    return EXIT_OK;
}

bool desk_is_admin(const struct desk *desk, const struct net_guest *guest)
{
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    fingerprint_of(guest->identity, fingerprint);
    for (uint32_t i = 0; i < desk->settings->admin_keys.count; i++)
        if (strcmp(desk->settings->admin_keys.values[i], fingerprint) == 0)
            return true;
    return false;
}

static bool admits(void *context, const struct net_guest *guest, char reason[NET_REASON_BYTES])
{
    const struct desk *desk = context;
    const struct ban *ban = bans_find(&desk->bans, guest, desk->unix_time());
    if (!ban || desk_is_admin(desk, guest))
        return true;
    ban_sentence(ban, reason);
    return false;
}

struct net_admission desk_admission(struct desk *desk)
{
    return (struct net_admission){admits, desk};
}

bool desk_keep_bans(struct desk *desk, char sentence[DESK_SENTENCE_BYTES])
{
    const char *why = "it was started with --resume never and keeps nothing";
    if (desk->keeps && !desk->bans_path[0])
        why = "the file of bans could not be read, so it is not written over";
    else if (desk->keeps && bans_write(&desk->bans, desk->bans_path, desk->unix_time()))
        return true;
    else if (desk->keeps)
        why = strerror(errno);
    snprintf(sentence, DESK_SENTENCE_BYTES, "That holds only until this server ends: %s.", why);
    return false;
}

// One write to the end of the file, which may have been moved away since the last.
static bool append(const char *path, const char *line, size_t length)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return false;
    ssize_t written = write(file, line, length);
    int reason = written >= 0 ? ENOSPC : errno;
    close(file);
    errno = reason;
    return written == (ssize_t)length;
}

void desk_audit(struct desk *desk, const char *who, const char *line, bool done, const char *answer)
{
    char text[AUDIT_LINE_BYTES], when[BAN_TIME_BYTES];
    if (!desk->keeps)
        return;
    ban_time_text(desk->unix_time(), when);
    snprintf(text, sizeof text - 1, "%s %s %s: %.600s -> %.600s", when, who, done ? "done" : "refused", line, answer);
    size_t length = text_clean(text, text, strlen(text));
    text[length++] = '\n';
    bool kept = append(desk->audit_path, text, length);
    if (!kept && !desk->audit_failed)
        log_write(desk->log, LOG_ERROR, "the audit log %s cannot be written: %s", desk->audit_path, strerror(errno));
    desk->audit_failed = !kept;
}

bool desk_record_folder(const struct desk *desk, char path[DESK_PATH_BYTES])
{
    if (strcmp(desk->settings->record, "off") == 0)
        return desk->keeps && desk_find(desk, "replays", path);
    snprintf(path, DESK_PATH_BYTES, "%s", desk->settings->record);
    return true;
}

void desk_limit(struct desk *desk)
{
    const struct rules rules = rotation_rules(desk->settings, (enum mode)desk->match->world.rules.mode, 0);
    const struct command command = {.kind = COMMAND_RULES,
                                    .score_limit = rules.score_limit,
                                    .time_limit_ticks = rules.time_limit_ticks,
                                    .friendly_fire = rules.friendly_fire};
    if (!match_order(desk->match, &command))
        log_write(desk->log, LOG_ERROR, "too many orders at once: the limits of this match stay");
}

static void put_to_work(struct desk *desk, const char *password)
{
    const struct settings *settings = desk->settings;
    desk->log->level = settings->log_level;
    desk->log->format = settings->log_format;
    if (!desk->match)
        return;
    desk->match->bots = (uint32_t)settings->bots;
    desk->match->bot_skill = (enum skill)settings->bot_skill;
    transport_password(desk->match->transport, password);
    desk_limit(desk);
}

// What the settings name outside of themselves is looked at before anything changes.
static const char *adopt(struct desk *desk, const struct settings *fresh, char sentence[DESK_SENTENCE_BYTES])
{
    char password[PASSWORD_TEXT_BYTES];
    struct error error;
    bool lists = desk->rotation && desk->match &&
                 memcmp(&fresh->rotation, &desk->settings->rotation, sizeof fresh->rotation) != 0;
    if (!password_file_read(fresh->password_file, password, &error) ||
        (lists && rotation_fault(desk->rotation, &fresh->rotation, (enum mode)desk->match->world.rules.mode, &error))) {
        snprintf(sentence, DESK_SENTENCE_BYTES, "%s", error.text);
        return sentence;
    }
    settings_adopt(desk->settings, fresh, sentence, DESK_SENTENCE_BYTES);
    put_to_work(desk, password);
    if (lists)
        rotation_relist(desk->rotation, desk->match);
    return NULL;
}

bool desk_set(struct desk *desk, const char *key, const char *value, char sentence[DESK_SENTENCE_BYTES])
{
    struct settings fresh = *desk->settings;
    const struct options_result nothing_given = {0};
    int code;
    struct error error;
    bool set = settings_set(&fresh, key, value, &error);
    const char *fault = set ? settings_fault(&fresh, &nothing_given, &code) : error.text;
    if (!fault)
        return adopt(desk, &fresh, sentence) == NULL;
    snprintf(sentence, DESK_SENTENCE_BYTES, "%s", fault);
    return false;
}

bool desk_reload(struct desk *desk, char sentence[DESK_SENTENCE_BYTES])
{
    struct settings fresh = {0};
    struct options_result read;
    char outcome[DESK_SENTENCE_BYTES];
    int code;
    const char *fault =
        options_read(&SERVER_PROGRAM, &fresh, desk->argc, desk->argv, getenv, stderr, &read) == OPTIONS_RUN
            ? settings_fault(&fresh, &read, &code)
            : read.error.text;
    if (!fault)
        fault = adopt(desk, &fresh, outcome);
    snprintf(sentence, DESK_SENTENCE_BYTES, "%s%.600s", fault ? "nothing changed: " : "", fault ? fault : outcome);
    return fault == NULL;
}
