// SPDX-License-Identifier: MIT
//
// One ban: its target (a player's key, an address or a range of addresses), its end and its reason. Reads and writes
// them as text, for the file of bans and for commands.
#ifndef ADMIN_BAN_H
#define ADMIN_BAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/identity.h"
#include "net/transport.h"

/// A target as text, with its end: a fingerprint, "192.0.2.0/24" or "2001:db8::/64".
#define BAN_TARGET_BYTES 64
/// A reason and its end: it fits a refusal beside the date.
#define BAN_REASON_BYTES 73
/// A moment as text and its end: "2026-11-21T06:18:27Z", or "never".
#define BAN_TIME_BYTES 24
/// The time of a ban that never ends.
#define BAN_FOREVER INT64_MAX
/// The shortest prefixes, bits: a shorter one would shut out whole countries by a typing error.
#define BAN_PREFIX_BITS_MIN_IPV4 8
#define BAN_PREFIX_BITS_MIN_IPV6 16

/// What a ban refuses. An IPv4 address is kept as its IPv6 form, ::ffff:192.0.2.7, so that both compare equal.
struct ban_target {
    char key[FINGERPRINT_TEXT_BYTES]; ///< empty: a range of addresses
    uint8_t prefix[16];               ///< bits beyond prefix_bits are zero
    uint32_t prefix_bits;             ///< 1 to 128
};

struct ban {
    struct ban_target target;
    int64_t until; ///< s since 1970, UTC, or BAN_FOREVER
    char reason[BAN_REASON_BYTES];
};

/// Reads a fingerprint, an address, or ADDRESS/BITS. An address of IPv6 alone means its /64, which is what a household
/// has. False for anything else, and for too short a prefix.
bool ban_target_parse(const char *text, struct ban_target *target);
/// Makes a target of a client's address. False if it has none.
bool ban_target_from_client(const struct net_client *client, struct ban_target *target);
/// Writes the shortest text that parses to the same target.
void ban_target_text(const struct ban_target *target, char text[BAN_TARGET_BYTES]);
/// Returns whether two targets are the same.
bool ban_target_equal(const struct ban_target *a, const struct ban_target *b);
/// Returns whether a target covers a client with this fingerprint at this address; null: the address is unknown.
bool ban_target_means(const struct ban_target *target, const char *fingerprint, const struct ban_target *address);

/// Reads "30m", "12h", "7d", "2w", "90s" from now on, or "forever" and "never". False for anything else.
bool ban_time_parse(const char *word, int64_t now, int64_t *until);
/// Writes a time as text, and reads it again. False if the text has another form.
void ban_time_text(int64_t until, char text[BAN_TIME_BYTES]);
bool ban_time_read(const char *text, int64_t *until);

#endif
