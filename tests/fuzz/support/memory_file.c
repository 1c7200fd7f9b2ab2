// SPDX-License-Identifier: MIT
#include "memory_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint8_t file[MEMORY_FILE_BYTES_MAX];
static size_t file_bytes;

uint8_t *__wrap_file_load(const char *path, size_t byte_count_max, size_t *byte_count);
bool __wrap_file_read(const char *path, void *bytes, size_t capacity, size_t *byte_count);
bool __wrap_file_write(const char *path, const void *bytes, size_t byte_count);

void memory_file_store(const void *bytes, size_t byte_count)
{
    file_bytes = byte_count < sizeof file ? byte_count : sizeof file;
    memcpy(file, bytes, file_bytes);
}

bool __wrap_file_read(const char *path, void *bytes, size_t capacity, size_t *byte_count)
{
    (void)path;
    *byte_count = file_bytes < capacity ? file_bytes : capacity;
    memcpy(bytes, file, *byte_count);
    errno = EFBIG;
    return file_bytes <= capacity;
}

uint8_t *__wrap_file_load(const char *path, size_t byte_count_max, size_t *byte_count)
{
    uint8_t *bytes = file_bytes <= byte_count_max ? malloc(file_bytes + 1) : NULL;
    if (bytes && __wrap_file_read(path, bytes, file_bytes, byte_count))
        bytes[file_bytes] = 0;
    return bytes;
}

bool __wrap_file_write(const char *path, const void *bytes, size_t byte_count)
{
    (void)path;
    memory_file_store(bytes, byte_count);
    return true;
}
