// SPDX-License-Identifier: MIT
//
// One ban: whom it keeps out (the key of a player, an address, or a range of addresses), until when, and why. Read from
// text and written as text, for the file of bans and for commands.
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
/// The moment that never comes.
#define BAN_FOREVER INT64_MAX
/// The shortest prefixes, bits: less would shut out whole countries by a slip of the finger.
#define BAN_PREFIX_BITS_MIN_IPV4 8
#define BAN_PREFIX_BITS_MIN_IPV6 16

/// Whom. An address of IPv4 stands as IPv6 has it, ::ffff:192.0.2.7, so that both are one.
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
/// The address of somebody who has come.
bool ban_target_from_client(const struct net_client *client, struct ban_target *target);
/// The shortest text that reads as the same target.
void ban_target_text(const struct ban_target *target, char text[BAN_TARGET_BYTES]);
/// Whether two are the same.
bool ban_target_equal(const struct ban_target *a, const struct ban_target *b);
/// Whether it means somebody of this fingerprint at this address; null: nobody knows where he is.
bool ban_target_means(const struct ban_target *target, const char *fingerprint, const struct ban_target *address);

/// Reads "30m", "12h", "7d", "2w", "90s" from now on, or "forever" and "never". False for anything else.
bool ban_time_parse(const char *word, int64_t now, int64_t *until);
/// A moment as text, and back.
void ban_time_text(int64_t until, char text[BAN_TIME_BYTES]);
bool ban_time_read(const char *text, int64_t *until);

#endif
