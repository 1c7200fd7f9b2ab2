// SPDX-License-Identifier: MIT
//
// Proves that a server listens at an address: who asks sends an ephemeral key there, and only the owner of the server's
// key can answer with the tag that both compute from the two keys. It costs the server one multiplication. PROTOCOL.md
// documents the bytes. Pure functions.
#ifndef NET_REACH_PROOF_H
#define NET_REACH_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#define REACH_PROOF_KEY_BYTES 32 ///< X25519
#define REACH_PROOF_TAG_BYTES 32

/// The public keys of a proof.
struct reach_proof {
    uint8_t asker[REACH_PROOF_KEY_BYTES];  ///< ephemeral, of who asks
    uint8_t server[REACH_PROOF_KEY_BYTES]; ///< its fingerprint names the server
};

/// Computes the tag from the secret of one side and the keys of both; `theirs` is the key of the other side, in
/// `proof`. False if that key is one of those that give the same result to everybody.
bool reach_proof_tag(const struct reach_proof *proof, const uint8_t secret[REACH_PROOF_KEY_BYTES],
                     const uint8_t theirs[REACH_PROOF_KEY_BYTES], uint8_t tag[REACH_PROOF_TAG_BYTES]);
/// Draws an ephemeral key for a question to the server of the key, and computes the tag that answers it. False if
/// the server's key is bad.
bool reach_proof_ask(struct reach_proof *proof, uint8_t tag[REACH_PROOF_TAG_BYTES]);

#endif
