// SPDX-License-Identifier: MIT
#include "base/hash.h"
#include "base/little_endian.h"
#include "unit.h"

#include <string.h>

#include "game/ai/ai.h"
#include "sync/world.h"
#include "test_map.h"
#include "test_match.h"
#include "wire/bits.h"
#include "wire/message.h"
#include "wire/replay.h"

enum {
    TICKS = 1900,
    BOTS = 6,
    INDEX_BYTES = RECORD_BEFORE_BYTES + 3 * REPLAY_ENTRY_BYTES + REPLAY_INDEX_END_BYTES + RECORD_AFTER_BYTES,
};

static struct test_match match;
static struct replay_writer writer;
static struct replay_reader reader;
static struct world world, last;
static uint64_t hashes[TICKS + 1];

// A file in memory; after `room` bytes the disk is full.
static struct {
    uint8_t bytes[512 * 1024];
    size_t used, room;
} file;

static bool store_bytes(void *context, const uint8_t *bytes, size_t byte_count)
{
    (void)context;
    if (file.room - file.used < byte_count)
        return false;
    memcpy(file.bytes + file.used, bytes, byte_count);
    file.used += byte_count;
    return true;
}

static struct command command_of(tick at)
{
    return (struct command){at % 200 == 100 ? COMMAND_LEAVE : COMMAND_JOIN,
                            2,
                            1,
                            5,
                            {0x41424344, 1, 0xFFFFFFFF, at},
                            {2, 1, -7, {at, 4, 0, 6, 7, UINT32_MAX, 9, 10, 11, UINT32_MAX - 1}},
                            TEAM_SPECTATE,
                            1,
                            -3,
                            0xFFFFFFFF,
                            1,
                            SKILL_EASY,
                            MAP_GIFT_WINGS};
}

// Begins to record a match of nobody. Returns the result of the writer.
static bool begin(uint32_t seed)
{
    test_map_random(&match.map, seed, 48, 30);
    test_match_start(&match);
    return replay_writer_begin(&writer, store_bytes, NULL, &match.map, &match.world);
}

// The same in an empty file with enough room.
static void begin_file(void)
{
    file.room = sizeof file.bytes;
    file.used = 0;
    assert_true(begin(2));
}

static bool write_step(void)
{
    test_match_step(&match, 1);
    return replay_writer_tick(&writer, NULL, 0, match.inputs, &match.world);
}

// Plays and records; the third bot leaves and joins. Returns the result of the writer.
static bool record_match(uint32_t seed, uint32_t ticks)
{
    memset(file.bytes, 0, sizeof file.bytes);
    file.used = 0;
    test_map_random(&match.map, seed, 48, 30);
    test_match_start(&match);
    for (uint32_t slot = 0; slot < BOTS; slot++)
        world_command(&match.world, &match.map, &(struct command){.slot = slot, .bot = 1, .name = {slot}});
    bool good = replay_writer_begin(&writer, store_bytes, NULL, &match.map, &match.world);
    for (uint32_t t = 1; t <= ticks; t++) {
        struct command commands[1 + MAP_CHEST_CAPACITY] = {command_of(t)};
        uint32_t count = t % 100 == 0 && world_command(&match.world, &match.map, &commands[0]);
        test_match_think(&match, SKILL_NORMAL);
        test_match_step(&match, 1);
        memcpy(commands + count, match.rolls, match.roll_count * sizeof *match.rolls);
        good = replay_writer_tick(&writer, commands, count + match.roll_count, match.inputs, &match.world);
        hashes[t] = world_hash(&match.world);
    }
    last = match.world;
    return good && replay_writer_end(&writer);
}

static void step_as_read(void)
{
    for (uint32_t i = 0; i < reader.command_count; i++)
        assert_true(world_command(&world, &reader.map, &reader.commands[i]));
    world_step(&world, &reader.map, reader.inputs);
}

static void record_once(void)
{
    file.room = sizeof file.bytes;
    assert_true(record_match(2, TICKS));
}

EACH_TEST(record_once, NULL);

