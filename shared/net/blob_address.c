// SPDX-License-Identifier: MIT
#include "blob_address.h"

#include <sodium.h>

void blob_address(const uint8_t *bytes, size_t byte_count, uint8_t address[BLOB_ADDRESS_BYTES])
{
    crypto_generichash(address, BLOB_ADDRESS_BYTES, bytes, byte_count, NULL, 0);
}
