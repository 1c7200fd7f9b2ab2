// SPDX-License-Identifier: MIT
#include "settings_reader.h"

#include <stdlib.h>
#include <string.h>

#include "rotation.h"

static bool read_options(struct settings_reader *reader)
{
    struct options_result result;
    reader->read = (struct settings){0};
    bool good = options_read(&SERVER_PROGRAM, &reader->read, reader->argc, reader->argv, getenv, stderr, &result) ==
                OPTIONS_RUN;
    reader->fresh = reader->read;
    settings_keep_set(reader->settings, reader->before, &reader->fresh, &reader->changes);
    good = good && settings_validate(&reader->fresh, &result, &result.error);
    if (!good)
        reader->error = result.error;
    return good;
}

static bool needs_password(const struct settings_reader *reader)
{
    return reader->again || strcmp(reader->fresh.password_file, reader->settings->password_file) != 0;
}

static bool needs_maps(const struct settings_reader *reader)
{
    return reader->checks_maps &&
           memcmp(&reader->fresh.rotation, &reader->settings->rotation, sizeof reader->fresh.rotation) != 0;
}

static bool check_files(struct settings_reader *reader)
{
    reader->has_password = needs_password(reader);
    return (!reader->has_password ||
            option_read_password(reader->fresh.password_file, reader->password, &reader->error)) &&
           (!needs_maps(reader) ||
            rotation_validate(&reader->fresh.rotation, reader->mode, &reader->map, &reader->error));
}

static void run(struct worker_job *job)
{
    struct settings_reader *reader = (struct settings_reader *)job; // its first field
    reader->good = (!reader->again || read_options(reader)) && check_files(reader);
}

static bool set_one(struct settings_reader *reader, const char *key, const char *value)
{
    struct options_result nothing_given = {0};
    reader->fresh = *reader->settings;
    return settings_set(&reader->fresh, key, value, &reader->error) &&
           settings_validate(&reader->fresh, &nothing_given, &reader->error);
}

void settings_reader_begin(struct settings_reader *reader, const char *key, const char *value)
{
    reader->again = !key;
    reader->has_password = false;
    reader->changes = (struct settings_changes){0};
    reader->good = !key || set_one(reader, key, value);
    if (!reader->good || (key && !needs_password(reader) && !needs_maps(reader)))
        return;
    reader->job.run = run;
    if (reader->worker)
        worker_ask(reader->worker, &reader->job);
    else
        run(&reader->job);
}

bool settings_reader_is_done(const struct settings_reader *reader)
{
    return !reader->worker || !worker_is_busy(reader->worker, &reader->job);
}
