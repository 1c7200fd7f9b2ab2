// SPDX-License-Identifier: MIT
//
// The sealed datagram: what every datagram is after the handshake. ChaCha20-Poly1305 over the bytes of ENet, with the
// header as associated data, one key for each direction. The sequence is the nonce and lives and dies with the key;
// the wire carries its low 32 bits, the receiver knows the rest. A window of 256 refuses what came before. Pure
// functions over bytes: no socket, no clock, no heap.
//
//     0  1  kind, DATAGRAM_ENCRYPTED
//     1  2  session, little-endian
//     3  4  low 32 bits of the sequence, little-endian
//     7  n  sealed bytes
//   7+n 16  tag
#ifndef NET_PACKET_CRYPTO_H
#define NET_PACKET_CRYPTO_H

#include "datagram.h"

#define PACKET_CRYPTO_KEY_BYTES      32
#define PACKET_CRYPTO_HEADER_BYTES   7
#define PACKET_CRYPTO_TAG_BYTES      16
#define PACKET_CRYPTO_OVERHEAD_BYTES (PACKET_CRYPTO_HEADER_BYTES + PACKET_CRYPTO_TAG_BYTES)

/// Sequences behind the newest that may still arrive.
#define PACKET_CRYPTO_WINDOW 256

/// One end of a session's two directions.
struct packet_crypto {
    uint8_t send_key[PACKET_CRYPTO_KEY_BYTES], receive_key[PACKET_CRYPTO_KEY_BYTES];
    uint64_t sent;                       ///< sequence of the last datagram sent; the first is 1
    uint64_t newest;                     ///< highest sequence received with a good tag; 0: none
    uint64_t seen[PACKET_CRYPTO_WINDOW]; ///< the last sequence received of each remainder modulo PACKET_CRYPTO_WINDOW
};

/// Begins with fresh keys and nothing sent or received.
void packet_crypto_init(struct packet_crypto *crypto, const uint8_t send_key[PACKET_CRYPTO_KEY_BYTES],
                        const uint8_t receive_key[PACKET_CRYPTO_KEY_BYTES]);

/// Seals `byte_count` bytes into `datagram`, which has room for PACKET_CRYPTO_OVERHEAD_BYTES more. Returns the
/// datagram's bytes; 0 when the key has no sequence left.
size_t packet_crypto_encrypt(struct packet_crypto *crypto, uint16_t session, const uint8_t *bytes, size_t byte_count,
                             uint8_t *datagram);

/// True, with the session it claims, if a datagram may be a sealed one: kind and length are right, nothing is proven.
bool packet_crypto_claims(const uint8_t *datagram, size_t byte_count, uint16_t *session);

/// Opens a datagram that packet_crypto_claims into `bytes` (at least byte_count - PACKET_CRYPTO_OVERHEAD_BYTES). False:
/// forged, or received before, or too old; nothing has changed then. `newest` tells whether it is ahead of all before.
bool packet_crypto_decrypt(struct packet_crypto *crypto, const uint8_t *datagram, size_t byte_count, uint8_t *bytes,
                           bool *newest);

/// The sequence with these low 32 bits that is nearest to what comes after `newest`.
uint64_t packet_crypto_sequence_expand(uint64_t newest, uint32_t low);

#endif
