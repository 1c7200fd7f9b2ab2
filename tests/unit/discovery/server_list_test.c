// SPDX-License-Identifier: MIT
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "discovery/server_list.h"
#include "test.h"

#define KEY_A "abcdefghijklmnopqrstuvwxyz234567"
#define KEY_B "bbcdefghijklmnopqrstuvwxyz234567"

static uint8_t key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
static char fingerprint[FINGERPRINT_TEXT_BYTES];
static struct server_list list;
static struct error error;

static void begin(void)
{
    static const uint8_t seed[32] = {7};
    signed_text_keys(seed, key, secret);
    identity_fingerprint(key, fingerprint);
    list = (struct server_list){0};
}

static void finish(void)
{
    server_list_free(&list);
}

static void begin_all(void)
{
    assert_true(sodium_init() >= 0);
}

ALL_TESTS(begin_all, NULL);
EACH_TEST(begin, finish);

static struct server_list_entry entry_of(const char *server, const char *address, const char *name)
{
    struct server_list_entry entry = {
        .facts = {.mode = "lms", .map = "duel", .version = "0.1.0", .protocol = 9, .players = 1, .places = 8}};
    strcpy(entry.fingerprint, server);
    strcpy(entry.addresses[address[0] == '['], address);
    strcpy(entry.facts.name, name);
    return entry;
}

static char *write_of(struct server_list_entry *entries, uint32_t count, int64_t made_s, size_t *byte_count)
{
    char *text = server_list_write(&(struct server_list){.made_s = made_s, .count = count, .entries = entries}, key,
                                   secret, byte_count);
    assert_non_null(text);
    return text;
}

static bool take(struct server_list *target, struct server_list_entry *entries, uint32_t count, int64_t made_s)
{
    size_t byte_count;
    char *text = write_of(entries, count, made_s, &byte_count);
    bool good = server_list_read(target, text, byte_count, fingerprint, &error);
    free(text);
    return good;
}

TEST(what_is_written_is_read)
{
    struct server_list_entry entries[2] = {entry_of(KEY_B, "192.0.2.7:27440", "B"),
                                           entry_of(KEY_A, "[2001:db8::1]:7", "A")};
    strcpy(entries[1].addresses[0], "198.51.100.9:8");
    assert_true(take(&list, entries, 2, 1764000000));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.made_s, 1764000000);
    assert_string_equal(list.entries[0].fingerprint, KEY_A);
    assert_string_equal(list.entries[0].addresses[0], "198.51.100.9:8");
    assert_string_equal(list.entries[0].addresses[1], "[2001:db8::1]:7");
    assert_true(announcement_facts_equal(&list.entries[1].facts, &entries[0].facts));
    assert_string_equal(list.entries[1].addresses[1], "");
    assert_true(take(&list, NULL, 0, 5)); // an empty one
    assert_int_equal(list.count, 0);
}

