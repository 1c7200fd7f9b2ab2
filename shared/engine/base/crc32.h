// SPDX-License-Identifier: MIT
//
// CRC-32 as in zlib, PNG and gzip (polynomial 0xEDB88320, reflected). Detects damage, but not forgery.
#ifndef BASE_CRC32_H
#define BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/// Returns the checksum of some bytes: 0xCBF43926 for "123456789".
uint32_t crc32_of(const void *bytes, size_t byte_count);

#endif
