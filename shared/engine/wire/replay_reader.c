// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/hash.h"
#include "base/little_endian.h"
#include "replay.h"
#include "snapshot.h"

#define PLACES 64 // keyframes that replay_reader_seek_last() tries: ten minutes

// A record in the bytes of the replay.
struct record {
    uint32_t kind;
    const uint8_t *payload;
    size_t payload_bytes;
};

static enum replay_fault fault_at(struct replay_reader *reader, enum replay_fault fault, size_t offset)
{
    reader->fault_offset = offset;
    return fault;
}

// Finds the record at an offset.
static enum replay_fault take_record(struct replay_reader *reader, size_t offset, struct record *record)
{
    size_t left = reader->byte_count - offset;
    const uint8_t *bytes = reader->bytes + offset;
    if (left < RECORD_BEFORE_BYTES + RECORD_AFTER_BYTES)
        return fault_at(reader, REPLAY_TORN, offset);
    *record = (struct record){bytes[0], bytes + RECORD_BEFORE_BYTES, (size_t)little_endian_read(bytes + 1, 3)};
    if (record->payload_bytes > RECORD_PAYLOAD_BYTES_MAX)
        return fault_at(reader, REPLAY_DAMAGED, offset);
    if (record->payload_bytes > left - RECORD_BEFORE_BYTES - RECORD_AFTER_BYTES)
        return fault_at(reader, REPLAY_TORN, offset);
    size_t covered_bytes = RECORD_BEFORE_BYTES + record->payload_bytes;
    if (hash_crc32(bytes, covered_bytes) != little_endian_read(bytes + covered_bytes, RECORD_AFTER_BYTES))
        return fault_at(reader, REPLAY_DAMAGED, offset);
    return REPLAY_OK;
}

static size_t after_record(const struct replay_reader *reader, const struct record *record)
{
    return (size_t)(record->payload - reader->bytes) + record->payload_bytes + RECORD_AFTER_BYTES;
}

// Takes the next record, which must be of this kind.
static enum replay_fault take_next(struct replay_reader *reader, enum replay_record_kind kind, struct record *record)
{
    enum replay_fault fault = take_record(reader, reader->offset, record);
    if (fault != REPLAY_OK)
        return fault;
    return record->kind == (uint32_t)kind ? REPLAY_OK : fault_at(reader, REPLAY_DAMAGED, reader->offset);
}

// The index is the last record and ends with its own offset. A replay with a bad index is read without it.
static void find_index(struct replay_reader *reader)
{
    size_t least = reader->offset + RECORD_BEFORE_BYTES + REPLAY_INDEX_END_BYTES + RECORD_AFTER_BYTES;
    if (reader->byte_count < least)
        return;
    uint64_t offset = little_endian_read(reader->bytes + reader->byte_count - RECORD_AFTER_BYTES - 8, 8);
    struct record record;
    if (offset > reader->byte_count || take_record(reader, (size_t)offset, &record) != REPLAY_OK)
        return;
    if (record.kind != RECORD_INDEX || after_record(reader, &record) != reader->byte_count ||
        record.payload_bytes < REPLAY_INDEX_END_BYTES)
        return;
    size_t entries_bytes = record.payload_bytes - REPLAY_INDEX_END_BYTES;
    struct bit_reader bits = bits_reader(record.payload + entries_bytes, REPLAY_INDEX_END_BYTES);
    struct bit_walk walk = bits_walk_from(&bits);
    struct replay_index_end end;
    replay_record_walk_index_end(&walk, &end);
    if (end.count * (size_t)REPLAY_ENTRY_BYTES != entries_bytes)
        return;
    reader->index = record.payload;
    reader->index_count = end.count;
    reader->last_tick = end.last_tick;
}

enum replay_fault replay_reader_open(struct replay_reader *reader, const uint8_t *bytes, size_t byte_count)
{
    memset(reader, 0, sizeof *reader);
    reader->bytes = bytes;
    reader->byte_count = byte_count;
    reader->offset = REPLAY_HEADER_BYTES;
    if (byte_count < REPLAY_HEADER_BYTES || memcmp(bytes, REPLAY_MAGIC, 4 - 1) != 0)
        return REPLAY_NOT_A_REPLAY;
    if (memcmp(bytes, REPLAY_MAGIC, 4) != 0 || little_endian_read(bytes + 4, 4) != REPLAY_WORLD_VERSION) {
        find_index(reader);
        return REPLAY_VERSION;
    }
    struct record record;
    enum replay_fault fault = take_next(reader, RECORD_MAP, &record);
    if (fault != REPLAY_OK)
        return fault;
    if (!map_blob_decode(&reader->map, record.payload, record.payload_bytes))
        return fault_at(reader, REPLAY_DAMAGED, reader->offset);
    reader->offset = after_record(reader, &record);
    fault = take_next(reader, RECORD_FIRST, &record);
    if (fault != REPLAY_OK)
        return fault;
    struct rules rules;
    const uint8_t *body;
    size_t body_bytes;
    struct bit_reader bits = bits_reader(record.payload, record.payload_bytes);
    struct bit_walk walk = bits_walk_from(&bits);
    replay_record_walk_rules(&walk, &rules);
    bits_walk_rest(&walk, &body, &body_bytes);
    world_init(&reader->fresh, &reader->map, &rules);
    if (bits.failed || !snapshot_body_decode(&reader->first, &reader->fresh, &reader->map, body, body_bytes))
        return fault_at(reader, REPLAY_DAMAGED, reader->offset);
    reader->tick = reader->first.tick;
    reader->first_offset = reader->offset = after_record(reader, &record);
    find_index(reader);
    reader->fault_offset = 0;
    return REPLAY_OK;
}

