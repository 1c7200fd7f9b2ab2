// SPDX-License-Identifier: MIT
#include "fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

#define TEXT_BYTES   1001 // of a value, escaped
#define NUMBER_BYTES 24

// Finds the field that is named up to a '}'.
static const struct field *find(const struct fields *fields, const char *name)
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

size_t fields_text(const struct fields *fields, char *text, size_t text_bytes)
{
    char number[NUMBER_BYTES];
    size_t used = 0;
    for (const char *at = fields->line; *at; at++) {
        const struct field *field = *at == '{' ? find(fields, at + 1) : NULL;
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

size_t fields_quote(const char *text, char *json, size_t json_bytes)
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

size_t fields_json(const struct fields *fields, char *json, size_t json_bytes)
{
    char number[NUMBER_BYTES], quoted[2 * TEXT_BYTES + 4];
    size_t used = 0;
    json[0] = '\0';
    for (size_t i = 0; i < FIELD_CAPACITY && fields->of[i].name; i++) {
        const struct field *field = &fields->of[i];
        const char *value = text_of(field, number);
        if (field->text) {
            fields_quote(value, quoted, sizeof quoted);
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
