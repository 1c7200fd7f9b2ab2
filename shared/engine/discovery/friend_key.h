// SPDX-License-Identifier: MIT
//
// The keys by which friends find each other, X25519. They come from the seed of the player's account, but are others
// than the account's: servers see the account of everybody who plays there, and only friends see this key. As text it
// has a sum, so a wrong letter is noticed. Pure functions.
#ifndef DISCOVERY_FRIEND_KEY_H
#define DISCOVERY_FRIEND_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/crypto/identity.h"

#define FRIEND_KEY_BYTES 32
/// Letters of a key as text, a to z and 2 to 7, with the final zero.
#define FRIEND_KEY_TEXT_BYTES 57
/// What a link begins with; the key follows.
#define FRIEND_KEY_LINK       "deadfall://friend/"
#define FRIEND_KEY_LINK_BYTES (sizeof FRIEND_KEY_LINK - 1 + FRIEND_KEY_TEXT_BYTES)

struct friend_keys {
    uint8_t key[FRIEND_KEY_BYTES], secret[FRIEND_KEY_BYTES];
};

/// Computes the keys of the player with a seed.
void friend_key_derive(const uint8_t seed[IDENTITY_SEED_BYTES], struct friend_keys *keys);
/// Writes a key as text.
void friend_key_write(const uint8_t key[FRIEND_KEY_BYTES], char text[FRIEND_KEY_TEXT_BYTES]);
/// Reads a key as text, or a link with it. False if it is neither, or a letter is wrong.
bool friend_key_read(const char *text, uint8_t key[FRIEND_KEY_BYTES]);
/// Computes the secret that only two friends know, the same on both sides. False if the other key is one of the few
/// that give the same secret to everybody.
bool friend_key_pair(const struct friend_keys *own, const uint8_t theirs[FRIEND_KEY_BYTES],
                     uint8_t pair[FRIEND_KEY_BYTES]);

#endif
