// SPDX-License-Identifier: MIT
#include "crash_recovery.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"
#include "game/rules/mode.h"
#include "match/match.h"

#define PATH_BYTES (2 * OPTION_TEXT_BYTES)
#define LINE_BYTES (OPTION_TEXT_BYTES + 40)

static bool find(const struct settings *settings, char path[PATH_BYTES])
{
    return settings->resume == RESUME_AUTO &&
           file_in_state_dir(settings->state_dir, getenv, "journal.dfr", path, PATH_BYTES);
}

// The map and mode that the operator configured. A match is restored only under the same; all else may have changed.
static void expected_line(const struct settings *settings, char line[LINE_BYTES])
{
    snprintf(line, LINE_BYTES, "map=%s mode=%s", settings->map, MODE_NAMES[settings->mode]);
}

static bool find_line(const struct settings *settings, char path[PATH_BYTES])
{
    return file_in_state_dir(settings->state_dir, getenv, "journal.for", path, PATH_BYTES);
}

static bool is_expected(const struct settings *settings)
{
    char path[PATH_BYTES], expected[LINE_BYTES], found[LINE_BYTES];
    size_t length;
    expected_line(settings, expected);
    return find_line(settings, path) && file_read(path, found, sizeof found, &length) && length == strlen(expected) &&
           memcmp(found, expected, length) == 0;
}

static void put_aside(const struct log *log, const char *path, const char *why)
{
    char aside[PATH_BYTES + 16];
    snprintf(aside, sizeof aside, "%s.aside", path);
    if (disk_move(path, aside))
        log_write(log, LOG_WARNING, "%s; a new match begins, the old one is kept as %s", why, aside);
    else
        log_write(log, LOG_WARNING, "%s; a new match begins", why);
}

bool crash_recovery_find(const struct settings *settings, const struct log *log, struct journal_end *end)
{
    struct error error;
    char path[PATH_BYTES];
    if (!find(settings, path))
        return false;
    switch (journal_read(path, end, &error)) {
    case JOURNAL_NONE:
        break;
    case JOURNAL_FAULTY:
        put_aside(log, path, error.text);
        break;
    case JOURNAL_READ:
        if (is_expected(settings))
            return true;
        put_aside(log, path, "the last server had another map or mode");
        break;
    }
    return false;
}

static void warn(const struct log *log, const char *why)
{
    log_write(log, LOG_WARNING, "the match cannot be restored after a crash: %s", why);
}

void crash_recovery_follow(const struct settings *settings, struct match *match, struct recorder *journal,
                           const struct log *log)
{
    char path[PATH_BYTES];
    if (!find(settings, path))
        return;
    if (!recorder_begin_at(journal, path, &match->map, &match->world)) {
        warn(log, "too many matches wait for the disk");
        return;
    }
    match->journal = journal;
    recorder_dice(journal, &match->dice, true);
    journal_write_seats(match); // a restored match has some before its first tick, and may not reach that
}

void crash_recovery_begin(const struct settings *settings, struct match *match, struct recorder *journal,
                          const struct log *log)
{
    struct error error;
    char path[PATH_BYTES], line[LINE_BYTES];
    if (!find(settings, path))
        return;
    // written and synced before the journal: a journal without this line counts as another server's
    if (!is_expected(settings) && find_line(settings, path)) {
        expected_line(settings, line);
        if (!file_write(path, line, strlen(line)))
            log_write(log, LOG_WARNING, "the match cannot be restored after a crash: cannot write %s: %s", path,
                      strerror(errno));
    }
    crash_recovery_follow(settings, match, journal, log);
    if (match->journal && !recorder_wait(journal, &error)) {
        match->journal = NULL;
        warn(log, error.text);
    }
}

void crash_recovery_end(const struct settings *settings, struct match *match, const struct log *log, bool keep)
{
    struct error error;
    char path[PATH_BYTES];
    struct recorder *journal = match->journal;
    match->journal = NULL;
    if (!recorder_finish(journal, &error))
        log_write(log, LOG_ERROR, "%s", error.text);
    if (journal && !keep && find(settings, path))
        disk_remove(path);
}
