// SPDX-License-Identifier: MIT
#include "app/vouch_file.h"
#include "test.h"
#include "test_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[100];

static void begin(void)
{
    test_folder_make();
    snprintf(path, sizeof path, "%s", test_folder_path("below/vouches"));
}

static void end(void)
{
    unlink(path);
    rmdir(test_folder_path("below"));
    assert_int_equal(rmdir(test_folder_path("")), 0);
}

EACH_TEST(begin, end);

// What server `number` says about a local player; returns its fingerprint.
static const char *vouch_of(uint8_t number, uint32_t local, uint32_t matches, uint8_t bytes[VOUCH_BYTES])
{
    static struct vouch read;
    uint8_t seed[IDENTITY_SEED_BYTES] = {number}, secret[VOUCH_SECRET_BYTES];
    struct vouch vouch = {.local = local, .name = "Ada", .deviation = 9, .matches = matches, .expires_s = 5};
    vouch_keys(seed, vouch.server, secret);
    vouch_write(&vouch, secret, bytes);
    assert_true(vouch_read(&read, bytes, VOUCH_BYTES));
    return read.fingerprint;
}

static long file_bytes(void)
{
    struct stat status;
    return stat(path, &status) == 0 ? status.st_size : -1;
}

TEST(the_newest_of_each_server_and_player_is_kept)
{
    uint8_t bytes[VOUCH_BYTES], found[VOUCH_BYTES];
    const char *one = vouch_of(1, 0, 3, bytes);
    assert_false(vouch_file_find(path, one, 0, found));
    assert_true(vouch_file_keep(path, one, 0, bytes));
    assert_true(vouch_file_find(path, one, 0, found));
    assert_memory_equal(found, bytes, VOUCH_BYTES);
    one = vouch_of(1, 0, 4, bytes);
    assert_true(vouch_file_keep(path, one, 0, bytes));
    assert_int_equal(file_bytes(), VOUCH_BYTES);
    assert_true(vouch_file_find(path, one, 0, found));
    assert_memory_equal(found, bytes, VOUCH_BYTES);
    assert_false(vouch_file_find(path, one, 1, found));
    one = vouch_of(1, 1, 5, bytes);
    assert_true(vouch_file_keep(path, one, 1, bytes));
    const char *two = vouch_of(2, 0, 6, bytes);
    assert_true(vouch_file_keep(path, two, 0, bytes));
    assert_int_equal(file_bytes(), 3 * VOUCH_BYTES);
    one = vouch_of(1, 1, 5, bytes);
    assert_true(vouch_file_find(path, one, 1, found));
    assert_memory_equal(found, bytes, VOUCH_BYTES);
}

// A server cannot fill the file with what others are said to have said.
TEST(what_is_not_of_this_server_and_player_is_refused)
{
    uint8_t bytes[VOUCH_BYTES];
    const char *one = vouch_of(1, 0, 3, bytes);
    assert_false(vouch_file_keep(path, one, 1, bytes));
    assert_false(vouch_file_keep(path, "", 0, bytes));
    assert_false(vouch_file_keep(path, "abcdefghijklmnopqrstuvwxyz234567", 0, bytes));
    assert_false(vouch_file_keep("", one, 0, bytes));
    bytes[70] ^= 1;
    assert_false(vouch_file_keep(path, one, 0, bytes));
    assert_int_equal(file_bytes(), -1);
}

TEST(the_oldest_make_room)
{
    uint8_t bytes[VOUCH_BYTES];
    for (uint32_t i = 0; i < VOUCH_FILE_CAPACITY + 3; i++)
        assert_true(vouch_file_keep(path, vouch_of((uint8_t)i, 0, 1, bytes), 0, bytes));
    assert_int_equal(file_bytes(), VOUCH_FILE_CAPACITY * VOUCH_BYTES);
    assert_false(vouch_file_find(path, vouch_of(2, 0, 1, bytes), 0, bytes));
    assert_true(vouch_file_find(path, vouch_of(3, 0, 1, bytes), 0, bytes));
}

TEST(a_damaged_file_gives_what_is_whole)
{
    uint8_t bytes[VOUCH_BYTES], found[VOUCH_BYTES];
    const char *one = vouch_of(1, 0, 3, bytes);
    assert_true(vouch_file_keep(path, one, 0, bytes));
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs("no vouch", file);
    for (int i = 0; i < VOUCH_BYTES * VOUCH_FILE_CAPACITY; i++)
        fputc(i, file);
    fclose(file);
    assert_true(vouch_file_find(path, one, 0, found));
    const char *two = vouch_of(2, 0, 3, bytes);
    assert_true(vouch_file_keep(path, two, 0, bytes));
    assert_true(vouch_file_find(path, two, 0, found));
    one = vouch_of(1, 0, 3, bytes);
    assert_true(vouch_file_find(path, one, 0, found));
}
