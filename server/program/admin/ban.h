// SPDX-License-Identifier: MIT
//
// The bans: each has a target (a player's key, an address or a range of addresses), an end and a reason. Their file is
// text with one ban per line (TARGET UNTIL REASON), which people may edit while no server runs. It is written whenever
// the list has changed, by the worker and from a copy, so that a slow disk holds nothing up; of several changes
// meanwhile, one more writing keeps all. A crash at any moment leaves the old file or the new one.
#ifndef ADMIN_BAN_H
#define ADMIN_BAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "lifecycle/answers.h"
#include "lifecycle/worker.h"
#include "net/crypto/identity.h"
#include "net/net_address.h"
#include "net/transport.h"

/// Bytes of a target as text, with its final zero: a fingerprint, "192.0.2.0/24" or "2001:db8::/56".
#define BAN_TARGET_BYTES 64
/// Bytes of a reason, with its final zero; with the date it fits into NET_REASON_BYTES.
#define BAN_REASON_BYTES 73
/// Bytes of a time as text, with its final zero: "2026-11-21T06:18:27Z", or "never".
#define BAN_TIME_BYTES 24
/// The end of a ban that never ends.
#define BAN_FOREVER INT64_MAX
/// The shortest prefixes, bits. With a shorter one, a slip of the finger would ban whole countries.
#define BAN_PREFIX_BITS_MIN_IPV4 8
#define BAN_PREFIX_BITS_MIN_IPV6 16

/// What a ban refuses.
struct ban_target {
    char key[FINGERPRINT_TEXT_BYTES]; ///< empty: a range of addresses
    struct address_range addresses;
};

struct ban {
    struct ban_target target;
    int64_t until; ///< s since 1970, UTC, or BAN_FOREVER
    char reason[BAN_REASON_BYTES];
};

/// Reads a fingerprint, an address, or ADDRESS/BITS, as net_address.h says: an IPv6 address without bits means its
/// household. False for anything else, and if the prefix is too short.
bool ban_target_parse(const char *text, struct ban_target *target);
/// Writes the shortest text that parses to the same target.
void ban_target_text(const struct ban_target *target, char text[BAN_TARGET_BYTES]);
/// Returns whether two targets are the same.
bool ban_target_equal(const struct ban_target *a, const struct ban_target *b);
/// Returns whether a target covers a client with this fingerprint and address; null: the address is unknown.
bool ban_target_means(const struct ban_target *target, const char *fingerprint, const struct address_range *address);

/// Reads a duration from now on, like "30m", "12h", "7d", "2w" or "90s", or "forever" or "never". False for anything
/// else.
bool ban_time_parse(const char *word, int64_t now, int64_t *until);
/// Writes the end of a ban as text.
void ban_time_text(int64_t until, char text[BAN_TIME_BYTES]);
/// Reads such a text. False if it has another form.
bool ban_time_read(const char *text, int64_t *until);

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

/// About 180 KB: keep it static. Set the first five fields, zero the rest.
struct ban_file {
    struct worker_job job;
    struct worker *worker; ///< null: written at once
    const char *path;
    const struct ban_list *bans;
    int64_t (*unix_time)(void);
    struct answers writings; ///< one keeps all that was asked for before it
    uint64_t begun;          ///< number of the newest request that the present writing keeps
    int fault;               ///< its errno; 0: it succeeded
    int64_t copied_s;        ///< when `copy` was made
    struct ban_list copy;
};

/// Asks that the bans be written as they are now, or as they are later. Returns the number of the request.
uint64_t ban_file_save(struct ban_file *file);

/// Takes the outcome of a writing, and begins the next. Call between ticks.
void ban_file_update(struct ban_file *file);

#endif
