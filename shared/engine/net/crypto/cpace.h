// SPDX-License-Identifier: MIT
//
// CPace, the balanced password-authenticated key exchange of the CFRG (draft-irtf-cfrg-cpace, CPACE-RISTR255-SHA512,
// initiator-responder): two sides with the same password get the same key. From a recorded exchange nobody can guess
// the password offline, and each exchange with an impostor lets them test one guess. Pure functions over bytes; the
// group, its encodings and SHA-512 are libsodium's.
#ifndef NET_CPACE_H
#define NET_CPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPACE_BYTES     32 ///< of a secret or a share
#define CPACE_KEY_BYTES 64

struct cpace_text {
    const void *bytes;
    size_t byte_count; ///< at most CPACE_TEXT_MAX
};
#define CPACE_TEXT_MAX 127

/// What both sides must agree on: the draft's PRS, CI, sid, ADa and ADb.
struct cpace {
    struct cpace_text password, channel, session, initiator, responder;
};

/// Computes the share to send from a random secret (crypto_core_ristretto255_scalar_random()).
void cpace_share(const struct cpace *cpace, const uint8_t secret[CPACE_BYTES], uint8_t share[CPACE_BYTES]);

/// The shares of both sides.
struct cpace_shares {
    const uint8_t *initiator, *responder; ///< CPACE_BYTES each; one of them is our own
};

/// Computes the key from our secret and the other side's share, `theirs`, which is one of `shares`. False if that one
/// is no element of the group, or the neutral one.
bool cpace_key(const struct cpace *cpace, const struct cpace_shares *shares, const uint8_t secret[CPACE_BYTES],
               const uint8_t theirs[CPACE_BYTES], uint8_t key[CPACE_KEY_BYTES]);

#endif
