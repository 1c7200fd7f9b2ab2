// SPDX-License-Identifier: MIT
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "net/impairment.h"
#include "probe.h"
#include "test_map.h"
#include "wire/replay.h"

#define NOON_UNIX 1000000000

static struct map map;

static void begin(struct session *session, uint32_t probe_count)
{
    test_map_random(&map, 4, 60, 40);
    struct match_config config = {.map = &map,
                                  .rules = {.mode = MODE_FFA, .seed = 7},
                                  .players_max = 8,
                                  .bots = 6,
                                  .bot_skill = SKILL_NORMAL,
                                  .snapshot_rate = 60};
    session_begin(session, &config, &(struct impairment){.delay_us = 10000}, probe_count);
}

static uint8_t *load(const char *path, size_t *byte_count)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t *bytes = malloc(16u << 20);
    *byte_count = fread(bytes, 1, 16u << 20, file);
    fclose(file);
    return bytes;
}

static void a_recorded_match_is_simulated_to_the_same_hashes(void **state)
{
    (void)state;
    struct error error = {0};
    char directory[] = "/tmp/deadfall_recorder_XXXXXX", path[700];
    assert_non_null(mkdtemp(directory));
    struct session session;
    begin(&session, 3);
    session.match->recorder = recorder_open(directory, NOON_UNIX, &session.match->map, &session.match->world, &error);
    if (!session.match->recorder)
        fail_msg("%s", error.text);
    snprintf(path, sizeof path, "%s", recorder_path(session.match->recorder));
    assert_non_null(strstr(path, "-20010909-014640.dfr"));
    session_run(&session, 300);
    transport_close(session.probes[0].transport); // a player leaves
    session.probes[0].mute = true;
    session_run(&session, 400);
    assert_true(recorder_close(session.match->recorder, &error));

    size_t byte_count;
    uint8_t *bytes = load(path, &byte_count);
    struct replay_reader *reader = calloc(1, sizeof *reader);
    struct world *world = calloc(1, sizeof *world);
    assert_int_equal(replay_reader_open(reader, bytes, byte_count), REPLAY_OK);
    world_copy(world, &reader->first);
    uint32_t ticks = 0, hashes = 0;
    enum replay_fault fault;
    for (; (fault = replay_reader_next(reader)) == REPLAY_OK; ticks++) {
        for (uint32_t i = 0; i < reader->command_count; i++)
            assert_true(world_command(world, &reader->map, &reader->commands[i]));
        world_step(world, &reader->map, reader->inputs);
        if (reader->has_hash && reader->hash != world_hash(world))
            fail_msg("tick %u differs", reader->tick);
        hashes += reader->has_hash;
    }
    assert_int_equal(fault, REPLAY_END);
    assert_int_equal(ticks, 700);
    assert_true(hashes >= 11);
    assert_true(world_hash(world) == world_hash(&session.match->world));
    free(bytes);
    free(reader);
    free(world);
    unlink(path);
    rmdir(directory);
    session_end(&session);
}

static uint32_t dice(uint32_t *random)
{
    return (*random = *random * 1664525u + 1013904223u) >> 24;
}

// Several times more than the ring between the tick and the disk holds.
static void a_long_recording_is_read_back_byte_for_byte(void **state)
{
    (void)state;
    struct error error = {0};
    char directory[] = "/tmp/deadfall_recorder_XXXXXX", path[700];
    assert_non_null(mkdtemp(directory));
    struct session session;
    begin(&session, 1);
    struct world *world = &session.match->world;
    struct recorder *recorder = recorder_open(directory, NOON_UNIX, &session.match->map, world, &error);
    snprintf(path, sizeof path, "%s", recorder_path(recorder));
    uint32_t random = 1;
    static struct player_input inputs[PLAYER_CAPACITY];
    enum { TICKS = 12000 };
    for (uint32_t i = 0; i < TICKS; i++) {
        for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
            inputs[slot].buttons = dice(&random);
        world_step(world, &session.match->map, inputs);
        recorder_tick(recorder, NULL, 0, inputs, world);
        while (recorder_backlog_bytes(recorder) > 100000)
            sched_yield();
    }
    assert_true(recorder_close(recorder, &error));
    size_t byte_count;
    uint8_t *bytes = load(path, &byte_count);
    assert_true(byte_count > 2000000);
    struct replay_reader *reader = calloc(1, sizeof *reader);
    assert_int_equal(replay_reader_open(reader, bytes, byte_count), REPLAY_OK);
    random = 1;
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_int_equal(replay_reader_next(reader), REPLAY_OK);
        for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
            if (reader->inputs[slot].buttons != dice(&random))
                fail_msg("tick %u, slot %u", i, slot);
    }
    assert_int_equal(replay_reader_next(reader), REPLAY_END);
    free(bytes);
    free(reader);
    unlink(path);
    rmdir(directory);
    session_end(&session);
}

