// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/crypto/identity.h"
#include "test.h"

static char folder[] = "/tmp/deadfall_identity_XXXXXX";
static char path[128];
static struct error error;

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void make_folder(void)
{
    assert_non_null(mkdtemp(folder));
}

static void remove_folder(void)
{
    static const char *const names[] = {"new/deep/key", "open",   "short",    "long", "closed",
                                        "dangling",     "folder", "new/deep", "new",  ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(in_folder(names[i]));
}

ALL_TESTS(make_folder, remove_folder);

static void write_file(const char *name, const char *text, size_t size, mode_t mode)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
    chmod(path, mode);
}

TEST(a_missing_key_is_created_privately_and_kept)
{
    uint8_t first[IDENTITY_SEED_BYTES], again[IDENTITY_SEED_BYTES], zeros[IDENTITY_SEED_BYTES] = {0};
    assert_true(identity_load(in_folder("new/deep/key"), first, &error));
    assert_true(identity_load(path, again, &error));
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, zeros, sizeof first);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(status.st_size, IDENTITY_SEED_BYTES);
}

TEST(a_players_fingerprint_depends_on_their_key)
{
    char first[FINGERPRINT_TEXT_BYTES], again[FINGERPRINT_TEXT_BYTES], other[FINGERPRINT_TEXT_BYTES];
    assert_true(identity_fingerprint_of_file(in_folder("new/deep/key"), first, &error));
    assert_true(identity_fingerprint_of_file(path, again, &error));
    assert_true(identity_fingerprint_is_valid(first));
    assert_string_equal(first, again);
    remove(path);
    assert_true(identity_fingerprint_of_file(path, other, &error));
    assert_string_not_equal(first, other);
    assert_false(identity_fingerprint_of_file(folder, other, &error)); // a folder is no key file
}

TEST(a_fingerprint_is_computed_from_the_public_key)
{
    // The first secret and public key of RFC 8032, 7.1.
    static const uint8_t SECRET[] = {0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a,
                                     0xf4, 0x92, 0xec, 0x2c, 0xc4, 0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32,
                                     0x69, 0x19, 0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60};
    static const uint8_t PUBLIC[] = {0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe,
                                     0xd3, 0xc9, 0x64, 0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3, 0xda, 0xa6,
                                     0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a};
    char text[FINGERPRINT_TEXT_BYTES], expected[FINGERPRINT_TEXT_BYTES];
    write_file("short", (const char *)SECRET, sizeof SECRET, 0600);
    identity_fingerprint(PUBLIC, expected);
    assert_true(identity_fingerprint_of_file(path, text, &error));
    assert_string_equal(text, expected);
    // Those of its test 1024: the public key has the sign bit, which an account has not.
    static const uint8_t SIGNED[] = {0x03, 0x05, 0x33, 0x4e, 0x38, 0x1a, 0xf7, 0x8f, 0x14, 0x1c, 0xb6,
                                     0x66, 0xf6, 0x19, 0x9f, 0x57, 0xbc, 0x34, 0x95, 0x33, 0x5a, 0x25,
                                     0x6a, 0x95, 0xbd, 0x2a, 0x55, 0xbf, 0x54, 0x66, 0x63, 0xf6};
    static const uint8_t ACCOUNT[] = {0xdf, 0xc9, 0x42, 0x5e, 0x4f, 0x96, 0x8f, 0x7f, 0x0c, 0x29, 0xf0,
                                      0x25, 0x9c, 0xf5, 0xf9, 0xae, 0xd6, 0x85, 0x1c, 0x2b, 0xb4, 0xad,
                                      0x8b, 0xfb, 0x86, 0x0c, 0xfe, 0xe0, 0xab, 0x24, 0x82, 0x12};
    write_file("signed", (const char *)SIGNED, sizeof SIGNED, 0600);
    identity_fingerprint(ACCOUNT, expected);
    assert_true(identity_fingerprint_of_file(path, text, &error));
    assert_string_equal(text, expected);
}

TEST(an_unsafe_key_file_is_refused_with_an_error)
{
    static const char bytes[40] = {1};
    static const struct {
        const char *name;
        size_t size;
        mode_t mode;
        const char *says;
    } rows[] = {
        /* 0 */ {"open", 32, 0640, "chmod 600"},
        /* 1 */ {"open", 32, 0604, "chmod 600"},
        /* 2 */ {"open", 32, 0610, "chmod 600"},
        /* 3 */ {"short", 31, 0600, "no key of 32 bytes"},
        /* 4 */ {"long", 33, 0600, "no key of 32 bytes"},
    };
    uint8_t seed[IDENTITY_SEED_BYTES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_file(rows[i].name, bytes, rows[i].size, rows[i].mode);
        if (identity_load(path, seed, &error) || !strstr(error.text, rows[i].says) || !strstr(error.text, path))
            fail_msg("row %zu: %s", i, error.text);
    }
}

TEST(a_key_that_cannot_be_used_says_why)
{
    uint8_t seed[IDENTITY_SEED_BYTES];
    char expected[200];
    assert_false(identity_load("/proc/no/such/key", seed, &error));
    assert_string_equal(error.text, "the key /proc/no/such/key cannot be used: No such file or directory");
    assert_int_equal(mkdir(in_folder("folder"), 0700), 0);
    assert_false(identity_load(path, seed, &error));
    snprintf(expected, sizeof expected, "the key %s cannot be used: Is a directory", path);
    assert_string_equal(error.text, expected);
    write_file("closed", "", 0, 0600);
    strcat(path, "/key"); // below a file
    assert_false(identity_load(path, seed, &error));
    snprintf(expected, sizeof expected, "the key %s cannot be used: Not a directory", path);
    assert_string_equal(error.text, expected);
}

// As if another program had created the key at the same moment: the existing file is not replaced.
TEST(a_key_that_another_program_just_created_is_not_replaced)
{
    uint8_t seed[IDENTITY_SEED_BYTES];
    char expected[200], target[40];
    assert_int_equal(symlink("nowhere", in_folder("dangling")), 0);
    assert_false(identity_load(path, seed, &error));
    snprintf(expected, sizeof expected, "the key %s cannot be used: No such file or directory", path);
    assert_string_equal(error.text, expected);
    assert_int_equal(readlink(path, target, sizeof target), strlen("nowhere"));
}

TEST(a_fingerprint_has_32_letters_and_depends_on_the_key)
{
    char one[FINGERPRINT_TEXT_BYTES], other[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint((const uint8_t[32]){0}, one);
    identity_fingerprint((const uint8_t[32]){1}, other);
    assert_string_equal(one, "aiil5jvbhf4x25fkk5spwitdtdyh6qwe");
    assert_string_not_equal(one, other);
    assert_true(identity_fingerprint_is_valid(one));
    static const char *const wrong[] = {"", "abc", "abcdefghijklmnopqrstuvwxyz23456",
                                        "abcdefghijklmnopqrstuvwxyz2345671", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(identity_fingerprint_is_valid(wrong[i]));
}