TEST(a_recorded_match_is_read_back_unchanged)
{
    assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), REPLAY_OK);
    assert_int_equal(reader.last_tick, TICKS);
    assert_int_equal(reader.index_count, TICKS / REPLAY_KEYFRAME_TICKS);
    assert_int_equal(map_hash(&reader.map), map_hash(&match.map));
    world = reader.first;
    uint32_t commands = 0;
    for (uint32_t t = 1; t <= TICKS; t++) {
        assert_int_equal(replay_reader_next(&reader), REPLAY_OK);
        assert_int_equal(reader.tick, t);
        for (uint32_t i = 0; i < reader.command_count; i++)
            commands += reader.commands[i].kind != COMMAND_ROLL;
        step_as_read();
        assert_int_equal(reader.has_hash, t % REPLAY_HASH_TICKS == 0);
        assert_int_equal(reader.has_keyframe, t % REPLAY_KEYFRAME_TICKS == 0);
        assert_true(!reader.has_hash || reader.hash == hashes[t]);
        assert_true(!reader.has_keyframe || memcmp(&reader.keyframe, &world, sizeof world) == 0);
        assert_true(world_hash(&world) == hashes[t]);
    }
    assert_memory_equal(&world, &last, sizeof world);
    assert_int_equal(commands, TICKS / 100);
    assert_int_equal(replay_reader_next(&reader), REPLAY_END);
    assert_int_equal(replay_reader_next(&reader), REPLAY_END);
}

TEST(a_tick_without_changed_inputs_takes_nine_bytes)
{
    begin_file();
    uint64_t offset = writer.offset;
    assert_true(write_step());
    assert_int_equal(writer.offset - offset, 9);
}

TEST(seeking_finds_the_keyframe_at_or_before_a_tick)
{
    static const struct {
        tick target, found;
    } rows[] = {
        /* 1 */ {0, 0},       /* 2 */ {599, 0},     /* 3 */ {600, 600},
        /* 4 */ {1799, 1200}, /* 5 */ {1800, 1800}, /* 6 */ {UINT32_MAX, 1800},
    };
    assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), REPLAY_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(replay_reader_seek(&reader, rows[i].target), REPLAY_OK);
        assert_int_equal(reader.tick, rows[i].found);
        assert_int_equal(reader.has_keyframe, rows[i].found != 0);
        world = reader.has_keyframe ? reader.keyframe : reader.first;
        for (uint32_t t = rows[i].found + 1; t <= rows[i].found + 100 && t <= TICKS; t++) {
            assert_int_equal(replay_reader_next(&reader), REPLAY_OK);
            step_as_read();
            assert_true(world_hash(&world) == hashes[t]);
        }
    }
}

// Reads all ticks and returns how the file ended.
static enum replay_fault read_all(const uint8_t *bytes, size_t byte_count)
{
    enum replay_fault fault = replay_reader_open(&reader, bytes, byte_count);
    while (fault == REPLAY_OK)
        fault = replay_reader_next(&reader);
    return fault;
}

TEST(a_replay_can_be_read_without_its_index)
{
    assert_int_equal(read_all(file.bytes, file.used - INDEX_BYTES), REPLAY_END);
    assert_int_equal(reader.tick, TICKS);
    assert_null(reader.index);
    assert_int_equal(replay_reader_seek(&reader, 1200), REPLAY_OK); // from the start, then
    assert_int_equal(reader.tick, 0);
}

TEST(a_torn_end_is_reported_with_its_position)
{
    assert_int_equal(read_all(file.bytes, file.used), REPLAY_END);
    assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), REPLAY_OK);
    size_t first = reader.offset;
    assert_int_equal(replay_reader_next(&reader), REPLAY_OK);
    size_t second = reader.offset;
    for (size_t cut = second - first - 1; cut > 0; cut--) {
        assert_int_equal(read_all(file.bytes, first + cut), REPLAY_TORN);
        assert_int_equal(reader.fault_offset, first);
        assert_int_equal(reader.tick, 0);
    }
    for (size_t cut = REPLAY_HEADER_BYTES; cut < first; cut += 7)
        assert_int_equal(replay_reader_open(&reader, file.bytes, cut), REPLAY_TORN);
    for (size_t cut = 0; cut < REPLAY_HEADER_BYTES; cut++)
        assert_int_equal(replay_reader_open(&reader, file.bytes, cut), REPLAY_NOT_A_REPLAY);
}

