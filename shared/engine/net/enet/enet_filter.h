// SPDX-License-Identifier: MIT
//
// What keeps hostile datagrams from ENet: only what our own ENet sends may pass. An admitted peer could otherwise make
// ENet 1.3.17 commit megabytes for a kilobyte (fragments), burn seconds in a list (empty unreliable commands), hoard
// thousands of messages that never come in order, or keep a dead connection (acknowledgements of what was never sent).
// Peers never shake hands on the wire (enet_adapter.h), so nothing of that passes. Pure functions over decrypted bytes.
#ifndef NET_ENET_FILTER_H
#define NET_ENET_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENET_FILTER_CHANNELS 2
/// Largest datagram of ENet, bytes.
#define ENET_FILTER_MTU 1200

/// How far a client's reliable number may run ahead of the last one that arrived in order. What comes before its turn
/// takes blocks of the pool, of which a server has as many for each peer.
#define ENET_FILTER_RELIABLE_AHEAD_MAX 64
/// Commands of one datagram: as many as ENet puts into one. It puts all that it must send again together, so with a
/// lower limit an honest peer that has lost enough messages at once could send no more.
#define ENET_FILTER_COMMANDS_MAX 32
/// Largest payload of a command, bytes.
#define ENET_FILTER_PAYLOAD_BYTES_MAX 1150

/// Who has sent a datagram. A server may run ahead: it sends whole maps.
enum enet_filter_side { ENET_FILTER_OF_CLIENT, ENET_FILTER_OF_SERVER };

/// Reads the time stamp of a datagram with commands to be acknowledged, ms of its sender modulo 2^16. False if it
/// has none.
bool enet_filter_sent_ms(const uint8_t *bytes, size_t byte_count, uint16_t *sent_ms);

/// Reads the time stamp that a datagram acknowledges. Only after enet_filter_accepts(). False if it acknowledges
/// nothing.
bool enet_filter_acknowledged_ms(const uint8_t *bytes, size_t byte_count, uint16_t *sent_ms);

/// What has become of a reliable command that a peer acknowledges.
enum enet_filter_sent { ENET_FILTER_NEVER_SENT, ENET_FILTER_IN_FLIGHT, ENET_FILTER_ACKNOWLEDGED };

/// What is known of the peer that has sent a datagram.
struct enet_filter_peer {
    enum enet_filter_side side;
    uint16_t received[ENET_FILTER_CHANNELS]; ///< the last number of each channel that arrived in order
    /// Looks a number up that was sent to the peer, on a channel or, as 255, beside the channels.
    enum enet_filter_sent (*sent)(const void *context, uint8_t channel, uint16_t number);
    const void *context;
};

/// Returns whether a datagram may pass. Cuts out of it, and out of `byte_count`, acknowledgements that come a second
/// time, as they do on a bad line; 0 if nothing is left.
bool enet_filter_accepts(const struct enet_filter_peer *peer, uint8_t *bytes, size_t *byte_count);

#endif
