// SPDX-License-Identifier: MIT
#include "replay.h"

#include <string.h>

#include "bits.h"
#include "map_blob.h"
#include "snapshot.h"

static const uint8_t MAGIC[4] = {'D', 'F', 'R', REPLAY_VERSION_BYTE};

enum record_kind { RECORD_MAP = 1, RECORD_FIRST, RECORD_TICK, RECORD_INDEX };

/// Bytes before a record's payload (kind, length), after it (checksum), and of one entry of the index.
enum { HEADER_BYTES = 8, BEFORE_BYTES = 4, AFTER_BYTES = 4, ENTRY_BYTES = 12, INDEX_END_BYTES = 16 };

static const size_t PAYLOAD_BYTES_MAX = REPLAY_RECORD_BYTES_MAX - BEFORE_BYTES - AFTER_BYTES;

static void store(uint8_t *bytes, uint64_t value, uint32_t byte_count)
{
    for (uint32_t i = 0; i < byte_count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t load(const uint8_t *bytes, uint32_t byte_count)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < byte_count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

/// CRC-32 as in zip and PNG, four bits at a time.
static uint32_t checksum(const uint8_t *bytes, size_t byte_count)
{
    static const uint32_t BY_NIBBLE[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                           0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                           0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < byte_count; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ BY_NIBBLE[crc & 15];
        crc = crc >> 4 ^ BY_NIBBLE[crc & 15];
    }
    return ~crc;
}

static bool put(struct replay_writer *writer, const uint8_t *bytes, size_t byte_count)
{
    writer->failed = writer->failed || !writer->sink(writer->context, bytes, byte_count);
    writer->offset += writer->failed ? 0 : byte_count;
    return !writer->failed;
}

/// Writes the record whose payload stands in `record` already.
static bool put_record(struct replay_writer *writer, enum record_kind kind, size_t payload_bytes)
{
    assert(payload_bytes >= 1 && payload_bytes <= PAYLOAD_BYTES_MAX);
    size_t covered_bytes = BEFORE_BYTES + payload_bytes;
    writer->record[0] = (uint8_t)kind;
    store(writer->record + 1, payload_bytes, 3);
    store(writer->record + covered_bytes, checksum(writer->record, covered_bytes), AFTER_BYTES);
    return put(writer, writer->record, covered_bytes + AFTER_BYTES);
}

static void write_rules(uint8_t *bytes, const struct rules *rules)
{
    store(bytes, rules->mode, 4);
    store(bytes + 4, (uint32_t)rules->score_limit, 4);
    store(bytes + 8, rules->time_limit_ticks, 4);
    store(bytes + 12, rules->seed, 4);
}

static struct rules read_rules(const uint8_t *bytes)
{
    return (struct rules){.mode = (uint32_t)load(bytes, 4),
                          .score_limit = (int32_t)(uint32_t)load(bytes + 4, 4),
                          .time_limit_ticks = (uint32_t)load(bytes + 8, 4),
                          .seed = (uint32_t)load(bytes + 12, 4)};
}

enum { RULES_BYTES = 16 };

bool replay_writer_begin(struct replay_writer *writer, replay_sink *sink, void *context, const struct map *map,
                         const struct world *first)
{
    memset(writer, 0, sizeof *writer);
    writer->sink = sink;
    writer->context = context;
    writer->tick = first->tick;
    writer->keyframe_ticks = REPLAY_KEYFRAME_TICKS;
    world_init(&writer->fresh, map, &first->rules);

    uint8_t header[HEADER_BYTES], *payload = writer->record + BEFORE_BYTES;
    memcpy(header, MAGIC, sizeof MAGIC);
    store(header + 4, PROTOCOL_VERSION, 4);
    put(writer, header, sizeof header);
    put_record(writer, RECORD_MAP, map_blob_encode(map, payload, PAYLOAD_BYTES_MAX));
    write_rules(payload, &first->rules);
    size_t body_bytes =
        snapshot_body_encode(&writer->fresh, first, payload + RULES_BYTES, PAYLOAD_BYTES_MAX - RULES_BYTES);
    return put_record(writer, RECORD_FIRST, RULES_BYTES + body_bytes);
}

static void write_command(struct bit_writer *bits, const struct command *command)
{
    bits_write_number(bits, command->kind);
    bits_write_number(bits, command->slot);
    bits_write_number(bits, command->bot);
    bits_write_number(bits, command->colour);
    for (size_t i = 0; i < PLAYER_NAME_BYTES / 4; i++)
        bits_write(bits, command->name[i], 32);
}

static void read_command(struct bit_reader *bits, struct command *command)
{
    command->kind = bits_read_number(bits);
    command->slot = bits_read_number(bits);
    command->bot = bits_read_number(bits);
    command->colour = bits_read_number(bits);
    for (size_t i = 0; i < PLAYER_NAME_BYTES / 4; i++)
        command->name[i] = bits_read(bits, 32);
}

/// How many inputs differ from those before, and each with the number of slots passed over since the last.
static void write_inputs(struct bit_writer *bits, const struct player_input *before, const struct player_input *inputs)
{
    uint32_t changes = 0, from = 0;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        changes += inputs[slot].buttons != before[slot].buttons;
    bits_write_number(bits, changes);
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
        if (inputs[slot].buttons == before[slot].buttons)
            continue;
        bits_write_number(bits, slot - from);
        bits_write(bits, inputs[slot].buttons, BUTTON_BITS);
        from = slot + 1;
    }
}

static void read_inputs(struct bit_reader *bits, struct player_input *inputs)
{
    uint32_t slot = 0;
    for (uint32_t changes = bits_read_number(bits); changes > 0 && !bits->failed; changes--) {
        uint32_t passed = bits_read_number(bits);
        if (passed >= PLAYER_CAPACITY - slot) {
            bits_fail(bits);
            return;
        }
        slot += passed;
        inputs[slot++].buttons = bits_read(bits, BUTTON_BITS);
        if (slot == PLAYER_CAPACITY && changes > 1)
            bits_fail(bits);
    }
}

static void remember_keyframe(struct replay_writer *writer)
{
    if (writer->tick % writer->keyframe_ticks != 0)
        return;
    if (writer->keyframe_count == REPLAY_INDEX_CAPACITY) {
        writer->keyframe_ticks *= 2;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < writer->keyframe_count; i++)
            if (writer->keyframes[i].tick % writer->keyframe_ticks == 0)
                writer->keyframes[kept++] = writer->keyframes[i];
        writer->keyframe_count = kept;
        remember_keyframe(writer);
        return;
    }
    writer->keyframes[writer->keyframe_count++] = (struct replay_keyframe){writer->tick, writer->offset};
}

