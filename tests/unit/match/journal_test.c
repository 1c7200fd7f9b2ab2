// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "match/journal.h"
#include "net/impairment.h"
#include "probe.h"
#include "recorded.h"
#include "sync/world.h"
#include "test.h"
#include "test_map.h"

enum { PLAYERS = 3, TICKS = 1300 };

static struct map map;
static char folder[] = "/tmp/deadfall_journal_XXXXXX", path[64];
static struct error error;
static struct session session;
static struct journal_end end;
static uint64_t hashes[TICKS + 1];
static uint8_t *bytes;
static size_t byte_count;

static struct match_config config_of(const struct map *played, const struct rules *rules)
{
    return (struct match_config){.map = played, .rules = *rules, .players_max = 8, .bots = 6, .snapshot_rate = 60};
}

static void begin(uint32_t seed)
{
    test_map_random(&map, seed, 60, 40);
    struct match_config config =
        config_of(&map, &(struct rules){.mode = MODE_FFA, .seed = 7, .bot_skill = SKILL_NORMAL});
    session_begin(&session, &config, &(struct impairment){.delay_us = 10000}, PLAYERS);
    for (uint32_t i = 0; i < PLAYERS; i++)
        session.probes[i].hat = HAT_TOP;
}

static int first_file;

// The number that the next opened file gets.
static int next_file(void)
{
    int file = open("/dev/null", O_RDONLY);
    close(file);
    return file;
}

// A match with a journal, as it is on the disk when the server is killed.
static void play(void)
{
    first_file = next_file();
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/journal.dfr", folder);
    begin(4);
    struct match *match = session.match;
    match->journal = recorded_at(path, &match->map, &match->world, &error);
    assert_non_null(match->journal);
    recorder_dice(match->journal, &match->dice, true);
    for (uint32_t t = 1; t <= TICKS; t++) {
        if (t == TICKS - 30 || t == TICKS - 10) // after the last keyframe
            match_enqueue_command(match, &(struct command){.kind = COMMAND_PAUSE, .paused = t == TICKS - 30});
        session_run(&session, 1);
        hashes[t] = world_hash(&match->world);
    }
    while (recorder_backlog_bytes(match->journal) > 0)
        sched_yield();
    FILE *file = fopen(path, "rb");
    bytes = malloc(8u << 20);
    byte_count = fread(bytes, 1, 8u << 20, file);
    fclose(file);
}

static void clean_up(void)
{
    recorder_close(session.match->journal, &error);
    session_end(&session);
    free(bytes);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

static struct session again; // with the server that starts again

static void end_again(void)
{
    if (again.match)
        session_end(&again);
    again.match = NULL;
}

ALL_TESTS(play, clean_up);
EACH_TEST(NULL, end_again);

static enum journal_outcome read_bytes(size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
    return journal_read(path, &end, &error);
}

TEST(a_killed_match_is_read_back_to_its_last_tick)
{
    assert_int_equal(read_bytes(byte_count), JOURNAL_READ);
    assert_int_equal(end.world.tick, TICKS);
    assert_true(world_hash(&end.world) == hashes[TICKS]);
    assert_int_equal(end.seat_count, PLAYERS);
    uint32_t joins = 0;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        joins += session.match->roster.seats[slot].occupant;
    assert_int_equal(session.match->journaled_joins, joins);
    assert_int_equal(map_hash(&end.map), map_hash(&map));
}

TEST(a_torn_end_is_cut_off_anywhere)
{
    uint32_t read = 0;
    for (size_t lost = 1; lost < 4000; lost += lost < 40 ? 1 : 97) {
        if (read_bytes(byte_count - lost) != JOURNAL_READ)
            fail_msg("%zu bytes lost: %s", lost, error.text);
        assert_in_range(end.world.tick, 1, TICKS);
        if (world_hash(&end.world) != hashes[end.world.tick])
            fail_msg("%zu bytes lost: the world of tick %u differs", lost, end.world.tick);
        read++;
    }
    assert_true(read > 50 && end.world.tick < TICKS);
}

TEST(a_journal_without_its_head_cannot_be_restored)
{
    static const size_t counts[] = {0, 1, 7, 8, 100};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (read_bytes(counts[i]) != JOURNAL_FAULTY)
            fail_msg("%zu bytes", counts[i]);
        assert_non_null(strstr(error.text, path));
        if (counts[i] == 0)
            assert_non_null(strstr(error.text, "It is empty, or not a file."));
    }
    unlink(path);
    assert_int_equal(journal_read(path, &end, &error), JOURNAL_NONE);
}

