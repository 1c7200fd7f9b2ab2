// SPDX-License-Identifier: MIT
#include "kept_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"
#include "options/options.h"

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
    bool there = *path && (disk_exists(path) || errno != ENOENT);
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
    struct disk_memory memory;
    size_t byte_count;
    if (!*path)
        return true;
    if (!disk_memory_open(&memory))
        return false;
    config_file_write(program, values, memory.out);
    char *text = disk_memory_close(&memory, &byte_count);
    bool written = text && file_write(path, text, byte_count);
    free(text);
    return written;
}
