// SPDX-License-Identifier: MIT
#include "content_hash.h"

#include <sodium.h>

void content_hash(const uint8_t *bytes, size_t byte_count, uint8_t address[CONTENT_HASH_BYTES])
{
    crypto_generichash(address, CONTENT_HASH_BYTES, bytes, byte_count, NULL, 0);
}
