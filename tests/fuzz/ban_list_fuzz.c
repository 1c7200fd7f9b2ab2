// SPDX-License-Identifier: MIT
//
// Fuzzes the file of bans with any bytes. A list that was read whole survives being written and read back, each of its
// rows finds the client that it means, and what was not read is an error.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "admin/ban_list.h"
#include "base/utf8.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NOW = 1800000000 };

static struct ban_list bans, again;
static int file = -1;
static char path[64], written_path[64];

static void same_after_writing(void)
{
    struct error error;
    require(ban_list_write(&bans, written_path, NOW));
    require(ban_list_read(&again, written_path, NOW, &error) == BAN_LIST_READ && again.count == bans.count);
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
    if (file < 0) {
        file = memfd_create("bans", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        snprintf(written_path, sizeof written_path, "/dev/shm/ban_list_fuzz.%ld", (long)getpid());
    }
    require(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    enum ban_list_outcome outcome = ban_list_read(&bans, path, NOW, &error);
    require((outcome == BAN_LIST_READ) == (error.text[0] == 0));
    require(outcome != BAN_LIST_READ || memchr(data, 0, size) == NULL);
    check_rows();
    same_after_writing();
    unlink(written_path);
    return 0;
}