TEST(other_versions_are_distinguished_from_other_files)
{
    static const struct {
        size_t offset;
        enum replay_fault fault;
    } rows[] = {
        /* 1 */ {0, REPLAY_NOT_A_REPLAY}, /* 2 */ {2, REPLAY_NOT_A_REPLAY}, /* 3 */ {3, REPLAY_VERSION},
        /* 4 */ {4, REPLAY_VERSION},      /* 5 */ {7, REPLAY_VERSION},      /* 6 */ {12, REPLAY_DAMAGED},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        file.bytes[rows[i].offset] ^= 0x40;
        assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), rows[i].fault);
        file.bytes[rows[i].offset] ^= 0x40;
    }
}

TEST(a_flipped_bit_is_reported_with_its_position)
{
    uint64_t random = 9;
    for (int turn = 0; turn < 100; turn++) {
        size_t at = REPLAY_HEADER_BYTES + next_random(&random) % (file.used - REPLAY_HEADER_BYTES);
        uint8_t bit = (uint8_t)(1u << next_random(&random) % 8);
        file.bytes[at] ^= bit;
        enum replay_fault fault = read_all(file.bytes, file.used);
        assert_true(fault == REPLAY_DAMAGED || fault == REPLAY_TORN);
        assert_true(reader.fault_offset <= at);
        assert_true(at - reader.fault_offset < REPLAY_RECORD_BYTES_MAX);
        file.bytes[at] ^= bit;
    }
}

// Corrects the checksum of the record at an offset, so that only the decoders can see the damage.
static void mend_checksum(uint8_t *record)
{
    size_t covered = RECORD_BEFORE_BYTES + (size_t)little_endian_read(record + 1, 3);
    little_endian_write(record + covered, hash_crc32(record, covered), RECORD_AFTER_BYTES);
}

TEST(damaged_records_with_good_checksums_are_refused_or_valid)
{
    static uint8_t bytes[sizeof file.bytes];
    size_t offset = REPLAY_HEADER_BYTES, map_bytes = (size_t)little_endian_read(file.bytes + offset + 1, 3);
    size_t first = offset + RECORD_BEFORE_BYTES + map_bytes + RECORD_AFTER_BYTES;
    assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), REPLAY_OK);
    size_t tick_600 = (size_t)little_endian_read(reader.index + 4, 8);
    size_t records[] = {offset, first, reader.offset, tick_600};
    for (size_t i = 0; i < COUNT_OF(records); i++) {
        size_t payload_bytes = (size_t)little_endian_read(file.bytes + records[i] + 1, 3);
        for (size_t bit = 0; bit < 8 * payload_bytes; bit += 1 + payload_bytes / 16) {
            memcpy(bytes, file.bytes, file.used);
            bytes[records[i] + RECORD_BEFORE_BYTES + bit / 8] ^= (uint8_t)(1u << bit % 8);
            mend_checksum(bytes + records[i]);
            enum replay_fault fault = replay_reader_open(&reader, bytes, file.used);
            world = reader.first;
            for (int t = 0; fault == REPLAY_OK && t < 5; t++)
                if ((fault = replay_reader_next(&reader)) == REPLAY_OK)
                    world_step(&world, &reader.map, reader.inputs);
            if (replay_reader_open(&reader, bytes, file.used) == REPLAY_OK &&
                replay_reader_seek(&reader, 600) == REPLAY_OK && reader.has_keyframe)
                world_step(&reader.keyframe, &reader.map, reader.inputs);
        }
    }
}

// A replay of one tick record with this payload after a fresh world.
static enum replay_fault read_tick_of(const uint8_t *payload, size_t payload_bytes)
{
    begin_file();
    uint8_t *record = file.bytes + file.used;
    record[0] = RECORD_TICK;
    little_endian_write(record + 1, payload_bytes, 3);
    memcpy(record + RECORD_BEFORE_BYTES, payload, payload_bytes);
    mend_checksum(record);
    size_t end = file.used + RECORD_BEFORE_BYTES + payload_bytes + RECORD_AFTER_BYTES;
    assert_int_equal(replay_reader_open(&reader, file.bytes, end), REPLAY_OK);
    return replay_reader_next(&reader);
}

