// SPDX-License-Identifier: MIT
#include "packet_crypto.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"

#define NONCE_BYTES crypto_aead_chacha20poly1305_ietf_NPUBBYTES

_Static_assert(PACKET_CRYPTO_KEY_BYTES == crypto_aead_chacha20poly1305_ietf_KEYBYTES, "key");
_Static_assert(PACKET_CRYPTO_TAG_BYTES == crypto_aead_chacha20poly1305_ietf_ABYTES, "tag");

static void nonce_of(uint8_t nonce[NONCE_BYTES], uint64_t sequence)
{
    memset(nonce, 0, NONCE_BYTES);
    little_endian_write(nonce + NONCE_BYTES - 8, sequence, 8);
}

// REKEY of the Noise specification (revision 34, 4.2): what the highest nonce makes of zeros, which no datagram uses.
static void rekey(uint8_t key[PACKET_CRYPTO_KEY_BYTES])
{
    static const uint8_t ZEROS[PACKET_CRYPTO_KEY_BYTES];
    uint8_t nonce[NONCE_BYTES], output[PACKET_CRYPTO_KEY_BYTES + PACKET_CRYPTO_TAG_BYTES];
    nonce_of(nonce, UINT64_MAX);
    crypto_aead_chacha20poly1305_ietf_encrypt(output, NULL, ZEROS, sizeof ZEROS, NULL, 0, NULL, nonce, key);
    memcpy(key, output, PACKET_CRYPTO_KEY_BYTES);
    sodium_memzero(output, sizeof output);
}

void packet_crypto_init(struct packet_crypto *crypto, const uint8_t send_key[PACKET_CRYPTO_KEY_BYTES],
                        const uint8_t receive_key[PACKET_CRYPTO_KEY_BYTES])
{
    *crypto = (struct packet_crypto){0};
    memcpy(crypto->send_key, send_key, PACKET_CRYPTO_KEY_BYTES);
    memcpy(crypto->receive_key, receive_key, PACKET_CRYPTO_KEY_BYTES);
}

size_t packet_crypto_encrypt(struct packet_crypto *crypto, struct session_id session, const uint8_t *bytes,
                             size_t byte_count, uint8_t *datagram)
{
    if (crypto->sent >= PACKET_CRYPTO_SENT_MAX)
        return 0;
    crypto->sent++;
    if (crypto->sent % PACKET_CRYPTO_PHASE == 0)
        rekey(crypto->send_key);
    datagram[0] = DATAGRAM_ENCRYPTED;
    little_endian_write(datagram + 1, session.index, 2);
    little_endian_write(datagram + 3, session.generation, 2);
    little_endian_write(datagram + 5, crypto->sent, 2);
    uint8_t nonce[NONCE_BYTES];
    nonce_of(nonce, crypto->sent);
    crypto_aead_chacha20poly1305_ietf_encrypt(datagram + PACKET_CRYPTO_HEADER_BYTES, NULL, bytes, byte_count, datagram,
                                              PACKET_CRYPTO_HEADER_BYTES, NULL, nonce, crypto->send_key);
    return byte_count + PACKET_CRYPTO_OVERHEAD_BYTES;
}

bool packet_crypto_claims(const uint8_t *datagram, size_t byte_count, struct session_id *session)
{
    if (byte_count <= PACKET_CRYPTO_OVERHEAD_BYTES || datagram[0] != DATAGRAM_ENCRYPTED)
        return false;
    session->index = (uint16_t)little_endian_read(datagram + 1, 2);
    session->generation = (uint16_t)little_endian_read(datagram + 3, 2);
    return true;
}

uint64_t packet_crypto_sequence_expand(uint64_t newest, uint16_t low)
{
    uint64_t sequence = (newest & ~(uint64_t)UINT16_MAX) | low;
    if (sequence > newest && sequence - newest > UINT16_MAX / 2 && sequence > UINT16_MAX)
        return sequence - UINT16_MAX - 1;
    if (sequence < newest && newest - sequence > UINT16_MAX / 2 && sequence <= UINT64_MAX - UINT16_MAX - 1)
        return sequence + UINT16_MAX + 1;
    return sequence;
}

static uint64_t bit_of(uint64_t sequence)
{
    return UINT64_C(1) << sequence % 64;
}

static uint64_t *word_of(struct packet_crypto *crypto, uint64_t sequence)
{
    return &crypto->seen[sequence % PACKET_CRYPTO_WINDOW / 64];
}

bool packet_crypto_decrypt(struct packet_crypto *crypto, const uint8_t *datagram, size_t byte_count, uint8_t *bytes,
                           bool *newest)
{
    if (byte_count <= PACKET_CRYPTO_OVERHEAD_BYTES)
        return false;
    uint64_t sequence = packet_crypto_sequence_expand(crypto->newest, (uint16_t)little_endian_read(datagram + 5, 2));
    uint64_t phase = sequence / PACKET_CRYPTO_PHASE, own_phase = crypto->newest / PACKET_CRYPTO_PHASE;
    bool is_ahead = sequence > crypto->newest;
    bool is_old = !is_ahead && (sequence == 0 || crypto->newest - sequence >= PACKET_CRYPTO_WINDOW);
    bool is_repeated = !is_ahead && (*word_of(crypto, sequence) & bit_of(sequence)) != 0;
    if (is_old || is_repeated || phase > own_phase + PACKET_CRYPTO_PHASES_AHEAD ||
        crypto->forged >= PACKET_CRYPTO_FORGED_MAX)
        return false;
    uint8_t nonce[NONCE_BYTES], key[PACKET_CRYPTO_KEY_BYTES], key_before[PACKET_CRYPTO_KEY_BYTES] = {0};
    nonce_of(nonce, sequence);
    memcpy(key, phase < own_phase ? crypto->receive_key_before : crypto->receive_key, sizeof key);
    for (uint64_t i = own_phase; i < phase; i++) {
        memcpy(key_before, key, sizeof key);
        rekey(key);
    }
    bool good = crypto_aead_chacha20poly1305_ietf_decrypt(bytes, NULL, NULL, datagram + PACKET_CRYPTO_HEADER_BYTES,
                                                          byte_count - PACKET_CRYPTO_HEADER_BYTES, datagram,
                                                          PACKET_CRYPTO_HEADER_BYTES, nonce, key) == 0;
    if (good && phase > own_phase) {
        memcpy(crypto->receive_key, key, sizeof key);
        memcpy(crypto->receive_key_before, key_before, sizeof key);
    }
    sodium_memzero(key, sizeof key);
    sodium_memzero(key_before, sizeof key_before);
    if (!good) {
        crypto->forged++;
        return false;
    }
    // Only now the window moves, until the sequence is in it. The key before goes with the last sequence of its phase.
    for (uint64_t i = 1; is_ahead && i <= sequence - crypto->newest && i <= PACKET_CRYPTO_WINDOW; i++)
        *word_of(crypto, crypto->newest + i) &= ~bit_of(crypto->newest + i);
    crypto->newest = is_ahead ? sequence : crypto->newest;
    if (crypto->newest % PACKET_CRYPTO_PHASE >= PACKET_CRYPTO_WINDOW - 1)
        sodium_memzero(crypto->receive_key_before, sizeof crypto->receive_key_before);
    *word_of(crypto, sequence) |= bit_of(sequence);
    *newest = is_ahead;
    return true;
}
