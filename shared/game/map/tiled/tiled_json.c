// SPDX-License-Identifier: MIT
#include "tiled_json.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

bool tiled_fail(struct tiled_reader *reader, enum tiled_fault fault, const char *format, ...)
{
    char what[ERROR_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    error_set_code(reader->error, (int)fault, "%.200s: %s%s%.500s", reader->path, reader->where,
                   reader->where[0] ? ": " : "", what);
    return false;
}

void tiled_at(struct tiled_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->where, sizeof reader->where, format, arguments);
    va_end(arguments);
}

char *tiled_load(struct tiled_reader *reader, size_t *bytes)
{
    char *text = malloc(TILED_FILE_BYTES_MAX);
    if (text && file_read_regular(reader->path, text, TILED_FILE_BYTES_MAX, bytes))
        return text;
    if (errno == EFBIG)
        tiled_fail(reader, TILED_LIMIT, "the file is larger than %d bytes; remove some of it", TILED_FILE_BYTES_MAX);
    else if (errno == EINVAL)
        tiled_fail(reader, TILED_FILE, "is not a regular file");
    else
        tiled_fail(reader, TILED_FILE, "cannot be read: %s", strerror(errno));
    free(text);
    return NULL;
}

bool tiled_parse(struct tiled_reader *reader, const char *text, size_t bytes, json_t **root)
{
    json_error_t error;
    *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    if (!*root) {
        tiled_at(reader, "line %d, column %d", error.line, error.column);
        return tiled_fail(reader, TILED_SYNTAX, "not JSON as Tiled saves it (%s); save as \"JSON map files\" again",
                          error.text);
    }
    if (!json_is_object(*root)) {
        json_decref(*root);
        return tiled_fail(reader, TILED_VALUE, "is not a JSON object; save it from Tiled as \"JSON map files\"");
    }
    return true;
}

