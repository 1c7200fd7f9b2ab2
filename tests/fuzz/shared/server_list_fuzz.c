// SPDX-License-Identifier: MIT
//
// Fuzzes the reader of server lists: any bytes, and the same with a valid signature. What is read is written and read
// again to the same, and a list merges with itself to itself.
#include "discovery/server_list.h"
#include "require.h"
#include "signed_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t seed[32] = {0};
    uint8_t key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    struct server_list list = {0}, again = {0};
    struct error error;
    require(!server_list_read(&list, (const char *)data, size, "abcdefghijklmnopqrstuvwxyz234567", &error));
    char *text = sign_bytes(data, size);
    bool good = server_list_read(&list, text, SIGNED_TEXT_HEAD_BYTES + size, NULL, &error);
    free(text);
    if (good) {
        signed_text_keys(seed, key, secret);
        text = server_list_write(&list, key, secret, &size);
        require(text && server_list_read(&again, text, size, NULL, &error));
        require(again.count == list.count && again.made_s == list.made_s);
        for (uint32_t i = 0; i < list.count; i++)
            require(memcmp(list.entries[i].mappings, again.entries[i].mappings, sizeof list.entries->mappings) == 0 &&
                    list.entries[i].punch_port == again.entries[i].punch_port);
        require(server_list_merge(&list, &again) && list.count == again.count);
        free(text);
    }
    server_list_free(&list);
    server_list_free(&again);
    return 0;
}