TEST(addresses_that_need_an_introduction_are_apart)
{
    static const struct {
        const char *direct, *mapping;
        uint16_t port;
        bool is_good;
    } rows[] = {
        /* 1 */ {"", "192.0.2.7:1", 27480, true},
        /* 2 */ {"192.0.2.7:2", "192.0.2.7:1", 27480, true},
        /* 3 */ {"", "192.0.2.7:1", 0, false},
        /* 4 */ {"192.0.2.7:2", "a.name:1", 27480, false},
        /* 5 */ {"", "", 27480, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct server_list_entry entry = entry_of(KEY_A, rows[i].direct, "A");
        strcpy(entry.mappings[0], rows[i].mapping);
        entry.punch_port = rows[i].port;
        assert_true(take(&list, &entry, 1, 5));
        if (list.count != rows[i].is_good)
            fail_msg("row %zu", i + 1);
        if (list.count > 0) {
            assert_string_equal(list.entries[0].addresses[0], rows[i].direct);
            assert_string_equal(list.entries[0].mappings[0], rows[i].mapping);
            assert_int_equal(list.entries[0].punch_port, rows[i].port);
        }
    }
}

TEST(a_server_is_joined_directly_or_through_its_directory)
{
    static const struct {
        const char *directs[2], *mappings[2], *directory, *link;
    } rows[] = {
        /* 1 */ {{"192.0.2.7:2", ""}, {"192.0.2.7:1", ""}, "d.example.org:80", "192.0.2.7:2#" KEY_A},
        /* 2 */ {{"", "[2001:db8::1]:7"}, {"192.0.2.7:1", ""}, "d", "[2001:db8::1]:7#" KEY_A},
        /* 3 */ {{"", ""}, {"192.0.2.7:1", ""}, "d.example.org:80", "192.0.2.7:1#" KEY_A "@d.example.org:27480"},
        /* 4 */ {{"", ""}, {"", "[2001:db8::1]:7"}, "[2001:db8::2]", "[2001:db8::1]:7#" KEY_A "@[2001:db8::2]:27480"},
        /* 5 */ {{"", ""}, {"192.0.2.7:1", ""}, "", NULL},
        /* 6 */
        {{"", ""}, {"192.0.2.7:1", ""}, "a.name.that.is.longer.than.sixty.letters.is.no.directory.for.us.org", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char link[SERVER_LIST_LINK_BYTES];
        struct server_list_entry entry = entry_of(KEY_A, "", "A");
        for (uint32_t family = 0; family < 2; family++) {
            strcpy(entry.addresses[family], rows[i].directs[family]);
            strcpy(entry.mappings[family], rows[i].mappings[family]);
        }
        entry.punch_port = 27480;
        assert_true(take(&list, &entry, 1, 5));
        server_list_set_directory(&list, rows[i].directory);
        bool good = server_list_link(&list.entries[0], link);
        if (good != (rows[i].link != NULL) || (good && strcmp(link, rows[i].link) != 0))
            fail_msg("row %zu: %s", i + 1, link);
    }
}

TEST(a_list_that_names_its_host_introduces_there_from_wherever_it_was_read)
{
    static const struct {
        const char *host, *read_from, *through;
    } rows[] = {
        /* 1 */ {"d.example.org:27480", "mirror.example.org", "d.example.org"},
        /* 2 */ {"[2001:db8::2]:80", "mirror.example.org", "[2001:db8::2]"},
        /* 3 */ {"", "mirror.example.org", "mirror.example.org"},
        /* 4 */ {"a b", "mirror.example.org", "mirror.example.org"},
        /* 5 */
        {"a.name.that.is.longer.than.sixty.letters.is.no.directory.for.us.org", "mirror.example.org",
         "mirror.example.org"},
        /* 6 */
        {"directory.with.a.name.of.forty.five.letters.x", "mirror.example.org",
         "directory.with.a.name.of.forty.five.letters.x"}, // as long as there is room
        /* 7 */ {"directory.with.a.name.of.forty.five.letters.xy", "mirror.example.org", "mirror.example.org"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t byte_count;
        struct server_list_entry entry = entry_of(KEY_A, "", "A");
        struct server_list written = {.count = 1, .entries = &entry, .made_s = 5};
        strcpy(entry.mappings[0], "192.0.2.7:1");
        entry.punch_port = 27480;
        server_list_set_host(&written, rows[i].host);
        char *text = server_list_write(&written, key, secret, &byte_count);
        assert_true(server_list_read(&list, text, byte_count, NULL, &error));
        free(text);
        server_list_set_directory(&list, rows[i].read_from);
        if (strcmp(list.entries[0].through, rows[i].through) != 0)
            fail_msg("row %zu: %s", i + 1, list.entries[0].through);
    }
}

TEST(every_changed_byte_is_noticed_and_the_last_list_stays)
{
    size_t byte_count;
    struct server_list_entry entry = entry_of(KEY_A, "192.0.2.7:27440", "A");
    assert_true(take(&list, &entry, 1, 5));
    char *text = write_of(&entry, 1, 6, &byte_count);
    for (size_t i = 0; i < byte_count; i++) {
        text[i] ^= 1;
        assert_false(server_list_read(&list, text, byte_count, fingerprint, &error));
        assert_int_equal(list.made_s, 5);
        assert_int_equal(list.count, 1);
        text[i] ^= 1;
    }
    free(text);
}

TEST(another_directory_is_refused)
{
    size_t byte_count;
    struct server_list_entry entry = entry_of(KEY_A, "192.0.2.7:27440", "A");
    char *text = write_of(&entry, 1, 6, &byte_count);
    assert_false(server_list_read(&list, text, byte_count, KEY_A, &error));
    assert_non_null(strstr(error.text, "another key"));
    assert_true(server_list_read(&list, text, byte_count, NULL, &error));
    free(text);
}

TEST(wrong_entries_are_left_out)
{
    struct server_list_entry entries[6] = {
        entry_of(KEY_A, "192.0.2.7:27440", "A"),   entry_of("short", "192.0.2.8:1", "B"),
        entry_of(KEY_B, "a.name:27440", "C"),      entry_of(KEY_B, "192.0.2.7", "no port"),
        entry_of(KEY_B, "192.0.2.7:1", "\x1b[2J"), entry_of(KEY_A, "192.0.2.9:1", "the same server again")};
    assert_true(take(&list, entries, 6, 5));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.entries[0].fingerprint, KEY_A);
}

TEST(lists_of_several_directories_merge_by_key_and_place)
{
    struct server_list other = {0};
    struct server_list_entry old = entry_of(KEY_A, "192.0.2.7:27440", "old");
    struct server_list_entry fresh[2] = {entry_of(KEY_A, "192.0.2.7:27440", "new"),
                                         entry_of(KEY_B, "192.0.2.9:27440", "B")};
    assert_true(take(&list, &old, 1, 100));
    assert_true(take(&other, fresh, 2, 200));
    assert_true(server_list_merge(&list, &other));
    assert_int_equal(list.count, 2);
    assert_string_equal(list.entries[0].facts.name, "new");
    assert_string_equal(list.entries[1].facts.name, "B");
    assert_true(take(&other, &old, 1, 150)); // older than what is there
    assert_true(server_list_merge(&list, &other));
    assert_int_equal(list.count, 2);
    assert_string_equal(list.entries[0].facts.name, "new");
    struct server_list_entry lies[2] = {entry_of(KEY_A, "192.0.2.66:1", "lie"), entry_of(KEY_A, "192.0.2.67:1", "lie")};
    assert_true(take(&other, lies, 2, 999)); // newer than all, and elsewhere: it hides nothing
    assert_int_equal(other.count, 1);
    for (int again = 0; again < 2; again++) {
        assert_true(server_list_merge(&list, &other));
        assert_int_equal(list.count, 3);
        assert_string_equal(list.entries[0].facts.name, "lie");
        assert_string_equal(list.entries[1].facts.name, "new");
        assert_string_equal(list.entries[2].facts.name, "B");
    }
    server_list_free(&other);
}