bool replay_writer_tick(struct replay_writer *writer, const struct command *commands, uint32_t command_count,
                        const struct player_input *inputs, const struct world *world)
{
    assert(command_count <= REPLAY_COMMAND_CAPACITY && world->tick == writer->tick + 1);
    writer->tick = world->tick;
    bool has_hash = world->tick % REPLAY_HASH_TICKS == 0, has_keyframe = world->tick % REPLAY_KEYFRAME_TICKS == 0;
    uint8_t *payload = writer->record + BEFORE_BYTES;
    struct bit_writer bits = bits_writer(payload, PAYLOAD_BYTES_MAX);
    bits_write(&bits, has_keyframe, 1);
    bits_write(&bits, has_hash, 1);
    bits_write_number(&bits, command_count);
    for (uint32_t i = 0; i < command_count; i++)
        write_command(&bits, &commands[i]);
    if (has_keyframe)
        memset(writer->before, 0, sizeof writer->before);
    write_inputs(&bits, writer->before, inputs);
    memcpy(writer->before, inputs, sizeof writer->before);
    uint64_t hash = has_hash ? world_hash(world) : 0;
    bits_write(&bits, (uint32_t)hash, has_hash ? 32 : 0);
    bits_write(&bits, (uint32_t)(hash >> 32), has_hash ? 32 : 0);
    size_t payload_bytes = bits_flush(&bits);
    if (has_keyframe) {
        remember_keyframe(writer);
        payload_bytes +=
            snapshot_body_encode(&writer->fresh, world, payload + payload_bytes, PAYLOAD_BYTES_MAX - payload_bytes);
    }
    return put_record(writer, RECORD_TICK, payload_bytes);
}