TEST(damaged_bytes_end_in_a_valid_world_or_an_error)
{
    for (size_t at = 0; at < byte_count; at += byte_count / 150) {
        bytes[at] ^= 0x10;
        if (read_bytes(byte_count) == JOURNAL_READ && world_hash(&end.world) != hashes[end.world.tick] &&
            end.world.tick != 0)
            fail_msg("a changed bit at %zu gave another world", at);
        bytes[at] ^= 0x10;
    }
}

TEST(what_is_no_file_cannot_be_restored)
{
    char below[80];
    assert_int_equal(journal_read(folder, &end, &error), JOURNAL_FAULTY);
    assert_non_null(strstr(error.text, "cannot be restored: It is empty, or not a file."));
    assert_int_equal(read_bytes(byte_count), JOURNAL_READ);
    snprintf(below, sizeof below, "%s/journal.dfr", path);
    assert_int_equal(journal_read(below, &end, &error), JOURNAL_FAULTY);
    assert_non_null(strstr(error.text, "cannot be restored: Not a directory"));
}

// A tick with a command that this version refuses, and a world that it would not have computed.
TEST(a_journal_of_other_rules_cannot_be_restored)
{
    static struct world world, other;
    static const struct player_input inputs[PLAYER_CAPACITY];
    static const struct command refused = {.kind = COMMAND_LEAVE, .slot = 3};
    for (int row = 0; row < 3; row++) {
        world = session.match->first_world;
        struct recorder *journal = recorded_at(path, &session.match->map, &world, &error);
        assert_non_null(journal);
        for (uint32_t t = 1; t <= 60; t++) {
            world_step(&world, &session.match->map, inputs);
            other = world;
            other.round.number += row == 1 && t == 60;
            recorder_tick(journal, &refused, row == 2 && t == 1, inputs, &other);
        }
        assert_true(recorder_close(journal, &error));
        assert_int_equal(journal_read(path, &end, &error), row == 0 ? JOURNAL_READ : JOURNAL_FAULTY);
        if (row > 0)
            assert_non_null(strstr(error.text, "Its hashes do not match what this version of the game computes."));
    }
}

// The server starts again: a new match and network with the bodies from the journal.
static void resume(uint32_t probe_count)
{
    assert_int_equal(read_bytes(byte_count), JOURNAL_READ);
    struct match_config config = config_of(&end.map, &end.world.rules);
    config.dice_key[0] = 1; // each process has another
    session_begin(&again, &config, &(struct impairment){.delay_us = 10000}, probe_count);
    journal_restore(again.match, &end);
    assert_true(world_hash(&again.match->world) == hashes[TICKS]);
}

// The slot that the journal has for the client on a connection.
static uint32_t journalled_slot(const struct session *of, uint32_t peer)
{
    for (uint32_t i = 0; i < end.seat_count; i++)
        if (memcmp(end.seats[i].identity, of->match->peers[peer].client.identity, REPLAY_IDENTITY_BYTES) == 0)
            return end.seats[i].slot;
    return ROSTER_FULL;
}

TEST(a_returning_player_gets_their_body_and_others_leave)
{
    resume(1);
    session_run(&again, 60);
    uint32_t slot = journalled_slot(&again, 0);
    assert_true(again.probes[0].ready);
    assert_int_equal(again.probes[0].slot, slot);
    assert_int_equal(again.probes[0].desyncs, 0);
    assert_int_equal(again.match->world.players[slot].generation, end.world.players[slot].generation);
    assert_int_equal(roster_count(&again.match->roster, SEAT_PLAYER), PLAYERS);
    assert_memory_equal(&again.match->dice, &session.match->dice, sizeof session.match->dice);
    session_run(&again, JOURNAL_RETURN_TICKS);
    assert_int_equal(roster_count(&again.match->roster, SEAT_PLAYER), 1);
    assert_int_equal(again.match->roster.seats[slot].kind, SEAT_PLAYER);
}

TEST(a_body_keeps_its_hat_until_its_player_is_back)
{
    uint8_t hats[PLAYER_CAPACITY];
    resume(0);
    roster_hats(&again.match->roster, hats);
    assert_memory_equal(hats, session.match->hats, sizeof hats);
    for (uint32_t i = 0; i < end.seat_count; i++)
        assert_int_equal(hats[end.seats[i].slot], HAT_TOP);
}