// Changes a record at an offset of the file, and reads until a fault.
static enum replay_fault read_changed(size_t record, size_t at, uint8_t value, size_t payload_bytes)
{
    static uint8_t bytes[sizeof file.bytes];
    memcpy(bytes, file.bytes, file.used);
    bytes[record + at] = value;
    little_endian_write(bytes + record + 1, payload_bytes, 3);
    mend_checksum(bytes + record);
    return read_all(bytes, file.used);
}

static size_t payload_bytes_at(size_t record)
{
    return (size_t)little_endian_read(file.bytes + record + 1, 3);
}

static size_t next_record(size_t record)
{
    return record + RECORD_BEFORE_BYTES + payload_bytes_at(record) + RECORD_AFTER_BYTES;
}

TEST(a_record_of_a_wrong_kind_or_size_is_reported_with_its_position)
{
    size_t map = REPLAY_HEADER_BYTES, first = next_record(map), tick_1 = next_record(first);
    const struct {
        size_t record, at;
        uint8_t value;
        size_t payload_bytes;
    } rows[] = {
        /* 1 */ {map, 0, RECORD_FIRST, payload_bytes_at(map)},
        /* 2 */ {map, 0, RECORD_MAP, payload_bytes_at(map) - 1}, // half a map
        /* 3 */ {map, 0, RECORD_MAP, 0},
        /* 4 */ {first, 0, RECORD_MAP, payload_bytes_at(first)},
        /* 5 */ {first, 0, RECORD_FIRST, (uint32_t)sizeof(struct rules) - 1},
        /* 6 */ {first, 0, RECORD_FIRST, (uint32_t)sizeof(struct rules)}, // without a world
        /* 7 */ {first, 0, RECORD_FIRST, payload_bytes_at(first) - 1},
        /* 8 */ {tick_1, 0, RECORD_FIRST, payload_bytes_at(tick_1)},
        /* 9 */ {tick_1, 0, RECORD_INDEX, payload_bytes_at(tick_1)}, // not at the end
        /* 10 */ {tick_1, 0, 99, payload_bytes_at(tick_1)},
        /* 11 */ {tick_1, 0, RECORD_TICK, 0},
        /* 12 */ {tick_1, 0, RECORD_SEATS, 1},
        /* 13 */ {tick_1, 0, RECORD_HATS, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (read_changed(rows[i].record, rows[i].at, rows[i].value, rows[i].payload_bytes) != REPLAY_DAMAGED)
            fail_msg("row %zu", i + 1);
        assert_int_equal(reader.fault_offset, rows[i].record);
    }
}

TEST(seeking_the_start_forgets_what_was_read)
{
    static const struct player_input none[PLAYER_CAPACITY];
    static const uint8_t no_hats[PLAYER_CAPACITY];
    assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), REPLAY_OK);
    for (uint32_t t = 1; t <= REPLAY_KEYFRAME_TICKS; t++)
        assert_int_equal(replay_reader_next(&reader), REPLAY_OK);
    assert_true(reader.has_keyframe && reader.has_hash);
    assert_int_equal(reader.command_count, 1);
    reader.hats[3] = HAT_CAP;
    assert_int_equal(replay_reader_seek(&reader, 0), REPLAY_OK);
    assert_int_equal(reader.tick, 0);
    assert_false(reader.has_keyframe);
    assert_false(reader.has_hash);
    assert_int_equal(reader.command_count, 0);
    assert_memory_equal(reader.inputs, none, sizeof none);
    assert_memory_equal(reader.hats, no_hats, sizeof no_hats);
}

TEST(a_keyframe_in_the_index_that_is_none_is_refused)
{
    static uint8_t bytes[sizeof file.bytes];
    assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), REPLAY_OK);
    size_t offsets[] = {reader.first_offset, file.used, (size_t)little_endian_read(reader.index + 4, 8)};
    static const enum replay_fault faults[] = {REPLAY_DAMAGED, REPLAY_END, REPLAY_DAMAGED};
    for (size_t i = 0; i < COUNT_OF(offsets); i++) { // an ordinary tick, the end, and the keyframe of another tick
        memcpy(bytes, file.bytes, file.used);
        little_endian_write(bytes + file.used - 28, offsets[i], 8);
        mend_checksum(bytes + file.used - INDEX_BYTES);
        assert_int_equal(replay_reader_open(&reader, bytes, file.used), REPLAY_OK);
        assert_int_equal(replay_reader_seek(&reader, 1800), faults[i]);
        if (faults[i] == REPLAY_DAMAGED)
            assert_int_equal(reader.fault_offset, offsets[i]);
    }
}

