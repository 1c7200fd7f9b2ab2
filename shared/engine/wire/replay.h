// SPDX-License-Identifier: MIT
//
// A match on disk (.dfr): the map blob, the rules, the first world, the inputs and commands of every tick, a world hash
// every second, a keyframe every ten seconds, and an index at the end. It is written during the match, a record at a
// time; a torn file can be read up to its last good record. Files are up to the caller. Each record has a frame: its
// kind (1 byte), the length of the payload (3 bytes, lowest first), the payload, and the CRC-32 of all these
// (base/hash.h; 4 bytes, lowest first). PROTOCOL.md documents the layout.
#ifndef WIRE_REPLAY_H
#define WIRE_REPLAY_H

#include "bits.h"
#include "input_log.h"
#include "message.h"

/// The PROTOCOL_VERSION since which replays compute the same: changes with the field tables, commands, the input log,
/// and what world_step computes. When only messages change, recordings and journals stay good.
#define REPLAY_WORLD_VERSION 11u
/// Changes with the layout of a replay. A replay has REPLAY_WORLD_VERSION too.
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

/// A tick divisible by the first has a hash; one divisible by the second has a keyframe too.
#define REPLAY_HASH_TICKS     60
#define REPLAY_KEYFRAME_TICKS 600
/// Keyframes that the index can name. When it is full, every second one is dropped from it.
#define REPLAY_INDEX_CAPACITY 4096

// --- to write

/// Stores the bytes of a writer, a whole record at a time. Returns false if it cannot; the writer then stops and fails.
typedef bool replay_sink(void *context, const uint8_t *bytes, size_t byte_count);

/// What a server notes for the next one besides the match. The wire knows nothing of what is in it.
enum replay_note {
    REPLAY_NOTE_VOTE,    ///< the open vote
    REPLAY_NOTE_OPTIONS, ///< what an operator has set
    REPLAY_NOTES,
};

/// The newest note of a kind.
struct replay_note_bytes {
    const uint8_t *bytes; ///< in those of the replay; null: none
    size_t byte_count;
};

/// Largest note, bytes.
#define REPLAY_NOTE_BYTES_MAX 16384

/// Writes one replay. Plain data, about 290 KB: allocate it once.
struct replay_writer {
    replay_sink *sink;
    void *context;
    uint64_t offset;                             ///< bytes written
    bool failed;                                 ///< the sink refused; nothing more is written
    tick tick;                                   ///< written last
    struct player_input before[PLAYER_CAPACITY]; ///< of that tick
    struct world fresh;                          ///< of the map and the rules: the baseline of keyframes
    struct replay_keyframe keyframes[REPLAY_INDEX_CAPACITY];
    uint32_t keyframe_count;
    uint32_t stride_ticks;         ///< between two keyframes
    uint32_t keyframe_ticks;       ///< between two that the index names
    bool hats_written;             ///< a record of hats stands before this
    uint8_t hats[PLAYER_CAPACITY]; ///< as in the last one
    uint8_t record[REPLAY_RECORD_BYTES_MAX];
};

/// Begins a replay: header, map, rules, first world. Returns false if the sink refused.
bool replay_writer_begin(struct replay_writer *writer, replay_sink *sink, void *context, const struct map *map,
                         const struct world *first);

/// Lets each tick divisible by this, a multiple of REPLAY_HASH_TICKS, have a keyframe, instead of those divisible by
/// REPLAY_KEYFRAME_TICKS. Call it before the first tick.
void replay_writer_set_stride(struct replay_writer *writer, uint32_t ticks);

/// Writes one tick: the commands applied before it (up to REPLAY_COMMAND_CAPACITY), the inputs it was stepped with
/// (PLAYER_CAPACITY), and the world after it (for hash and keyframe).
bool replay_writer_tick(struct replay_writer *writer, const struct command *commands, uint32_t command_count,
                        const struct player_input *inputs, const struct world *world);

/// Writes who has which slot from now on, at most PLAYER_CAPACITY, in the order of slots. Only in a journal.
bool replay_writer_seats(struct replay_writer *writer, const struct replay_seat *seats, uint32_t seat_count);

/// Writes the hats of all slots from now on (PLAYER_CAPACITY of enum hat), if they have changed. At first there are
/// none.
bool replay_writer_hats(struct replay_writer *writer, const uint8_t *hats);