TEST(a_stranger_never_gets_the_body_of_another_player)
{
    resume(PLAYERS + 1);
    session_run(&again, 120);
    assert_int_equal(journalled_slot(&again, PLAYERS), ROSTER_FULL);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        assert_int_equal(again.probes[i].slot, journalled_slot(&again, i));
        assert_int_not_equal(again.probes[PLAYERS].slot, end.seats[i].slot);
    }
}

TEST(players_beyond_the_seats_of_a_smaller_server_leave)
{
    assert_int_equal(read_bytes(byte_count), JOURNAL_READ);
    struct match_config config = config_of(&end.map, &end.world.rules);
    config.players_max = 2;
    config.bots = 0;
    session_begin(&again, &config, &(struct impairment){.delay_us = 10000}, 0);
    journal_restore(again.match, &end);
    uint32_t left = 0;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
        bool before = end.world.players[slot].state != PLAYER_ABSENT;
        assert_true((again.match->world.players[slot].state != PLAYER_ABSENT) == (before && slot < 2));
        left += before && slot >= 2;
    }
    assert_true(left > 0 && end.world.players[2].state != PLAYER_ABSENT);
    assert_int_equal(again.match->return_deadline, TICKS + JOURNAL_RETURN_TICKS);
    session_run(&again, 10);
}

TEST(a_journal_that_cannot_begin_leaves_the_old_one)
{
    char nowhere[80], long_path[DISK_WRITER_PATH_BYTES + 1], inside[90];
    memset(long_path, 'x', sizeof long_path);
    for (int length = DISK_WRITER_PATH_BYTES; length > 0; length -= DISK_WRITER_PATH_BYTES / 2) { // or a part of it
        long_path[length] = 0;
        assert_null(recorded_at(long_path, &map, &end.world, &error));
        assert_non_null(strstr(error.text, "File name too long"));
    }
    snprintf(nowhere, sizeof nowhere, "%s/taken", folder); // by a folder with something in it
    snprintf(inside, sizeof inside, "%s/inside", nowhere);
    assert_true(mkdir(nowhere, 0700) == 0 && mkdir(inside, 0700) == 0);
    assert_null(recorded_at(nowhere, &map, &end.world, &error));
    assert_non_null(strstr(error.text, "taken: Is a directory"));
    assert_true(rmdir(inside) == 0 && rmdir(nowhere) == 0);
    strcat(nowhere, ".new");
    assert_int_not_equal(access(nowhere, F_OK), 0);
    assert_int_equal(read_bytes(byte_count), JOURNAL_READ);
    snprintf(nowhere, sizeof nowhere, "%s/nowhere/journal.dfr", folder);
    assert_null(recorded_at(nowhere, &map, &end.world, &error));
    assert_non_null(strstr(error.text, "nowhere"));
    struct recorder *journal = recorded_at(path, &end.map, &end.world, &error);
    assert_non_null(journal);
    assert_true(recorder_close(journal, &error));
    assert_int_equal(journal_read(path, &end, &error), JOURNAL_READ);
    assert_true(world_hash(&end.world) == hashes[TICKS]);
}

// The first count of players that the journal records is one, in slot 0.
TEST(a_lone_player_in_slot_0_is_restored)
{
    char lone[80];
    struct session first;
    test_map_random(&map, 4, 60, 40);
    struct match_config config =
        config_of(&map, &(struct rules){.mode = MODE_FFA, .seed = 7, .bot_skill = SKILL_NORMAL});
    config.bots = 0;
    snprintf(lone, sizeof lone, "%s/lone.dfr", folder);
    session_begin(&first, &config, &(struct impairment){.delay_us = 10000}, 1);
    first.match->journal = recorded_at(lone, &first.match->map, &first.match->world, &error);
    assert_non_null(first.match->journal);
    session_run(&first, 90);
    assert_int_equal(first.probes[0].slot, 0);
    uint32_t generation = first.match->world.players[0].generation;
    assert_true(recorder_close(first.match->journal, &error));
    session_end(&first);
    assert_int_equal(journal_read(lone, &end, &error), JOURNAL_READ);
    assert_int_equal(end.seat_count, 1);
    assert_int_equal(end.seats[0].slot, 0);
    session_begin(&again, &config, &(struct impairment){.delay_us = 10000}, 1);
    journal_restore(again.match, &end);
    session_run(&again, 60);
    assert_int_equal(again.probes[0].slot, 0);
    assert_int_equal(again.match->world.players[0].generation, generation);
    unlink(lone);
}