bool tiled_number(struct tiled_reader *reader, const json_t *json, const char *name, int32_t least, int32_t most,
                  int32_t *value)
{
    // Tiled keeps lengths as floating point and may write a whole number with a point or an exponent.
    double real = json_real_value(json);
    bool is_short = json_is_real(json) && real >= -1e9 && real <= 1e9;
    json_int_t whole = is_short ? (json_int_t)real : json_integer_value(json);
    bool is_whole = json_is_integer(json) || (is_short && (double)whole == real);
    if (is_whole && whole >= least && whole <= most) {
        *value = (int32_t)whole;
        return true;
    }
    char *found = json_dumps(json, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    if (least == most)
        tiled_fail(reader, TILED_VALUE, "%s is %.40s; it must be %d", name, found ? found : "missing", least);
    else
        tiled_fail(reader, TILED_VALUE, "%s is %.40s; give %s%d to %d", name, found ? found : "missing",
                   is_whole ? "" : "a whole number, ", least, most);
    free(found);
    return false;
}

bool tiled_int(struct tiled_reader *reader, const json_t *object, const char *key, int32_t least, int32_t most,
               int32_t *value)
{
    return tiled_number(reader, json_object_get(object, key), key, least, most, value);
}

bool tiled_array(struct tiled_reader *reader, const json_t *object, const char *key, const json_t **array)
{
    *array = json_object_get(object, key);
    return !*array || json_is_array(*array) || tiled_fail(reader, TILED_VALUE, "%s is not a list", key);
}

const char *tiled_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

const char *tiled_type(const json_t *object)
{
    const char *type = tiled_text(object, "type");
    return type[0] ? type : tiled_text(object, "class");
}

// --- tables of properties

static const char *word_at(const struct tiled_field *field, int32_t index)
{
    size_t apart = field->row_bytes ? field->row_bytes : sizeof *field->words;
    return *(const char *const *)(const void *)((const char *)field->words + (size_t)index * apart);
}

// "one, two or three"
static void list_words(const struct tiled_field *field, char *list, size_t list_bytes)
{
    size_t used = 0;
    for (int32_t i = 0; i <= field->most && used < list_bytes; i++)
        used += (size_t)snprintf(list + used, list_bytes - used, "%s%s",
                                 i == 0             ? ""
                                 : i == field->most ? " or "
                                                    : ", ",
                                 word_at(field, i));
}

static int32_t find_word(const struct tiled_field *field, const char *word, size_t length)
{
    for (int32_t i = 0; i <= field->most; i++)
        if (strlen(word_at(field, i)) == length && memcmp(word_at(field, i), word, length) == 0)
            return i;
    return -1;
}

// Returns the bits of a list, 0 if it names anything else.
static int32_t parse_words(const struct tiled_field *field, const char *list)
{
    int32_t bits = 0;
    if (strcmp(list, "any") == 0)
        return (1 << (field->most + 1)) - 1;
    for (;;) {
        list += strspn(list, " ");
        size_t length = strcspn(list, ", ");
        int32_t word = find_word(field, list, length);
        list += length + strspn(list + length, " ");
        if (word < 0 || (*list != '\0' && *list != ','))
            return 0;
        bits |= 1 << word;
        if (*list++ == '\0')
            return bits;
    }
}

static bool read_value(struct tiled_reader *reader, const json_t *json, const struct tiled_field *field, int32_t *value)
{
    char list[160];
    const char *text = json_is_string(json) ? json_string_value(json) : "no text";
    json_int_t id;
    switch (field->type) {
    case TILED_NUMBER:
        return tiled_number(reader, json, field->name, field->least, field->most, value);
    case TILED_FLAG:
        *value = json_is_true(json) ? field->most : field->least;
        return json_is_boolean(json) ||
               tiled_fail(reader, TILED_VALUE, "%s is not a bool; give the property that type", field->name);
    case TILED_WORD:
        *value = find_word(field, text, strlen(text));
        list_words(field, list, sizeof list);
        return *value >= 0 || tiled_fail(reader, TILED_VALUE, "%s is '%.40s'; give %s", field->name, text, list);
    case TILED_WORDS:
        *value = parse_words(field, text);
        list_words(field, list, sizeof list);
        return *value != 0 ||
               tiled_fail(reader, TILED_VALUE, "%s is '%.40s'; give any, or %s; put commas between several",
                          field->name, text, list);
    case TILED_OBJECT:
        id = json_integer_value(json); // 0 of anything else, and of no object
        *value = (int32_t)id;
        return (id > 0 && id <= INT32_MAX) ||
               tiled_fail(reader, TILED_VALUE, "%s is not an object; give %s", field->name, field->need);
    }
    return false;
}

bool tiled_fields_read(struct tiled_reader *reader, const json_t *object, const struct tiled_field *const *fields,
                       void *target)
{
    const json_t *properties, *property;
    size_t index;
    if (!tiled_array(reader, object, "properties", &properties))
        return false;
    json_array_foreach(properties, index, property)
    {
        const char *name = tiled_text(property, "name");
        const struct tiled_field *const *named = fields;
        while (*named && strcmp((*named)->name, name) != 0)
            named++;
        if (!*named)
            return tiled_fail(reader, TILED_VALUE, "property '%.40s' means nothing here; rename or remove it", name);
    }
    for (; *fields; fields++) {
        const struct tiled_field *field = *fields;
        const json_t *value = NULL;
        int32_t stored = field->usual;
        json_array_foreach(properties, index, property)
        {
            if (!value && strcmp(field->name, tiled_text(property, "name")) == 0)
                value = json_object_get(property, "value");
        }
        if (!value && field->need)
            return tiled_fail(reader, TILED_VALUE, "has no property '%s'; add it: %s", field->name, field->need);
        if (value && !read_value(reader, value, field, &stored))
            return false;
        memcpy((char *)target + field->offset, &stored, sizeof stored);
    }
    return true;
}
