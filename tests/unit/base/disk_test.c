// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/platform/disk.h"
#include "test.h"

static char folder[] = "/tmp/disk_test.XXXXXX";
static char paths[4][128];

static void make_folder(void)
{
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 4; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%d", folder, i);
}

static void remove_folder(void)
{
    for (int i = 0; i < 4; i++)
        unlink(paths[i]);
    assert_int_equal(rmdir(folder), 0);
}

ALL_TESTS(make_folder, remove_folder);

static void fill(const char *path, unsigned way, const char *text)
{
    int file = disk_open(path, way, DISK_OWNER);
    assert_true(file >= 0);
    assert_int_equal(disk_write(file, text, strlen(text)), strlen(text));
    assert_true(disk_sync(file) && disk_close(file));
}

static const char *text_of(const char *path)
{
    static char text[64];
    int file = disk_open(path, DISK_READ, 0);
    int64_t count = disk_read(file, text, sizeof text - 1);
    text[count > 0 ? count : 0] = 0;
    disk_close(file);
    return text;
}

TEST(each_way_opens_what_it_says)
{
    char part[3] = "";
    assert_int_equal(disk_open(paths[0], DISK_READ, 0), -1);
    fill(paths[0], DISK_CREATE, "first");
    assert_int_equal(disk_open(paths[0], DISK_CREATE, DISK_OWNER), -1);
    assert_int_equal(errno, EEXIST);
    fill(paths[0], DISK_APPEND, " second");
    assert_string_equal(text_of(paths[0]), "first second");
    fill(paths[0], DISK_UPDATE, "1");
    assert_string_equal(text_of(paths[0]), "1irst second");
    fill(paths[0], DISK_REPLACE, "third");
    assert_string_equal(text_of(paths[0]), "third");
    int file = disk_open(paths[0], DISK_READ, 0);
    assert_int_equal(disk_read_at(file, part, 2, 3), 2);
    assert_string_equal(part, "rd");
    const char *bytes = disk_map(file, 5);
    disk_close(file);
    assert_memory_equal(bytes, "third", 5);
    disk_unmap(bytes, 5);
}

TEST(a_private_file_that_is_written_is_private_also_if_it_was_there)
{
    static const unsigned WAYS[] = {DISK_REPLACE, DISK_APPEND, DISK_UPDATE};
    struct disk_facts facts;
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
        assert_int_equal(chmod(paths[0], 0666), 0);
        disk_close(disk_open(paths[0], WAYS[i], DISK_PUBLIC));
        disk_close(disk_open(paths[0], DISK_READ, DISK_OWNER));
        assert_true(disk_look(paths[0], &facts) && facts.permissions == 0666);
        disk_close(disk_open(paths[0], WAYS[i], DISK_OWNER));
        assert_true(disk_look(paths[0], &facts));
        assert_int_equal(facts.permissions, DISK_OWNER);
    }
    assert_int_equal(chmod(paths[0], 0400), 0); // its owner has taken away more
    disk_close(disk_open(paths[0], DISK_READ, 0));
    assert_true(disk_look(paths[0], &facts) && facts.permissions == 0400);
    assert_int_equal(chmod(paths[0], 0600), 0);
    assert_true(disk_look("/dev/null", &facts));
    uint32_t before = facts.permissions;
    disk_close(disk_open("/dev/null", DISK_REPLACE, DISK_OWNER));
    assert_true(disk_look("/dev/null", &facts) && facts.permissions == before);
}

TEST(what_a_link_leads_to_is_not_in_its_folder)
{
    char inner[64], link[160], outside[64], wide[80];
    snprintf(inner, sizeof inner, "%s/inner", folder);
    snprintf(outside, sizeof outside, "%s2", folder);
    assert_true(disk_make_folder(inner, DISK_OWNER_FOLDER) && disk_make_folder(outside, DISK_OWNER_FOLDER));
    snprintf(link, sizeof link, "%s/link", inner);
    snprintf(wide, sizeof wide, "%s/file", outside);
    fill(wide, DISK_CREATE, "");
    const struct {
        const char *to;
        bool is_within;
    } rows[] = {
        /* 0 */ {paths[0], false},
        /* 1 */ {"../0", false},
        /* 2 */ {"/dev/null", false},
        /* 3 */ {"own", true},
        /* 4 */ {wide, false}, // of a folder with a longer name
        /* 5 */ {"nowhere", false},
        /* 6 */ {".", true},
    };
    char own[80];
    snprintf(own, sizeof own, "%s/own", inner);
    fill(own, DISK_CREATE, "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(symlink(rows[i].to, link), 0);
        if (disk_is_within(inner, link) != rows[i].is_within)
            fail_msg("row %zu", i);
        unlink(link);
    }
    assert_true(disk_is_within(inner, own) && disk_is_within(folder, own) && disk_is_within("/", own));
    assert_false(disk_is_within(folder, wide) || disk_is_within("/nowhere", own));
    assert_int_equal(symlink(inner, paths[3]), 0); // the folder itself may be a link
    assert_true(disk_is_within(paths[3], own));
    unlink(paths[3]);
    unlink(own);
    unlink(wide);
    rmdir(inner);
    rmdir(outside);
}

