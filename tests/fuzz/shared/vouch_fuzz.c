// SPDX-License-Identifier: MIT
//
// Fuzzes the reader of vouches: any bytes, and the same with a valid signature. What is read is written again to the
// same bytes.
#include "net/crypto/vouch.h"
#include "require.h"

#include <string.h>

#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t seed[IDENTITY_SEED_BYTES] = {0};
    uint8_t key[IDENTITY_BYTES], secret[VOUCH_SECRET_BYTES], bytes[VOUCH_BYTES] = {0}, again[VOUCH_BYTES];
    struct vouch vouch;
    vouch_read(&vouch, data, size);
    vouch_keys(seed, key, secret);
    memcpy(bytes, key, sizeof key);
    memcpy(bytes + sizeof key, data, size < VOUCH_BYTES - sizeof key ? size : VOUCH_BYTES - sizeof key);
    vouch_sign(bytes, secret);
    if (!vouch_read(&vouch, bytes, sizeof bytes))
        return 0;
    require(utf8_is_clean(vouch.name, strlen(vouch.name)) && identity_fingerprint_is_valid(vouch.fingerprint));
    vouch_write(&vouch, secret, again);
    require(memcmp(again, bytes, sizeof bytes) == 0);
    return 0;
}
