// SPDX-License-Identifier: MIT
//
// The list of bans and its file: text with one ban per line (TARGET UNTIL REASON), which people may edit while no
// server runs. A change is on the disk before its command is answered, and a crash at any moment leaves the old file or
// the new one.
#ifndef ADMIN_BAN_LIST_H
#define ADMIN_BAN_LIST_H

#include "ban.h"
#include "base/error.h"

/// The most bans in a list.
#define BAN_LIST_CAPACITY 1024

/// About 180 KB: keep it static. Zero-initialise.
struct ban_list {
    uint32_t count;
    struct ban rows[BAN_LIST_CAPACITY];
};

/// The result of reading the file.
enum ban_list_outcome {
    BAN_LIST_READ,       ///< all of it was read, or there is no file
    BAN_LIST_FAULTY,     ///< the valid lines were read; the error names the file and the first invalid line
    BAN_LIST_UNREADABLE, ///< nothing was read; the error says why
};

/// Reads the bans of a file and leaves out the expired ones.
enum ban_list_outcome ban_list_read(struct ban_list *bans, const char *path, int64_t now, struct error *error);
/// Writes the bans that have not expired, atomically. False with errno.
bool ban_list_write(const struct ban_list *bans, const char *path, int64_t now);

/// Adds a ban, or replaces one with the same target. Drops expired bans to make room. False if the list is full.
bool ban_list_add(struct ban_list *bans, const struct ban *ban, int64_t now);
/// Removes the ban of a target. False if there was none, or only an expired one.
bool ban_list_remove(struct ban_list *bans, const struct ban_target *target, int64_t now);
/// Finds the longest ban that covers a client; null if it may join.
const struct ban *ban_list_find(const struct ban_list *bans, const struct net_client *client, int64_t now);
/// Writes the sentence that a banned player reads: until when, and why.
void ban_list_message(const struct ban *ban, char reason[NET_REASON_BYTES]);

#endif
