// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "game/ai/ai.h"
#include "lock_check.h"
#include "recording/live_stream.h"
#include "sync/world.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

#define NOON_UNIX 1000000000
#define PLAYERS   4
static struct test_match match;
static struct dice dice;
static struct replay_reader reader;
static uint64_t hashes[4096];
static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/live_stream_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

EACH_TEST(make_folder, remove_folder);

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static bool has(const char *name)
{
    return access(path_of(name), F_OK) == 0;
}

static struct live_stream *open_stream(uint32_t delay_s)
{
    struct error error;
    struct live_stream *stream =
        live_stream_open(&(struct live_stream_config){folder, "An \"open\" server", delay_s}, &error);
    assert_non_null(stream);
    return stream;
}

// Begins a match with a world that is some ticks old.
static void begin(struct live_stream *stream, uint32_t ticks)
{
    uint8_t key[DICE_BYTES] = {1};
    dice_begin(&dice, key, 1);
    test_match_play(&match, 7, PLAYERS, ticks);
    live_stream_begin(stream, &match.map, &match.world, &dice, NOON_UNIX);
}

static void play(struct live_stream *stream, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        test_match_think(&match, SKILL_NORMAL);
        test_match_step(&match, 1);
        hashes[match.world.tick] = world_hash(&match.world);
        live_stream_tick(stream, match.rolls, match.roll_count, match.inputs, &match.world);
    }
}

static uint8_t joined[1 << 20];

// Joins files to a replay. Returns its bytes; those of the first file are in `first_bytes`.
static size_t join(const char *const *names, size_t *first_bytes)
{
    size_t byte_count = 0;
    for (uint32_t i = 0; names[i]; i++) {
        size_t count;
        uint8_t *bytes = file_load(path_of(names[i]), 1 << 19, &count);
        assert_non_null(bytes);
        memcpy(joined + byte_count, bytes, count);
        byte_count += count;
        *first_bytes = i == 0 ? count : *first_bytes;
        free(bytes);
    }
    return byte_count;
}

static struct world world;

// Steps `world` through the rest of the reader, and compares each hash with what was played. Returns the last
// tick.
static tick follow(void)
{
    uint32_t compared = 0;
    while (replay_reader_next(&reader) == REPLAY_OK) {
        for (uint32_t i = 0; i < reader.command_count; i++)
            assert_true(world_command(&world, &reader.map, &reader.commands[i]));
        world_step(&world, &reader.map, reader.inputs);
        assert_true(world_hash(&world) == hashes[world.tick]);
        assert_true(!reader.has_hash || reader.hash == hashes[world.tick]);
        assert_true(!reader.has_keyframe || memcmp(&world, &reader.keyframe, sizeof world) == 0);
        compared += reader.has_hash;
    }
    assert_int_equal(reader.offset, reader.byte_count);
    assert_true(compared > 0);
    return world.tick;
}

TEST(head_and_chunks_are_a_replay)
{
    static const char *const NAMES[] = {"1000000000-50-1.head", "1000000000-50-1-0.chunk", "1000000000-50-1-1.chunk",
                                        "1000000000-50-1-2.chunk", NULL};
    struct live_stream *stream = open_stream(0);
    begin(stream, 50);
    play(stream, 250);
    live_stream_end(stream, &dice);
    live_stream_close(stream);
    size_t head_bytes = 0, byte_count = join(NAMES, &head_bytes);
    assert_int_equal(replay_reader_open(&reader, joined, byte_count), REPLAY_OK);
    assert_int_equal(reader.first.tick, 50);
    world = reader.first;
    assert_int_equal(follow(), 300);
    assert_true(reader.has_commitment && reader.has_secret);
}

TEST(a_viewer_may_begin_at_any_chunk)
{
    static const char *const NAMES[] = {"1000000000-0-1.head", "1000000000-0-1-2.chunk", "1000000000-0-1-3.chunk",
                                        NULL};
    uint8_t hats[PLAYER_CAPACITY] = {HAT_CROWN};
    struct live_stream *stream = open_stream(0);
    begin(stream, 0);
    live_stream_hats(stream, hats);
    play(stream, 400);
    live_stream_close(stream);
    size_t head_bytes = 0, byte_count = join(NAMES, &head_bytes);
    assert_int_equal(replay_reader_open(&reader, joined, byte_count), REPLAY_OK);
    assert_int_equal(replay_reader_join(&reader, head_bytes, 2 * LIVE_STREAM_CHUNK_TICKS), REPLAY_OK);
    assert_int_equal(reader.hats[0], HAT_CROWN);
    assert_true(reader.hash == hashes[2 * LIVE_STREAM_CHUNK_TICKS]);
    assert_false(reader.has_secret); // the match goes on
    world = reader.keyframe;
    assert_int_equal(follow(), 400);
    assert_int_equal(replay_reader_join(&reader, head_bytes + 1, 240), REPLAY_DAMAGED);
    assert_int_equal(replay_reader_join(&reader, byte_count + 1, 240), REPLAY_DAMAGED);
}

