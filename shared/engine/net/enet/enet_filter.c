// SPDX-License-Identifier: MIT
#include "enet_filter.h"

#include <string.h>

// ENet's layout (protocol.h of 1.3.17): a header of 2 or 4 bytes, then commands of 4 bytes and what each kind adds.
// Numbers are big-endian.
#define HEADER_SENT_TIME     0x8000u // its other bits are zero: no peer, no session, not compressed
#define COMMAND_KIND         0x0fu
#define COMMAND_UNSEQUENCED  0x40u
#define COMMAND_ACKNOWLEDGED 0x80u
#define CHANNEL_OF_PEER      0xffu

enum command {
    ACKNOWLEDGE = 1,
    DISCONNECT = 4,
    PING = 5,
    SEND_RELIABLE = 6,
    BANDWIDTH_LIMIT = 10,
    THROTTLE_CONFIGURE = 11,
};

// What of a command must be so.
struct rule {
    uint8_t bytes;        // without payload; 0: never passes
    uint8_t payload_size; // where the payload's size stands; 0: has none
    bool of_peer;         // travels on channel 255, not on a channel of messages
    uint8_t flags;        // 0: none
    uint8_t other_flags;  // it may have these instead; 0: no others
};

static const struct rule rules[COMMAND_KIND + 1] = {
    [ACKNOWLEDGE] = {8, 0, false, 0, 0}, // names the channel that it acknowledges
    [DISCONNECT] = {8, 0, true, COMMAND_ACKNOWLEDGED, COMMAND_UNSEQUENCED},
    [PING] = {4, 0, true, COMMAND_ACKNOWLEDGED, 0},
    [SEND_RELIABLE] = {6, 4, false, COMMAND_ACKNOWLEDGED, 0},
    [BANDWIDTH_LIMIT] = {12, 0, true, COMMAND_ACKNOWLEDGED, 0},
    [THROTTLE_CONFIGURE] = {16, 0, true, COMMAND_ACKNOWLEDGED, 0},
};

static uint16_t number16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static uint32_t number32(const uint8_t *bytes)
{
    return (uint32_t)number16(bytes) << 16 | number16(bytes + 2);
}

static bool is_channel(uint8_t channel, bool of_peer)
{
    return of_peer ? channel == CHANNEL_OF_PEER : channel < ENET_FILTER_CHANNELS;
}

// What a kind must hold beside its size, flags and channel.
static bool content_is_ours(const uint8_t *command, const struct enet_filter_peer *peer)
{
    switch ((enum command)(command[0] & COMMAND_KIND)) {
    case ACKNOWLEDGE:
        return peer->sent(peer->context, command[1], number16(command + 4)) != ENET_FILTER_NEVER_SENT;
    case DISCONNECT:
    case PING:
        return true;
    case SEND_RELIABLE:
        return peer->side == ENET_FILTER_OF_SERVER ||
               (int16_t)(uint16_t)(number16(command + 2) - peer->received[command[1]]) <=
                   ENET_FILTER_RELIABLE_AHEAD_MAX;
    case BANDWIDTH_LIMIT:
        return number32(command + 4) == 0 && number32(command + 8) == 0;
    case THROTTLE_CONFIGURE:
        return number32(command + 4) == 1000 && number32(command + 8) == 32 && number32(command + 12) == 0;
    }
    return false;
}

// The bytes of one command with its payload, 0 if it may not pass.
static size_t command_passes(const uint8_t *command, size_t byte_count, const struct enet_filter_peer *peer)
{
    const struct rule *rule = &rules[command[0] & COMMAND_KIND];
    uint8_t flags = command[0] & (uint8_t)~COMMAND_KIND;
    bool flags_fit = flags == rule->flags || (rule->other_flags && flags == rule->other_flags);
    if (rule->bytes == 0 || byte_count < rule->bytes || !flags_fit)
        return 0;
    bool any_channel = (command[0] & COMMAND_KIND) == ACKNOWLEDGE;
    if (!is_channel(command[1], rule->of_peer) && !(any_channel && is_channel(command[1], true)))
        return 0;
    size_t payload = rule->payload_size ? number16(command + rule->payload_size) : 0;
    if (rule->payload_size &&
        (payload == 0 || payload > ENET_FILTER_PAYLOAD_BYTES_MAX || payload > byte_count - rule->bytes))
        return 0;
    return content_is_ours(command, peer) ? rule->bytes + payload : 0;
}

bool enet_filter_sent_ms(const uint8_t *bytes, size_t byte_count, uint16_t *sent_ms)
{
    if (byte_count < 4 || !(number16(bytes) & HEADER_SENT_TIME))
        return false;
    *sent_ms = number16(bytes + 2);
    return true;
}

bool enet_filter_acknowledged_ms(const uint8_t *bytes, size_t byte_count, uint16_t *sent_ms)
{
    size_t start = byte_count >= 2 && (number16(bytes) & HEADER_SENT_TIME) ? 4 : 2;
    // ENet puts its acknowledgements first.
    if (byte_count < start + rules[ACKNOWLEDGE].bytes || (bytes[start] & COMMAND_KIND) != ACKNOWLEDGE)
        return false;
    *sent_ms = number16(bytes + start + 6);
    return true;
}

bool enet_filter_accepts(const struct enet_filter_peer *peer, uint8_t *bytes, size_t *byte_count)
{
    if (*byte_count < 2 || (number16(bytes) & ~HEADER_SENT_TIME) != 0)
        return false;
    size_t start = (number16(bytes) & HEADER_SENT_TIME) ? 4 : 2, at = start, kept = start;
    if (*byte_count <= start)
        return false;
    for (unsigned count = 1; at < *byte_count; count++) {
        const uint8_t *command = bytes + at;
        size_t size = *byte_count - at < 4 ? 0 : command_passes(command, *byte_count - at, peer);
        at += size;
        if (size == 0 || count > ENET_FILTER_COMMANDS_MAX)
            return false;
        if ((command[0] & COMMAND_KIND) == ACKNOWLEDGE &&
            peer->sent(peer->context, command[1], number16(command + 4)) == ENET_FILTER_ACKNOWLEDGED)
            continue;
        memmove(bytes + kept, command, size);
        kept += size;
    }
    *byte_count = kept > start ? kept : 0;
    return true;
}
