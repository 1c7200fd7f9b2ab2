// SPDX-License-Identifier: MIT
#include "player_tag.h"

#include <sodium.h>
#include <string.h>

static const char PURPOSE[] = "deadfall player tag 1";

void player_tag(const uint8_t viewer[IDENTITY_BYTES], const uint8_t player[IDENTITY_BYTES],
                uint8_t tag[PLAYER_TAG_BYTES])
{
    uint8_t hash[crypto_generichash_BYTES_MIN];
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, (const uint8_t *)PURPOSE, sizeof PURPOSE - 1);
    crypto_generichash_update(&state, viewer, IDENTITY_BYTES);
    crypto_generichash_update(&state, player, IDENTITY_BYTES);
    crypto_generichash_final(&state, hash, sizeof hash);
    memcpy(tag, hash, PLAYER_TAG_BYTES);
}