static bool read_tick(struct replay_reader *reader, const struct record *record)
{
    struct bit_reader bits = bits_reader(record->payload, record->payload_bytes);
    struct bit_walk walk = bits_walk_from(&bits);
    struct replay_tick read = {.commands_read = reader->commands, .held = reader->inputs};
    bool good = replay_record_walk_tick(&walk, &read);
    reader->has_keyframe = read.has_keyframe;
    reader->has_hash = read.has_hash;
    reader->command_count = good ? read.command_count : 0;
    reader->hash = read.hash;
    if (!good || !reader->has_keyframe)
        return good && bits_read_all(&bits);
    const uint8_t *body;
    size_t body_bytes;
    bits_walk_rest(&walk, &body, &body_bytes);
    return !bits.failed && snapshot_body_decode(&reader->keyframe, &reader->fresh, &reader->map, body, body_bytes) &&
           reader->keyframe.tick == reader->tick;
}

// Returns whether records of a kind stand between ticks.
static bool stands_between(uint32_t kind)
{
    return kind >= RECORD_SEATS && kind <= RECORD_OPTIONS;
}

static bool read_between(struct replay_reader *reader, const struct record *record)
{
    struct bit_reader bits = bits_reader(record->payload, record->payload_bytes);
    struct bit_walk walk = bits_walk_from(&bits);
    struct replay_dice dice = {.has_secret = false};
    uint32_t seat_count = 0;
    switch (record->kind) {
    case RECORD_SEATS:
        if (!replay_record_walk_seats(&walk, reader->seats, &seat_count) || !bits_read_all(&bits))
            return false;
        reader->seat_count = seat_count;
        return true;
    case RECORD_HATS:
        return replay_record_walk_hats(&walk, reader->hats);
    case RECORD_DICE: // the commitment never changes, and a secret that is public stays public
        if (!replay_record_walk_dice(&walk, &dice) ||
            (reader->has_commitment && memcmp(reader->commitment, dice.commitment, REPLAY_DICE_BYTES) != 0))
            return false;
        reader->has_commitment = true;
        memcpy(reader->commitment, dice.commitment, REPLAY_DICE_BYTES);
        if (dice.has_secret)
            memcpy(reader->secret, dice.secret, REPLAY_DICE_BYTES);
        reader->has_secret = reader->has_secret || dice.has_secret;
        return true;
    default:
        reader->notes[record->kind == RECORD_VOTE ? REPLAY_NOTE_VOTE : REPLAY_NOTE_OPTIONS] =
            (struct replay_note_bytes){record->payload, record->payload_bytes};
        return record->payload_bytes >= 1 && record->payload_bytes <= REPLAY_NOTE_BYTES_MAX;
    }
}

enum replay_fault replay_reader_next(struct replay_reader *reader)
{
    struct record record;
    for (;; reader->offset = after_record(reader, &record)) {
        if (reader->offset == reader->byte_count)
            return REPLAY_END;
        enum replay_fault fault = take_record(reader, reader->offset, &record);
        if (fault != REPLAY_OK)
            return fault;
        if (!stands_between(record.kind))
            break;
        if (!read_between(reader, &record))
            return fault_at(reader, REPLAY_DAMAGED, reader->offset);
    }
    if (record.kind == RECORD_INDEX && after_record(reader, &record) == reader->byte_count)
        return REPLAY_END;
    reader->tick++;
    if (record.kind != RECORD_TICK || !read_tick(reader, &record))
        return fault_at(reader, REPLAY_DAMAGED, reader->offset);
    reader->offset = after_record(reader, &record);
    return REPLAY_OK;
}

void replay_reader_extend(struct replay_reader *reader, const uint8_t *bytes, size_t byte_count)
{
    reader->bytes = bytes;
    reader->byte_count = byte_count;
    reader->index = NULL;
    reader->index_count = 0;
    memset(reader->notes, 0, sizeof reader->notes);
}

