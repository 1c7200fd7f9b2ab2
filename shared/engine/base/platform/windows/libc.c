// SPDX-License-Identifier: MIT
#include "libc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>

#include "../disk.h"
#include "system.h"

void *windows_libc_memmem(const void *text, size_t text_bytes, const void *part, size_t part_bytes)
{
    const uint8_t *at = text;
    for (; part_bytes <= text_bytes; at++, text_bytes--)
        if (memcmp(at, part, part_bytes) == 0)
            return (void *)(uintptr_t)at;
    return NULL;
}

char *windows_libc_strcasestr(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; strlen(text) >= length; text++)
        if (_strnicmp(text, part, length) == 0)
            return (char *)(uintptr_t)text;
    return NULL;
}

char *windows_libc_strsep(char **text, const char *ends)
{
    char *token = *text;
    if (!token)
        return NULL;
    char *end = token + strcspn(token, ends);
    *text = *end ? end + 1 : NULL;
    *end = 0;
    return token;
}

char *windows_libc_strndup(const char *text, size_t byte_count)
{
    size_t length = strnlen(text, byte_count);
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *windows_libc_stpcpy(char *to, const char *text)
{
    size_t length = strlen(text);
    memcpy(to, text, length + 1);
    return to + length;
}

// Reads a number of at most so many digits. Returns what follows, or null if it is none in its range.
static const char *read_number(const char *text, int digits, int least, int most, int *number)
{
    const char *at = text;
    *number = 0;
    for (; at < text + digits && *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (*at - '0');
    return at > text && *number >= least && *number <= most ? at : NULL;
}

char *windows_libc_strptime(const char *text, const char *format, struct tm *parts)
{
    static const struct {
        char letter;
        uint8_t digits;
        int least, most, base;
        size_t offset;
    } KINDS[] = {
        {'Y', 4, 0, 9999, 1900, offsetof(struct tm, tm_year)}, {'m', 2, 1, 12, 1, offsetof(struct tm, tm_mon)},
        {'d', 2, 1, 31, 0, offsetof(struct tm, tm_mday)},      {'H', 2, 0, 23, 0, offsetof(struct tm, tm_hour)},
        {'M', 2, 0, 59, 0, offsetof(struct tm, tm_min)},       {'S', 2, 0, 60, 0, offsetof(struct tm, tm_sec)},
    };
    for (; text && *format; format++) {
        if (*format != '%') {
            text = *text == *format ? text + 1 : NULL;
            continue;
        }
        format++;
        size_t kind = 0;
        while (KINDS[kind].letter != *format)
            if (++kind == sizeof KINDS / sizeof *KINDS)
                return NULL;
        int number;
        text = read_number(text, KINDS[kind].digits, KINDS[kind].least, KINDS[kind].most, &number);
        *(int *)(void *)((char *)parts + KINDS[kind].offset) = number - KINDS[kind].base;
    }
    return (char *)(uintptr_t)text;
}

time_t windows_libc_timegm(struct tm *parts)
{
    return _mkgmtime(parts);
}

FILE *windows_libc_fopen(const char *path, const char *mode)
{
    static const struct {
        char letter;
        unsigned way;
        const char *mode;
    } KINDS[] = {{'r', DISK_READ, "rb"}, {'w', DISK_REPLACE, "wb"}, {'a', DISK_APPEND, "ab"}};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (KINDS[i].letter != *mode)
            continue;
        int file = disk_open(path, KINDS[i].way, DISK_PUBLIC);
        FILE *stream = file >= 0 ? _fdopen(file, KINDS[i].mode) : NULL;
        if (!stream && file >= 0)
            disk_close_quietly(file);
        return stream;
    }
    errno = EINVAL;
    return NULL;
}