TEST(ticks_that_no_writer_writes_are_refused)
{
    static const struct {
        uint32_t flags, numbers_count, numbers[2], buttons;
        enum replay_fault fault;
    } rows[] = {
        /* 1 */ {0, 2, {0, 0}, 0, REPLAY_OK},        // nothing happens
        /* 2 */ {0, 2, {0, 257}, 0, REPLAY_DAMAGED}, // more inputs than slots
        /* 3 */ {0, 2, {257, 0}, 0, REPLAY_DAMAGED}, // more commands than there can be
        /* 4 */ {0, 2, {0, 1}, 255, REPLAY_OK},      // the last slot
        /* 5 */ {0, 2, {0, 1}, 256, REPLAY_DAMAGED}, // one beyond
        /* 6 */ {0, 2, {0, 2}, 255, REPLAY_DAMAGED}, // another after the last
        /* 7 */ {2, 2, {0, 0}, 0, REPLAY_DAMAGED},   // a hash that is missing
        /* 8 */ {1, 2, {0, 0}, 0, REPLAY_DAMAGED},   // a keyframe that is missing
        /* 9 */ {0, 1, {0}, 0, REPLAY_DAMAGED},      // no inputs
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint8_t payload[256] = {0};
        struct bit_writer bits = bits_writer(payload, sizeof payload);
        bits_write(&bits, rows[i].flags, 2);
        for (uint32_t n = 0; n < rows[i].numbers_count; n++)
            bits_write_number(&bits, rows[i].numbers[n]);
        for (uint32_t n = 0; rows[i].numbers_count > 1 && n < rows[i].numbers[1] && n < 2; n++) {
            bits_write_number(&bits, n == 0 ? rows[i].buttons : 0);
            bits_write(&bits, 1, BUTTON_BITS);
        }
        if (read_tick_of(payload, bits_flush(&bits)) != rows[i].fault)
            fail_msg("row %zu", i + 1);
    }
}

TEST(too_many_commands_are_refused_even_if_present)
{
    static uint8_t payload[64 * 1024];
    struct bit_writer bits = bits_writer(payload, sizeof payload);
    bits_write(&bits, 0, 2);
    bits_write_number(&bits, REPLAY_COMMAND_CAPACITY + 1);
    for (uint32_t i = 0; i < REPLAY_COMMAND_CAPACITY + 1; i++) {
        bits_write(&bits, 0xF, 4); // four numbers 0
        for (uint32_t n = 0; n < PLAYER_NAME_BYTES / 4; n++)
            bits_write(&bits, 0, 32);
    }
    bits_write_number(&bits, 0);
    assert_int_equal(read_tick_of(payload, bits_flush(&bits)), REPLAY_DAMAGED);
}

TEST(a_keyframe_of_another_tick_is_refused)
{
    static struct player_input inputs[PLAYER_CAPACITY];
    file.used = 0;
    match.map.solid_count = 0; // solids are elsewhere at another tick, which is refused as well
    test_match_start(&match);
    replay_writer_begin(&writer, store_bytes, NULL, &match.map, &match.world);
    writer.tick = REPLAY_KEYFRAME_TICKS - 1;
    match.world.tick = REPLAY_KEYFRAME_TICKS;
    replay_writer_tick(&writer, NULL, 0, inputs, &match.world);
    assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), REPLAY_OK);
    assert_int_equal(replay_reader_next(&reader), REPLAY_DAMAGED);
}

