// SPDX-License-Identifier: MIT
#include "app/servers/server_records.h"
#include "test.h"
#include "test_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRY_BYTES 157

static char path[100], vouches[100];

static void begin(void)
{
    test_folder_make();
    snprintf(path, sizeof path, "%s", test_folder_path("records"));
    snprintf(vouches, sizeof vouches, "%s", test_folder_path("below/vouches"));
}

EACH_TEST(begin, test_folder_remove);

// The fingerprint of server `number`.
static const char *server_of(uint32_t number)
{
    static char server[FINGERPRINT_TEXT_BYTES];
    memset(server, 'a', FINGERPRINT_TEXT_BYTES - 1);
    server[0] = (char)('a' + number);
    return server;
}

static void put(struct server_records *records, uint32_t server, uint32_t kills)
{
    struct record_message record = {.deviation = 1, .kills = kills, .server_name = "Ada's server"};
    server_records_put(records, server_of(server), &record);
}

TEST(the_last_record_of_each_server_is_kept_over_a_restart)
{
    struct server_records records = {0}, read;
    put(&records, 0, 5);
    put(&records, 1, 7);
    put(&records, 0, 6);
    assert_true(records.changed);
    assert_int_equal(records.count, 2);
    assert_true(server_records_write(&records, path));
    assert_false(records.changed);
    server_records_read(&read, path);
    assert_int_equal(read.count, 2);
    assert_string_equal(read.of[0].server, server_of(0)); // played on last
    assert_int_equal(server_records_find(&read, server_of(0))->kills, 6);
    assert_int_equal(server_records_find(&read, server_of(1))->kills, 7);
    assert_string_equal(read.of[1].record.server_name, "Ada's server");
    assert_null(server_records_find(&read, server_of(2)));
    assert_null(server_records_find(&read, ""));
}

TEST(the_server_that_was_played_on_longest_ago_makes_room)
{
    struct server_records records = {0};
    for (uint32_t i = 0; i < SERVER_RECORDS_CAPACITY; i++)
        put(&records, i, i);
    put(&records, 0, 0);
    put(&records, SERVER_RECORDS_CAPACITY, 99);
    assert_int_equal(records.count, SERVER_RECORDS_CAPACITY);
    assert_non_null(server_records_find(&records, server_of(0)));
    assert_null(server_records_find(&records, server_of(1)));
    for (uint32_t i = 2; i < SERVER_RECORDS_CAPACITY; i++)
        assert_int_equal(server_records_find(&records, server_of(i))->kills, i);
    assert_int_equal(records.of[0].record.kills, 99);
}

TEST(a_file_that_others_have_edited_keeps_what_is_sound)
{
    static const struct {
        long at; // the byte that is changed
        uint8_t to;
    } rows[] = {
        {0, 'A'},                 // no fingerprint
        {0, 'b'},                 // that of the second server, a second time
        {32, MESSAGE_VOUCH},      // another message
        {32, 0xFF},               // none at all
        {ENTRY_BYTES - 64, 0x1B}, // a name that controls a terminal
        {32 + 9, 0},              // a deviation of 0
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct server_records records = {0}, read;
        put(&records, 0, 4);
        put(&records, 1, 5);
        put(&records, 0, 6); // the first entry
        assert_true(server_records_write(&records, path));
        FILE *file = fopen(path, "r+");
        fseek(file, rows[i].at, SEEK_SET);
        fputc(rows[i].to, file);
        fclose(file);
        server_records_read(&read, path);
        if (read.count != 1)
            fail_msg("row %zu: %u records", i, read.count);
        assert_string_equal(read.of[0].server, server_of(1));
    }
    struct server_records records;
    server_records_read(&records, path);
    put(&records, 0, 4);
    assert_true(server_records_write(&records, path));
    assert_int_equal(truncate(path, 2 * ENTRY_BYTES - 1), 0);
    server_records_read(&records, path);
    assert_int_equal(records.count, 1);
}

TEST(without_a_file_there_are_no_records)
{
    struct server_records records = {.count = 3};
    server_records_read(&records, "/nowhere/records");
    assert_int_equal(records.count, 0);
    server_records_read(&records, "");
    put(&records, 0, 1);
    assert_true(server_records_write(&records, ""));
    assert_false(server_records_write(&records, "/nowhere/records"));
}

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
    return stat(vouches, &status) == 0 ? status.st_size : -1;
}

