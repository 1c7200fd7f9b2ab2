// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording/retention.h"
#include "test.h"

#define NOW ((int64_t)1800000000)
#define DAY ((int64_t)86400)

static char folder[] = "/tmp/retention_test_XXXXXX";
static char path[300];

static const char *at(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// Creates a file of some KiB that was written so many days ago.
static void put(const char *name, size_t kib, int64_t days)
{
    FILE *file = fopen(at(name), "w");
    assert_non_null(file);
    for (size_t i = 0; i < kib; i++)
        fprintf(file, "%1024s", "");
    fclose(file);
    struct timespec times[2] = {{.tv_sec = NOW - days * DAY}, {.tv_sec = NOW - days * DAY}};
    assert_int_equal(utimensat(AT_FDCWD, at(name), times, 0), 0);
}

static bool is_there(const char *name)
{
    return access(at(name), F_OK) == 0;
}

static void begin(void)
{
    char name[40];
    strcpy(folder, "/tmp/retention_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (int day = 1; day <= 6; day++) { // 1 is the newest
        snprintf(name, sizeof name, "duel-202601%02d-101010.dfr", 20 - day);
        put(name, 64, day);
    }
}

static void end(void)
{
    DIR *directory = opendir(folder);
    for (const struct dirent *entry; (entry = readdir(directory));)
        unlink(at(entry->d_name));
    closedir(directory);
    assert_int_equal(rmdir(folder), 0);
}

EACH_TEST(begin, end);

// Compares the days of the recordings that are left.
static void compare_days(const char *wanted)
{
    char found[8] = "", name[40];
    for (int day = 1; day <= 6; day++) {
        snprintf(name, sizeof name, "duel-202601%02d-101010.dfr", 20 - day);
        if (is_there(name))
            found[strlen(found)] = (char)('0' + day);
    }
    assert_string_equal(found, wanted);
}

TEST(the_oldest_are_removed_until_the_others_keep_within_each_limit)
{
    static const struct {
        struct retention limits;
        const char *left;
    } rows[] = {
        /* 0 */ {{0}, "123456"},
        /* 1 */ {{.files = 6}, "123456"},
        /* 2 */ {{.files = 5, .age_s = 30 * DAY}, "12345"},
        /* 3 */ {{.bytes = 4 * 65536 + 65535}, "1234"},
        /* 4 */ {{.age_s = 3 * DAY}, "123"},
        /* 5 */ {{.files = 2, .age_s = 3 * DAY, .bytes = 1 << 30}, "12"},
        /* 6 */ {{.bytes = 1}, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        retention_apply(folder, &rows[i].limits, NOW);
        compare_days(rows[i].left);
    }
    retention_apply("/no/where", &rows[6].limits, NOW);
}

TEST(a_recording_that_is_being_written_stays)
{
    int file = open(at("duel-20260114-101010.dfr"), O_WRONLY);
    assert_int_equal(flock(file, LOCK_EX | LOCK_NB), 0);
    retention_apply(folder, &(struct retention){.files = 2}, NOW);
    compare_days("126");
    close(file);
    retention_apply(folder, &(struct retention){.files = 2}, NOW);
    compare_days("12");
}

TEST(other_files_stay)
{
    static const char *const names[] = {
        "notes.dfr",  "duel-20260114-101010.txt", "duel-2026014-101010.dfr", "journal.dfr",
        "records.db", "duel-20260114-10101.dfr",  "20260114-101010",         "-20260114-101010x.dfr"};
    static const char *const recordings[] = {"a-b-20260101-000000.dfr", "duel-20260101-000000-2.dfr",
                                             "a-20260101-000000-1000.dfr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put(names[i], 1, 100);
    for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++)
        put(recordings[i], 1, 100);
    assert_int_equal(symlink("notes.dfr", at("duel-20250101-101010.dfr")), 0);
    retention_apply(folder, &(struct retention){.files = 1}, NOW);
    compare_days("1");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(is_there(names[i]));
    for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++)
        assert_false(is_there(recordings[i]));
    assert_true(is_there("duel-20250101-101010.dfr"));
}

BARE_TEST(limits_are_read_from_text)
{
    static const struct {
        const char *text;
        bool good;
        struct retention limits;
    } rows[] = {
        /* 0 */ {"1", true, {.files = 1}},
        /* 1 */ {"1000000000", true, {.files = 1000000000}},
        /* 2 */ {"1000000001", false, {0}},
        /* 3 */ {"0", false, {0}},
        /* 4 */ {"-5", false, {0}},
        /* 5 */ {"", false, {0}},
        /* 6 */ {"12h", true, {.age_s = 43200}},
        /* 7 */ {"30d", true, {.age_s = 30 * 86400}},
        /* 8 */ {"8w", true, {.age_s = 56 * 86400}},
        /* 9 */ {"500M", true, {.bytes = 500ull << 20}},
        /* 10 */ {"20G", true, {.bytes = 20ull << 30}},
        /* 11 */ {"1048576T", true, {.bytes = 1ull << 60}},
        /* 12 */ {"1048577T", false, {0}},
        /* 13 */ {"3m", false, {0}},
        /* 14 */ {"3GB", false, {0}},
        /* 15 */ {"G", false, {0}},
        /* 16 */ {" 3", false, {0}},
        /* 17 */ {"99999999999999999999", false, {0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct retention limits = {0};
        bool good = retention_parse(rows[i].text, &limits);
        if (good != rows[i].good || limits.files != rows[i].limits.files || limits.age_s != rows[i].limits.age_s ||
            limits.bytes != rows[i].limits.bytes)
            fail_msg("row %zu: %s", i, rows[i].text);
    }
}