TEST(a_wrong_index_is_refused)
{
    static const struct {
        size_t from_end;
        uint64_t value;
        uint32_t byte_count;
        bool is_index;
    } rows[] = {
        /* 1 */ {12, 0, 8, false},          // it points to the start of the file
        /* 2 */ {12, UINT64_MAX, 8, false}, // far behind it
        /* 3 */ {20, 4, 4, false},          // more entries than there are
        /* 4 */ {20, UINT32_MAX, 4, false},
        /* 5 */ {28, 3, 8, true},          // a keyframe in the header
        /* 6 */ {28, UINT64_MAX, 8, true}, // far behind
    };
    static uint8_t bytes[sizeof file.bytes];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        memcpy(bytes, file.bytes, file.used);
        little_endian_write(bytes + file.used - rows[i].from_end, rows[i].value, rows[i].byte_count);
        mend_checksum(bytes + file.used - INDEX_BYTES);
        assert_int_equal(replay_reader_open(&reader, bytes, file.used), REPLAY_OK);
        assert_int_equal(reader.index != NULL, rows[i].is_index);
        assert_int_equal(reader.fault_offset, 0); // a replay is good without an index
        assert_int_equal(replay_reader_seek(&reader, 1800), rows[i].is_index ? REPLAY_DAMAGED : REPLAY_OK);
    }
}

static const struct replay_seat SEATS[] = {{0, 0, {1, 2}}, {1, 3, {1, 2}}, {255, 0, {[31] = 9}}};

// A journal of three ticks: seats after the first of them, and others after the second.
static void record_seats(void)
{
    begin_file();
    for (uint32_t t = 1; t <= 3; t++) {
        assert_true(write_step());
        assert_true(t > 2 || replay_writer_seats(&writer, SEATS, 4 - t));
    }
}

TEST(a_journal_holds_the_seats_of_the_players)
{
    static const uint32_t wanted[] = {0, 3, 2};
    record_seats();
    assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), REPLAY_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(replay_reader_next(&reader), REPLAY_OK);
        assert_int_equal(reader.seat_count, wanted[i]);
        assert_memory_equal(reader.seats, SEATS, wanted[i] * sizeof *SEATS);
    }
    assert_int_equal(replay_reader_next(&reader), REPLAY_END);
}

TEST(a_reader_knows_the_hats_at_every_tick)
{
    uint8_t worn[PLAYER_CAPACITY] = {[0] = HAT_TOP, [PLAYER_CAPACITY - 1] = HAT_CAP}, none[PLAYER_CAPACITY] = {0};
    begin_file();
    for (uint32_t t = 1; t <= 1300; t++) {
        if (t == 650)
            assert_true(replay_writer_hats(&writer, worn));
        uint64_t offset = writer.offset;
        assert_true(replay_writer_hats(&writer, t < 650 ? none : worn)); // unchanged: nothing is written
        assert_int_equal(writer.offset, offset);
        assert_true(write_step());
    }
    assert_true(replay_writer_end(&writer));
    assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), REPLAY_OK);
    for (uint32_t t = 1; t <= 1300; t++) {
        assert_int_equal(replay_reader_next(&reader), REPLAY_OK);
        assert_memory_equal(reader.hats, t < 650 ? none : worn, sizeof none);
    }
    static const tick places[] = {1200, 600, 0};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        assert_int_equal(replay_reader_seek(&reader, places[i] + 1), REPLAY_OK);
        assert_int_equal(reader.tick, places[i]);
        assert_memory_equal(reader.hats, places[i] < 650 ? none : worn, sizeof none);
    }
}

static uint64_t tick_ends[TICKS + 1], seats_end;

// A journal: dice at first, seats at ticks 50 and 1250, hats at 650; no index.
static void record_journal(void)
{
    static const uint8_t worn[PLAYER_CAPACITY] = {[2] = HAT_CAP};
    static const struct replay_seat seats[] = {{.slot = 1, .local = 2, .identity = {7}}, {.slot = 4, .identity = {9}}};
    static const uint8_t commitment[REPLAY_DICE_BYTES] = {5}, secret[REPLAY_DICE_BYTES] = {6};
    begin_file();
    assert_true(replay_writer_dice(&writer, commitment, secret));
    for (uint32_t t = 1; t <= TICKS; t++) {
        if (t == 50 || t == 1250)
            assert_true(replay_writer_seats(&writer, seats, t == 50 ? 1 : 2));
        seats_end = t == 1250 ? writer.offset : seats_end;
        if (t == 100 || t == 1300)
            assert_true(
                replay_writer_note(&writer, t == 100 ? REPLAY_NOTE_OPTIONS : REPLAY_NOTE_VOTE, seats[1].identity, 1));
        if (t == 650)
            assert_true(replay_writer_hats(&writer, worn));
        assert_true(write_step());
        tick_ends[t] = writer.offset;
        hashes[t] = world_hash(&match.world);
    }
}

