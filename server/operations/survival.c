// SPDX-License-Identifier: MIT
#include "survival.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "match/match.h"
#include "options/state_dir.h"

#define PATH_BYTES (2 * OPTION_TEXT_BYTES)

static bool find(const struct settings *settings, char path[PATH_BYTES])
{
    return settings->resume == RESUME_AUTO &&
           state_dir_file(settings->state_dir, getenv, "journal.dfr", path, PATH_BYTES);
}

static void put_aside(const struct log *log, const char *path, const char *why)
{
    char aside[PATH_BYTES + 16];
    snprintf(aside, sizeof aside, "%s.aside", path);
    if (rename(path, aside) == 0)
        log_write(log, LOG_WARNING, "%s; a new match begins, the old one is kept as %s", why, aside);
    else
        log_write(log, LOG_WARNING, "%s; a new match begins", why);
}

bool survival_recall(const struct settings *settings, const struct map *map, const struct log *log,
                     struct journal_end *end)
{
    char path[PATH_BYTES], sentence[700];
    if (!find(settings, path))
        return false;
    switch (journal_read(path, end, sentence, sizeof sentence)) {
    case JOURNAL_NONE:
        break;
    case JOURNAL_FAULTY:
        put_aside(log, path, sentence);
        break;
    case JOURNAL_READ:
        if (end->world.rules.mode == settings->mode && map_hash(&end->map) == map_hash(map))
            return true;
        put_aside(log, path, "the last match was of another map or mode");
        break;
    }
    return false;
}

void survival_begin(const struct settings *settings, struct match *match, const struct log *log)
{
    char path[PATH_BYTES], sentence[1200];
    if (!find(settings, path))
        return;
    match->journal = journal_begin(path, &match->map, &match->world, sentence, sizeof sentence);
    if (!match->journal)
        log_write(log, LOG_WARNING, "the match will not survive this server: %s", sentence);
}

void survival_end(const struct settings *settings, struct match *match, const struct log *log, bool keep)
{
    char path[PATH_BYTES], sentence[900];
    struct recorder *journal = match->journal;
    match->journal = NULL;
    if (!recorder_close(journal, sentence, sizeof sentence))
        log_write(log, LOG_ERROR, "%s", sentence);
    if (journal && !keep && find(settings, path))
        unlink(path);
}
