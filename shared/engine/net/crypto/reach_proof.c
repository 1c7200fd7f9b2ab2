// SPDX-License-Identifier: MIT
#include "reach_proof.h"

#include <sodium.h>

static const char PURPOSE[] = "deadfall reach proof 1";

bool reach_proof_tag(const struct reach_proof *proof, const uint8_t secret[REACH_PROOF_KEY_BYTES],
                     const uint8_t theirs[REACH_PROOF_KEY_BYTES], uint8_t tag[REACH_PROOF_TAG_BYTES])
{
    uint8_t shared[crypto_scalarmult_BYTES];
    crypto_generichash_state state;
    if (crypto_scalarmult(shared, secret, theirs) != 0)
        return false;
    crypto_generichash_init(&state, shared, sizeof shared, REACH_PROOF_TAG_BYTES);
    crypto_generichash_update(&state, (const uint8_t *)PURPOSE, sizeof PURPOSE - 1);
    crypto_generichash_update(&state, proof->asker, sizeof proof->asker);
    crypto_generichash_update(&state, proof->server, sizeof proof->server);
    crypto_generichash_final(&state, tag, REACH_PROOF_TAG_BYTES);
    sodium_memzero(shared, sizeof shared);
    sodium_memzero(&state, sizeof state);
    return true;
}

bool reach_proof_ask(struct reach_proof *proof, uint8_t tag[REACH_PROOF_TAG_BYTES])
{
    uint8_t secret[REACH_PROOF_KEY_BYTES];
    crypto_box_keypair(proof->asker, secret);
    bool good = reach_proof_tag(proof, secret, proof->server, tag);
    sodium_memzero(secret, sizeof secret);
    return good;
}