TEST(seeking_the_last_keyframe_needs_no_index_and_avoids_damage)
{
    record_journal();
    struct {
        size_t lost_bytes; // from the end
        size_t damaged;    // byte; 0: none
        tick expected;
        uint32_t seat_count; // expected
    } rows[] = {
        /* 0 */ {0, 0, 1800, 2},
        /* 1 */ {file.used - tick_ends[1801], 0, 1800, 2},
        /* 2 */ {file.used - tick_ends[1800] + 1, 0, 1200, 1},
        /* 3 */ {file.used - tick_ends[1199] - 1, 0, 600, 1},
        /* 4 */ {0, tick_ends[1800] - 9, 1200, 1}, // the keyframe
        /* 5 */ {0, tick_ends[1200] - 9, 1800, 2}, // an older one
        /* 6 */ {0, tick_ends[1500] + 4, 1800, 2}, // a tick before it
        /* 7 */ {0, tick_ends[1850] + 4, 1800, 2}, // a tick after it
        /* 8 */ {0, tick_ends[700] + 2, 600, 1},   // a length
        /* 9 */ {0, tick_ends[700], 600, 1},       // a kind
        /* 10 */ {0, seats_end - 9, 1200, 1},      // the seats
        /* 11 */ {file.used - tick_ends[599], 0, 0, 0},
        /* 12 */ {file.used - tick_ends[1199], tick_ends[600] - 9, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        file.bytes[rows[i].damaged] ^= rows[i].damaged ? 0x40 : 0;
        assert_int_equal(replay_reader_open(&reader, file.bytes, file.used - rows[i].lost_bytes), REPLAY_OK);
        replay_reader_seek_last(&reader);
        file.bytes[rows[i].damaged] ^= rows[i].damaged ? 0x40 : 0;
        if (reader.tick != rows[i].expected || reader.has_keyframe != (rows[i].expected > 0) ||
            reader.seat_count != rows[i].seat_count || reader.has_secret != (rows[i].expected > 0) ||
            reader.hats[2] != (rows[i].expected > 650 ? HAT_CAP : HAT_NONE) ||
            reader.notes[REPLAY_NOTE_OPTIONS].byte_count != (rows[i].expected > 0) ||
            reader.notes[REPLAY_NOTE_VOTE].byte_count != (rows[i].expected > 1300))
            fail_msg("row %zu: tick %u, %u seats", i, reader.tick, reader.seat_count);
        assert_true(!reader.has_keyframe || world_hash(&reader.keyframe) == hashes[reader.tick]);
        assert_int_equal(replay_reader_next(&reader), REPLAY_OK);
        assert_int_equal(reader.tick, rows[i].expected + 1);
    }
    assert_int_equal(reader.seats[0].identity[0], 7);
}

TEST(unknown_hats_are_refused)
{
    uint8_t worn[PLAYER_CAPACITY] = {[7] = HATS - 1};
    for (uint8_t more = 0; more < 2; more++) {
        file.used = 0;
        replay_writer_begin(&writer, store_bytes, NULL, &match.map, &match.world);
        uint8_t *record = file.bytes + file.used;
        replay_writer_hats(&writer, worn);
        record[RECORD_BEFORE_BYTES + 7] += more;
        mend_checksum(record);
        assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), REPLAY_OK);
        assert_int_equal(replay_reader_next(&reader), more ? REPLAY_DAMAGED : REPLAY_END);
    }
}

