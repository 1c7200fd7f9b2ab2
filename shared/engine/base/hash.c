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
