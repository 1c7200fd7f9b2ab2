// SPDX-License-Identifier: MIT
#include "log.h"

#include <stdarg.h>
#include <stdbool.h>

#include "clock.h"
#include "utf8.h"

#define LINE_BYTES 1001

const char *const LOG_LEVEL_NAMES[] = {"error", "warning", "info", "debug", NULL};
const char *const LOG_FORMAT_NAMES[] = {"text", "json", NULL};

static void write_json(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void time_text(const struct log *log, char *text, size_t text_bytes)
{
    int64_t now = log->unix_time ? log->unix_time() : 0;
    text[0] = '\0';
    if (now)
        clock_date_utc(now, "%Y-%m-%dT%H:%M:%SZ", text, text_bytes);
}

void log_write(const struct log *log, enum log_level level, const char *format, ...)
{
    if (!log || !log->out || level > log->level)
        return;
    char words[LINE_BYTES], line[LINE_BYTES], when[32];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    utf8_escape(line, sizeof line, words);
    time_text(log, when, sizeof when);
    if (log->format == LOG_JSON) {
        fprintf(log->out, "{\"time\":\"%s\",\"level\":\"%s\",\"message\":\"", when, LOG_LEVEL_NAMES[level]);
        write_json(log->out, line);
        fputs("\"}\n", log->out);
    } else {
        fprintf(log->out, "%s%s%s: %s\n", when, *when ? " " : "", LOG_LEVEL_NAMES[level], line);
    }
    fflush(log->out);
}
