// SPDX-License-Identifier: MIT
//
// By what a blob of bytes, such as a map, is known everywhere: nobody can make another one with the same address.
#ifndef NET_BLOB_ADDRESS_H
#define NET_BLOB_ADDRESS_H

#include <stddef.h>
#include <stdint.h>

#define BLOB_ADDRESS_BYTES 32

/// BLAKE2b-256 of the bytes.
void blob_address(const uint8_t *bytes, size_t byte_count, uint8_t address[BLOB_ADDRESS_BYTES]);

#endif
