// SPDX-License-Identifier: MIT
#include "figures.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 64, LINE_BYTES = 160 };

struct figures {
    uint32_t count;
    char lines[LINES][LINE_BYTES]; // "NAME FIGURE...", without the end of the line
};

static void read_all(struct figures *figures, const char *path)
{
    FILE *file = fopen(path, "r");
    figures->count = 0;
    while (file && figures->count < LINES && fgets(figures->lines[figures->count], LINE_BYTES, file)) {
        char *line = figures->lines[figures->count++];
        line[strcspn(line, "\n")] = 0;
    }
    if (file)
        fclose(file);
}

// Returns the line of a name, or the first one that is free.
static uint32_t find_line(const struct figures *figures, const char *name)
{
    size_t length = strlen(name);
    uint32_t i = 0;
    while (i < figures->count && (strncmp(figures->lines[i], name, length) != 0 || figures->lines[i][length] != ' '))
        i++;
    return i;
}

static bool write_all(const struct figures *figures, const char *path)
{
    FILE *file = fopen(path, "w");
    bool good = file;
    for (uint32_t i = 0; good && i < figures->count; i++)
        good = fprintf(file, "%s\n", figures->lines[i]) > 0;
    return file && fclose(file) == 0 && good;
}

static bool keep(struct figures *figures, const char *path, uint32_t at, const char *line)
{
    bool has_room = at < LINES;
    if (has_room) {
        strcpy(figures->lines[at], line);
        figures->count += at == figures->count;
    }
    bool good = has_room && write_all(figures, path);
    printf("%s: %s\n", good ? "kept" : "cannot be kept", line);
    return good;
}

bool figures_are_kept(const char *path, const char *name, const char *format, ...)
{
    static struct figures figures;
    char line[LINE_BYTES];
    int length = snprintf(line, sizeof line, "%s ", name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    read_all(&figures, path);
    uint32_t at = find_line(&figures, name);
    const char *kept = at < figures.count ? figures.lines[at] : "nothing";
    if (strcmp(kept, line) == 0)
        return true;
    if (getenv("DEADFALL_RENEW"))
        return keep(&figures, path, at, line);
    fprintf(stderr, "%s has \"%s\", and now it is \"%s\". If that is intended, run tests/tools/renew.sh\n", path, kept,
            line);
    return false;
}
