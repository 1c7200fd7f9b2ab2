// SPDX-License-Identifier: MIT
//
// What keeps hostile datagrams from ENet: only what our own ENet sends may pass. An admitted peer could otherwise make
// ENet 1.3.17 commit megabytes for a kilobyte (fragments), burn seconds in a list (empty unreliable commands) or hoard
// thousands of messages that never come in order. A pure function over decrypted bytes.
#ifndef NET_ENET_FILTER_H
#define NET_ENET_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENET_FILTER_CHANNELS 2
/// Largest datagram of ENet, bytes.
#define ENET_FILTER_MTU 1200

/// How far a client's reliable number may run ahead of the last one that arrived in order. A server sends whole maps.
#define ENET_FILTER_RELIABLE_AHEAD_MAX 64
/// Commands of one datagram that ask for an acknowledgement: as many as ENet puts into one. It puts all that it must
/// send again together, so with a lower limit an honest peer that has lost enough messages at once could send no more.
#define ENET_FILTER_ACKNOWLEDGED_MAX 32
/// Largest payload of a command, bytes.
#define ENET_FILTER_PAYLOAD_BYTES_MAX 1150

/// What ENet's header says a datagram belongs to.
#define ENET_FILTER_NO_PEER 0xfffu

/// Who has sent a datagram.
enum enet_filter_side {
    ENET_FILTER_OF_CLIENT, ///< on the server: may ask to connect
    ENET_FILTER_OF_SERVER, ///< on the client: may confirm a connection
};

/// Reads the peer of ENet's header; ENET_FILTER_NO_PEER if ENet does not know it yet. False if it is too short for a
/// header.
bool enet_filter_peer(const uint8_t *bytes, size_t byte_count, uint16_t *peer);

/// Returns the number that names the attempt to connect of a datagram that enet_filter_accepts() without a peer.
uint32_t enet_filter_connect_id(const uint8_t *bytes, size_t byte_count);

/// Returns whether a datagram may pass. `reliable` is the last number of each channel that arrived in order.
bool enet_filter_accepts(const uint8_t *bytes, size_t byte_count, enum enet_filter_side side,
                         const uint16_t reliable[ENET_FILTER_CHANNELS]);

#endif
