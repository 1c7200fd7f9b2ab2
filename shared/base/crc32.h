// SPDX-License-Identifier: MIT
//
// CRC-32 as zlib, PNG and gzip have it (polynomial 0xEDB88320, reflected). It sees damage, not malice.
#ifndef BASE_CRC32_H
#define BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/// The checksum of some bytes; 0xCBF43926 of "123456789".
uint32_t crc32_of(const void *bytes, size_t byte_count);

#endif
