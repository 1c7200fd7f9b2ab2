// SPDX-License-Identifier: MIT
//
// The sealed datagram: what every datagram is after the handshake. ChaCha20-Poly1305 over the bytes of ENet, with the
// header as associated data, one key for each direction. The sequence is the nonce and lives and dies with the key;
// the wire carries its low 32 bits, the receiver knows the rest. A window of 256 refuses what came before. Pure
// functions over bytes: no socket, no clock, no heap.
//
//     0  1  kind, DATAGRAM_SEALED
//     1  2  session, little-endian
//     3  4  low 32 bits of the sequence, little-endian
//     7  n  sealed bytes
//   7+n 16  tag
#ifndef NET_SEAL_H
#define NET_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// First byte of every datagram of ours. 0xff stays free: server browsers begin with it.
enum datagram_kind {
    DATAGRAM_HELLO = 1,
    DATAGRAM_COOKIE = 2,
    DATAGRAM_JOIN = 3,
    DATAGRAM_ACCEPT = 4,
    DATAGRAM_DENY = 5,
    DATAGRAM_SEALED = 6,
};

#define SEAL_KEY_BYTES      32
#define SEAL_HEADER_BYTES   7
#define SEAL_TAG_BYTES      16
#define SEAL_OVERHEAD_BYTES (SEAL_HEADER_BYTES + SEAL_TAG_BYTES)

/// Sequences behind the newest that may still arrive.
#define SEAL_WINDOW 256

/// One end of a session's two directions.
struct seal {
    uint8_t send_key[SEAL_KEY_BYTES], receive_key[SEAL_KEY_BYTES];
    uint64_t sent;              ///< sequence of the last datagram sent; the first is 1
    uint64_t newest;            ///< highest sequence received with a good tag; 0: none
    uint64_t seen[SEAL_WINDOW]; ///< the last sequence received of each remainder modulo SEAL_WINDOW
};

/// Begins with fresh keys and nothing sent or received.
void seal_init(struct seal *seal, const uint8_t send_key[SEAL_KEY_BYTES], const uint8_t receive_key[SEAL_KEY_BYTES]);

/// Seals `byte_count` bytes into `datagram`, which has room for SEAL_OVERHEAD_BYTES more. Returns the datagram's bytes;
/// 0 when the key has no sequence left.
size_t seal_write(struct seal *seal, uint16_t session, const uint8_t *bytes, size_t byte_count, uint8_t *datagram);

/// True, with the session it claims, if a datagram may be a sealed one: kind and length are right, nothing is proven.
bool seal_claims(const uint8_t *datagram, size_t byte_count, uint16_t *session);

/// Opens a datagram that seal_claims into `bytes` (at least byte_count - SEAL_OVERHEAD_BYTES). False: forged, or
/// received before, or too old; nothing has changed then. `newest` tells whether it is ahead of all before.
bool seal_read(struct seal *seal, const uint8_t *datagram, size_t byte_count, uint8_t *bytes, bool *newest);

/// The sequence with these low 32 bits that is nearest to what comes after `newest`.
uint64_t seal_sequence_expand(uint64_t newest, uint32_t low);

#endif
