// SPDX-License-Identifier: MIT
#include "log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "platform/disk.h"
#include "utf8.h"

#define TEXT_BYTES   1001 // of a value, escaped
#define NUMBER_BYTES 24

// Finds the field that is named up to a '}'.
static const struct field *find_field(const struct fields *fields, const char *name)
{
    size_t length = strcspn(name, "}");
    for (size_t i = 0; i < FIELD_CAPACITY && fields->of[i].name; i++)
        if (strlen(fields->of[i].name) == length && memcmp(fields->of[i].name, name, length) == 0)
            return &fields->of[i];
    return NULL;
}

static const char *text_of(const struct field *field, char number[NUMBER_BYTES])
{
    if (field->text)
        return field->text;
    if (field->is_flag)
        return field->number ? "true" : "false";
    snprintf(number, NUMBER_BYTES, "%" PRId64, field->number);
    return number;
}

size_t log_fields_text(const struct fields *fields, char *text, size_t text_bytes)
{
    char number[NUMBER_BYTES];
    size_t used = 0;
    for (const char *at = fields->line; *at; at++) {
        const struct field *field = *at == '{' ? find_field(fields, at + 1) : NULL;
        const char *part = field ? text_of(field, number) : at;
        size_t length = field ? strlen(part) : 1, room = text_bytes - 1 - used;
        length = length < room ? length : room;
        memcpy(text + used, part, length);
        used += length;
        at += field ? strcspn(at, "}") : 0;
    }
    text[used] = '\0';
    return used;
}

size_t log_quote(const char *text, char *json, size_t json_bytes)
{
    char escaped[TEXT_BYTES];
    size_t used = 0;
    utf8_escape(escaped, sizeof escaped, text);
    json[used++] = '"';
    for (const char *at = escaped; *at; at++) {
        if (used + 4 > json_bytes) {
            json[0] = '\0';
            return 0;
        }
        if (*at == '"' || *at == '\\')
            json[used++] = '\\';
        json[used++] = *at;
    }
    json[used++] = '"';
    json[used] = '\0';
    return used;
}

size_t log_fields_json(const struct fields *fields, char *json, size_t json_bytes)
{
    char number[NUMBER_BYTES], quoted[2 * TEXT_BYTES + 4];
    size_t used = 0;
    json[0] = '\0';
    for (size_t i = 0; i < FIELD_CAPACITY && fields->of[i].name; i++) {
        const struct field *field = &fields->of[i];
        const char *value = text_of(field, number);
        if (field->text) {
            log_quote(value, quoted, sizeof quoted);
            value = quoted;
        }
        size_t length = (size_t)snprintf(json + used, json_bytes - used, ",\"%s\":%s", field->name, value);
        if (length >= json_bytes - used) {
            json[used] = '\0';
            break;
        }
        used += length;
    }
    return used;
}

#define LINE_BYTES 1001

const char *const LOG_LEVEL_NAMES[] = {"error", "warning", "info", "debug", NULL};
const char *const LOG_FORMAT_NAMES[] = {"text", "json", NULL};

static const int PRIORITIES[] = {3, 4, 6, 7}; // of syslog, by level

bool log_is_journal(FILE *out, const char *stream)
{
    struct disk_facts facts;
    char name[48];
    if (!stream || !disk_look_at(fileno(out), &facts))
        return false;
    snprintf(name, sizeof name, "%" PRIu64 ":%" PRIu64, facts.device, facts.inode);
    return strcmp(name, stream) == 0;
}

static bool leaves_out(const struct log *log, enum log_level level)
{
    return !log || !log->out || level > log->level;
}

// `fields` is null for a line without values.
static void write_line(const struct log *log, enum log_level level, const char *text, const struct fields *fields)
{
    char when[CLOCK_DATE_BYTES] = "", line[LINE_BYTES], quoted[2 * LINE_BYTES], members[4 * LINE_BYTES];
    int64_t now = log->unix_time ? log->unix_time() : 0;
    if (now)
        clock_date_utc(now, "%Y-%m-%dT%H:%M:%SZ", when, sizeof when);
    if (log->format == LOG_JSON) {
        log_quote(text, quoted, sizeof quoted);
        fprintf(log->out, "{\"time\":\"%s\",\"level\":\"%s\",\"message\":%s", when, LOG_LEVEL_NAMES[level], quoted);
        if (fields) {
            log_fields_json(fields, members, sizeof members);
            fprintf(log->out, ",\"event\":\"%s\"%s", fields->event, members);
        }
        fputs("}\n", log->out);
        fflush(log->out);
        return;
    }
    utf8_escape(line, sizeof line, text);
    if (log->to_journal)
        fprintf(log->out, "<%d>%s\n", PRIORITIES[level], line);
    else
        fprintf(log->out, "%s%s%s: %s\n", when, *when ? " " : "", LOG_LEVEL_NAMES[level], line);
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
    error_join_periods(text);
    write_line(log, level, text, NULL);
}

void log_event(const struct log *log, enum log_level level, const struct fields *fields)
{
    char text[LINE_BYTES];
    if (leaves_out(log, level))
        return;
    log_fields_text(fields, text, sizeof text);
    write_line(log, level, text, fields);
}
