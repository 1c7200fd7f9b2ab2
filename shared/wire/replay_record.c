// SPDX-License-Identifier: MIT
#include "replay_record.h"

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
