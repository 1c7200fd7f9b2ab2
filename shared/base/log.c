// SPDX-License-Identifier: MIT
#include "log.h"

#include <stdarg.h>
#include <stdbool.h>

#include "clock.h"

#define LINE_BYTES 1001

const char *const LOG_LEVEL_NAMES[] = {"error", "warning", "info", "debug", NULL};
const char *const LOG_FORMAT_NAMES[] = {"text", "json", NULL};

static void write_escaped(FILE *out, const char *text, bool json)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7F)
            fprintf(out, json ? "\\u%04x" : "\\x%02x", c);
        else if (json && (c == '"' || c == '\\'))
            fprintf(out, "\\%c", c);
        else
            fputc(c, out);
    }
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
    char line[LINE_BYTES], when[32];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    time_text(log, when, sizeof when);
    if (log->format == LOG_JSON) {
        fprintf(log->out, "{\"time\":\"%s\",\"level\":\"%s\",\"message\":\"", when, LOG_LEVEL_NAMES[level]);
        write_escaped(log->out, line, true);
        fputs("\"}\n", log->out);
    } else {
        fprintf(log->out, "%s%s%s: ", when, *when ? " " : "", LOG_LEVEL_NAMES[level]);
        write_escaped(log->out, line, false);
        fputc('\n', log->out);
    }
    fflush(log->out);
}
