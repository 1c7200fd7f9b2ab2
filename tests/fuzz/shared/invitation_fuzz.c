// SPDX-License-Identifier: MIT
//
// Fuzzes the reader of the line by which a server invites, as it stands and behind the beginning that all of them have.
// What is read is written and read again to the same.
#include <stdint.h>
#include <string.h>

#include "discovery/invitation.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_line(const char *line)
{
    struct invitation read, again;
    char written[INVITATION_LINE_BYTES];
    if (!invitation_read(&read, line))
        return;
    invitation_line(&read, written);
    require(invitation_read(&again, written) && again.reach == read.reach);
    require(strcmp(again.address, read.address) == 0 && strcmp(again.fingerprint, read.fingerprint) == 0 &&
            strcmp(again.through, read.through) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char START[] = "invite: deadfall://";
    char line[sizeof START + 512] = "";
    size = size < 512 ? size : 512;
    memcpy(line, data, size);
    read_line(line);
    memcpy(line, START, sizeof START - 1);
    memcpy(line + sizeof START - 1, data, size);
    line[sizeof START - 1 + size] = 0;
    read_line(line);
    return 0;
}
