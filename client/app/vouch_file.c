// SPDX-License-Identifier: MIT
#include "vouch_file.h"

#include <string.h>

#include "base/file.h"

struct kept {
    uint32_t count;
    uint8_t of[VOUCH_FILE_CAPACITY + 1][VOUCH_BYTES]; // the first place is for the next one
};

static void load(const char *path, struct kept *kept)
{
    size_t byte_count = 0;
    if (*path)
        file_read_regular(path, kept->of[1], VOUCH_FILE_CAPACITY * VOUCH_BYTES, &byte_count);
    kept->count = (uint32_t)(byte_count / VOUCH_BYTES);
}

static bool is_of(const uint8_t bytes[VOUCH_BYTES], const char *fingerprint, uint32_t local)
{
    struct vouch vouch;
    return vouch_read(&vouch, bytes, VOUCH_BYTES) && vouch.local == local &&
           strcmp(vouch.fingerprint, fingerprint) == 0;
}

bool vouch_file_keep(const char *path, const char *fingerprint, uint32_t local, const uint8_t bytes[VOUCH_BYTES])
{
    struct kept kept;
    if (!*path || !is_of(bytes, fingerprint, local))
        return false;
    load(path, &kept);
    uint32_t count = 1;
    memcpy(kept.of[0], bytes, VOUCH_BYTES);
    for (uint32_t i = 1; i <= kept.count && count < VOUCH_FILE_CAPACITY; i++)
        if (!vouch_is_of_same(kept.of[i], bytes))
            memmove(kept.of[count++], kept.of[i], VOUCH_BYTES);
    file_make_folders(path);
    return file_write(path, kept.of, (size_t)count * VOUCH_BYTES);
}

bool vouch_file_find(const char *path, const char *fingerprint, uint32_t local, uint8_t bytes[VOUCH_BYTES])
{
    struct kept kept;
    load(path, &kept);
    for (uint32_t i = 1; i <= kept.count; i++)
        if (is_of(kept.of[i], fingerprint, local)) {
            memcpy(bytes, kept.of[i], VOUCH_BYTES);
            return true;
        }
    return false;
}
