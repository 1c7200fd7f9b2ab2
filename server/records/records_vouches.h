// SPDX-License-Identifier: MIT
//
// The vouches on their way between the tick and the thread of the records, and the names that are kept: bounded queues
// and a list. Knows no threads; records.c holds its lock around each call but records_vouches_judge() and
// records_vouches_sign(), which only read the keys.
#ifndef RECORDS_RECORDS_VOUCHES_H
#define RECORDS_RECORDS_VOUCHES_H

#include "options/option.h"
#include "records_database.h"

/// Vouches that wait to be judged; the tick drops more.
#define RECORDS_SHOWN_CAPACITY 64
/// Vouches that wait to be sent; the oldest make room.
#define RECORDS_MADE_CAPACITY 512
/// Names that are kept at most.
#define RECORDS_NAMES_CAPACITY 2048
/// Servers that are trusted at most.
#define RECORDS_TRUST_MAX 8

/// A vouch of, or for, the player with this key.
struct records_vouch {
    struct seat_key key;
    uint8_t bytes[VOUCH_BYTES];
};

/// Zero-initialise.
struct records_vouches {
    bool has_key;
    uint8_t server[IDENTITY_BYTES], secret[VOUCH_SECRET_BYTES];
    uint32_t trusted_count;
    char trusted[RECORDS_TRUST_MAX][FINGERPRINT_TEXT_BYTES];
    uint32_t shown_count;
    struct records_vouch shown[RECORDS_SHOWN_CAPACITY]; ///< the oldest first
    uint32_t made_put, made_got;
    struct records_vouch made[RECORDS_MADE_CAPACITY]; ///< a ring
    uint32_t name_count, name_changes;
    struct records_name names[RECORDS_NAMES_CAPACITY];
};

/// Sets the server's keys, and the servers that it trusts: fingerprints, at most RECORDS_TRUST_MAX.
void records_vouches_begin(struct records_vouches *vouches, const uint8_t seed[IDENTITY_SEED_BYTES],
                           const struct option_list *trust);
/// Returns whether a server is trusted.
bool records_vouches_trust(const struct records_vouches *vouches, const char *fingerprint);

/// Adds a vouch to be judged. False if too many wait.
bool records_vouches_show(struct records_vouches *vouches, const struct seat_key *key,
                          const uint8_t bytes[VOUCH_BYTES]);
/// Takes the oldest. False if there is none.
bool records_vouches_take_shown(struct records_vouches *vouches, struct records_vouch *shown);
/// Reads a vouch that a player shows, and returns whether it is for them, of a server that is trusted, and counts now.
bool records_vouches_judge(const struct records_vouches *vouches, const struct records_vouch *shown, int64_t unix_time,
                           struct vouch *vouch);

/// Makes a vouch for a player of the database who has finished a match.
void records_vouches_sign(const struct records_vouches *vouches, const struct records_player *player, int64_t unix_time,
                          struct records_vouch *made);
/// Adds a vouch to be sent.
void records_vouches_put_made(struct records_vouches *vouches, const struct records_vouch *made);
/// Takes the oldest. False if there is none.
bool records_vouches_take_made(struct records_vouches *vouches, struct records_vouch *made);

/// Replaces the names by those for which a trusted server vouches.
void records_vouches_set_names(struct records_vouches *vouches, const struct records_name *names, uint32_t count);
/// Returns whether a name, in upper or lower case, is kept for others than the player with this key; null: for anybody.
bool records_vouches_keep(const struct records_vouches *vouches, const struct seat_key *key, const char *name);

#endif
