// SPDX-License-Identifier: MIT
//
// What servers, players and content are known by. The keys of servers and players stay the same from one start to the
// next: 32 random bytes in a file that only its owner may read, made when it is missing. A fingerprint is a short text
// by which people compare keys, a tag what a player knows another by, and a content hash the name of a map.
#ifndef NET_IDENTITY_H
#define NET_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/// Bytes of the seed that both kinds of keys are made from, and of what a player is known by.
#define IDENTITY_SEED_BYTES 32
#define IDENTITY_BYTES      32 ///< Ed25519 public key of a player with the sign bit clear: their account
/// Letters of a fingerprint, with the final zero.
#define FINGERPRINT_TEXT_BYTES 33

/// Reads the seed in a file; makes file and folders with a random one if it is missing. False with an error if it
/// cannot be read, made, or trusted (damaged, or open to others).
bool identity_load(const char *path, uint8_t seed[IDENTITY_SEED_BYTES], struct error *error);

/// Clears the sign bit of an Ed25519 key: one secret has two of them, which differ in it, and so only one account.
static inline void identity_clear_sign(uint8_t account[IDENTITY_BYTES])
{
    account[IDENTITY_BYTES - 1] &= 0x7F;
}
/// Returns whether the sign bit is clear, as in an account.
static inline bool identity_has_no_sign(const uint8_t key[IDENTITY_BYTES])
{
    return key[IDENTITY_BYTES - 1] >> 7 == 0;
}

/// Writes the fingerprint of a public key (32 bytes): 160 bits of BLAKE2b in base32, a to z and 2 to 7.
void identity_fingerprint(const uint8_t key[32], char text[FINGERPRINT_TEXT_BYTES]);
/// Writes the fingerprint of the key with the other sign. Version 0.1.0 knew half of the accounts by it, so it may be
/// in lists of bans and admins.
void identity_fingerprint_of_sign(const uint8_t account[IDENTITY_BYTES], char text[FINGERPRINT_TEXT_BYTES]);
/// Writes the fingerprint by which servers know the player with the seed in a file, as identity_load() finds or makes
/// it. False with an error.
bool identity_fingerprint_of_file(const char *path, char text[FINGERPRINT_TEXT_BYTES], struct error *error);
/// Returns whether a text has the form of a fingerprint.
bool identity_fingerprint_is_valid(const char *text);

#define CONTENT_HASH_BYTES 32

/// Computes the BLAKE2b-256 of some content. Nobody can make other content with the same one.
void identity_of_content(const uint8_t *bytes, size_t byte_count, uint8_t hash[CONTENT_HASH_BYTES]);

#define PLAYER_TAG_BYTES 8

/// Computes the tag by which one player, the viewer, recognises another without learning their account. It is the same
/// on every server, but two viewers who compare theirs find nothing in common. PROTOCOL.md documents the bytes.
void identity_player_tag(const uint8_t viewer[IDENTITY_BYTES], const uint8_t player[IDENTITY_BYTES],
                         uint8_t tag[PLAYER_TAG_BYTES]);

#endif
