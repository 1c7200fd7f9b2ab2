// SPDX-License-Identifier: MIT
#include "admin_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lifecycle/rotation.h"
#include "lifecycle/state_lock.h"
#include "match/match.h"
#include "options/password_file.h"
#include "options/state_dir.h"

bool admin_state_find(const struct admin_state *admin, const char *file, char path[ADMIN_STATE_PATH_BYTES])
{
    return state_dir_file(admin->settings->state_dir, getenv, file, path, ADMIN_STATE_PATH_BYTES);
}

static int take_state(struct admin_state *admin)
{
    struct error error;
    char path[ADMIN_STATE_PATH_BYTES];
    if (admin->settings->resume == RESUME_NEVER)
        return EXIT_OK;
    if (!admin_state_find(admin, "lock", path)) {
        log_write(admin->log, LOG_ERROR, "there is no folder for the server's state: set --state-dir or HOME");
        return EXIT_IO;
    }
    if (!state_lock_take(path, &error)) {
        log_write(admin->log, LOG_ERROR, "%s", error.text);
        return EXIT_UNAVAILABLE;
    }
    admin->audit.log = admin->log;
    admin->keeps = admin_state_find(admin, "audit.log", admin->audit.path);
    return EXIT_OK;
}

// The whole file is kept under another name, so that its owner can correct it, and the valid bans replace it.
static void replace_bans(struct admin_state *admin, const char *fault)
{
    char aside[ADMIN_STATE_PATH_BYTES + 16];
    snprintf(aside, sizeof aside, "%s.aside", admin->bans_path);
    if (!admin->keeps)
        log_write(admin->log, LOG_ERROR, "%s; the other %u bans are in force", fault, admin->bans.count);
    else if (rename(admin->bans_path, aside) == 0 && ban_list_write(&admin->bans, admin->bans_path, admin->unix_time()))
        log_write(admin->log, LOG_ERROR, "%s; the other %u bans are in force; the file is kept as %s", fault,
                  admin->bans.count, aside);
    else
        log_write(admin->log, LOG_ERROR, "%s; the file cannot be replaced: %s", fault, strerror(errno));
}

int admin_state_open(struct admin_state *admin)
{
    struct error error;
    admin->read = *admin->settings;
    int code = take_state(admin);
    if (code != EXIT_OK || !admin_state_find(admin, "bans", admin->bans_path))
        return code;
    switch (ban_list_read(&admin->bans, admin->bans_path, admin->unix_time(), &error)) {
    case BAN_LIST_READ:
        break;
    case BAN_LIST_FAULTY:
        replace_bans(admin, error.text);
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
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(client->identity, fingerprint);
    for (uint32_t i = 0; i < admin->settings->admin_keys.count; i++)
        if (strcmp(admin->settings->admin_keys.values[i], fingerprint) == 0)
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

bool admin_state_save_bans(struct admin_state *admin, char answer[ADMIN_STATE_ANSWER_BYTES])
{
    const char *why;
    if (!admin->keeps)
        why = "it was started with --resume never and keeps nothing";
    else if (!admin->bans_path[0])
        why = "the file of bans could not be read, so it is not overwritten";
    else if (ban_list_write(&admin->bans, admin->bans_path, admin->unix_time()))
        return true;
    else
        why = strerror(errno);
    snprintf(answer, ADMIN_STATE_ANSWER_BYTES, "That lasts only until this server ends: %s.", why);
    return false;
}

void admin_state_audit(struct admin_state *admin, const char *who, const char *line, bool done, const char *answer)
{
    char text[AUDIT_LOG_LINE_BYTES], when[BAN_TIME_BYTES];
    if (!admin->keeps)
        return;
    ban_time_text(admin->unix_time(), when);
    snprintf(text, sizeof text, "%s %s %s: %.600s -> %.600s", when, who, done ? "done" : "refused", line, answer);
    audit_log_write(&admin->audit, text);
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
    if (!match_enqueue_command(admin->match, &command))
        log_write(admin->log, LOG_ERROR, "too many commands at once: the limits of this match stay as they are");
}

static void apply_settings(struct admin_state *admin, const char *password)
{
    const struct settings *settings = admin->settings;
    admin->log->level = settings->log_level;
    admin->log->format = settings->log_format;
    if (!admin->match)
        return;
    admin->match->bots = (uint32_t)settings->bots;
    transport_password(admin->match->transport, password);
    struct household_rules households = settings_household_rules(settings);
    match_limit_households(admin->match, &households);
    admin_state_limit(admin);
}

// Checks the files and maps that the settings name before anything changes. False with an error.
static bool adopt(struct admin_state *admin, const struct settings *fresh, struct settings_changes *changes,
                  struct error *error)
{
    char password[PASSWORD_TEXT_BYTES];
    bool lists = admin->rotation && admin->match &&
                 memcmp(&fresh->rotation, &admin->settings->rotation, sizeof fresh->rotation) != 0;
    if (!password_file_read(fresh->password_file, password, error) ||
        (lists &&
         !rotation_validate(admin->rotation, &fresh->rotation, (enum mode)admin->match->world.rules.mode, error)))
        return false;
    settings_adopt(admin->settings, fresh, changes);
    admin->changes++;
    apply_settings(admin, password);
    if (lists)
        rotation_relist(admin->rotation, admin->match);
    return true;
}

bool admin_state_set(struct admin_state *admin, const char *key, const char *value,
                     char answer[ADMIN_STATE_ANSWER_BYTES])
{
    struct settings fresh = *admin->settings;
    struct options_result nothing_given = {0};
    struct settings_changes changes = {0};
    struct error error;
    if (settings_set(&fresh, key, value, &error) && settings_validate(&fresh, &nothing_given, &error) &&
        adopt(admin, &fresh, &changes, &error)) {
        settings_changes_text(&changes, answer, ADMIN_STATE_ANSWER_BYTES);
        return true;
    }
    snprintf(answer, ADMIN_STATE_ANSWER_BYTES, "%s", error.text);
    return false;
}

bool admin_state_reload(struct admin_state *admin, struct admin_state_reload *reload)
{
    struct settings read = {0};
    struct options_result result;
    bool good = options_read(&SERVER_PROGRAM, &read, admin->argc, admin->argv, getenv, stderr, &result) == OPTIONS_RUN;
    struct settings fresh = read;
    *reload = (struct admin_state_reload){0};
    settings_keep_set(admin->settings, &admin->read, &fresh, &reload->changes);
    if (good && settings_validate(&fresh, &result, &result.error) &&
        adopt(admin, &fresh, &reload->changes, &result.error)) {
        admin->read = read;
        settings_changes_text(&reload->changes, reload->answer, sizeof reload->answer);
        return true;
    }
    reload->changes = (struct settings_changes){0};
    snprintf(reload->answer, sizeof reload->answer, "nothing changed: %.600s", result.error.text);
    return false;
}

struct fields admin_state_reload_fields(const struct admin_state_reload *reload, const char *line)
{
    return (struct fields){"reload",
                           line,
                           {{"answer", .text = reload->answer},
                            {"changed", .text = reload->changes.changed},
                            {"needs_restart", .text = reload->changes.needs_restart},
                            {"kept", .text = reload->changes.kept},
                            {"overridden", .text = reload->changes.overridden}}};
}
