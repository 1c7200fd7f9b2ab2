// SPDX-License-Identifier: MIT
//
// Dice that nobody can foresee and everybody can check. A match has a secret; a commitment to it is public from the
// start. Each roll is a keyed hash of its number under the secret. When the match is over the secret is published, and
// with it everybody can verify that the server did not choose what it rolled. PROTOCOL.md documents the hashes.
#ifndef NET_DICE_H
#define NET_DICE_H

#include <stdbool.h>
#include <stdint.h>

/// Bytes of a key, of a secret and of a commitment.
#define DICE_BYTES 32

/// The dice of a match.
struct dice {
    uint8_t secret[DICE_BYTES];     ///< known to the server alone until the match is over
    uint8_t commitment[DICE_BYTES]; ///< dice_commit() of the secret
};

/// Fills a key with random bytes that nobody can guess.
void dice_make_key(uint8_t key[DICE_BYTES]);

/// Makes the dice of match `number` of a server with a key. A published secret says nothing about other matches.
void dice_begin(struct dice *dice, const uint8_t key[DICE_BYTES], uint32_t number);

/// Computes the commitment to a secret. Returns false in a build without libsodium.
bool dice_commit(uint8_t commitment[DICE_BYTES], const uint8_t secret[DICE_BYTES]);

/// Returns the 32 random bits of roll `number`, from 0.
uint32_t dice_roll(const uint8_t secret[DICE_BYTES], uint32_t number);

/// Overwrites a key or secret.
void dice_wipe(uint8_t key[DICE_BYTES]);

#endif
