// SPDX-License-Identifier: MIT
#include "crc32.h"

uint32_t crc32_of(const void *bytes, size_t byte_count)
{
    // Four bits at a time: nearly as fast as a table of 256, and it stays in the cache.
    static const uint32_t BY_NIBBLE[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                           0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                           0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    const uint8_t *byte = bytes;
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < byte_count; i++) {
        crc ^= byte[i];
        crc = crc >> 4 ^ BY_NIBBLE[crc & 15];
        crc = crc >> 4 ^ BY_NIBBLE[crc & 15];
    }
    return ~crc;
}
