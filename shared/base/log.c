// SPDX-License-Identifier: MIT
#include "log.h"

#include <stdarg.h>
#include <stdbool.h>

#include "clock.h"
#include "utf8.h"

#define LINE_BYTES 1001

const char *const LOG_LEVEL_NAMES[] = {"error", "warning", "info", "debug", NULL};
const char *const LOG_FORMAT_NAMES[] = {"text", "json", NULL};

static void time_text(const struct log *log, char *text, size_t text_bytes)
{
    int64_t now = log->unix_time ? log->unix_time() : 0;
    text[0] = '\0';
    if (now)
        clock_date_utc(now, "%Y-%m-%dT%H:%M:%SZ", text, text_bytes);
}

static bool leaves_out(const struct log *log, enum log_level level)
{
    return !log || !log->out || level > log->level;
}

// `fields` is null for a line without values.
static void write_json(const struct log *log, const char *text, const struct fields *fields)
{
    char quoted[2 * LINE_BYTES], members[4 * LINE_BYTES];
    fields_quote(text, quoted, sizeof quoted);
    fprintf(log->out, "\"message\":%s", quoted);
    if (!fields)
        return;
    fields_json(fields, members, sizeof members);
    fprintf(log->out, ",\"event\":\"%s\"%s", fields->event, members);
}

static void write_line(const struct log *log, enum log_level level, const char *text, const struct fields *fields)
{
    char when[32], line[LINE_BYTES];
    time_text(log, when, sizeof when);
    if (log->format == LOG_JSON) {
        fprintf(log->out, "{\"time\":\"%s\",\"level\":\"%s\",", when, LOG_LEVEL_NAMES[level]);
        write_json(log, text, fields);
        fputs("}\n", log->out);
    } else {
        utf8_escape(line, sizeof line, text);
        fprintf(log->out, "%s%s%s: %s\n", when, *when ? " " : "", LOG_LEVEL_NAMES[level], line);
    }
    fflush(log->out);
}

void log_write(const struct log *log, enum log_level level, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list arguments;
    if (leaves_out(log, level))
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_line(log, level, text, NULL);
}

void log_event(const struct log *log, enum log_level level, const struct fields *fields)
{
    char text[LINE_BYTES];
    if (leaves_out(log, level))
        return;
    fields_text(fields, text, sizeof text);
    write_line(log, level, text, fields);
}
