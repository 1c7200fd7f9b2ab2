// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/hash.h"
#include "base/little_endian.h"
#include "replay.h"
#include "snapshot.h"
#include "sync/game.h"

static void walk_word(struct walk *game, uint32_t *value, uint32_t bits)
{
    (void)bits;
    bits_walk((struct bit_walk *)game, value, 32);
}

void replay_record_walk_rules(struct bit_walk *walk, struct rules *rules)
{
    struct bit_walk words = *walk;
    words.game.number = walk_word;
    game_walk_rules(&words.game, rules);
}

// A number that may be small takes few bits.
static void walk_small(struct walk *game, uint32_t *value, uint32_t bits)
{
    if (bits == 32)
        bits_walk((struct bit_walk *)game, value, 32);
    else
        bits_walk_number((struct bit_walk *)game, value);
}

static void walk_command(struct bit_walk *walk, struct command *command)
{
    struct bit_walk whole = *walk;
    whole.game.number = walk_small;
    whole.game.whole = true;
    bits_walk_number(walk, &command->kind);
    game_walk_command(&whole.game, command);
}

// How many inputs have changed, and each with the number of slots since the one before.
static void walk_inputs(struct bit_walk *walk, struct player_input *held, const struct player_input *inputs)
{
    uint32_t changes = 0, slot = 0;
    for (uint32_t i = 0; i < PLAYER_CAPACITY && inputs; i++)
        changes += inputs[i].buttons != held[i].buttons;
    bits_walk_number(walk, &changes);
    for (; changes > 0; changes--, slot++) {
        uint32_t passed = 0;
        while (inputs && inputs[slot + passed].buttons == held[slot + passed].buttons)
            passed++;
        bits_walk_number(walk, &passed);
        if (passed >= PLAYER_CAPACITY - slot || (walk->reader && walk->reader->failed)) {
            bits_fail(walk->reader);
            return;
        }
        slot += passed;
        uint32_t buttons = inputs ? inputs[slot].buttons : 0;
        bits_walk(walk, &buttons, BUTTON_BITS);
        held[slot].buttons = buttons;
    }
}

bool replay_record_walk_tick(struct bit_walk *walk, struct replay_tick *record)
{
    bits_walk_bool(walk, &record->has_keyframe, 1);
    bits_walk_bool(walk, &record->has_hash, 1);
    bits_walk_number(walk, &record->command_count);
    if (!bits_check(walk, record->command_count <= REPLAY_COMMAND_CAPACITY))
        return false;
    for (uint32_t i = 0; i < record->command_count; i++) {
        struct command command = {0};
        if (walk->writer)
            command = record->commands[i];
        walk_command(walk, &command);
        if (walk->reader)
            record->commands_read[i] = command;
    }
    if (record->has_keyframe) // a reader may begin here
        memset(record->held, 0, PLAYER_CAPACITY * sizeof *record->held);
    walk_inputs(walk, record->held, record->inputs);
    if (record->has_hash)
        bits_walk_64(walk, &record->hash);
    return true;
}

bool replay_record_walk_seats(struct bit_walk *walk, struct replay_seat *seats, uint32_t *count)
{
    uint32_t slot_min = 0;
    bits_walk(walk, count, 16);
    if (!bits_check(walk, *count <= PLAYER_CAPACITY))
        return false;
    for (uint32_t i = 0; i < *count; i++) {
        bits_walk(walk, &seats[i].slot, 8);
        bits_walk(walk, &seats[i].local, 8);
        bits_walk_bytes(walk, seats[i].identity, REPLAY_IDENTITY_BYTES);
        if (!bits_check(walk, seats[i].slot >= slot_min))
            return false;
        slot_min = seats[i].slot + 1;
    }
    return true;
}

bool replay_record_walk_hats(struct bit_walk *walk, uint8_t *hats)
{
    const uint8_t *bytes = hats;
    size_t count = PLAYER_CAPACITY;
    while (count > 1 && hats[count - 1] == HAT_NONE)
        count--;
    bits_walk_rest(walk, &bytes, &count);
    if (!bits_check(walk, count >= 1 && count <= PLAYER_CAPACITY && message_hats_are_valid(bytes, count)))
        return false;
    memmove(hats, bytes, count); // onto itself when writing
    memset(hats + count, HAT_NONE, PLAYER_CAPACITY - count);
    return true;
}

bool replay_record_walk_dice(struct bit_walk *walk, struct replay_dice *dice)
{
    uint8_t both[2 * REPLAY_DICE_BYTES];
    const uint8_t *bytes = both;
    size_t byte_count = dice->has_secret ? sizeof both : REPLAY_DICE_BYTES;
    memcpy(both, dice->commitment, REPLAY_DICE_BYTES);
    memcpy(both + REPLAY_DICE_BYTES, dice->secret, REPLAY_DICE_BYTES);
    bits_walk_rest(walk, &bytes, &byte_count);
    dice->has_secret = byte_count == sizeof both;
    if (!bits_check(walk, dice->has_secret || byte_count == REPLAY_DICE_BYTES))
        return false;
    memcpy(dice->commitment, bytes, REPLAY_DICE_BYTES);
    if (dice->has_secret)
        memcpy(dice->secret, bytes + REPLAY_DICE_BYTES, REPLAY_DICE_BYTES);
    return true;
}

void replay_record_walk_keyframe(struct bit_walk *walk, struct replay_keyframe *keyframe)
{
    bits_walk(walk, &keyframe->tick, 32);
    bits_walk_64(walk, &keyframe->offset);
}