/// Writes the commitment to the secret of the dice, and the secret (NULL: it is not public yet). Only the private
/// journal of a server has the secret before the end of the match.
bool replay_writer_dice(struct replay_writer *writer, const uint8_t commitment[REPLAY_DICE_BYTES],
                        const uint8_t *secret);

/// Writes a note, 1 to REPLAY_NOTE_BYTES_MAX bytes, in place of the last one of its kind. Only in a journal.
bool replay_writer_note(struct replay_writer *writer, enum replay_note note, const uint8_t *bytes, size_t byte_count);

/// Ends the replay with the index. A file without an index can still be read.
bool replay_writer_end(struct replay_writer *writer);

// --- to read

/// Why a replay cannot be read.
enum replay_fault {
    REPLAY_OK,
    REPLAY_NOT_A_REPLAY, ///< the magic is another one
    REPLAY_VERSION,      ///< another format or protocol version
    REPLAY_DAMAGED,      ///< a checksum or a bound is wrong at `fault_offset`
    REPLAY_TORN,         ///< ends in the middle of a record: all before `fault_offset` is good
    REPLAY_END,          ///< no more ticks
};

/// Reads one replay from memory. Plain data, about 360 KB: allocate it once, or keep it static in a main.
struct replay_reader {
    const uint8_t *bytes;
    size_t byte_count;
    size_t offset;                               ///< of the next record
    size_t fault_offset;                         ///< where a fault was met
    struct map map;                              ///< as stored
    struct world first;                          ///< the first world
    struct player_input inputs[PLAYER_CAPACITY]; ///< of the tick read last
    struct command commands[REPLAY_COMMAND_CAPACITY];
    uint32_t command_count;
    tick tick;         ///< read last; before the first: that of the first world
    bool has_hash;     ///< that tick has a hash
    uint64_t hash;     ///< world_hash after that tick
    bool has_keyframe; ///< that tick has a keyframe: `keyframe` is the world after it
    struct world keyframe;
    struct replay_seat seats[PLAYER_CAPACITY]; ///< who held which slot when that tick was written
    uint32_t seat_count;
    struct replay_note_bytes notes[REPLAY_NOTES]; ///< by enum replay_note, when that tick was written
    uint8_t hats[PLAYER_CAPACITY];                ///< enum hat: who wore what when that tick was written
    bool has_commitment, has_secret;              ///< a record of dice was read
    uint8_t commitment[REPLAY_DICE_BYTES];
    uint8_t secret[REPLAY_DICE_BYTES];
    struct world fresh;   ///< of the map and the rules: the baseline of keyframes
    size_t first_offset;  ///< of the first tick's record
    const uint8_t *index; ///< the entries of the index, in `bytes`; null: it has none
    uint32_t index_count; ///< how many
    tick last_tick;       ///< as the index says; 0 without one
};

/// Opens a replay: reads header, map, rules and first world, and finds the index. Of one of another version, it finds
/// the index alone, with the last tick, if that looks as in this version.
enum replay_fault replay_reader_open(struct replay_reader *reader, const uint8_t *bytes, size_t byte_count);

/// Goes on with more bytes: those that the replay had, perhaps in another place, and whole records behind them. For a
/// replay that is still written. Notes are forgotten.
void replay_reader_extend(struct replay_reader *reader, const uint8_t *bytes, size_t byte_count);

/// Goes to an offset between two records behind which a tick with a keyframe follows, whatever came before, and reads
/// that tick; continue from `keyframe`.
enum replay_fault replay_reader_join(struct replay_reader *reader, size_t offset, tick number);

/// Reads the next tick into inputs, commands and hash.
enum replay_fault replay_reader_next(struct replay_reader *reader);

/// Goes to the newest keyframe of the index at or before a tick and reads that tick; continue from `keyframe`. Without
/// such a keyframe, goes to before the first tick and sets has_keyframe to false; continue from `first`.
enum replay_fault replay_reader_seek(struct replay_reader *reader, tick target);

/// Goes to the last good keyframe and reads that tick, with or without an index, and takes the seats, hats and dice
/// from before it; continue from `keyframe`. Skips all ticks before it without reading them, so that the length of the
/// replay hardly counts. If there is none, sets has_keyframe to false; continue from `first`.
void replay_reader_seek_last(struct replay_reader *reader);

/// Returns a sentence that says what a fault is.
const char *replay_fault_text(enum replay_fault fault);

// --- the payloads: one walk over each serves the writer and the reader

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
