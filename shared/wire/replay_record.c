// SPDX-License-Identifier: MIT
#include "replay_record.h"

uint32_t replay_record_checksum(const uint8_t *bytes, size_t byte_count)
{
    // four bits at a time
    static const uint32_t BY_NIBBLE[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                           0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                           0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < byte_count; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ BY_NIBBLE[crc & 15];
        crc = crc >> 4 ^ BY_NIBBLE[crc & 15];
    }
    return ~crc;
}

void replay_record_store(uint8_t *bytes, uint64_t value, uint32_t byte_count)
{
    for (uint32_t i = 0; i < byte_count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

uint64_t replay_record_load(const uint8_t *bytes, uint32_t byte_count)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < byte_count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}
