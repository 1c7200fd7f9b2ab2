// SPDX-License-Identifier: MIT
//
// Names a blob of bytes, such as a map, by its hash. Nobody can make another blob with the same name.
#ifndef NET_CONTENT_HASH_H
#define NET_CONTENT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CONTENT_HASH_BYTES 32

/// Computes BLAKE2b-256 of the bytes.
void content_hash(const uint8_t *bytes, size_t byte_count, uint8_t address[CONTENT_HASH_BYTES]);

#endif
