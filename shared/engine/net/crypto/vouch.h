// SPDX-License-Identifier: MIT
//
// A vouch: what a server says about a player, signed with the server's key, for the player to keep and to show to other
// servers. One that trusts it takes the rating as the player's first, and keeps the name for the player's key.
// Nobody else can show it, because a player proves their key in the handshake. PROTOCOL.md has the layout. Pure.
#ifndef NET_VOUCH_H
#define NET_VOUCH_H

#include "identity.h"

/// Bytes of a vouch on the wire and in files, of its name, and of the server's secret (Ed25519).
#define VOUCH_BYTES        165
#define VOUCH_NAME_BYTES   16
#define VOUCH_SECRET_BYTES 64
/// Local players of one account.
#define VOUCH_LOCALS 4
/// Ratings are in hundredths of a point. Limits of their mean, either way, and of their deviation.
#define VOUCH_MEAN_MAX      1000000
#define VOUCH_DEVIATION_MAX 25000
/// How long a vouch counts, and how far the clocks of two servers may differ, s.
#define VOUCH_LIFE_S  ((uint32_t)30 * 24 * 3600)
#define VOUCH_CLOCK_S 300u

struct vouch {
    uint8_t server[IDENTITY_BYTES];           ///< Ed25519 public key of who vouches
    char fingerprint[FINGERPRINT_TEXT_BYTES]; ///< of the same server, as in an invitation; set by vouch_read()
    uint8_t player[IDENTITY_BYTES];           ///< the account
    uint32_t local;                           ///< number of the player at their machine, below VOUCH_LOCALS
    char name[VOUCH_NAME_BYTES + 1];          ///< clean and not empty
    int32_t mean;                             ///< of the rating
    uint32_t deviation;                       ///< of it, at least 1
    uint32_t matches;                         ///< from which it comes, at least 1
    uint32_t made_s, expires_s;               ///< since 1970; at most VOUCH_LIFE_S apart
};

/// Computes the Ed25519 keys of a server from the seed in its file.
void vouch_keys(const uint8_t seed[IDENTITY_SEED_BYTES], uint8_t key[IDENTITY_BYTES],
                uint8_t secret[VOUCH_SECRET_BYTES]);
/// Writes and signs a vouch.
void vouch_write(const struct vouch *vouch, const uint8_t secret[VOUCH_SECRET_BYTES], uint8_t bytes[VOUCH_BYTES]);
/// Replaces the signature of a vouch, whatever it says. For vouch_write() and for tests.
void vouch_sign(uint8_t bytes[VOUCH_BYTES], const uint8_t secret[VOUCH_SECRET_BYTES]);
/// Reads a vouch and verifies its signature, which takes about 0.1 ms. False if anything is not as it must be.
bool vouch_read(struct vouch *vouch, const uint8_t *bytes, size_t byte_count);
/// Returns whether two vouches are, as they say, of the same server about the same local player. Verifies neither.
bool vouch_is_of_same(const uint8_t one[VOUCH_BYTES], const uint8_t other[VOUCH_BYTES]);
/// Returns the number of the local player that a vouch, as it says, is about; not verified, and it may be out of range.
uint32_t vouch_local(const uint8_t bytes[VOUCH_BYTES]);
/// Returns whether a vouch counts at a time, s since 1970.
bool vouch_is_current(const struct vouch *vouch, int64_t unix_time);

#endif
