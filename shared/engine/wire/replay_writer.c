// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/crc32.h"
#include "bits.h"
#include "message.h"
#include "replay.h"
#include "snapshot.h"
#include "sync/game.h"

_Static_assert(RECORD_PAYLOAD_BYTES_MAX >= MAP_BLOB_BYTES_MAX, "a map fits");
_Static_assert(RECORD_PAYLOAD_BYTES_MAX >=
                   SNAPSHOT_BODY_BYTES_MAX + REPLAY_COMMAND_CAPACITY * 90 + PLAYER_CAPACITY * 3 + 64,
               "a tick with all that it can have fits");

static bool put(struct replay_writer *writer, const uint8_t *bytes, size_t byte_count)
{
    writer->failed = writer->failed || !writer->sink(writer->context, bytes, byte_count);
    writer->offset += writer->failed ? 0 : byte_count;
    return !writer->failed;
}

// Writes a record; its payload is in `record` already.
static bool put_record(struct replay_writer *writer, enum replay_record_kind kind, size_t payload_bytes)
{
    assert(payload_bytes >= 1 && payload_bytes <= RECORD_PAYLOAD_BYTES_MAX);
    size_t covered_bytes = RECORD_BEFORE_BYTES + payload_bytes;
    writer->record[0] = (uint8_t)kind;
    replay_record_store(writer->record + 1, payload_bytes, 3);
    replay_record_store(writer->record + covered_bytes, crc32_of(writer->record, covered_bytes), RECORD_AFTER_BYTES);
    return put(writer, writer->record, covered_bytes + RECORD_AFTER_BYTES);
}

struct record_walk {
    struct walk walk;
    uint8_t *next;
};

static void store_word(struct walk *walk, uint32_t *value, uint32_t bits)
{
    (void)bits;
    struct record_walk *record = (struct record_walk *)walk;
    replay_record_store(record->next, *value, 4);
    record->next += 4;
}

bool replay_writer_begin(struct replay_writer *writer, replay_sink *sink, void *context, const struct map *map,
                         const struct world *first)
{
    memset(writer, 0, sizeof *writer);
    writer->sink = sink;
    writer->context = context;
    writer->tick = first->tick;
    replay_writer_set_stride(writer, REPLAY_KEYFRAME_TICKS);
    world_init(&writer->fresh, map, &first->rules);

    uint8_t header[REPLAY_HEADER_BYTES], *payload = writer->record + RECORD_BEFORE_BYTES;
    memcpy(header, REPLAY_MAGIC, 4);
    replay_record_store(header + 4, PROTOCOL_VERSION, 4);
    put(writer, header, sizeof header);
    put_record(writer, RECORD_MAP, map_blob_encode(map, payload, RECORD_PAYLOAD_BYTES_MAX));
    struct record_walk record = {{.number = store_word}, payload};
    struct rules rules = first->rules;
    game_walk_rules(&record.walk, &rules);
    size_t body_bytes =
        snapshot_body_encode(&writer->fresh, first, record.next, RECORD_PAYLOAD_BYTES_MAX - sizeof rules);
    return put_record(writer, RECORD_FIRST, sizeof rules + body_bytes);
}

void replay_writer_set_stride(struct replay_writer *writer, uint32_t ticks)
{
    assert(ticks % REPLAY_HASH_TICKS == 0 && ticks > 0);
    writer->stride_ticks = writer->keyframe_ticks = ticks;
}

struct command_writing {
    struct walk walk;
    struct bit_writer *bits;
};

static void write_words(struct walk *walk, uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bits_write(((struct command_writing *)walk)->bits, words[i], 32);
}

static void write_number(struct walk *walk, uint32_t *value, uint32_t bits)
{
    if (bits == 32)
        write_words(walk, value, 1);
    else
        bits_write_number(((struct command_writing *)walk)->bits, *value);
}

static void write_command(struct bit_writer *bits, struct command command)
{
    struct command_writing writing = {{write_number, write_words, true}, bits};
    bits_write_number(bits, command.kind);
    game_walk_command(&writing.walk, &command);
}

// Writes how many inputs have changed, and each with the number of slots since the one before.
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

static void remember_keyframe(struct replay_writer *writer, uint64_t offset)
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
        remember_keyframe(writer, offset);
        return;
    }
    writer->keyframes[writer->keyframe_count++] = (struct replay_keyframe){writer->tick, offset};
}

static bool put_hats(struct replay_writer *writer)
{
    size_t count = PLAYER_CAPACITY;
    while (count > 1 && writer->hats[count - 1] == HAT_NONE)
        count--;
    memcpy(writer->record + RECORD_BEFORE_BYTES, writer->hats, count);
    return put_record(writer, RECORD_HATS, count);
}

