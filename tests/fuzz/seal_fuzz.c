// SPDX-License-Identifier: MIT
//
// Any bytes as a sealed datagram: never opened, and nothing changes; the same bytes sealed: opened once.
#include <stdlib.h>
#include <string.h>

#include "net/seal.h"

#define SIZE_MAX_HERE 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t key[SEAL_KEY_BYTES] = {1}, other[SEAL_KEY_BYTES] = {2};
    static uint8_t sealed[SIZE_MAX_HERE + SEAL_OVERHEAD_BYTES], opened[SIZE_MAX_HERE];
    struct seal near, far;
    uint16_t session;
    bool newest;
    if (size > SIZE_MAX_HERE)
        return 0;
    seal_init(&near, key, other);
    seal_init(&far, other, key);
    if (size >= 8) {
        memcpy(&near.sent, data, 8);
        near.sent >>= 1;
        far.newest = near.sent;
    }
    struct seal before = far;
    if (seal_claims(data, size, &session) && seal_read(&far, data, size, opened, &newest))
        abort();
    if (memcmp(&before, &far, sizeof far) != 0)
        abort();
    size_t sealed_size = seal_write(&near, (uint16_t)size, data, size, sealed);
    if (size > 0 && (!seal_claims(sealed, sealed_size, &session) || session != (uint16_t)size ||
                     !seal_read(&far, sealed, sealed_size, opened, &newest) || memcmp(opened, data, size) != 0 ||
                     seal_read(&far, sealed, sealed_size, opened, &newest)))
        abort();
    return 0;
}