static void two_recordings_of_the_same_second_have_different_files(void **state)
{
    (void)state;
    struct error error = {0};
    char directory[] = "/tmp/deadfall_recorder_XXXXXX";
    assert_non_null(mkdtemp(directory));
    struct session session;
    begin(&session, 1);
    struct recorder *recorders[2];
    for (size_t i = 0; i < 2; i++)
        recorders[i] = recorder_open(directory, NOON_UNIX, &session.match->map, &session.match->world, &error);
    assert_string_not_equal(recorder_path(recorders[0]), recorder_path(recorders[1]));
    for (size_t i = 0; i < 2; i++) {
        char path[700];
        snprintf(path, sizeof path, "%s", recorder_path(recorders[i]));
        assert_true(recorder_close(recorders[i], &error));
        unlink(path);
    }
    rmdir(directory);
    session_end(&session);
}

static void an_unwritable_folder_is_reported(void **state)
{
    (void)state;
    struct session session;
    begin(&session, 1);
    struct error error = {0};
    assert_null(recorder_open("/proc/nowhere", NOON_UNIX, &session.match->map, &session.match->world, &error));
    assert_non_null(strstr(error.text, "/proc/nowhere"));
    session_end(&session);
}

static void a_full_disk_ends_the_recording_and_keeps_what_was_written(void **state)
{
    (void)state;
    struct error error = {0};
    char directory[] = "/tmp/deadfall_recorder_XXXXXX", path[700];
    assert_non_null(mkdtemp(directory));
    struct session session;
    begin(&session, 1);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){6000, before.rlim_max});
    session.match->recorder = recorder_open(directory, NOON_UNIX, &session.match->map, &session.match->world, &error);
    snprintf(path, sizeof path, "%s", recorder_path(session.match->recorder));
    session_run(&session, 3600);
    bool good = recorder_close(session.match->recorder, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(good);
    assert_non_null(strstr(error.text, "too large"));
    size_t byte_count;
    uint8_t *bytes = load(path, &byte_count);
    struct replay_reader *reader = calloc(1, sizeof *reader);
    assert_int_equal(replay_reader_open(reader, bytes, byte_count), REPLAY_OK);
    uint32_t ticks = 0;
    enum replay_fault fault;
    while ((fault = replay_reader_next(reader)) == REPLAY_OK)
        ticks++;
    assert_true(fault == REPLAY_TORN || fault == REPLAY_END); // the latter if the disk was full between two records
    assert_true(ticks > 60);
    free(bytes);
    free(reader);
    unlink(path);
    rmdir(directory);
    session_end(&session);
}

static void a_disk_full_from_the_start_is_reported_and_leaves_no_file(void **state)
{
    (void)state;
    struct error error = {0};
    char directory[] = "/tmp/deadfall_recorder_XXXXXX";
    assert_non_null(mkdtemp(directory));
    struct session session;
    begin(&session, 1);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, before.rlim_max});
    for (int i = 0; i < 20; i++) {
        struct recorder *recorder =
            recorder_open(directory, NOON_UNIX, &session.match->map, &session.match->world, &error);
        assert_null(recorder);
        assert_non_null(strstr(error.text, "too large"));
    }
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(rmdir(directory), 0); // empty
    session_end(&session);
}

static void checking_a_directory_leaves_no_file(void **state)
{
    (void)state;
    struct error error = {0};
    char directory[] = "/tmp/deadfall_recorder_XXXXXX", fresh[100];
    assert_non_null(mkdtemp(directory));
    assert_true(recorder_check(directory, &error));
    snprintf(fresh, sizeof fresh, "%s/new", directory);
    assert_true(recorder_check(fresh, &error));
    assert_int_equal(rmdir(directory), 0);
    assert_false(recorder_check("/proc/nowhere", &error));
    assert_non_null(strstr(error.text, "/proc/nowhere"));
    assert_false(recorder_check("/dev/null", &error));
    assert_non_null(strstr(error.text, "Not a directory"));
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recorded_match_is_simulated_to_the_same_hashes),
        cmocka_unit_test(a_long_recording_is_read_back_byte_for_byte),
        cmocka_unit_test(two_recordings_of_the_same_second_have_different_files),
        cmocka_unit_test(a_full_disk_ends_the_recording_and_keeps_what_was_written),
        cmocka_unit_test(a_disk_full_from_the_start_is_reported_and_leaves_no_file),
        cmocka_unit_test(checking_a_directory_leaves_no_file),
        cmocka_unit_test(an_unwritable_folder_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
