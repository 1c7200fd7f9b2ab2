// SPDX-License-Identifier: MIT
//
// The datagrams of hole punching: a server keeps a directory informed where its router lets it be reached, a client
// asks the directory for the server, the directory lets the server expect the client, and the server sends something
// there, so that its router lets the client in. They begin like queries, travel between the ordinary ports, and no
// answer is longer than what it answers. PROTOCOL.md documents them. Pure functions.
#ifndef NET_PUNCH_PACKET_H
#define NET_PUNCH_PACKET_H

#include "net/crypto/identity.h"
#include "net/net_address.h"

/// Bytes of the largest one.
#define PUNCH_PACKET_BYTES_MAX 70
#define PUNCH_PACKET_KEY_BYTES 32
#define PUNCH_PACKET_TAG_BYTES 16

enum punch_packet_kind {
    PUNCH_PACKET_REGISTER, ///< server to directory, authenticated: here I am
    PUNCH_PACKET_ASK,      ///< client to directory: let me in there
    PUNCH_PACKET_ANSWER,   ///< directory to both
    PUNCH_PACKET_EXPECT,   ///< directory to server, authenticated: somebody comes
    PUNCH_PACKET_HOLE,     ///< server to client: opens its router
    PUNCH_PACKET_KINDS,
};

/// What an answer says, and which address is in it.
enum punch_packet_status {
    PUNCH_PACKET_CHALLENGE,  ///< send that again, with this cookie; your own address
    PUNCH_PACKET_REGISTERED, ///< the server can be asked for; its own address
    PUNCH_PACKET_INTRODUCED, ///< the server expects you; its address
    PUNCH_PACKET_UNKNOWN,    ///< no such server has registered; your own address
    PUNCH_PACKET_SEEN,       ///< from the second port: your own address
    PUNCH_PACKET_STATUSES,
};

/// One of them. Each kind has some of the members; PUNCH_PACKET_REGISTER has `varies`, PUNCH_PACKET_ANSWER all but the
/// fingerprint, the number and the tag.
struct punch_packet {
    enum punch_packet_kind kind;
    uint8_t fingerprint[FINGERPRINT_TEXT_BYTES - 1]; ///< of the server, letters
    uint8_t nonce[8];                                ///< of who registers or asks, random
    uint8_t cookie[8];                               ///< of the directory for an address; zeros: none yet
    uint8_t number[8];                               ///< little-endian; grows from one PUNCH_PACKET_EXPECT to the next
    uint8_t status;                                  ///< enum punch_packet_status
    uint8_t varies;                                  ///< 1: the server's router has another port for each destination
    uint8_t place[19];                               ///< see punch_packet_set_address()
    uint8_t port[2];                                 ///< of the directory's second port, little-endian
    uint8_t tag[PUNCH_PACKET_TAG_BYTES];
};

/// Writes one. Returns its bytes.
size_t punch_packet_write(const struct punch_packet *packet, uint8_t bytes[PUNCH_PACKET_BYTES_MAX]);
/// Reads one. False if the bytes are none of them.
bool punch_packet_read(struct punch_packet *packet, const uint8_t *bytes, size_t byte_count);
/// Sets the address in it; the scope of an IPv6 address is left out.
void punch_packet_set_address(struct punch_packet *packet, const struct net_address *address);
/// Gets the address in it, which can be sent to. False for port 0, no address, and those of many or of nobody.
bool punch_packet_address(const struct punch_packet *packet, struct net_address *address);

/// Computes the key that a server and a directory share, from the secret of one and the public key of the other
/// (X25519). False if the public key is bad.
bool punch_packet_key(const uint8_t secret[32], const uint8_t theirs[32], uint8_t key[PUNCH_PACKET_KEY_BYTES]);
/// Writes the tag at the end of an authenticated packet, for the server that has this nonce.
void punch_packet_authenticate(uint8_t *bytes, size_t byte_count, const uint8_t key[PUNCH_PACKET_KEY_BYTES],
                               const uint8_t nonce[8]);
/// Returns whether the tag at its end is right.
bool punch_packet_is_authentic(const uint8_t *bytes, size_t byte_count, const uint8_t key[PUNCH_PACKET_KEY_BYTES],
                               const uint8_t nonce[8]);

#endif
