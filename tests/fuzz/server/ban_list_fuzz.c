// SPDX-License-Identifier: MIT
//
// Fuzzes the file of bans with any bytes. A list that was read whole survives being written and read back, each of its
// rows finds the client that it means, and what was not read is an error.
#include <string.h>

#include "admin/ban.h"
#include "base/utf8.h"
#include "memory_file.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NOW = 1800000000 };

#define FILE_NAME "bans"

static struct ban_list bans, again;

static void same_after_writing(void)
{
    struct error error;
    require(ban_list_write(&bans, FILE_NAME, NOW));
    require(ban_list_read(&again, FILE_NAME, NOW, &error) == BAN_LIST_READ && again.count == bans.count);
    for (uint32_t i = 0; i < bans.count; i++)
        require(ban_target_equal(&again.rows[i].target, &bans.rows[i].target) &&
                again.rows[i].until == bans.rows[i].until && strcmp(again.rows[i].reason, bans.rows[i].reason) == 0);
}

static void check_rows(void)
{
    for (uint32_t i = 0; i < bans.count; i++) {
        char clean[sizeof bans.rows->reason], message[NET_REASON_BYTES];
        const struct ban *ban = &bans.rows[i];
        utf8_clean(clean, sizeof clean, ban->reason, strlen(ban->reason));
        require(strcmp(clean, ban->reason) == 0 && ban->until > NOW);
        ban_list_message(ban, message);
        require(message[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0};
    memory_file_store(data, size);
    enum ban_list_outcome outcome = ban_list_read(&bans, FILE_NAME, NOW, &error);
    require((outcome == BAN_LIST_READ) == (error.text[0] == 0));
    require(outcome != BAN_LIST_READ || memchr(data, 0, size) == NULL);
    check_rows();
    same_after_writing();
    return 0;
}
