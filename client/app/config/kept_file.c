// SPDX-License-Identifier: MIT
#include "kept_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "options/config_file.h"

static char *no_environment(const char *name)
{
    (void)name;
    return NULL;
}

bool kept_file_read(const struct program *program, void *values, size_t value_bytes, const char *path,
                    struct error *error)
{
    char words[2][16] = {"deadfall", "--config"}, file[FILE_PATH_BYTES];
    char *argv[] = {words[0], words[1], file, NULL};
    static struct options_result result;
    snprintf(file, sizeof file, "%s", path);
    bool there = *path && (!access(path, F_OK) || errno != ENOENT);
    memset(values, 0, value_bytes);
    if (options_read(program, values, there ? 3 : 1, argv, no_environment, stdout, &result) == OPTIONS_RUN)
        return true;
    error_set(error, "%s", result.error.text);
    argv[1] = NULL;
    memset(values, 0, value_bytes);
    options_read(program, values, 1, argv, no_environment, stdout, &result);
    return false;
}

bool kept_file_write(const struct program *program, const void *values, const char *path)
{
    char *text = NULL;
    size_t byte_count;
    if (!*path)
        return true;
    FILE *memory = open_memstream(&text, &byte_count);
    if (memory)
        config_file_write(program, values, memory);
    bool written = memory && !fclose(memory) && file_write(path, text, byte_count);
    free(text);
    return written;
}