void replay_record_walk_index_end(struct bit_walk *walk, struct replay_index_end *end)
{
    bits_walk(walk, &end->count, 32);
    bits_walk(walk, &end->last_tick, 32);
    bits_walk_64(walk, &end->offset);
}

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
    little_endian_write(writer->record + 1, payload_bytes, 3);
    little_endian_write(writer->record + covered_bytes, hash_crc32(writer->record, covered_bytes), RECORD_AFTER_BYTES);
    return put(writer, writer->record, covered_bytes + RECORD_AFTER_BYTES);
}

// Where the payload of the next record is written.
static struct bit_writer payload_writer(struct replay_writer *writer)
{
    return bits_writer(writer->record + RECORD_BEFORE_BYTES, RECORD_PAYLOAD_BYTES_MAX);
}

// Writes a snapshot behind the payload so far. Returns the bytes of both.
static size_t add_snapshot(struct replay_writer *writer, size_t payload_bytes, const struct world *world)
{
    return payload_bytes + snapshot_body_encode(&writer->fresh, world,
                                                writer->record + RECORD_BEFORE_BYTES + payload_bytes,
                                                RECORD_PAYLOAD_BYTES_MAX - payload_bytes);
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

    uint8_t header[REPLAY_HEADER_BYTES];
    memcpy(header, REPLAY_MAGIC, 4);
    little_endian_write(header + 4, REPLAY_WORLD_VERSION, 4);
    put(writer, header, sizeof header);
    put_record(writer, RECORD_MAP,
               map_blob_encode(map, writer->record + RECORD_BEFORE_BYTES, RECORD_PAYLOAD_BYTES_MAX));
    struct bit_writer bits = payload_writer(writer);
    struct bit_walk walk = bits_walk_into(&bits);
    struct rules rules = first->rules;
    replay_record_walk_rules(&walk, &rules);
    return put_record(writer, RECORD_FIRST, add_snapshot(writer, bits_flush(&bits), first));
}

void replay_writer_set_stride(struct replay_writer *writer, uint32_t ticks)
{
    assert(ticks % REPLAY_HASH_TICKS == 0 && ticks > 0);
    writer->stride_ticks = writer->keyframe_ticks = ticks;
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
    struct bit_writer bits = payload_writer(writer);
    struct bit_walk walk = bits_walk_into(&bits);
    replay_record_walk_hats(&walk, writer->hats);
    return put_record(writer, RECORD_HATS, bits_flush(&bits));
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
    struct bit_writer bits = payload_writer(writer);
    struct bit_walk walk = bits_walk_into(&bits);
    struct replay_tick record = {.has_keyframe = has_keyframe,
                                 .has_hash = has_hash,
                                 .command_count = command_count,
                                 .commands = commands,
                                 .inputs = inputs,
                                 .held = writer->before,
                                 .hash = has_hash ? world_hash(world) : 0};
    replay_record_walk_tick(&walk, &record);
    size_t payload_bytes = bits_flush(&bits);
    if (has_keyframe) {
        remember_keyframe(writer, offset);
        payload_bytes = add_snapshot(writer, payload_bytes, world);
    }
    return put_record(writer, RECORD_TICK, payload_bytes);
}

bool replay_writer_seats(struct replay_writer *writer, const struct replay_seat *seats, uint32_t seat_count)
{
    struct replay_seat walked[PLAYER_CAPACITY];
    assert(seat_count <= PLAYER_CAPACITY);
    for (uint32_t i = 0; i < seat_count; i++)
        walked[i] = seats[i];
    struct bit_writer bits = payload_writer(writer);
    struct bit_walk walk = bits_walk_into(&bits);
    replay_record_walk_seats(&walk, walked, &seat_count);
    return put_record(writer, RECORD_SEATS, bits_flush(&bits));
}

bool replay_writer_dice(struct replay_writer *writer, const uint8_t commitment[REPLAY_DICE_BYTES],
                        const uint8_t *secret)
{
    struct replay_dice dice = {.has_secret = secret != NULL};
    memcpy(dice.commitment, commitment, sizeof dice.commitment);
    if (secret)
        memcpy(dice.secret, secret, sizeof dice.secret);
    struct bit_writer bits = payload_writer(writer);
    struct bit_walk walk = bits_walk_into(&bits);
    replay_record_walk_dice(&walk, &dice);
    return put_record(writer, RECORD_DICE, bits_flush(&bits));
}

bool replay_writer_note(struct replay_writer *writer, enum replay_note note, const uint8_t *bytes, size_t byte_count)
{
    assert(byte_count >= 1 && byte_count <= REPLAY_NOTE_BYTES_MAX);
    memcpy(writer->record + RECORD_BEFORE_BYTES, bytes, byte_count);
    return put_record(writer, note == REPLAY_NOTE_VOTE ? RECORD_VOTE : RECORD_OPTIONS, byte_count);
}

bool replay_writer_end(struct replay_writer *writer)
{
    struct bit_writer bits = payload_writer(writer);
    struct bit_walk walk = bits_walk_into(&bits);
    struct replay_index_end end = {writer->keyframe_count, writer->tick, writer->offset};
    for (uint32_t i = 0; i < writer->keyframe_count; i++)
        replay_record_walk_keyframe(&walk, &writer->keyframes[i]);
    replay_record_walk_index_end(&walk, &end);
    return put_record(writer, RECORD_INDEX, bits_flush(&bits));
}
