// SPDX-License-Identifier: MIT
#include "admin_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "lifecycle/rotation.h"
#include "lifecycle/state_lock.h"
#include "match/match.h"
#include "options/password_file.h"
#include "options/state_dir.h"

#define AUDIT_LINE_BYTES 1500

bool admin_state_find(const struct admin_state *desk, const char *file, char path[ADMIN_STATE_PATH_BYTES])
{
    return state_dir_file(desk->settings->state_dir, getenv, file, path, ADMIN_STATE_PATH_BYTES);
}

static int take_state(struct admin_state *desk)
{
    struct error error;
    char path[ADMIN_STATE_PATH_BYTES];
    if (desk->settings->resume == RESUME_NEVER)
        return EXIT_OK;
    if (!admin_state_find(desk, "lock", path)) {
        log_write(desk->log, LOG_ERROR, "there is no place for the server's state: give --state-dir, or set HOME");
        return EXIT_IO;
    }
    if (!state_lock_take(path, &error)) {
        log_write(desk->log, LOG_ERROR, "%s", error.text);
        return EXIT_UNAVAILABLE;
    }
    desk->keeps = admin_state_find(desk, "audit.log", desk->audit_path);
    return EXIT_OK;
}

// A file with faults is put aside whole, so that its owner can mend it, before anything is written in its place.
static void put_aside(struct admin_state *desk, const char *sentence)
{
    char aside[ADMIN_STATE_PATH_BYTES + 16];
    snprintf(aside, sizeof aside, "%s.aside", desk->bans_path);
    if (!desk->keeps)
        log_write(desk->log, LOG_ERROR, "%s; the other %u bans hold", sentence, desk->bans.count);
    else if (rename(desk->bans_path, aside) == 0 && bans_write(&desk->bans, desk->bans_path, desk->unix_time()))
        log_write(desk->log, LOG_ERROR, "%s; the other %u bans hold, the file is kept as %s", sentence,
                  desk->bans.count, aside);
    else
        log_write(desk->log, LOG_ERROR, "%s; and it cannot be put aside: %s", sentence, strerror(errno));
}