TEST(the_newest_vouch_of_each_server_and_player_is_kept)
{
    uint8_t bytes[VOUCH_BYTES], found[VOUCH_BYTES];
    const char *one = vouch_of(1, 0, 3, bytes);
    assert_false(server_records_find_vouch(vouches, one, 0, found));
    assert_true(server_records_keep_vouch(vouches, one, 0, bytes));
    assert_true(server_records_find_vouch(vouches, one, 0, found));
    assert_memory_equal(found, bytes, VOUCH_BYTES);
    one = vouch_of(1, 0, 4, bytes);
    assert_true(server_records_keep_vouch(vouches, one, 0, bytes));
    assert_int_equal(file_bytes(), VOUCH_BYTES);
    assert_true(server_records_find_vouch(vouches, one, 0, found));
    assert_memory_equal(found, bytes, VOUCH_BYTES);
    assert_false(server_records_find_vouch(vouches, one, 1, found));
    one = vouch_of(1, 1, 5, bytes);
    assert_true(server_records_keep_vouch(vouches, one, 1, bytes));
    const char *two = vouch_of(2, 0, 6, bytes);
    assert_true(server_records_keep_vouch(vouches, two, 0, bytes));
    assert_int_equal(file_bytes(), 3 * VOUCH_BYTES);
    one = vouch_of(1, 1, 5, bytes);
    assert_true(server_records_find_vouch(vouches, one, 1, found));
    assert_memory_equal(found, bytes, VOUCH_BYTES);
}

// A server cannot fill the file with what others are said to have said.
TEST(a_vouch_that_is_not_of_this_server_and_player_is_refused)
{
    uint8_t bytes[VOUCH_BYTES];
    const char *one = vouch_of(1, 0, 3, bytes);
    assert_false(server_records_keep_vouch(vouches, one, 1, bytes));
    assert_false(server_records_keep_vouch(vouches, "", 0, bytes));
    assert_false(server_records_keep_vouch(vouches, "abcdefghijklmnopqrstuvwxyz234567", 0, bytes));
    assert_false(server_records_keep_vouch("", one, 0, bytes));
    bytes[70] ^= 1;
    assert_false(server_records_keep_vouch(vouches, one, 0, bytes));
    assert_int_equal(file_bytes(), -1);
}

TEST(the_oldest_vouches_make_room)
{
    uint8_t bytes[VOUCH_BYTES];
    for (uint32_t i = 0; i < SERVER_RECORDS_VOUCHES + 3; i++)
        assert_true(server_records_keep_vouch(vouches, vouch_of((uint8_t)i, 0, 1, bytes), 0, bytes));
    assert_int_equal(file_bytes(), SERVER_RECORDS_VOUCHES * VOUCH_BYTES);
    assert_false(server_records_find_vouch(vouches, vouch_of(2, 0, 1, bytes), 0, bytes));
    assert_true(server_records_find_vouch(vouches, vouch_of(3, 0, 1, bytes), 0, bytes));
}

TEST(a_damaged_file_gives_the_vouches_that_are_whole)
{
    uint8_t bytes[VOUCH_BYTES], found[VOUCH_BYTES];
    const char *one = vouch_of(1, 0, 3, bytes);
    assert_true(server_records_keep_vouch(vouches, one, 0, bytes));
    FILE *file = fopen(vouches, "a");
    assert_non_null(file);
    fputs("no vouch", file);
    for (int i = 0; i < VOUCH_BYTES * SERVER_RECORDS_VOUCHES; i++)
        fputc(i, file);
    fclose(file);
    assert_true(server_records_find_vouch(vouches, one, 0, found));
    const char *two = vouch_of(2, 0, 3, bytes);
    assert_true(server_records_keep_vouch(vouches, two, 0, bytes));
    assert_true(server_records_find_vouch(vouches, two, 0, found));
    one = vouch_of(1, 0, 3, bytes);
    assert_true(server_records_find_vouch(vouches, one, 0, found));
}
