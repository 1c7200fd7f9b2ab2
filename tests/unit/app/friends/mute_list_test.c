// SPDX-License-Identifier: MIT
//
// Tests the list of muted players: what is written is read again, bad entries are none, a full list forgets the oldest.
#include "app/friends/mute_list.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static struct option_list list;

static struct mute_entry entry_of(uint8_t number, const char *name)
{
    struct mute_entry entry = {{number, [MESSAGE_TAG_BYTES - 1] = 0xAB}, ""};
    snprintf(entry.name, sizeof entry.name, "%s", name);
    return entry;
}

TEST(an_entry_is_read_as_it_was_written)
{
    static const char *const NAMES[] = {"Bo", "", "a, b = c%20", "J\xC3\xB8rgen", "sixteen letters."};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        struct mute_entry entry = entry_of(1, NAMES[i]), read;
        list.count = 0;
        assert_true(mute_list_add(&list, &entry));
        assert_null(strpbrk(list.values[0], ", \t"));
        assert_true(mute_list_read(list.values[0], &read));
        assert_string_equal(read.name, NAMES[i]);
        assert_memory_equal(read.tag, entry.tag, sizeof entry.tag);
        assert_true(mute_list_has(&list, entry.tag));
        assert_true(mute_list_remove(&list, entry.tag));
        assert_false(mute_list_remove(&list, entry.tag));
        assert_false(mute_list_has(&list, entry.tag));
    }
}

TEST(an_entry_without_a_tag_is_none)
{
    static const char *const TEXTS[] = {
        "",
        "=Bo",
        "00112233445566=Bo",
        "001122334455667788=Bo",
        "0011223344556677",
        "001122334455667x=Bo",
        "0000000000000000=Bo",
    };
    static const struct mute_entry NOBODY = {.name = "Bo"};
    struct mute_entry read;
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        if (mute_list_read(TEXTS[i], &read))
            fail_msg("row %zu is an entry", i);
    list.count = 0;
    assert_false(mute_list_add(&list, &NOBODY));
    assert_false(mute_list_has(&list, NOBODY.tag));
    assert_int_equal(list.count, 0);
}

TEST(a_full_list_forgets_the_oldest)
{
    list.count = 0;
    for (uint8_t i = 0; i < OPTION_LIST_CAPACITY; i++)
        assert_true(mute_list_add(&list, &(struct mute_entry){.tag = {i, 1}}));
    assert_true(mute_list_add(&list, &(struct mute_entry){.tag = {0, 1}})); // again: now the newest
    assert_int_equal(list.count, OPTION_LIST_CAPACITY);
    assert_true(mute_list_add(&list, &(struct mute_entry){.tag = {200, 1}}));
    assert_int_equal(list.count, OPTION_LIST_CAPACITY);
    assert_true(mute_list_has(&list, (const uint8_t[MESSAGE_TAG_BYTES]){0, 1}));
    assert_false(mute_list_has(&list, (const uint8_t[MESSAGE_TAG_BYTES]){1, 1}));
    assert_true(mute_list_has(&list, (const uint8_t[MESSAGE_TAG_BYTES]){200, 1}));
}