TEST(seats_that_no_writer_writes_are_refused)
{
    static const struct {
        uint16_t offset; // in the payload
        uint8_t value;
    } rows[] = {
        /* 0 */ {0, 2},      // fewer seats than bytes
        /* 1 */ {0, 4},      // more
        /* 2 */ {1, 1},      // 259
        /* 3 */ {2 + 34, 0}, // the same slot twice
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        record_seats();
        assert_int_equal(replay_reader_open(&reader, file.bytes, file.used), REPLAY_OK);
        assert_int_equal(replay_reader_next(&reader), REPLAY_OK);
        uint8_t *record = file.bytes + reader.offset;
        assert_int_equal(record[0], RECORD_SEATS);
        record[RECORD_BEFORE_BYTES + rows[i].offset] = rows[i].value;
        mend_checksum(record);
        if (replay_reader_next(&reader) != REPLAY_DAMAGED)
            fail_msg("row %zu", i);
    }
}

TEST(a_full_disk_stops_the_writer)
{
    size_t whole = file.used;
    file.room = whole / 2;
    assert_false(record_match(2, 1200));
    assert_true(writer.failed);
    assert_true(file.used <= file.room);
    assert_int_equal(writer.offset, file.used);
    assert_int_equal(read_all(file.bytes, file.used), REPLAY_END);
    assert_true(reader.tick > 0 && reader.tick < 1200);
}

TEST(a_full_index_is_thinned)
{
    static struct player_input inputs[PLAYER_CAPACITY];
    file.room = 0;
    for (tick first = 0; first < 2; first++) { // from the second keyframe on, the last is kept as well
        begin(1);
        for (tick i = 1; i <= REPLAY_INDEX_CAPACITY + 1; i++) {
            match.world.tick = REPLAY_KEYFRAME_TICKS * (first + i);
            writer.tick = match.world.tick - 1;
            replay_writer_tick(&writer, NULL, 0, inputs, &match.world);
        }
        assert_int_equal(writer.keyframe_count, REPLAY_INDEX_CAPACITY / 2 + first);
        for (uint32_t i = 0; i < writer.keyframe_count; i++)
            assert_int_equal(writer.keyframes[i].tick, 2 * REPLAY_KEYFRAME_TICKS * (i + 1));
    }
}

TEST(a_writer_that_has_failed_writes_no_more)
{
    uint8_t worn[PLAYER_CAPACITY] = {HAT_TOP};
    for (size_t room = 0; room <= REPLAY_HEADER_BYTES; room += REPLAY_HEADER_BYTES) {
        file.used = 0;
        file.room = room;
        assert_false(begin(1));
        file.room = sizeof file.bytes; // again
        assert_false(write_step());
        assert_false(replay_writer_hats(&writer, worn));
        assert_false(replay_writer_hats(&writer, worn));
        assert_false(replay_writer_seats(&writer, SEATS, 3));
        assert_false(replay_writer_end(&writer));
        assert_int_equal(file.used, room);
        assert_int_equal(writer.offset, room);
    }
}

TEST(a_replay_without_ticks_is_good)
{
    test_map_random(&match.map, 1, 48, 30);
    match.map.solid_count = 0; // solids are elsewhere at another tick
    test_match_start(&match);
    match.world.tick = 77;
    file.used = 0;
    file.room = sizeof file.bytes;
    assert_true(replay_writer_begin(&writer, store_bytes, NULL, &match.map, &match.world));
    size_t without_index = file.used;
    assert_true(replay_writer_end(&writer));
    for (int has_index = 0; has_index < 2; has_index++) {
        assert_int_equal(replay_reader_open(&reader, file.bytes, has_index ? file.used : without_index), REPLAY_OK);
        assert_int_equal(reader.index != NULL, has_index);
        assert_int_equal(reader.index_count, 0);
        assert_int_equal(reader.last_tick, has_index ? 77 : 0);
        assert_int_equal(reader.tick, 77);
        assert_int_equal(replay_reader_next(&reader), REPLAY_END);
        assert_int_equal(replay_reader_seek(&reader, 100), REPLAY_OK);
        assert_int_equal(reader.tick, 77);
    }
    for (size_t cut = without_index + 1; cut < file.used; cut++)
        assert_int_equal(read_all(file.bytes, cut), REPLAY_TORN);
}

TEST(every_fault_has_a_text)
{
    for (int fault = REPLAY_OK; fault <= REPLAY_END; fault++)
        assert_true(strlen(replay_fault_text((enum replay_fault)fault)) > 10);
}
