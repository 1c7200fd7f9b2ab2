// SPDX-License-Identifier: MIT
#include "hash.h"

#define HASH_K UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t mix(uint64_t lane, uint64_t word)
{
    lane ^= word;
    return (lane << 29 | lane >> 35) * HASH_K;
}

struct hash hash_begin(void)
{
    return (struct hash){.lanes = {HASH_K, HASH_K * 2, HASH_K * 3, HASH_K * 4}};
}

void hash_words(struct hash *hash, const uint32_t *words, size_t count)
{
    size_t i = 0;
    for (; i < count && (hash->count + i) % 4 != 0; i++) {
        uint64_t *lane = &hash->lanes[(hash->count + i) % 4];
        *lane = mix(*lane, words[i]);
    }
    uint64_t a = hash->lanes[0], b = hash->lanes[1], c = hash->lanes[2], d = hash->lanes[3];
    for (; i + 4 <= count; i += 4) {
        a = mix(a, words[i]);
        b = mix(b, words[i + 1]);
        c = mix(c, words[i + 2]);
        d = mix(d, words[i + 3]);
    }
    hash->lanes[0] = a, hash->lanes[1] = b, hash->lanes[2] = c, hash->lanes[3] = d;
    for (; i < count; i++) {
        uint64_t *lane = &hash->lanes[(hash->count + i) % 4];
        *lane = mix(*lane, words[i]);
    }
    hash->count += count;
}

uint64_t hash_end(const struct hash *hash)
{
    uint64_t h = hash->count;
    for (int k = 0; k < 4; k++)
        h = mix(h, hash->lanes[k]);
    h ^= h >> 32;
    h *= HASH_K;
    return h ^ h >> 29;
}

uint32_t hash_crc32(const void *bytes, size_t byte_count)
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
