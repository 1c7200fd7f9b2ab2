// SPDX-License-Identifier: MIT
//
// Fuzzes encrypted datagrams: arbitrary bytes are refused and change nothing; encrypted, they are accepted once.
#include <stdlib.h>
#include <string.h>

#include "net/crypto/packet_crypto.h"

#define SIZE_MAX_HERE 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t key[PACKET_CRYPTO_KEY_BYTES] = {1}, other[PACKET_CRYPTO_KEY_BYTES] = {2};
    static uint8_t encrypted[SIZE_MAX_HERE + PACKET_CRYPTO_OVERHEAD_BYTES], opened[SIZE_MAX_HERE];
    struct packet_crypto near, far;
    struct session_id session;
    bool newest;
    if (size > SIZE_MAX_HERE)
        return 0;
    packet_crypto_init(&near, key, other);
    packet_crypto_init(&far, other, key);
    if (size >= 8) {
        memcpy(&near.sent, data, 8);
        near.sent %= PACKET_CRYPTO_SENT_MAX;
        far.newest = near.sent;
    }
    struct packet_crypto before = far;
    if (packet_crypto_claims(data, size, &session) && packet_crypto_decrypt(&far, data, size, opened, &newest))
        abort();
    before.forged = far.forged;
    if (memcmp(&before, &far, sizeof far) != 0)
        abort();
    struct session_id id = {(uint16_t)size, (uint16_t)(size + 1)};
    size_t encrypted_size = packet_crypto_encrypt(&near, id, data, size, encrypted);
    if (size > 0 &&
        (!packet_crypto_claims(encrypted, encrypted_size, &session) || session.index != id.index ||
         session.generation != id.generation ||
         !packet_crypto_decrypt(&far, encrypted, encrypted_size, opened, &newest) || memcmp(opened, data, size) != 0 ||
         packet_crypto_decrypt(&far, encrypted, encrypted_size, opened, &newest)))
        abort();
    return 0;
}