TEST(a_link_is_followed_only_if_it_may_be)
{
    assert_int_equal(symlink(paths[0], paths[1]), 0);
    fill(paths[1], DISK_REPLACE, "through");
    assert_string_equal(text_of(paths[0]), "through");
    assert_int_equal(disk_open(paths[1], DISK_REPLACE | DISK_NO_LINK, DISK_OWNER), -1);
    assert_true(disk_remove(paths[1]) && disk_exists(paths[0]));
}

TEST(facts_are_those_of_the_file)
{
    struct disk_facts facts, same;
    uint64_t before_ns = clock_unix_ns();
    assert_true(disk_look(paths[0], &facts) && facts.kind == DISK_FILE && facts.byte_count == 7);
    assert_int_equal(facts.permissions, DISK_OWNER);
    assert_true(facts.modified_ns > 0 && (uint64_t)facts.modified_ns <= before_ns);
    int file = disk_open(paths[0], DISK_UPDATE, 0);
    assert_true(disk_permit(file, DISK_PUBLIC) && disk_look_at(file, &same));
    disk_close(file);
    assert_true(same.device == facts.device && same.inode == facts.inode && same.permissions == DISK_PUBLIC);
    assert_true(disk_touch(paths[0]) && disk_look(paths[0], &same) && same.modified_ns >= facts.modified_ns);
    assert_true(disk_look(folder, &facts) && facts.kind == DISK_FOLDER && facts.inode != same.inode);
    assert_true(disk_look("/dev/null", &facts) && facts.kind == DISK_OTHER);
    assert_false(disk_look(paths[3], &facts));
    assert_true(disk_is_program("/bin/sh") && !disk_is_program(paths[0]) && disk_is_readable(paths[0]));
}

TEST(a_new_name_never_replaces_a_file)
{
    fill(paths[1], DISK_CREATE, "other");
    assert_false(disk_move_new(paths[0], paths[1]));
    assert_int_equal(errno, EEXIST);
    assert_true(disk_move_new(paths[0], paths[2]) && !disk_exists(paths[0]));
    assert_int_equal(errno, ENOENT);
    assert_true(disk_move(paths[2], paths[1]) && disk_sync_folder_of(paths[1]));
    assert_string_equal(text_of(paths[1]), "through");
}

TEST(a_lock_has_one_owner_and_ends_with_its_file)
{
    int file = disk_open(paths[0], DISK_UPDATE, DISK_OWNER), other = disk_open(paths[0], DISK_UPDATE, DISK_OWNER);
    assert_true(file >= 0 && other >= 0);
    assert_true(disk_lock(file));
    assert_false(disk_lock(other));
    assert_int_equal(errno, EWOULDBLOCK);
    assert_int_equal(disk_write(other, "text", 4), 4); // who does not ask is not held up
    assert_true(disk_close(file));
    assert_true(disk_lock(other));
    assert_true(disk_close(other));

    int held = disk_lock_folder(folder);
    assert_true(held >= 0);
    assert_int_equal(disk_lock_folder(folder), -1);
    assert_int_equal(errno, EWOULDBLOCK);
    assert_true(disk_close(held));
    held = disk_lock_folder(folder);
    assert_true(held >= 0 && disk_close(held));
    assert_int_equal(disk_lock_folder(paths[2]), -1);
    assert_int_equal(errno, ENOENT);
}

TEST(a_file_is_cut)
{
    fill(paths[0], DISK_REPLACE, "some text");
    int file = disk_open(paths[0], DISK_UPDATE, DISK_OWNER);
    assert_true(disk_cut(file, 4) && disk_sync_bytes(file) && disk_close(file));
    assert_string_equal(text_of(paths[0]), "some");
    int null = disk_open("/dev/null", DISK_REPLACE, 0);
    assert_true(disk_sync_bytes(null) && disk_close(null));
    assert_true(disk_remove(paths[0]));
}

TEST(a_folder_says_whether_it_has_room)
{
    struct disk_room room = {0};
    assert_true(disk_can_create(folder));
    assert_false(disk_can_create(paths[2]));
    assert_int_equal(errno, ENOENT);
    assert_true(disk_find_room(folder, &room));
    assert_true(room.size_bytes > 0 && room.available_bytes <= room.size_bytes);
    assert_false(disk_find_room(paths[2], &room));
}

TEST(a_folder_is_listed)
{
    char names[64] = "";
    assert_true(disk_make_folder(paths[3], DISK_OWNER_FOLDER));
    assert_false(disk_make_folder(paths[3], DISK_OWNER_FOLDER));
    assert_int_equal(errno, EEXIST);
    struct disk_list *list = disk_list_open(folder);
    for (const char *name; (name = disk_list_next(list));)
        if (*name != '.')
            strcat(names, name);
    disk_list_close(list);
    assert_true(strcmp(names, "13") == 0 || strcmp(names, "31") == 0);
    assert_true(disk_remove_folder(paths[3]));
    assert_false(disk_remove_folder(folder)); // something is in it
    assert_null(disk_list_open(paths[3]));
    assert_null(disk_list_next(NULL));
}
