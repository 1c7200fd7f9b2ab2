// SPDX-License-Identifier: MIT
#include "profile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/platform/disk.h"
#include "window/window.h"

static void find_paths(struct profile_paths *paths, const struct settings *settings)
{
    const struct {
        const char *name;
        char *path;
    } files[] = {
        {"settings", paths->preferences}, {"statistics", paths->statistics}, {"server-records", paths->records},
        {"clips", paths->clips},          {"replays", paths->replays},       {"trials", paths->trials},
        {"lists", paths->lists},          {"replay-cards", paths->cards}};
    const char *folder = settings->state_dir;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (folder[0])
            snprintf(files[i].path, PROFILE_PATH_BYTES, "%s/%s", folder, files[i].name);
        else
            window_pref_path("deadfall", files[i].name, files[i].path, PROFILE_PATH_BYTES);
    if (settings->frames && !folder[0])
        paths->statistics[0] = paths->records[0] = 0; // a run for pictures is no match of the player
    if (folder[0])
        disk_make_folder(folder, DISK_OWNER_FOLDER);
    if (paths->replays[0] && !disk_make_folder(paths->replays, DISK_OWNER_FOLDER) && errno != EEXIST)
        paths->replays[0] = 0;
}

static void override(struct preferences *preferences, const struct settings *settings)
{
    if (settings->map[0])
        memcpy(preferences->map, settings->map, sizeof preferences->map);
    if (settings->name_is_given || !preferences->name[0])
        memcpy(preferences->name, settings->name, sizeof preferences->name);
    if (settings->bots >= 0)
        preferences->bots = settings->bots;
    if (settings->colour >= 0)
        preferences->colour = settings->colour;
    if (settings->hat)
        preferences->hats[0] = settings->hat - 1;
    if (settings->view)
        preferences->view = settings->view - 1;
    if (settings->language)
        preferences->language = settings->language - 1;
    if (settings->vsync)
        preferences->window.vsync = settings->vsync - 1;
    if (settings->frame_limit)
        preferences->frame_limit = settings->frame_limit - 1;
    if (settings->display >= 0)
        preferences->window.screen = settings->display;
    if (settings->fullscreen || settings->windowed)
        preferences->window.fullscreen = settings->fullscreen;
}

void profile_read(struct profile *profile, const struct settings *settings, const struct log *log,
                  char preferences_fault[ERROR_TEXT_BYTES], char statistics_fault[ERROR_TEXT_BYTES])
{
    struct error error;
    preferences_fault[0] = statistics_fault[0] = 0;
    find_paths(&profile->paths, settings);
    if (!preferences_read(&profile->preferences, profile->paths.preferences, &error)) {
        log_write(log, LOG_WARNING, "%s", error.text);
        memcpy(preferences_fault, error.text, ERROR_TEXT_BYTES);
    }
    override(&profile->preferences, settings);
    if (!statistics_read(&profile->statistics, profile->paths.statistics, &error)) {
        log_write(log, LOG_WARNING, "%s", error.text);
        memcpy(statistics_fault, error.text, ERROR_TEXT_BYTES);
        profile->paths.statistics[0] = 0; // and leave the file alone
    }
    server_records_read(&profile->records, profile->paths.records);
}

static void copy_match_choices(struct preferences *to, const struct preferences *from)
{
    memcpy(to->map, from->map, sizeof to->map);
    to->mode = from->mode;
    to->bots = from->bots;
    to->bot_skill = from->bot_skill;
    to->variants = from->variants;
}

void profile_begin_change(struct profile *profile)
{
    copy_match_choices(&profile->chosen, &profile->preferences);
    profile->changes_match = true;
}

void profile_cancel_change(struct profile *profile)
{
    if (profile->changes_match)
        copy_match_choices(&profile->preferences, &profile->chosen);
    profile->changes_match = false;
}

void profile_save_preferences(struct profile *profile, const struct log *log)
{
    struct error error;
    struct preferences kept = profile->preferences;
    if (profile->changes_match)
        copy_match_choices(&kept, &profile->chosen);
    if (profile->unsaved && !preferences_write(&kept, profile->paths.preferences, &error))
        log_write(log, LOG_WARNING, "%s", error.text);
    profile->unsaved = false;
}

void profile_save_statistics(struct profile *profile, const struct log *log)
{
    struct error error;
    if (profile->statistics_unsaved && !statistics_write(&profile->statistics, profile->paths.statistics, &error))
        log_write(log, LOG_WARNING, "%s", error.text);
    profile->statistics_unsaved = false;
    if (profile->records.changed && !server_records_write(&profile->records, profile->paths.records))
        log_write(log, LOG_WARNING, "%s: %s", profile->paths.records, strerror(errno));
}