bool replay_writer_end(struct replay_writer *writer)
{
    uint8_t *payload = writer->record + BEFORE_BYTES;
    for (uint32_t i = 0; i < writer->keyframe_count; i++) {
        store(payload + i * ENTRY_BYTES, writer->keyframes[i].tick, 4);
        store(payload + i * ENTRY_BYTES + 4, writer->keyframes[i].offset, 8);
    }
    size_t entries_bytes = writer->keyframe_count * (size_t)ENTRY_BYTES;
    store(payload + entries_bytes, writer->keyframe_count, 4);
    store(payload + entries_bytes + 4, writer->tick, 4);
    store(payload + entries_bytes + 8, writer->offset, 8);
    return put_record(writer, RECORD_INDEX, entries_bytes + INDEX_END_BYTES);
}

/// One record as found.
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

/// The record at an offset up to byte_count.
static enum replay_fault take_record(struct replay_reader *reader, size_t offset, struct record *record)
{
    size_t left = reader->byte_count - offset;
    const uint8_t *bytes = reader->bytes + offset;
    if (left < BEFORE_BYTES + AFTER_BYTES)
        return fault_at(reader, REPLAY_TORN, offset);
    *record = (struct record){bytes[0], bytes + BEFORE_BYTES, (size_t)load(bytes + 1, 3)};
    if (record->payload_bytes > PAYLOAD_BYTES_MAX)
        return fault_at(reader, REPLAY_DAMAGED, offset);
    if (record->payload_bytes > left - BEFORE_BYTES - AFTER_BYTES)
        return fault_at(reader, REPLAY_TORN, offset);
    size_t covered_bytes = BEFORE_BYTES + record->payload_bytes;
    if (checksum(bytes, covered_bytes) != load(bytes + covered_bytes, AFTER_BYTES))
        return fault_at(reader, REPLAY_DAMAGED, offset);
    return REPLAY_OK;
}

static size_t after_record(const struct replay_reader *reader, const struct record *record)
{
    return (size_t)(record->payload - reader->bytes) + record->payload_bytes + AFTER_BYTES;
}

/// Takes the next record, which must be of this kind.
static enum replay_fault take_next(struct replay_reader *reader, enum record_kind kind, struct record *record)
{
    enum replay_fault fault = take_record(reader, reader->offset, record);
    if (fault != REPLAY_OK)
        return fault;
    return record->kind == (uint32_t)kind ? REPLAY_OK : fault_at(reader, REPLAY_DAMAGED, reader->offset);
}

static enum replay_fault read_map(struct replay_reader *reader)
{
    struct record record;
    enum replay_fault fault = take_next(reader, RECORD_MAP, &record);
    if (fault != REPLAY_OK)
        return fault;
    if (!map_blob_decode(&reader->map, record.payload, record.payload_bytes))
        return fault_at(reader, REPLAY_DAMAGED, reader->offset);
    reader->offset = after_record(reader, &record);
    return REPLAY_OK;
}

static enum replay_fault read_first(struct replay_reader *reader)
{
    struct record record;
    enum replay_fault fault = take_next(reader, RECORD_FIRST, &record);
    if (fault != REPLAY_OK)
        return fault;
    if (record.payload_bytes < RULES_BYTES)
        return fault_at(reader, REPLAY_DAMAGED, reader->offset);
    struct rules rules = read_rules(record.payload);
    world_init(&reader->fresh, &reader->map, &rules);
    if (!snapshot_body_decode(&reader->first, &reader->fresh, &reader->map, record.payload + RULES_BYTES,
                              record.payload_bytes - RULES_BYTES))
        return fault_at(reader, REPLAY_DAMAGED, reader->offset);
    reader->tick = reader->first.tick;
    reader->offset = after_record(reader, &record);
    return REPLAY_OK;
}

/// The index is the last record and ends with the place of its start. A replay with a bad one is read without.
static void find_index(struct replay_reader *reader)
{
    size_t least = reader->offset + BEFORE_BYTES + INDEX_END_BYTES + AFTER_BYTES;
    if (reader->byte_count < least)
        return;
    uint64_t offset = load(reader->bytes + reader->byte_count - AFTER_BYTES - 8, 8);
    struct record record;
    if (offset < reader->offset || offset > reader->byte_count ||
        take_record(reader, (size_t)offset, &record) != REPLAY_OK)
        return;
    if (record.kind != RECORD_INDEX || after_record(reader, &record) != reader->byte_count ||
        record.payload_bytes < INDEX_END_BYTES)
        return;
    const uint8_t *end = record.payload + record.payload_bytes - INDEX_END_BYTES;
    if ((load(end, 4) * ENTRY_BYTES) != record.payload_bytes - INDEX_END_BYTES)
        return;
    reader->index = record.payload;
    reader->index_count = (uint32_t)load(end, 4);
    reader->last_tick = (tick)load(end + 4, 4);
}

