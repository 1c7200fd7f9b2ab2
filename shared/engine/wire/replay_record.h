// SPDX-License-Identifier: MIT
//
// The records that a replay is made of. Each has a frame: its kind (1 byte), the length of the payload (3 bytes, lowest
// first), the payload, and the CRC-32 of all these (base/hash.h; 4 bytes, lowest first). One walk over each payload
// serves the writer and the reader. PROTOCOL.md documents the layout.
#ifndef WIRE_REPLAY_RECORD_H
#define WIRE_REPLAY_RECORD_H

#include "bits.h"
#include "input_log.h"
#include "message.h"

/// Changes with the layout of a replay. A replay has PROTOCOL_VERSION too.
#define REPLAY_FORMAT 7
/// "DFR" and the format version: how a replay begins.
#define REPLAY_MAGIC ((const uint8_t[4]){'D', 'F', 'R', REPLAY_FORMAT})

/// The largest size of a record with its frame, bytes.
#define REPLAY_RECORD_BYTES_MAX (128 * 1024)
/// Bytes of the public key that is a player's account.
#define REPLAY_IDENTITY_BYTES 32
/// Bytes of a secret of the dice, and of the commitment to it.
#define REPLAY_DICE_BYTES 32
/// Largest number of commands in one tick.
#define REPLAY_COMMAND_CAPACITY INPUT_LOG_COMMAND_CAPACITY

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
    REPLAY_HEADER_BYTES = 8,     ///< magic, protocol version
    REPLAY_ENTRY_BYTES = 12,     ///< of the index: a struct replay_keyframe
    REPLAY_INDEX_END_BYTES = 16, ///< of the index, after the entries: a struct replay_index_end
    RECORD_BEFORE_BYTES = 4,     ///< kind and length
    RECORD_AFTER_BYTES = 4,      ///< checksum
    RECORD_PAYLOAD_BYTES_MAX = REPLAY_RECORD_BYTES_MAX - RECORD_BEFORE_BYTES - RECORD_AFTER_BYTES,
};

/// What a RECORD_TICK has before its keyframe.
struct replay_tick {
    bool has_keyframe;                 ///< the world after the tick follows
    bool has_hash;                     ///< `hash` is the world_hash of that
    uint32_t command_count;            ///< at most REPLAY_COMMAND_CAPACITY
    const struct command *commands;    ///< applied before the tick, to be written
    struct command *commands_read;     ///< room for them, when reading
    const struct player_input *inputs; ///< that the tick was stepped with, to be written (PLAYER_CAPACITY)
    struct player_input *held;         ///< those of the tick before; after the walk those of this one
    uint64_t hash;
};

/// The player of a slot. Only in a server's journal, so that players get their bodies back in a restored match.
struct replay_seat {
    uint32_t slot;                           ///< 0 to PLAYER_CAPACITY - 1
    uint32_t local;                          ///< number of the player among those of one account
    uint8_t identity[REPLAY_IDENTITY_BYTES]; ///< their account
};

/// The dice of a match.
struct replay_dice {
    uint8_t commitment[REPLAY_DICE_BYTES]; ///< to the secret
    uint8_t secret[REPLAY_DICE_BYTES];
    bool has_secret; ///< else it is not public yet
};

/// Where a keyframe is.
struct replay_keyframe {
    tick tick;
    uint64_t offset; ///< of its record, or that of the hats before it, bytes from the start
};

/// How an index ends.
struct replay_index_end {
    uint32_t count; ///< entries
    tick last_tick;
    uint64_t offset; ///< of the record, bytes from the start
};

/// Walks the rules that a RECORD_FIRST begins with.
void replay_record_walk_rules(struct bit_walk *walk, struct rules *rules);

/// Walks a RECORD_TICK up to its keyframe. False if it has too many commands.
bool replay_record_walk_tick(struct bit_walk *walk, struct replay_tick *record);

/// Walks a RECORD_SEATS: at most PLAYER_CAPACITY, rising by slot. False if it is none.
bool replay_record_walk_seats(struct bit_walk *walk, struct replay_seat *seats, uint32_t *count);

/// Walks a RECORD_HATS, by slot (PLAYER_CAPACITY of enum hat). False if it is none; `hats` is then as it was.
bool replay_record_walk_hats(struct bit_walk *walk, uint8_t *hats);

/// Walks a RECORD_DICE. False if it is none.
bool replay_record_walk_dice(struct bit_walk *walk, struct replay_dice *dice);

/// Walks one entry of a RECORD_INDEX.
void replay_record_walk_keyframe(struct bit_walk *walk, struct replay_keyframe *keyframe);

/// Walks the end of a RECORD_INDEX.
void replay_record_walk_index_end(struct bit_walk *walk, struct replay_index_end *end);

#endif
