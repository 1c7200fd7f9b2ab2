// SPDX-License-Identifier: MIT
#include <string.h>

#include "discovery/announcement.h"
#include "test.h"

static const struct server_facts FACTS = {.name = "The Smithy",
                                          .mode = "ffa",
                                          .map = "foundry",
                                          .version = "0.1.0",
                                          .region = "eu",
                                          .protocol = 70,
                                          .players = 3,
                                          .bots = 4,
                                          .places = 16,
                                          .live_url = "https://example.org/live/",
                                          .certificate = "0123456789012345678901234567890123456789010",
                                          .interest = 40};

static struct error error;

// Reads facts with one member replaced, or taken away if `value` is NULL. Takes the value. Returns whether they are
// good.
static bool reads_with(const char *member, json_t *value, struct server_facts *facts)
{
    json_t *object = json_object();
    assert_true(announcement_facts_write(&FACTS, object));
    assert_int_equal(value ? json_object_set_new(object, member, value) : json_object_del(object, member), 0);
    bool good = announcement_facts_read(object, facts, &error);
    json_decref(object);
    return good;
}

TEST(facts_are_read_as_they_were_written)
{
    static struct server_facts read;
    assert_true(reads_with("more", json_true(), &read)); // what a later version may say
    assert_memory_equal(&read, &FACTS, sizeof read);
}

TEST(facts_that_differ_in_one_member_are_not_equal)
{
    static const struct {
        const char *member, *text;
        int number;
        bool equal;
    } rows[] = {
        /* 1 */ {"name", "The Forge", 0, false},
        {"mode", "lms", 0, false},
        /* 3 */ {"map", "duel", 0, false},
        {"version", "0.2.0", 0, false},
        /* 5 */ {"region", "us", 0, false},
        {"watch", "https://example.org/other/", 0, false},
        /* 7 */ {"protocol", NULL, 71, false},
        {"players", NULL, 4, false},
        /* 9 */ {"bots", NULL, 5, false},
        {"places", NULL, 17, false},
        /* 11 */ {"interest", NULL, 41, true},
        {"players", NULL, 3, true},
        /* 13 */ {"certificate", "0123456789012345678901234567890123456789_-A", 0, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct server_facts other;
        if (!reads_with(rows[i].member, rows[i].text ? json_string(rows[i].text) : json_integer(rows[i].number),
                        &other) ||
            announcement_facts_equal(&FACTS, &other) != rows[i].equal ||
            announcement_facts_equal(&other, &FACTS) != rows[i].equal)
            fail_msg("row %zu: %s", i + 1, rows[i].member);
    }
    static const char *const flags[] = {"password", "closing"};
    for (size_t i = 0; i < 2; i++) {
        struct server_facts other;
        assert_true(reads_with(flags[i], json_true(), &other) && !announcement_facts_equal(&FACTS, &other));
    }
}

TEST(numbers_have_limits)
{
    static const struct {
        const char *member;
        int most;
    } rows[] = {{"protocol", 65535}, {"players", 256}, {"bots", 256}, {"places", 256}, {"interest", 100}};
    struct server_facts facts;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!reads_with(rows[i].member, json_integer(rows[i].most), &facts) ||
            reads_with(rows[i].member, json_integer(rows[i].most + 1), &facts) ||
            reads_with(rows[i].member, json_integer(-1), &facts) ||
            !reads_with(rows[i].member, json_integer(0), &facts) ||
            reads_with(rows[i].member, json_string("1"), &facts) || reads_with(rows[i].member, NULL, &facts))
            fail_msg("%s", rows[i].member);
}

TEST(texts_are_short_clean_and_there)
{
    static const struct {
        const char *member, *text;
        bool good;
    } rows[] = {
        /* 1 */ {"name", "", true},
        /* 2 */ {"name", "Müllers Schmiede", true},
        /* 3 */ {"name", "two\nlines", false},
        /* 4 */ {"mode", "two words", false},
        /* 5 */ {"map", "two words", true},
        /* 6 */ {"region", "eu-west_1.a", true},
        /* 7 */ {"region", "abcdefghijklmnopqrstuvwxyz01234", true},
        /* 8 */ {"region", "abcdefghijklmnopqrstuvwxyz012345", false},
        /* 9 */ {"watch", "http://a", true},
        /* 10 */ {"watch", "http://", false},
        /* 11 */ {"watch", "https:///path", false},
        /* 12 */ {"watch", "ftp://example.org/", false},
        /* 13 */ {"watch", "http://example.org/?a", false},
        /* 14 */ {"watch", "", false},
        /* 15 */ {"watch", "file:///etc/passwd", false},
        /* 16 */ {"watch", "http://x/ y", false},
        /* 17 */ {"watch", "http://x/\n", false},
        /* 18 */ {"watch", "https://[2001:db8::1]:8443/live/%20x/", true},
        /* 19 */ {"certificate", "short", false},
        /* 20 */ {"certificate", "", false},
        /* 21 */ {"certificate", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE", true},
        /* 22 */ {"certificate", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdEA", false},
        /* 23 */ {"certificate", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCd", false},
        /* 24 */ {"certificate", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbC+E", false},
        /* 25 */ {"certificate", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdF", false}, // its last bits carry nothing
    };
    struct server_facts facts;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (reads_with(rows[i].member, json_string(rows[i].text), &facts) != rows[i].good)
            fail_msg("row %zu", i + 1);
    static const char *const needed[] = {"name", "mode", "map", "version", "region", "password", "closing"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (reads_with(needed[i], NULL, &facts) || reads_with(needed[i], json_null(), &facts))
            fail_msg("%s", needed[i]);
    assert_true(reads_with("watch", NULL, &facts) && !facts.live_url[0] && facts.interest == 0);
    assert_true(reads_with("certificate", NULL, &facts) && !facts.certificate[0]);
    json_auto_t *object = json_object();
    assert_true(announcement_facts_write(&FACTS, object));
    assert_int_equal(json_object_del(object, "watch") | json_object_set_new(object, "interest", json_integer(500)), 0);
    assert_true(announcement_facts_read(object, &facts, &error) && facts.interest == 0); // means nothing alone
    static const char *const named[] = {"watch", "certificate"};
    for (size_t i = 0; i < COUNT_OF(named); i++)
        assert_true(!reads_with(named[i], json_integer(7), &facts) && strstr(error.text, named[i]));
}