TEST(a_seat_is_kept_for_a_returning_player_to_the_last_tick)
{
    resume(0);
    for (uint32_t t = 0; t < JOURNAL_RETURN_TICKS; t++) { // bots take the seats of players who left
        assert_int_equal(roster_count(&again.match->roster, SEAT_PLAYER), PLAYERS);
        match_tick(again.match, again.now_us += TICK_US);
    }
    match_tick(again.match, again.now_us += TICK_US);
    assert_int_equal(roster_count(&again.match->roster, SEAT_PLAYER), 0);
    assert_int_equal(again.match->return_deadline, 0);
}

static off_t journal_bytes(const struct match *match, const char *file)
{
    struct stat facts;
    while (recorder_backlog_bytes(match->journal) > 0)
        sched_yield();
    assert_int_equal(stat(file, &facts), 0);
    return facts.st_size;
}

TEST(seats_are_journaled_when_a_player_joins)
{
    char file[80];
    struct match_config config = config_of(&map, &(struct rules){.mode = MODE_FFA, .seed = 7});
    snprintf(file, sizeof file, "%s/seats.dfr", folder);
    session_begin(&again, &config, &(struct impairment){.delay_us = 10000}, 2);
    again.match->journal = recorded_at(file, &again.match->map, &again.match->world, &error);
    session_run(&again, 90);
    off_t before = journal_bytes(again.match, file);
    journal_write_seats(again.match);
    assert_int_equal(journal_bytes(again.match, file), before);
    again.match->roster.seats[0].occupant++;
    journal_write_seats(again.match);
    assert_true(journal_bytes(again.match, file) > before);
    assert_true(recorder_close(again.match->journal, &error));
    unlink(file);
}

// A match with a journal and a recording.
static void begin_stalled(char paths[2][80])
{
    struct match_config config = config_of(&map, &(struct rules){.mode = MODE_FFA, .seed = 7});
    session_begin(&again, &config, &(struct impairment){.delay_us = 10000}, 1);
    for (int i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "%s/stalled%d.dfr", folder, i);
    again.match->journal = recorded_at(paths[0], &again.match->map, &again.match->world, &error);
    again.match->recorder = recorded_at(paths[1], &again.match->map, &again.match->world, &error);
    assert_true(again.match->journal && again.match->recorder);
    session_run(&again, 90);
}

TEST(a_match_that_stood_still_is_restored_and_recorded)
{
    char paths[2][80];
    begin_stalled(paths);
    match_stand_still(again.match, 100);
    match_stand_still(again.match, 1);
    session_run(&again, 90);
    assert_true(recorder_close(again.match->journal, &error));
    assert_true(recorder_close(again.match->recorder, &error));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(journal_read(paths[i], &end, &error), JOURNAL_READ);
        assert_int_equal(end.world.tick, 281);
        assert_true(world_hash(&end.world) == world_hash(&again.match->world));
        unlink(paths[i]);
    }
}

// The end of a stall is recorded with the tick that follows it.
TEST(a_match_that_was_killed_in_a_stall_goes_on_and_one_in_a_pause_does_not)
{
    char paths[2][80];
    for (uint32_t ordered = 0; ordered < 2; ordered++) {
        begin_stalled(paths);
        if (ordered)
            match_enqueue_command(again.match, &(struct command){.kind = COMMAND_PAUSE, .paused = PAUSE_ORDERED});
        session_run(&again, 5);
        match_stand_still(again.match, 30);
        assert_true(recorder_close(again.match->journal, &error) && recorder_close(again.match->recorder, &error));
        again.match->journal = again.match->recorder = NULL;
        assert_int_equal(journal_read(paths[0], &end, &error), JOURNAL_READ);
        assert_int_equal(end.world.round.paused, ordered ? PAUSE_ORDERED : PAUSE_STALLED);
        journal_restore(again.match, &end);
        session_run(&again, JOURNAL_WAIT_TICKS + 1);
        assert_int_equal(again.match->world.round.paused, ordered ? PAUSE_ORDERED : PAUSE_NONE);
        end_again();
        unlink(paths[0]);
        unlink(paths[1]);
    }
}

// The last test.
TEST(only_the_file_of_the_journal_is_open_and_none_is_mapped)
{
    char line[600];
    assert_int_equal(next_file(), first_file + 1);
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps))
        assert_null(strstr(line, folder));
    fclose(maps);
}