TEST(more_bytes_can_follow)
{
    static const char *const NAMES[] = {"1000000000-0-1.head", "1000000000-0-1-0.chunk", "1000000000-0-1-1.chunk",
                                        NULL};
    struct live_stream *stream = open_stream(0);
    begin(stream, 0);
    play(stream, 200);
    live_stream_close(stream);
    size_t head_bytes = 0, byte_count = join(NAMES, &head_bytes);
    struct stat status;
    assert_int_equal(stat(path_of(NAMES[1]), &status), 0);
    assert_int_equal(replay_reader_open(&reader, joined, head_bytes + (size_t)status.st_size), REPLAY_OK);
    world = reader.first;
    assert_int_equal(follow(), LIVE_STREAM_CHUNK_TICKS - 1);
    assert_true(reader.has_commitment && !reader.has_secret);
    static uint8_t elsewhere[sizeof joined];
    memcpy(elsewhere, joined, byte_count);
    memset(joined, 0, byte_count);
    replay_reader_extend(&reader, elsewhere, byte_count);
    assert_int_equal(follow(), 200);
}

static void index_text(char text[2048])
{
    size_t byte_count;
    assert_true(file_read(path_of("index.json"), text, 2047, &byte_count));
    text[byte_count] = 0;
}

TEST(the_index_names_the_newest_chunk)
{
    char text[2048], expected[2048];
    struct live_stream *stream = open_stream(0);
    begin(stream, 130);
    play(stream, 300);
    live_stream_end(stream, &dice);
    live_stream_close(stream);
    index_text(text);
    snprintf(expected, sizeof expected,
             "\"server\":\"An \\\"open\\\" server\",\"match\":\"1000000000-130-1\",\"map\":\"%s\",\"mode\":\"ffa\","
             "\"chunk_ticks\":120,\"first_tick\":130,\"oldest\":1,\"newest\":3,\"delay_s\":0,\"over\":true}\n",
             match.map.name);
    assert_non_null(strstr(text, expected));
}

TEST(nothing_comes_before_its_delay)
{
    char text[2048];
    struct live_stream *stream = open_stream(5);
    begin(stream, 0);
    play(stream, 299 + LIVE_STREAM_CHUNK_TICKS); // the second chunk is due a tick later
    live_stream_close(stream);
    assert_true(has("1000000000-0-1.head") && has("1000000000-0-1-0.chunk") == false);
    stream = open_stream(5);
    begin(stream, 0);
    play(stream, 300 + LIVE_STREAM_CHUNK_TICKS);
    live_stream_close(stream);
    assert_true(has("1000000000-0-1-0.chunk") && !has("1000000000-0-1-1.chunk"));
    index_text(text);
    assert_non_null(strstr(text, "\"newest\":0,\"delay_s\":5,\"over\":false"));
}

TEST(old_chunks_and_their_heads_go)
{
    struct live_stream *stream = open_stream(0);
    begin(stream, 0);
    play(stream, 3 * LIVE_STREAM_CHUNK_TICKS);
    live_stream_end(stream, &dice);
    begin(stream, 0);
    match.world.tick = 0;
    for (uint32_t i = 0; i < (LIVE_STREAM_KEPT - 1) * LIVE_STREAM_CHUNK_TICKS; i++) {
        match.world.tick++; // a world that stands still is quick
        live_stream_tick(stream, NULL, 0, match.inputs, &match.world);
        char newest[64];
        snprintf(newest, sizeof newest, "1000000000-0-2-%u.chunk", match.world.tick / LIVE_STREAM_CHUNK_TICKS - 1);
        while (match.world.tick % 12000 == 0 && !has(newest))
            sched_yield(); // the thread must get on
    }
    live_stream_close(stream);
    assert_false(has("1000000000-0-1.head") || has("1000000000-0-1-2.chunk"));
    assert_true(has("1000000000-0-2.head") && has("1000000000-0-2-898.chunk"));
}

