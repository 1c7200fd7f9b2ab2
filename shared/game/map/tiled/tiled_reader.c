// SPDX-License-Identifier: MIT
#include "tiled_reader.h"

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

// Tiled keeps lengths as floating point and may write a whole number with a point or an exponent.
static bool whole_number(const json_t *json, json_int_t *value)
{
    if (json_is_integer(json)) {
        *value = json_integer_value(json);
        return true;
    }
    double real = json_real_value(json);
    if (!json_is_real(json) || real < -1e9 || real > 1e9)
        return false;
    *value = (json_int_t)real;
    return (double)*value == real;
}

bool tiled_number(struct tiled_reader *reader, const json_t *json, const char *name, int32_t least, int32_t most,
                  int32_t *value)
{
    json_int_t whole;
    bool is_whole = whole_number(json, &whole);
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