enum replay_fault replay_reader_open(struct replay_reader *reader, const uint8_t *bytes, size_t byte_count)
{
    memset(reader, 0, sizeof *reader);
    reader->bytes = bytes;
    reader->byte_count = byte_count;
    reader->offset = HEADER_BYTES;
    if (byte_count < HEADER_BYTES || memcmp(bytes, MAGIC, sizeof MAGIC - 1) != 0)
        return REPLAY_NOT_A_REPLAY;
    if (memcmp(bytes, MAGIC, sizeof MAGIC) != 0 || load(bytes + sizeof MAGIC, 4) != PROTOCOL_VERSION)
        return REPLAY_VERSION;
    enum replay_fault fault = read_map(reader);
    if (fault == REPLAY_OK)
        fault = read_first(reader);
    if (fault != REPLAY_OK)
        return fault;
    reader->first_offset = reader->offset;
    find_index(reader);
    reader->fault_offset = 0;
    return REPLAY_OK;
}

static bool read_commands(struct replay_reader *reader, struct bit_reader *bits)
{
    reader->command_count = bits_read_number(bits);
    if (reader->command_count > REPLAY_COMMAND_CAPACITY)
        return false;
    for (uint32_t i = 0; i < reader->command_count; i++)
        read_command(bits, &reader->commands[i]);
    return true;
}

static bool read_tick(struct replay_reader *reader, const struct record *record)
{
    struct bit_reader bits = bits_reader(record->payload, record->payload_bytes);
    reader->has_keyframe = bits_read(&bits, 1) != 0;
    reader->has_hash = bits_read(&bits, 1) != 0;
    if (!read_commands(reader, &bits))
        return false;
    if (reader->has_keyframe)
        memset(reader->inputs, 0, sizeof reader->inputs);
    read_inputs(&bits, reader->inputs);
    reader->hash = bits_read(&bits, reader->has_hash ? 32 : 0);
    reader->hash |= (uint64_t)bits_read(&bits, reader->has_hash ? 32 : 0) << 32;
    if (!reader->has_keyframe)
        return bits_read_all(&bits);
    const uint8_t *body;
    size_t body_bytes = bits_read_rest(&bits, &body);
    return !bits.failed && snapshot_body_decode(&reader->keyframe, &reader->fresh, &reader->map, body, body_bytes) &&
           reader->keyframe.tick == reader->tick;
}

enum replay_fault replay_reader_next(struct replay_reader *reader)
{
    struct record record;
    if (reader->offset == reader->byte_count)
        return REPLAY_END;
    enum replay_fault fault = take_record(reader, reader->offset, &record);
    if (fault != REPLAY_OK)
        return fault;
    if (record.kind == RECORD_INDEX && after_record(reader, &record) == reader->byte_count)
        return REPLAY_END;
    reader->tick++;
    if (record.kind != RECORD_TICK || !read_tick(reader, &record))
        return fault_at(reader, REPLAY_DAMAGED, reader->offset);
    reader->offset = after_record(reader, &record);
    return REPLAY_OK;
}

enum replay_fault replay_reader_seek(struct replay_reader *reader, tick target)
{
    tick found = reader->first.tick;
    uint64_t offset = reader->first_offset;
    for (uint32_t i = 0; i < reader->index_count; i++) {
        tick at = (tick)load(reader->index + i * ENTRY_BYTES, 4);
        if (at > target || at <= found)
            continue;
        found = at;
        offset = load(reader->index + i * ENTRY_BYTES + 4, 8);
    }
    if (offset < reader->first_offset || offset > reader->byte_count)
        return fault_at(reader, REPLAY_DAMAGED, reader->first_offset);
    reader->offset = (size_t)offset;
    if (found != reader->first.tick) {
        reader->tick = found - 1;
        enum replay_fault fault = replay_reader_next(reader);
        return fault == REPLAY_OK && !reader->has_keyframe ? fault_at(reader, REPLAY_DAMAGED, (size_t)offset) : fault;
    }
    reader->tick = found;
    reader->has_keyframe = reader->has_hash = false;
    reader->command_count = 0;
    memset(reader->inputs, 0, sizeof reader->inputs);
    return REPLAY_OK;
}

const char *replay_fault_sentence(enum replay_fault fault)
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
