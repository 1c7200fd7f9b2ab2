// SPDX-License-Identifier: MIT
//
// One ban: its target (a player's key, an address or a range of addresses), its end and its reason. Reads and writes
// these as text, for the file of bans and for commands.
#ifndef ADMIN_BAN_H
#define ADMIN_BAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/address_range.h"
#include "net/crypto/identity.h"
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

/// Reads a fingerprint, an address, or ADDRESS/BITS, as address_range.h says: an IPv6 address without bits means its
/// household. False for anything else, and if the prefix is too short.
bool ban_target_parse(const char *text, struct ban_target *target);
/// Makes a target of a client's address alone. False if it has none.
bool ban_target_from_client(const struct net_client *client, struct ban_target *target);
/// Writes the shortest text that parses to the same target.
void ban_target_text(const struct ban_target *target, char text[BAN_TARGET_BYTES]);
/// Returns whether two targets are the same.
bool ban_target_equal(const struct ban_target *a, const struct ban_target *b);
/// Returns whether a target covers a client with this fingerprint and address; null: the address is unknown.
bool ban_target_means(const struct ban_target *target, const char *fingerprint, const struct ban_target *address);

/// Reads a duration from now on, like "30m", "12h", "7d", "2w" or "90s", or "forever" or "never". False for anything
/// else.
bool ban_time_parse(const char *word, int64_t now, int64_t *until);
/// Writes the end of a ban as text.
void ban_time_text(int64_t until, char text[BAN_TIME_BYTES]);
/// Reads such a text. False if it has another form.
bool ban_time_read(const char *text, int64_t *until);

#endif