enum replay_fault replay_reader_join(struct replay_reader *reader, size_t offset, tick number)
{
    if (offset < reader->first_offset || offset > reader->byte_count)
        return fault_at(reader, REPLAY_DAMAGED, reader->first_offset);
    reader->offset = offset;
    reader->tick = number - 1;
    memset(reader->hats, HAT_NONE, sizeof reader->hats);
    enum replay_fault fault = replay_reader_next(reader);
    return fault == REPLAY_OK && !reader->has_keyframe ? fault_at(reader, REPLAY_DAMAGED, offset) : fault;
}

// Goes to before the first tick.
static void rewind_to_first(struct replay_reader *reader)
{
    reader->offset = reader->first_offset;
    reader->tick = reader->first.tick;
    memset(reader->hats, HAT_NONE, sizeof reader->hats);
    reader->has_keyframe = reader->has_hash = false;
    reader->command_count = 0;
    memset(reader->inputs, 0, sizeof reader->inputs);
}

enum replay_fault replay_reader_seek(struct replay_reader *reader, tick target)
{
    tick found = reader->first.tick;
    uint64_t offset = reader->first_offset;
    for (uint32_t i = 0; i < reader->index_count; i++) {
        struct bit_reader bits = bits_reader(reader->index + i * REPLAY_ENTRY_BYTES, REPLAY_ENTRY_BYTES);
        struct bit_walk walk = bits_walk_from(&bits);
        struct replay_keyframe keyframe;
        replay_record_walk_keyframe(&walk, &keyframe);
        if (keyframe.tick > target || keyframe.tick <= found)
            continue;
        found = keyframe.tick;
        offset = keyframe.offset;
    }
    if (found != reader->first.tick)
        return replay_reader_join(reader, (size_t)offset, found);
    rewind_to_first(reader);
    return REPLAY_OK;
}

// A tick with a keyframe, and the last records of each kind before it; 0: none.
struct place {
    tick tick;
    size_t offset, between[RECORD_OPTIONS + 1];
};

static bool go_to(struct replay_reader *reader, const struct place *place)
{
    struct record record;
    for (uint32_t kind = 0; kind <= RECORD_OPTIONS; kind++)
        if (place->between[kind] != 0 &&
            (take_record(reader, place->between[kind], &record) != REPLAY_OK || !read_between(reader, &record)))
            return false;
    reader->offset = place->offset;
    reader->tick = place->tick - 1;
    return replay_reader_next(reader) == REPLAY_OK && reader->has_keyframe;
}

void replay_reader_seek_last(struct replay_reader *reader)
{
    struct place places[PLACES], next = {.tick = reader->first.tick}; // a ring
    uint32_t count = 0;
    size_t offset = reader->first_offset;
    // From record to record by their lengths alone, up to one that cannot be.
    while (reader->byte_count - offset > RECORD_BEFORE_BYTES + RECORD_AFTER_BYTES) {
        const uint8_t *bytes = reader->bytes + offset;
        size_t whole_bytes = RECORD_BEFORE_BYTES + (size_t)little_endian_read(bytes + 1, 3) + RECORD_AFTER_BYTES;
        if (whole_bytes > reader->byte_count - offset || (bytes[0] != RECORD_TICK && !stands_between(bytes[0])))
            break;
        if (bytes[0] != RECORD_TICK) {
            next.between[bytes[0]] = offset;
        } else {
            next.tick++;
            next.offset = offset;
            if (bytes[RECORD_BEFORE_BYTES] & 1) // it has a keyframe
                places[count++ % PLACES] = next;
        }
        offset += whole_bytes;
    }
    // A crash of the machine can damage the newest ones.
    uint32_t end = count > PLACES ? count - PLACES : 0;
    for (uint32_t i = count; i-- > end;) {
        if (go_to(reader, &places[i % PLACES]))
            return;
        memset(reader->hats, HAT_NONE, sizeof reader->hats);
        memset(reader->notes, 0, sizeof reader->notes);
        reader->seat_count = 0;
        reader->has_commitment = reader->has_secret = false;
    }
    rewind_to_first(reader);
}

const char *replay_fault_text(enum replay_fault fault)
{
    switch (fault) {
    case REPLAY_OK:
        return "The replay is good.";
    case REPLAY_NOT_A_REPLAY:
        return "This is not a replay: it does not begin with \"DFR\".";
    case REPLAY_VERSION:
        return "The replay is of another version of the game: read it with that version.";
    case REPLAY_DAMAGED:
        return "The replay is damaged: all before the damage is good.";
    case REPLAY_TORN:
        return "The replay ends in the middle of a record: all before that is good.";
    case REPLAY_END:
        return "The replay has no more ticks.";
    }
    return "";
}
