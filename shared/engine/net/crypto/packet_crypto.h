// SPDX-License-Identifier: MIT
//
// The encryption of every datagram after the handshake: ChaCha20-Poly1305 over the bytes of ENet, with the header as
// associated data and one key for each direction. The nonce is a sequence number that begins with the session; the
// datagram carries its low 16 bits, and the receiver knows the rest. A window of 256 refuses replayed datagrams. Every
// PACKET_CRYPTO_PHASE sequences a one-way function makes the next key, and the one before is wiped: what is stolen from
// the memory of a session opens nothing that was recorded earlier. Pure functions over bytes: no socket, no clock, no
// heap.
//
//     0  1  kind, DATAGRAM_ENCRYPTED
//     1  2  index of the session, little-endian
//     3  2  its generation, little-endian
//     5  2  low 16 bits of the sequence, little-endian
//     7  n  encrypted bytes
//   7+n 16  tag
#ifndef NET_PACKET_CRYPTO_H
#define NET_PACKET_CRYPTO_H

#include "net/datagram.h"

#define PACKET_CRYPTO_KEY_BYTES      32
#define PACKET_CRYPTO_HEADER_BYTES   7
#define PACKET_CRYPTO_TAG_BYTES      16
#define PACKET_CRYPTO_OVERHEAD_BYTES (PACKET_CRYPTO_HEADER_BYTES + PACKET_CRYPTO_TAG_BYTES)

/// Sequences under one key, its phase: 17 s of a player's datagrams at 60 a second.
#define PACKET_CRYPTO_PHASE 1024
/// Phases that may be lost as a whole. It bounds what a forged datagram costs, one hash each; a session ends before.
#define PACKET_CRYPTO_PHASES_AHEAD 3

/// Most datagrams of a session, sent and forged. Both are limits of RFC 9001, 6.6 and appendix B, for one key of
/// ChaCha20-Poly1305. At 1,000 datagrams a second the first one lasts for 146 million years; after the other one the
/// session is silent and so ends.
#define PACKET_CRYPTO_SENT_MAX   (UINT64_C(1) << 62)
#define PACKET_CRYPTO_FORGED_MAX (UINT64_C(1) << 36)

/// Sequences behind the newest that may still arrive.
#define PACKET_CRYPTO_WINDOW 256

/// One end of a session's two directions.
struct packet_crypto {
    uint8_t send_key[PACKET_CRYPTO_KEY_BYTES], receive_key[PACKET_CRYPTO_KEY_BYTES];
    uint8_t receive_key_before[PACKET_CRYPTO_KEY_BYTES]; ///< of the phase before, while its datagrams may still arrive
    uint64_t sent;                                       ///< sequence of the last datagram sent; the first is 1
    uint64_t forged;                                     ///< datagrams received with a bad tag
    uint64_t newest;                                     ///< highest sequence received with a good tag; 0: none
    uint64_t seen[PACKET_CRYPTO_WINDOW / 64]; ///< bit sequence % PACKET_CRYPTO_WINDOW: one of the window was received
};

/// Begins with new keys, and nothing sent or received.
void packet_crypto_init(struct packet_crypto *crypto, const uint8_t send_key[PACKET_CRYPTO_KEY_BYTES],
                        const uint8_t receive_key[PACKET_CRYPTO_KEY_BYTES]);

/// Encrypts `byte_count` bytes into `datagram`, which has room for PACKET_CRYPTO_OVERHEAD_BYTES more. Returns the bytes
/// of the datagram; 0 if PACKET_CRYPTO_SENT_MAX datagrams were encrypted.
size_t packet_crypto_encrypt(struct packet_crypto *crypto, struct session_id session, const uint8_t *bytes,
                             size_t byte_count, uint8_t *datagram);

/// Reads the session that a datagram claims. False if its kind or length is wrong; if true, nothing is proven yet.
bool packet_crypto_claims(const uint8_t *datagram, size_t byte_count, struct session_id *session);

/// Decrypts a datagram that packet_crypto_claims() into `bytes` (room for byte_count - PACKET_CRYPTO_OVERHEAD_BYTES).
/// False if it is forged, replayed or too old, more than PACKET_CRYPTO_PHASES_AHEAD phases ahead, or if there were
/// PACKET_CRYPTO_FORGED_MAX forged ones; then only their count may change. `newest`: it is ahead of all others.
bool packet_crypto_decrypt(struct packet_crypto *crypto, const uint8_t *datagram, size_t byte_count, uint8_t *bytes,
                           bool *newest);

/// Returns the sequence number with these low 16 bits that is nearest to `newest`.
uint64_t packet_crypto_sequence_expand(uint64_t newest, uint16_t low);

#endif
