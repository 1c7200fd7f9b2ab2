// SPDX-License-Identifier: MIT
//
// Who may not come in: a list of bans, bounded, and its file, which is text with a ban a line (WHO UNTIL REASON), fit
// to be edited by hand while no server runs. Each change is on the disk before it is answered, and a crash at any
// moment leaves the old list or the new one.
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

/// What became of reading the file.
enum bans_outcome {
    BANS_READ,       ///< all of it, or there is none
    BANS_FAULTY,     ///< what could be read; the sentence tells file, line and the first fault
    BANS_UNREADABLE, ///< nothing; the sentence says why
};

/// Reads the bans in a file. Those that have expired are left out.
enum bans_outcome bans_read(struct bans *bans, const char *path, int64_t now, struct error *error);
/// Writes those that have not expired, atomically. False with errno.
bool bans_write(const struct bans *bans, const char *path, int64_t now);

/// Adds one, in place of one of the same target. Those that have expired make room. False if there is no room.
bool bans_add(struct bans *bans, const struct ban *ban, int64_t now);
/// Takes one out. False if there was none that had not expired.
bool bans_remove(struct bans *bans, const struct ban_target *target, int64_t now);
/// The longest ban that keeps somebody out; null if he may come in.
const struct ban *bans_find(const struct bans *bans, const struct net_client *client, int64_t now);
/// What somebody who is kept out reads.
void ban_message(const struct ban *ban, char reason[NET_REASON_BYTES]);

#endif
