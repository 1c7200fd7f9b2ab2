// SPDX-License-Identifier: MIT
//
// What the writer and the reader of a replay share: the frame of a record. It has a kind (1 byte), the length of the
// payload (3 bytes, lowest first), the payload, and the CRC-32 of all these (base/crc32.h; 4 bytes, lowest first).
#ifndef WIRE_REPLAY_RECORD_H
#define WIRE_REPLAY_RECORD_H

#include <stddef.h>
#include <stdint.h>

/// Changes with the layout of a replay. A replay has PROTOCOL_VERSION too.
#define REPLAY_FORMAT 7

/// The largest size of a record with its frame, bytes.
#define REPLAY_RECORD_BYTES_MAX (128 * 1024)

/// First byte of a record.
enum replay_record_kind {
    RECORD_MAP = 1, ///< the map's blob
    RECORD_FIRST,   ///< the rules and the first world
    RECORD_TICK,    ///< one tick
    RECORD_INDEX,   ///< where keyframes are; the last record
    RECORD_SEATS,   ///< who holds which slot; only in a journal
    RECORD_HATS,    ///< who wears what
    RECORD_DICE,    ///< the commitment to the secret of the dice; or that and the secret
    RECORD_VOTE,    ///< the open vote; only in a journal
    RECORD_OPTIONS, ///< what an operator has set; only in a journal
};

/// Sizes in bytes.
enum {
    REPLAY_HEADER_BYTES = 8,     ///< "DFR", format version, protocol version
    REPLAY_SEAT_BYTES = 34,      ///< of a RECORD_SEATS: slot, local, key
    REPLAY_ENTRY_BYTES = 12,     ///< of the index: tick, offset
    REPLAY_INDEX_END_BYTES = 16, ///< of the index, after the entries: how many, last tick, offset of this record
    RECORD_BEFORE_BYTES = 4,     ///< kind and length
    RECORD_AFTER_BYTES = 4,      ///< checksum
    RECORD_PAYLOAD_BYTES_MAX = REPLAY_RECORD_BYTES_MAX - RECORD_BEFORE_BYTES - RECORD_AFTER_BYTES,
};

/// "DFR" and the format version.
#define REPLAY_MAGIC ((const uint8_t[4]){'D', 'F', 'R', REPLAY_FORMAT})

/// Stores the lowest `byte_count` bytes (1 to 8) of a number, lowest first.
static inline void replay_record_store(uint8_t *bytes, uint64_t value, uint32_t byte_count)
{
    for (uint32_t i = 0; i < byte_count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

/// Loads a number that replay_record_store() has stored.
static inline uint64_t replay_record_load(const uint8_t *bytes, uint32_t byte_count)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < byte_count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

#endif
