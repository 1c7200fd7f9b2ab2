// SPDX-License-Identifier: MIT
#include "admin_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lifecycle/rotation.h"
#include "match/match.h"

static bool has_other_maps(const struct option_reader *reader)
{
    const struct option_list *maps = &reader->admin->settings->rotation;
    return reader->checks_maps && memcmp(&reader->fresh.rotation, maps, sizeof *maps) != 0;
}

// Reads what the change needs from the disk. `admin` does not change meanwhile.
static void run(struct worker_job *job)
{
    struct option_reader *reader = (struct option_reader *)job; // its first field
    const struct admin_state *admin = reader->admin;
    struct options_result result;
    reader->good = false;
    if (reader->again) {
        reader->read = (struct settings){0};
        bool runs = options_read(&SERVER_PROGRAM, &reader->read, admin->argc, admin->argv, getenv, stderr, &result) ==
                    OPTIONS_RUN;
        reader->fresh = reader->read;
        settings_keep_set(admin->settings, &admin->read, &reader->fresh, &reader->changes);
        if (!runs || !settings_validate(&reader->fresh, &result, &result.error)) {
            reader->error = result.error;
            return;
        }
    }
    reader->has_password = reader->again || strcmp(reader->fresh.password_file, admin->settings->password_file) != 0;
    reader->good = (!reader->has_password ||
                    option_read_password(reader->fresh.password_file, reader->password, &reader->error)) &&
                   (!has_other_maps(reader) ||
                    rotation_validate(&reader->fresh.rotation, reader->mode, &reader->map, &reader->error));
}

// Begins with a change: sets one option, or reads all again (null key). Only one that names files needs the disk.
static void begin(struct admin_state *admin, const char *key, const char *value)
{
    struct option_reader *reader = &admin->reader;
    struct options_result nothing_given = {0};
    reader->admin = admin;
    reader->checks_maps = admin->rotation && admin->match;
    if (reader->checks_maps)
        reader->mode = (enum mode)admin->match->world.rules.mode;
    reader->again = !key;
    reader->has_password = false;
    reader->changes = (struct settings_changes){0};
    if (key) {
        reader->fresh = *admin->settings;
        reader->good = settings_set(&reader->fresh, key, value, &reader->error) &&
                       settings_validate(&reader->fresh, &nothing_given, &reader->error);
        if (!reader->good ||
            (strcmp(reader->fresh.password_file, admin->settings->password_file) == 0 && !has_other_maps(reader)))
            return;
    }
    reader->job.run = run;
    worker_ask(reader->worker, &reader->job);
}

static struct option_change *change_of(struct option_changes *changes, uint64_t number)
{
    return &changes->rows[number % ANSWERS_CAPACITY];
}

static void adopt(struct admin_state *admin, struct settings_changes *changes)
{
    const struct option_reader *reader = &admin->reader;
    struct settings *settings = admin->settings;
    bool lists = memcmp(&reader->fresh.rotation, &settings->rotation, sizeof reader->fresh.rotation) != 0;
    *changes = reader->changes;
    settings_adopt(settings, &reader->fresh, changes);
    admin->changes++;
    admin->log->level = settings->log_level;
    admin->log->format = settings->log_format;
    if (admin->match) {
        struct household_rules households = settings_household_rules(settings);
        admin->match->bots = (uint32_t)settings->bots;
        if (reader->has_password)
            transport_password(admin->match->transport, reader->password);
        match_limit_households(admin->match, &households);
        admin_state_limit(admin);
        if (lists && admin->rotation)
            rotation_relist(admin->rotation, admin->match);
    }
    if (reader->again)
        admin->read = reader->read;
}

void option_change_update(struct admin_state *admin)
{
    const struct option_reader *reader = &admin->reader;
    struct answers *answers = &admin->option_changes.answers;
    while (answers_open(answers) > 0 && !worker_is_busy(reader->worker, &reader->job)) {
        struct option_change *change = change_of(&admin->option_changes, answers->answered + 1);
        char text[ERROR_TEXT_BYTES];
        if (reader->good) {
            adopt(admin, &change->changes);
            settings_changes_text(&change->changes, text, sizeof text);
        } else {
            snprintf(text, sizeof text, "%s%.600s", reader->again ? "nothing changed: " : "", reader->error.text);
        }
        answers_give(answers, answers->answered + 1, reader->good ? ANSWER_DONE : ANSWER_FAILED, text);
        const struct option_change *next = change_of(&admin->option_changes, answers->answered + 1);
        if (answers_open(answers) > 0)
            begin(admin, next->key[0] ? next->key : NULL, next->value);
    }
}

// Only a change that waits for another one needs the copies of its texts; a long value may be cut in them.
static uint64_t ask(struct admin_state *admin, const char *key, const char *value)
{
    struct option_changes *changes = &admin->option_changes;
    if (answers_open(&changes->answers) == ANSWERS_CAPACITY)
        return 0;
    uint64_t number = answers_ask(&changes->answers);
    struct option_change *change = change_of(changes, number);
    *change = (struct option_change){0};
    snprintf(change->key, sizeof change->key, "%s", key ? key : "");
    snprintf(change->value, sizeof change->value, "%s", value);
    if (answers_open(&changes->answers) == 1)
        begin(admin, key, value);
    option_change_update(admin);
    return number;
}

uint64_t option_change_set(struct admin_state *admin, const char *key, const char *value)
{
    return ask(admin, key, value);
}

uint64_t option_change_reload(struct admin_state *admin)
{
    return ask(admin, NULL, "");
}

enum answer_outcome option_change_outcome(const struct admin_state *admin, uint64_t number, struct fields *fields)
{
    const struct option_changes *changes = &admin->option_changes;
    const struct option_change *change = &changes->rows[number % ANSWERS_CAPACITY];
    const struct answer *answer = answers_look(&changes->answers, number);
    bool is_forgotten = answer->outcome == ANSWER_FORGOTTEN || changes->answers.asked - number >= ANSWERS_CAPACITY;
    if (answer->outcome == ANSWER_OPEN)
        return ANSWER_OPEN;
    if (is_forgotten)
        *fields = (struct fields){
            "reload", "{answer}", {{"answer", .text = "many changes came after this one; see the settings"}}};
    else if (change->key[0])
        *fields = (struct fields){
            "set",
            "{result}",
            {{"key", .text = change->key}, {"value", .text = change->value}, {"result", .text = answer->text}}};
    else
        *fields = (struct fields){"reload",
                                  "{answer}",
                                  {{"answer", .text = answer->text},
                                   {"changed", .text = change->changes.changed},
                                   {"needs_restart", .text = change->changes.needs_restart},
                                   {"kept", .text = change->changes.kept},
                                   {"overridden", .text = change->changes.overridden}}};
    return is_forgotten ? ANSWER_FORGOTTEN : answer->outcome;
}
