// SPDX-License-Identifier: MIT
#include "option_change.h"

#include <stdio.h>
#include <string.h>

#include "lifecycle/rotation.h"
#include "match/match.h"

static struct option_change *change_of(struct option_changes *changes, uint64_t number)
{
    return &changes->rows[number % OPTION_CHANGE_CAPACITY];
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

static void adopt(struct admin_state *admin, struct option_change *change)
{
    struct settings_reader *reader = &admin->reader;
    bool lists = memcmp(&reader->fresh.rotation, &admin->settings->rotation, sizeof reader->fresh.rotation) != 0;
    change->changes = reader->changes;
    settings_adopt(admin->settings, &reader->fresh, &change->changes);
    admin->changes++;
    apply_settings(admin, reader->has_password ? reader->password : NULL);
    if (lists && admin->rotation && admin->match)
        rotation_relist(admin->rotation, admin->match);
    if (reader->again)
        admin->read = reader->read;
    settings_changes_text(&change->changes, change->answer, sizeof change->answer);
}

static void finish(struct admin_state *admin, struct option_change *change)
{
    const struct settings_reader *reader = &admin->reader;
    change->done = reader->good;
    if (change->done)
        adopt(admin, change);
    else
        snprintf(change->answer, sizeof change->answer, "%s%.600s", reader->again ? "nothing changed: " : "",
                 reader->error.text);
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
    while (changes->finished != changes->asked && settings_reader_is_done(&admin->reader)) {
        finish(admin, change_of(changes, ++changes->finished));
        const struct option_change *next = change_of(changes, changes->finished + 1);
        if (changes->finished != changes->asked)
            begin(admin, next->key[0] ? next->key : NULL, next->value);
    }
}

// Only a change that waits for another one needs the copies of its texts; a long value may be cut in them.
static uint64_t ask(struct admin_state *admin, const char *key, const char *value)
{
    struct option_changes *changes = &admin->option_changes;
    if (changes->asked - changes->finished == OPTION_CHANGE_CAPACITY)
        return 0;
    struct option_change *change = change_of(changes, ++changes->asked);
    *change = (struct option_change){0};
    snprintf(change->key, sizeof change->key, "%s", key ? key : "");
    snprintf(change->value, sizeof change->value, "%s", value);
    if (changes->asked == changes->finished + 1)
        begin(admin, key, value);
    uint64_t number = changes->asked;
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

bool option_change_is_open(const struct admin_state *admin)
{
    return admin->option_changes.finished != admin->option_changes.asked;
}

const struct option_change *option_change_outcome(const struct admin_state *admin, uint64_t number)
{
    static const struct option_change forgotten = {.answer = "many changes came after this one; see the settings"};
    const struct option_changes *changes = &admin->option_changes;
    if (number > changes->finished)
        return NULL;
    return changes->asked - number < OPTION_CHANGE_CAPACITY ? &changes->rows[number % OPTION_CHANGE_CAPACITY]
                                                            : &forgotten;
}

struct fields option_change_fields(const struct option_change *change)
{
    if (change->key[0])
        return (struct fields){
            "set",
            "{result}",
            {{"key", .text = change->key}, {"value", .text = change->value}, {"result", .text = change->answer}}};
    return (struct fields){"reload",
                           "{answer}",
                           {{"answer", .text = change->answer},
                            {"changed", .text = change->changes.changed},
                            {"needs_restart", .text = change->changes.needs_restart},
                            {"kept", .text = change->changes.kept},
                            {"overridden", .text = change->changes.overridden}}};
}
