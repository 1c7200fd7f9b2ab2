// SPDX-License-Identifier: MIT
#include "drain_handover.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "options/state_dir.h"

#define PATH_BYTES (2 * OPTION_TEXT_BYTES)
#define LINE_BYTES 24

static bool find(const struct settings *settings, char path[PATH_BYTES])
{
    return settings->resume == RESUME_AUTO && state_dir_file(settings->state_dir, getenv, "drain", path, PATH_BYTES);
}

void drain_handover_leave(const struct settings *settings, const struct match *match, int64_t now)
{
    char path[PATH_BYTES], line[LINE_BYTES];
    uint64_t left_ms = drain_left_ms(match);
    if (left_ms == DRAIN_NONE || !find(settings, path))
        return;
    int length = snprintf(line, sizeof line, "%" PRId64 "\n", now + (int64_t)(left_ms + 999) / 1000);
    if (!file_write(path, line, (size_t)length))
        log_write(match->log, LOG_WARNING, "the next server does not drain: cannot write %s: %s", path,
                  strerror(errno));
}

// A time that has passed or makes no sense is an end at once.
uint64_t drain_handover_take(const struct settings *settings, int64_t now)
{
    char path[PATH_BYTES], line[LINE_BYTES];
    size_t length;
    if (!find(settings, path) || !file_read_regular(path, line, sizeof line - 1, &length))
        return DRAIN_NONE;
    unlink(path);
    line[length] = '\0';
    int64_t left_s = strtoll(line, NULL, 10) - now;
    return left_s > 0 && left_s <= DRAIN_MS_MAX / 1000 ? (uint64_t)left_s * 1000 : 0;
}