int admin_state_open(struct admin_state *desk)
{
    struct error error;
    int code = take_state(desk);
    if (code != EXIT_OK || !admin_state_find(desk, "bans", desk->bans_path))
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

bool admin_state_is_admin(const struct admin_state *desk, const struct net_client *guest)
{
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(guest->identity, fingerprint);
    for (uint32_t i = 0; i < desk->settings->admin_keys.count; i++)
        if (strcmp(desk->settings->admin_keys.values[i], fingerprint) == 0)
            return true;
    return false;
}

static bool admits(void *context, const struct net_client *guest, char reason[NET_REASON_BYTES])
{
    const struct admin_state *desk = context;
    const struct ban *ban = bans_find(&desk->bans, guest, desk->unix_time());
    if (!ban || admin_state_is_admin(desk, guest))
        return true;
    ban_sentence(ban, reason);
    return false;
}

struct net_admission admin_state_admission(struct admin_state *desk)
{
    return (struct net_admission){admits, desk};
}

bool admin_state_save_bans(struct admin_state *desk, char sentence[ADMIN_STATE_SENTENCE_BYTES])
{
    const char *why = "it was started with --resume never and keeps nothing";
    if (desk->keeps && !desk->bans_path[0])
        why = "the file of bans could not be read, so it is not written over";
    else if (desk->keeps && bans_write(&desk->bans, desk->bans_path, desk->unix_time()))
        return true;
    else if (desk->keeps)
        why = strerror(errno);
    snprintf(sentence, ADMIN_STATE_SENTENCE_BYTES, "That holds only until this server ends: %s.", why);
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

void admin_state_audit(struct admin_state *desk, const char *who, const char *line, bool done, const char *answer)
{
    char text[AUDIT_LINE_BYTES], when[BAN_TIME_BYTES];
    if (!desk->keeps)
        return;
    ban_time_text(desk->unix_time(), when);
    snprintf(text, sizeof text - 1, "%s %s %s: %.600s -> %.600s", when, who, done ? "done" : "refused", line, answer);
    size_t length = utf8_clean(text, text, strlen(text));
    text[length++] = '\n';
    bool kept = append(desk->audit_path, text, length);
    if (!kept && !desk->audit_failed)
        log_write(desk->log, LOG_ERROR, "the audit log %s cannot be written: %s", desk->audit_path, strerror(errno));
    desk->audit_failed = !kept;
}

bool admin_state_record_folder(const struct admin_state *desk, char path[ADMIN_STATE_PATH_BYTES])
{
    if (strcmp(desk->settings->record, "off") == 0)
        return desk->keeps && admin_state_find(desk, "replays", path);
    snprintf(path, ADMIN_STATE_PATH_BYTES, "%s", desk->settings->record);
    return true;
}

void admin_state_limit(struct admin_state *desk)
{
    const struct rules rules = rotation_rules(desk->settings, (enum mode)desk->match->world.rules.mode, 0);
    const struct command command = {.kind = COMMAND_RULES,
                                    .score_limit = rules.score_limit,
                                    .time_limit_ticks = rules.time_limit_ticks,
                                    .friendly_fire = rules.friendly_fire};
    if (!match_enqueue_command(desk->match, &command))
        log_write(desk->log, LOG_ERROR, "too many orders at once: the limits of this match stay");
}

static void put_to_work(struct admin_state *desk, const char *password)
{
    const struct settings *settings = desk->settings;
    desk->log->level = settings->log_level;
    desk->log->format = settings->log_format;
    if (!desk->match)
        return;
    desk->match->bots = (uint32_t)settings->bots;
    desk->match->bot_skill = (enum skill)settings->bot_skill;
    transport_password(desk->match->transport, password);
    admin_state_limit(desk);
}

// What the settings name outside of themselves is looked at before anything changes.
static const char *adopt(struct admin_state *desk, const struct settings *fresh,
                         char sentence[ADMIN_STATE_SENTENCE_BYTES])
{
    char password[PASSWORD_TEXT_BYTES];
    struct error error;
    bool lists = desk->rotation && desk->match &&
                 memcmp(&fresh->rotation, &desk->settings->rotation, sizeof fresh->rotation) != 0;
    if (!password_file_read(fresh->password_file, password, &error) ||
        (lists && rotation_fault(desk->rotation, &fresh->rotation, (enum mode)desk->match->world.rules.mode, &error))) {
        snprintf(sentence, ADMIN_STATE_SENTENCE_BYTES, "%s", error.text);
        return sentence;
    }
    settings_adopt(desk->settings, fresh, sentence, ADMIN_STATE_SENTENCE_BYTES);
    put_to_work(desk, password);
    if (lists)
        rotation_relist(desk->rotation, desk->match);
    return NULL;
}

bool admin_state_set(struct admin_state *desk, const char *key, const char *value,
                     char sentence[ADMIN_STATE_SENTENCE_BYTES])
{
    struct settings fresh = *desk->settings;
    const struct options_result nothing_given = {0};
    int code;
    struct error error;
    bool set = settings_set(&fresh, key, value, &error);
    const char *fault = set ? settings_fault(&fresh, &nothing_given, &code) : error.text;
    if (!fault)
        return adopt(desk, &fresh, sentence) == NULL;
    snprintf(sentence, ADMIN_STATE_SENTENCE_BYTES, "%s", fault);
    return false;
}

bool admin_state_reload(struct admin_state *desk, char sentence[ADMIN_STATE_SENTENCE_BYTES])
{
    struct settings fresh = {0};
    struct options_result read;
    char outcome[ADMIN_STATE_SENTENCE_BYTES];
    int code;
    const char *fault =
        options_read(&SERVER_PROGRAM, &fresh, desk->argc, desk->argv, getenv, stderr, &read) == OPTIONS_RUN
            ? settings_fault(&fresh, &read, &code)
            : read.error.text;
    if (!fault)
        fault = adopt(desk, &fresh, outcome);
    snprintf(sentence, ADMIN_STATE_SENTENCE_BYTES, "%s%.600s", fault ? "nothing changed: " : "",
             fault ? fault : outcome);
    return fault == NULL;
}
