// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/map_download.h"
#include "disk_calls.h"
#include "test.h"

static char root[64], folder[96];

static void begin(void)
{
    snprintf(root, sizeof root, "/tmp/deadfall-maps-XXXXXX");
    assert_non_null(mkdtemp(root));
    snprintf(folder, sizeof folder, "%s/cache/maps", root);
}

static void finish(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

EACH_TEST(begin, finish);

static void keep(uint32_t number, uint8_t address[CONTENT_HASH_BYTES])
{
    uint8_t blob[100] = {(uint8_t)number, (uint8_t)(number >> 8)};
    identity_of_content(blob, sizeof blob, address);
    map_download_cache_write(folder, address, blob, sizeof blob);
}

static bool is_kept(const uint8_t address[CONTENT_HASH_BYTES])
{
    uint8_t blob[100], found[CONTENT_HASH_BYTES];
    if (!map_download_cache_read(folder, address, blob, sizeof blob))
        return false;
    identity_of_content(blob, sizeof blob, found);
    assert_memory_equal(found, address, sizeof found);
    return true;
}

static void path_of(const uint8_t address[CONTENT_HASH_BYTES], char path[256])
{
    int length = snprintf(path, 256, "%s/", folder);
    for (size_t i = 0; i < CONTENT_HASH_BYTES; i++)
        length += snprintf(path + length, 3, "%02x", address[i]);
}

TEST(only_a_stored_map_is_found)
{
    uint8_t first[CONTENT_HASH_BYTES], second[CONTENT_HASH_BYTES], blob[101];
    keep(1, first);
    keep(2, second);
    assert_true(is_kept(first) && is_kept(second) && is_kept(first));
    second[5] ^= 1;
    assert_false(is_kept(second));
    assert_false(map_download_cache_read(folder, first, blob, 99)); // another size than announced: refused and removed
    assert_false(is_kept(first));
}

TEST(a_damaged_file_is_refused_and_replaced)
{
    static const struct {
        const char *bytes;
        long cut;
    } rows[] = {/* 0 */ {"x", 100}, /* 1 */ {"", 50}, /* 2 */ {"", 0}, /* 3 */ {"", 101}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t address[CONTENT_HASH_BYTES];
        char path[256];
        keep(7, address);
        path_of(address, path);
        FILE *file = fopen(path, "r+");
        assert_non_null(file);
        fputs(rows[i].bytes, file);
        fclose(file);
        assert_int_equal(truncate(path, rows[i].cut), 0);
        if (is_kept(address))
            fail_msg("row %zu", i);
        assert_int_not_equal(access(path, F_OK), 0);
        keep(7, address);
        assert_true(is_kept(address));
    }
}

// Stored in one second each, or within one second in any order.
TEST(the_least_recently_used_map_is_removed_and_no_other_file)
{
    uint8_t addresses[MAP_CACHE_CAPACITY + 1][CONTENT_HASH_BYTES];
    char path[256], other[128];
    for (uint32_t order = 0; order < 2; order++) {
        for (uint32_t i = 0; i < MAP_CACHE_CAPACITY; i++) {
            keep(i, addresses[i]);
            path_of(addresses[i], path);
            struct timespec time = {.tv_sec = 1000 + i};
            if (order)
                time = (struct timespec){.tv_sec = 1000 + (i == 7), .tv_nsec = i == 7 ? 0 : i * 37 % 64 + 1};
            assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[]){time, time}, 0), 0);
        }
        snprintf(other, sizeof other, "%s/letter", folder);
        fclose(fopen(other, "w"));
        assert_true(order || is_kept(addresses[0])); // used: the most recent now
        keep(MAP_CACHE_CAPACITY, addresses[MAP_CACHE_CAPACITY]);
        for (uint32_t i = 0; i <= MAP_CACHE_CAPACITY; i++)
            assert_int_equal(is_kept(addresses[i]), i != (order ? 0 : 1));
        assert_int_equal(access(other, F_OK), 0);
        finish();
        begin();
    }
}

TEST(a_folder_with_too_many_maps_is_reduced_to_its_capacity)
{
    uint8_t address[CONTENT_HASH_BYTES];
    char path[256], command[160];
    keep(0, address);
    for (uint32_t i = 1; i < MAP_CACHE_CAPACITY + 20; i++) {
        address[0] = (uint8_t)i;
        path_of(address, path);
        fclose(fopen(path, "w"));
    }
    keep(1000, address);
    snprintf(command, sizeof command, "test $(ls %s | wc -l) = %d", folder, MAP_CACHE_CAPACITY);
    assert_int_equal(system(command), 0);
    assert_true(is_kept(address));
}

TEST(a_path_that_is_too_long_gives_no_map)
{
    static char long_folder[5000];
    uint8_t address[CONTENT_HASH_BYTES], blob[100] = {0};
    for (size_t i = 0; i < sizeof long_folder - 1; i++)
        long_folder[i] = i % 100 ? 'x' : '/';
    identity_of_content(blob, sizeof blob, address);
    map_download_cache_write(long_folder, address, blob, sizeof blob);
    assert_false(map_download_cache_read(long_folder, address, blob, sizeof blob));
}

TEST(reading_and_writing_leave_no_file_open)
{
    uint8_t good[CONTENT_HASH_BYTES], address[CONTENT_HASH_BYTES], blob[50];
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = (struct rlimit){32, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (uint32_t i = 0; i < 50; i++) {
        keep(1, good);
        keep(2, address);
        map_download_cache_read(folder, address, blob, sizeof blob); // of another size
    }
    assert_true(is_kept(good));
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(an_impossible_folder_does_no_harm)
{
    uint8_t address[CONTENT_HASH_BYTES];
    snprintf(folder, sizeof folder, "/dev/null/maps");
    keep(1, address);
    assert_false(is_kept(address));
}

// After a power loss a file is there only if it was synced before the rename, and its folder after it.
TEST(a_map_is_synced_before_it_gets_its_name)
{
    uint8_t address[CONTENT_HASH_BYTES];
    disk_calls_begin();
    keep(1, address);
    assert_string_equal(disk_calls.made, "wsrd");
}

TEST(a_failing_disk_leaves_no_map_and_no_temporary_file)
{
    static const char kinds[] = "owscr";
    uint8_t address[CONTENT_HASH_BYTES];
    char command[160];
    for (const char *kind = kinds; *kind; kind++) {
        disk_calls_begin();
        disk_calls.refused = *kind;
        disk_calls.reason = ENOSPC;
        keep(1, address);
        disk_calls.refused = 0;
        if (is_kept(address))
            fail_msg("call %c refused: the map was stored all the same", *kind);
        snprintf(command, sizeof command, "test -z \"$(ls -A %s)\"", folder);
        if (system(command) != 0)
            fail_msg("call %c refused: a file was left in the folder", *kind);
    }
    keep(1, address);
    assert_true(is_kept(address));
}