bool replay_writer_hats(struct replay_writer *writer, const uint8_t *hats)
{
    if (memcmp(writer->hats, hats, sizeof writer->hats) == 0)
        return !writer->failed;
    memcpy(writer->hats, hats, sizeof writer->hats);
    writer->hats_written = true;
    return put_hats(writer);
}

bool replay_writer_tick(struct replay_writer *writer, const struct command *commands, uint32_t command_count,
                        const struct player_input *inputs, const struct world *world)
{
    assert(command_count <= REPLAY_COMMAND_CAPACITY && world->tick == writer->tick + 1);
    writer->tick = world->tick;
    bool has_hash = world->tick % REPLAY_HASH_TICKS == 0, has_keyframe = world->tick % writer->stride_ticks == 0;
    uint64_t offset = writer->offset;
    if (has_keyframe && writer->hats_written)
        put_hats(writer); // for readers that begin at the keyframe
    uint8_t *payload = writer->record + RECORD_BEFORE_BYTES;
    struct bit_writer bits = bits_writer(payload, RECORD_PAYLOAD_BYTES_MAX);
    bits_write(&bits, has_keyframe, 1);
    bits_write(&bits, has_hash, 1);
    bits_write_number(&bits, command_count);
    for (uint32_t i = 0; i < command_count; i++)
        write_command(&bits, commands[i]);
    if (has_keyframe)
        memset(writer->before, 0, sizeof writer->before);
    write_inputs(&bits, writer->before, inputs);
    memcpy(writer->before, inputs, sizeof writer->before);
    uint64_t hash = has_hash ? world_hash(world) : 0;
    bits_write(&bits, (uint32_t)hash, has_hash ? 32 : 0);
    bits_write(&bits, (uint32_t)(hash >> 32), has_hash ? 32 : 0);
    size_t payload_bytes = bits_flush(&bits);
    if (has_keyframe) {
        remember_keyframe(writer, offset);
        payload_bytes += snapshot_body_encode(&writer->fresh, world, payload + payload_bytes,
                                              RECORD_PAYLOAD_BYTES_MAX - payload_bytes);
    }
    return put_record(writer, RECORD_TICK, payload_bytes);
}

bool replay_writer_seats(struct replay_writer *writer, const struct replay_seat *seats, uint32_t seat_count)
{
    uint8_t *payload = writer->record + RECORD_BEFORE_BYTES;
    assert(seat_count <= PLAYER_CAPACITY);
    replay_record_store(payload, seat_count, 2);
    for (uint32_t i = 0; i < seat_count; i++) {
        uint8_t *entry = payload + 2 + i * REPLAY_SEAT_BYTES;
        replay_record_store(entry, seats[i].slot, 1);
        replay_record_store(entry + 1, seats[i].local, 1);
        memcpy(entry + 2, seats[i].identity, REPLAY_IDENTITY_BYTES);
    }
    return put_record(writer, RECORD_SEATS, 2 + seat_count * (size_t)REPLAY_SEAT_BYTES);
}

bool replay_writer_dice(struct replay_writer *writer, const uint8_t commitment[REPLAY_DICE_BYTES],
                        const uint8_t *secret)
{
    uint8_t *payload = writer->record + RECORD_BEFORE_BYTES;
    memcpy(payload, commitment, REPLAY_DICE_BYTES);
    if (secret)
        memcpy(payload + REPLAY_DICE_BYTES, secret, REPLAY_DICE_BYTES);
    return put_record(writer, RECORD_DICE, secret ? 2 * REPLAY_DICE_BYTES : REPLAY_DICE_BYTES);
}

bool replay_writer_note(struct replay_writer *writer, enum replay_note note, const uint8_t *bytes, size_t byte_count)
{
    assert(byte_count >= 1 && byte_count <= REPLAY_NOTE_BYTES_MAX);
    memcpy(writer->record + RECORD_BEFORE_BYTES, bytes, byte_count);
    return put_record(writer, note == REPLAY_NOTE_VOTE ? RECORD_VOTE : RECORD_OPTIONS, byte_count);
}

bool replay_writer_end(struct replay_writer *writer)
{
    uint8_t *payload = writer->record + RECORD_BEFORE_BYTES;
    for (uint32_t i = 0; i < writer->keyframe_count; i++) {
        replay_record_store(payload + i * REPLAY_ENTRY_BYTES, writer->keyframes[i].tick, 4);
        replay_record_store(payload + i * REPLAY_ENTRY_BYTES + 4, writer->keyframes[i].offset, 8);
    }
    size_t entries_bytes = writer->keyframe_count * (size_t)REPLAY_ENTRY_BYTES;
    replay_record_store(payload + entries_bytes, writer->keyframe_count, 4);
    replay_record_store(payload + entries_bytes + 4, writer->tick, 4);
    replay_record_store(payload + entries_bytes + 8, writer->offset, 8);
    return put_record(writer, RECORD_INDEX, entries_bytes + REPLAY_INDEX_END_BYTES);
}
