// SPDX-License-Identifier: MIT
//
// Fuzzes the reader of announcements: any bytes, and the same with a valid signature. What is read is written and read
// again to the same.
#include "discovery/announcement.h"
#include "require.h"
#include "signed_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t seed[32] = {0};
    uint8_t key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    struct announcement announcement, again;
    struct error error;
    announcement_read((const char *)data, size, &announcement, &error);
    char *text = sign_bytes(data, size);
    bool good = announcement_read(text, SIGNED_TEXT_HEAD_BYTES + size, &announcement, &error);
    free(text);
    if (!good)
        return 0;
    signed_text_keys(seed, key, secret);
    text = announcement_write(&announcement, key, secret, &size);
    require(text && announcement_read(text, size, &again, &error));
    require(announcement_facts_equal(&announcement.facts, &again.facts) && again.port == announcement.port &&
            again.time_ms == announcement.time_ms && strcmp(again.to, announcement.to) == 0);
    free(text);
    return 0;
}
