// SPDX-License-Identifier: MIT
// Plays every golden match: worlds are the same at every tick, on every machine, and after every restore.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "game/state.h"
#include "golden.h"
#include "sync/world.h"
#include "test.h"
#include "wire/replay.h"

static struct replay_reader reader;
static struct world world, saved, once;

static uint8_t *read_all(const struct golden *golden, size_t *byte_count)
{
    char path[512];
    golden_path(golden, ".dfr", path, sizeof path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *byte_count = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*byte_count);
    assert_int_equal(fread(bytes, 1, *byte_count, file), *byte_count);
    fclose(file);
    return bytes;
}

#define RENEW "If that is intended, run tests/tools/renew.sh"

static void expect_equal(const struct golden *golden, const struct world *found, const struct world *expected)
{
    char text[160];
    if (!replication_difference(found, expected, text, sizeof text))
        return;
    fprintf(stderr, "%s, tick %" PRIu32 ": %s. " RENEW "\n", golden->name, expected->tick, text);
    fail();
}

// Save, step, restore, step: both steps must give the same world.
static void step_twice(const struct golden *golden)
{
    world_copy(&saved, &world);
    world_step(&world, &reader.map, reader.inputs);
    world_copy(&once, &world);
    world_copy(&world, &saved);
    world_step(&world, &reader.map, reader.inputs);
    expect_equal(golden, &world, &once);
}

static void expect_recorded(const struct golden *golden)
{
    assert_int_equal(world.tick, reader.tick);
    assert_true(world_validate(&world, &reader.map));
    if (reader.has_keyframe)
        expect_equal(golden, &world, &reader.keyframe);
    if (reader.has_hash && world_hash(&world) != reader.hash) {
        fprintf(stderr, "%s: differs from its replay in or before tick %" PRIu32 ". " RENEW "\n", golden->name,
                world.tick);
        fail();
    }
}

static void expect_line(const struct golden *golden, FILE *chain_file, const struct hash *chain)
{
    uint32_t line_tick;
    uint64_t line_hash;
    assert_int_equal(fscanf(chain_file, "%" SCNu32 " %" SCNx64, &line_tick, &line_hash), 2);
    assert_int_equal(line_tick, world.tick);
    if (line_hash == hash_end(chain))
        return;
    fprintf(stderr, "%s: differs from its chain in or before tick %" PRIu32 ". " RENEW "\n", golden->name, world.tick);
    fail();
}

static void play_again(const struct golden *golden)
{
    char path[512];
    size_t byte_count;
    uint8_t *bytes = read_all(golden, &byte_count);
    golden_path(golden, ".chain", path, sizeof path);
    FILE *chain_file = fopen(path, "r");
    assert_non_null(chain_file);
    assert_string_equal(replay_fault_text(replay_reader_open(&reader, bytes, byte_count)),
                        replay_fault_text(REPLAY_OK));
    struct hash chain = hash_begin();
    world = reader.first;
    enum replay_fault fault;
    while ((fault = replay_reader_next(&reader)) == REPLAY_OK) {
        for (uint32_t i = 0; i < reader.command_count; i++)
            assert_true(world_command(&world, &reader.map, &reader.commands[i]));
        step_twice(golden);
        expect_recorded(golden);
        golden_link(&chain, &world);
        if (world.tick % GOLDEN_LINE_TICKS == 0)
            expect_line(golden, chain_file, &chain);
    }
    if (fault != REPLAY_END || world.tick != golden->ticks)
        fail_msg("%s stops at tick %" PRIu32 " of %" PRIu32 ": %s " RENEW, golden->name, world.tick, golden->ticks,
                 replay_fault_text(fault));
    fclose(chain_file);
    free(bytes);
}

TEST(every_golden_match_gives_the_same_worlds)
{
    for (uint32_t i = 0; i < GOLDEN_COUNT; i++)
        play_again(&GOLDENS[i]);
}

TEST(golden_matches_contain_every_event_and_cause_of_death)
{
    uint32_t kinds = 0, causes = 0;
    for (uint32_t i = 0; i < GOLDEN_COUNT; i++) {
        size_t byte_count;
        uint8_t *bytes = read_all(&GOLDENS[i], &byte_count);
        assert_int_equal(replay_reader_open(&reader, bytes, byte_count), REPLAY_OK);
        world = reader.first;
        while (replay_reader_next(&reader) == REPLAY_OK) {
            uint32_t seen = world.event_count;
            for (uint32_t c = 0; c < reader.command_count; c++)
                world_command(&world, &reader.map, &reader.commands[c]);
            world_step(&world, &reader.map, reader.inputs);
            for (; seen != world.event_count; seen++) {
                const struct event *event = &world.events[seen % EVENT_CAPACITY];
                kinds |= 1u << event->kind;
                if (event->kind == EVENT_KILL)
                    causes |= 1u << event->detail;
            }
        }
        free(bytes);
    }
    for (uint32_t kind = EVENT_SPAWN; kind < EVENT_KINDS; kind++)
        if ((kinds >> kind & 1) == 0)
            fail_msg("no golden match has the event %s", event_kind_name((enum event_kind)kind));
    for (uint32_t cause = 0; cause < DEATH_CAUSES; cause++)
        if ((causes >> cause & 1) == 0)
            fail_msg("nobody dies by %s", event_death_cause_name((enum death_cause)cause));
}
