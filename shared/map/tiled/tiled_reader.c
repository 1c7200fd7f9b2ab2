// SPDX-License-Identifier: MIT
#include "tiled_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Names out of a hostile file must not steer the terminal that shows the sentence.
static void make_printable(char *text)
{
    for (unsigned char *byte = (unsigned char *)text; *byte; byte++)
        if (*byte < 0x20 || *byte == 0x7f || (*byte == 0xc2 && byte[1] >= 0x80 && byte[1] < 0xa0))
            *byte = '?';
}

bool tiled_fail(struct tiled_reader *reader, enum tiled_fault fault, const char *format, ...)
{
    char what[ERROR_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    error_set_code(reader->error, (int)fault, "%.200s: %s%s%.500s", reader->path, reader->where,
                   reader->where[0] ? ": " : "", what);
    make_printable(reader->error->text);
    return false;
}

void tiled_at(struct tiled_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->where, sizeof reader->where, format, arguments);
    va_end(arguments);
}

static bool read_all(struct tiled_reader *reader, int file, char *text, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got = read(file, text + done, bytes - done);
        if (got <= 0)
            return tiled_fail(reader, TILED_FILE, "cannot be read: %s", got < 0 ? strerror(errno) : "it shrank");
        done += (size_t)got;
    }
    return true;
}

static bool read_open(struct tiled_reader *reader, int file, char **text, size_t *bytes)
{
    struct stat status;
    if (fstat(file, &status) || !S_ISREG(status.st_mode))
        return tiled_fail(reader, TILED_FILE, "is not a regular file");
    if (status.st_size > TILED_FILE_BYTES_MAX)
        return tiled_fail(reader, TILED_LIMIT, "has %lld bytes; at most %d are read", (long long)status.st_size,
                          TILED_FILE_BYTES_MAX);
    *bytes = (size_t)status.st_size;
    *text = malloc(*bytes + 1);
    if (!*text)
        return tiled_fail(reader, TILED_FILE, "cannot be read: out of memory");
    if (!read_all(reader, file, *text, *bytes)) {
        free(*text);
        return false;
    }
    return true;
}

bool tiled_load(struct tiled_reader *reader, const char *path, char **text, size_t *bytes)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return tiled_fail(reader, TILED_FILE, "cannot be opened: %s", strerror(errno));
    bool good = read_open(reader, file, text, bytes);
    close(file);
    return good;
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

static bool check_int(struct tiled_reader *reader, const json_t *json, const char *name, int32_t minimum,
                      int32_t maximum, int32_t *value)
{
    json_int_t whole;
    bool is_whole = whole_number(json, &whole);
    if (is_whole && whole >= minimum && whole <= maximum) {
        *value = (int32_t)whole;
        return true;
    }
    char *found = json_dumps(json, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    if (minimum == maximum) {
        tiled_fail(reader, TILED_VALUE, "%s is %.40s; it must be %d", name, found ? found : "missing", minimum);
    } else {
        tiled_fail(reader, TILED_VALUE, "%s is %.40s; give %s%d to %d", name, found ? found : "missing",
                   is_whole ? "" : "a whole number, ", minimum, maximum);
    }
    free(found);
    return false;
}

bool tiled_int(struct tiled_reader *reader, const json_t *object, const char *key, int32_t minimum, int32_t maximum,
               int32_t *value)
{
    return check_int(reader, json_object_get(object, key), key, minimum, maximum, value);
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

static bool known(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

bool tiled_properties_known(struct tiled_reader *reader, const json_t *object, const char *const *names)
{
    const json_t *properties;
    if (!tiled_array(reader, object, "properties", &properties))
        return false;
    size_t index;
    const json_t *property;
    json_array_foreach(properties, index, property)
    {
        const char *name = tiled_text(property, "name");
        if (!known(name, names))
            return tiled_fail(reader, TILED_VALUE, "property '%.40s' means nothing here; rename or remove it", name);
    }
    return true;
}

const json_t *tiled_property(const json_t *object, const char *name)
{
    size_t index;
    const json_t *property;
    json_array_foreach(json_object_get(object, "properties"), index, property)
    {
        if (!strcmp(name, tiled_text(property, "name")))
            return json_object_get(property, "value");
    }
    return NULL;
}

bool tiled_property_int(struct tiled_reader *reader, const json_t *object, const char *name, int32_t minimum,
                        int32_t maximum, int32_t *value)
{
    const json_t *json = tiled_property(object, name);
    return !json || check_int(reader, json, name, minimum, maximum, value);
}

static void list_words(const char *const *words, char *list, size_t list_bytes)
{
    list[0] = 0;
    for (size_t used = 0; *words && used < list_bytes; words++)
        used += (size_t)snprintf(list + used, list_bytes - used, "%s%s",
                                 used == 0  ? ""
                                 : words[1] ? ", "
                                            : " or ",
                                 *words);
}

bool tiled_property_word(struct tiled_reader *reader, const json_t *object, const char *name, const char *const *words,
                         uint32_t *index)
{
    const json_t *json = tiled_property(object, name);
    if (!json)
        return true;
    const char *word = json_string_value(json);
    for (uint32_t i = 0; word && words[i]; i++) {
        if (!strcmp(word, words[i])) {
            *index = i;
            return true;
        }
    }
    char list[160];
    list_words(words, list, sizeof list);
    return tiled_fail(reader, TILED_VALUE, "%s is '%.40s'; give %s", name, word ? word : "no text", list);
}
