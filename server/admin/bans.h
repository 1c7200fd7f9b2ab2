// SPDX-License-Identifier: MIT
//
// The list of bans and its file: text with one ban per line (WHO UNTIL REASON), which may be edited by hand while no
// server runs. A change is on the disk before its command is answered, and a crash at any moment leaves the old list
// or the new one.
#ifndef ADMIN_BANS_H
#define ADMIN_BANS_H

#include "ban.h"
#include "base/error.h"

#define BANS_CAPACITY 1024

/// About 180 KB: keep it static. Zero-initialise.
struct bans {
    uint32_t count;
    struct ban rows[BANS_CAPACITY];
};

/// The result of reading the file.
enum bans_outcome {
    BANS_READ,       ///< all of it, or there is none
    BANS_FAULTY,     ///< the lines that are valid; the error names the file and the first line that is not
    BANS_UNREADABLE, ///< nothing; the error says why
};

/// Reads the bans of a file and leaves out the expired ones.
enum bans_outcome bans_read(struct bans *bans, const char *path, int64_t now, struct error *error);
/// Writes the bans that have not expired, atomically. False with errno.
bool bans_write(const struct bans *bans, const char *path, int64_t now);

/// Adds a ban, in place of one with the same target. Drops expired ones if it needs the room. False if it is full.
bool bans_add(struct bans *bans, const struct ban *ban, int64_t now);
/// Removes the ban of a target. False if there was none, or only an expired one.
bool bans_remove(struct bans *bans, const struct ban_target *target, int64_t now);
/// Finds the longest ban that covers a client; null if they may join.
const struct ban *bans_find(const struct bans *bans, const struct net_client *client, int64_t now);
/// Writes what a banned player reads: until when, and why.
void ban_message(const struct ban *ban, char reason[NET_REASON_BYTES]);

#endif
