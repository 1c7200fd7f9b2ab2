// SPDX-License-Identifier: MIT
#include "option_change.h"

#include <stdio.h>
#include <string.h>

#include "lifecycle/rotation.h"
#include "match/match.h"

static struct option_change *change_of(struct option_changes *changes, uint64_t number)
{
    return &changes->rows[number % ANSWERS_CAPACITY];
}

static void apply_settings(struct admin_state *admin, const char *password)
{
    const struct settings *settings = admin->settings;
    admin->log->level = settings->log_level;
    admin->log->format = settings->log_format;
    if (!admin->match)
        return;
    admin->match->bots = (uint32_t)settings->bots;
    if (password)
        transport_password(admin->match->transport, password);
    struct household_rules households = settings_household_rules(settings);
    match_limit_households(admin->match, &households);
    admin_state_limit(admin);
}

static void adopt(struct admin_state *admin, struct settings_changes *changes)
{
    struct settings_reader *reader = &admin->reader;
    bool lists = memcmp(&reader->fresh.rotation, &admin->settings->rotation, sizeof reader->fresh.rotation) != 0;
    *changes = reader->changes;
    settings_adopt(admin->settings, &reader->fresh, changes);
    admin->changes++;
    apply_settings(admin, reader->has_password ? reader->password : NULL);
    if (lists && admin->rotation && admin->match)
        rotation_relist(admin->rotation, admin->match);
    if (reader->again)
        admin->read = reader->read;
}

static void finish(struct admin_state *admin)
{
    const struct settings_reader *reader = &admin->reader;
    struct answers *answers = &admin->option_changes.answers;
    struct option_change *change = change_of(&admin->option_changes, answers->answered + 1);
    char text[ERROR_TEXT_BYTES];
    if (reader->good) {
        adopt(admin, &change->changes);
        settings_changes_text(&change->changes, text, sizeof text);
    } else {
        snprintf(text, sizeof text, "%s%.600s", reader->again ? "nothing changed: " : "", reader->error.text);
    }
    answers_give(answers, answers->answered + 1, reader->good ? ANSWER_DONE : ANSWER_FAILED, text);
}

static void begin(struct admin_state *admin, const char *key, const char *value)
{
    struct settings_reader *reader = &admin->reader;
    reader->settings = admin->settings;
    reader->before = &admin->read;
    reader->argc = admin->argc;
    reader->argv = admin->argv;
    reader->checks_maps = admin->rotation && admin->match;
    reader->mode = admin->match ? (enum mode)admin->match->world.rules.mode : MODE_FFA;
    settings_reader_begin(reader, key, value);
}

void option_change_update(struct admin_state *admin)
{
    struct option_changes *changes = &admin->option_changes;
    while (answers_open(&changes->answers) > 0 && settings_reader_is_done(&admin->reader)) {
        finish(admin);
        const struct option_change *next = change_of(changes, changes->answers.answered + 1);
        if (answers_open(&changes->answers) > 0)
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