TEST(what_a_server_left_goes_and_nothing_else)
{
    static const char *const OLD[] = {"99-0-1.head", "99-0-1-4.chunk", "99-0-1-5.chunk.fresh"};
    static const char *const OTHERS[] = {"page.html", "a-1.chunk", "1.chunk.txt", "head"};
    for (uint32_t i = 0; i < 3; i++)
        assert_true(file_write(path_of(OLD[i]), "x", 1));
    for (uint32_t i = 0; i < 4; i++)
        assert_true(file_write(path_of(OTHERS[i]), "x", 1));
    live_stream_close(open_stream(0));
    for (uint32_t i = 0; i < 3; i++)
        assert_false(has(OLD[i]));
    for (uint32_t i = 0; i < 4; i++)
        assert_true(has(OTHERS[i]));
}

static bool refuses(const char *path, const char *why)
{
    struct error error = {0};
    struct live_stream *stream = live_stream_open(&(struct live_stream_config){path, "", 0}, &error);
    bool refused = !stream && strstr(error.text, why);
    live_stream_close(stream);
    return refused;
}

TEST(a_folder_with_something_else_or_of_another_server_is_refused)
{
    struct error error;
    struct live_stream *stream = open_stream(0);
    assert_true(refuses(folder, "another server publishes there"));
    assert_true(live_stream_check(folder, 0, &error)); // a server checks the one that takes its place
    live_stream_close(stream);
    assert_false(refuses(folder, ""));
    assert_true(file_write(path_of("index.json"), "{\"title\":\"My page\"}", 19));
    assert_true(refuses(folder, "belongs to something else"));
    assert_true(has("index.json"));
    assert_true(file_write(path_of("index.json"), "{\"deadfall\":\"live\",", 19));
    assert_false(refuses(folder, ""));
    assert_true(refuses(path_of("index.json"), "cannot publish into")); // no folder
}

TEST(a_check_asks_for_room_and_leaves_no_trace)
{
    struct error error;
    char missing[128];
    snprintf(missing, sizeof missing, "%.100s/missing", folder);
    assert_true(live_stream_check(missing, 1, &error));
    assert_false(has("missing"));
    assert_false(live_stream_check(missing, UINT64_MAX, &error));
    assert_non_null(strstr(error.text, "are needed"));
    assert_false(has("missing"));
    assert_false(live_stream_check("/proc/missing", 0, &error));
    assert_non_null(strstr(error.text, "cannot publish into /proc/missing: "));
}

TEST(what_is_placed_is_counted)
{
    struct live_stream_totals totals;
    struct live_stream *stream = open_stream(3);
    begin(stream, 0);
    play(stream, 6 * LIVE_STREAM_CHUNK_TICKS - 1);
    do
        live_stream_read_totals(stream, &totals);
    while (totals.chunks < 4);
    assert_int_equal(totals.chunks, 4); // 0 to 479; the next one is due at tick 780
    assert_int_equal(totals.behind_ticks, 6 * LIVE_STREAM_CHUNK_TICKS - 1 - 480);
    assert_int_equal(totals.delay_s, 3);
    assert_int_equal(totals.lost, 0);
    assert_true(totals.bytes > 1000);
    live_stream_close(stream);
}

// Web servers and others may write there, too.
TEST(a_link_does_not_lead_a_chunk_out_of_the_folder)
{
    struct error why;
    char target[] = "/tmp/live_stream_test_XXXXXX";
    int file = mkstemp(target);
    struct live_stream *stream = open_stream(0);
    begin(stream, 0);
    play(stream, 10);
    assert_true(file >= 0 && symlink(target, path_of("1000000000-0-1-0.chunk.fresh")) == 0);
    play(stream, 2 * LIVE_STREAM_CHUNK_TICKS);
    while (!has("1000000000-0-1-1.chunk"))
        sched_yield();
    assert_int_equal(lseek(file, 0, SEEK_END), 0);
    assert_int_equal(live_stream_lost(stream, &why), 1);
    live_stream_close(stream);
    unlink(path_of("1000000000-0-1-0.chunk.fresh"));
    unlink(target);
    close(file);
}

TEST(a_lost_file_is_counted_and_the_stream_goes_on)
{
    struct error why;
    struct live_stream *stream = open_stream(0);
    begin(stream, 0);
    play(stream, 10);
    assert_int_equal(mkdir(path_of("1000000000-0-1-0.chunk"), 0755), 0);
    play(stream, 2 * LIVE_STREAM_CHUNK_TICKS);
    while (!has("1000000000-0-1-1.chunk"))
        sched_yield();
    assert_int_equal(live_stream_lost(stream, &why), 1);
    assert_non_null(strstr(why.text, "0-1-0.chunk: Is a directory"));
    live_stream_close(stream);
    assert_int_equal(lock_check_living(), 0);
}
