// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/servers/server_rows.h"
#include "base/host_port.h"
#include "test.h"
#include "wire/message.h"

#define KEY_A  "abcdefghijklmnopqrstuvwxyz234567"
#define KEY_B  "bbcdefghijklmnopqrstuvwxyz234567"
#define KEY_C  "ccdefghijklmnopqrstuvwxyz2345672"
#define KEY_D  "ddefghijklmnopqrstuvwxyz23456723"
#define NOW_US 100000000u

static struct server_rows rows;
static struct option_list friends;
static struct server_browser browser;
static struct preferences preferences;
static struct server_list_entry entries[SERVER_LIST_CAPACITY];
static struct server_list list;

static void begin(void)
{
    struct error error;
    memset(&browser, 0, sizeof browser);
    list = (struct server_list){.entries = entries};
    preferences_read(&preferences, "", &error);
}

static void finish(void)
{
    server_rows_free(&rows);
}

EACH_TEST(begin, finish);

static struct server_facts *add_listed(const char *key, const char *address, const char *name)
{
    struct server_list_entry *entry = &entries[list.count++];
    *entry = (struct server_list_entry){
        .facts = {.mode = "ffa", .map = "duel", .version = "0.1.0", .protocol = PROTOCOL_VERSION, .places = 8}};
    strcpy(entry->fingerprint, key);
    strcpy(entry->addresses[address[0] == '['], address);
    strcpy(entry->facts.name, name);
    return &entry->facts;
}

static struct server_browser_entry *add_asked(const char *address, const char *numeric, const char *name)
{
    struct host_port place;
    struct server_browser_entry *server = &browser.servers[browser.count++];
    *server = (struct server_browser_entry){
        .map = "foundry", .mode = "lms", .players = 5, .bots = 2, .players_max = 16, .rtt_ms = 40, .answered = true};
    strcpy(server->address, address);
    strcpy(server->name, name);
    assert_true(host_port_parse(numeric, SIZE_MAX, &place));
    assert_true(ip_address_parse(&server->net_address, place.host, place.port));
    return server;
}

static void gather(void)
{
    server_rows_gather(&rows, &list, &browser, &preferences, NOW_US);
    server_rows_arrange(&rows, &preferences);
}

// The names that are shown, in their order.
static const char *names(void)
{
    static char text[512];
    text[0] = 0;
    for (uint32_t i = 0; i < rows.shown_count; i++) {
        const struct server_row *row = server_rows_at(&rows, i);
        const char *name = row->facts.name[0] ? row->facts.name : row->address;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "", name);
    }
    return text;
}

TEST(a_server_of_all_sources_is_one_row)
{
    add_listed(KEY_A, "192.0.2.1:27440", "Alpha");
    add_asked("192.0.2.1:27440", "192.0.2.1:27440", "Alpha now")->local = true;
    strcpy(browser.servers[0].key, KEY_A);
    preferences_remember(&preferences.favourites, "192.0.2.1:27440");
    preferences_remember(&preferences.recent, "alpha.example:27440#" KEY_A);
    gather();
    assert_int_equal(rows.count, 1);
    const struct server_row *row = server_rows_at(&rows, 0);
    assert_int_equal(row->sources,
                     SERVER_SOURCE_DIRECTORY | SERVER_SOURCE_NEAR | SERVER_SOURCE_FAVOURITE | SERVER_SOURCE_RECENT);
    assert_string_equal(row->address, "192.0.2.1:27440#" KEY_A);
    assert_string_equal(row->facts.name, "Alpha now");
    assert_string_equal(row->facts.map, "foundry");
    assert_int_equal(row->facts.players, 3); // people
    assert_int_equal(row->facts.bots, 2);
    assert_int_equal(row->ping, SERVER_PING_KNOWN);
    assert_int_equal(row->rtt_ms, 40);
    assert_true(row->is_proven);
}

TEST(a_server_behind_a_router_is_joined_through_its_directory_and_not_asked)
{
    add_listed(KEY_A, "", "Home");
    gather();
    assert_int_equal(rows.count, 0); // nobody says through which directory
    strcpy(entries[0].mappings[0], "192.0.2.1:600");
    entries[0].punch_port = 27480;
    server_list_set_directory(&list, "d.example.org:27480");
    gather();
    assert_int_equal(rows.count, 1);
    assert_string_equal(server_rows_at(&rows, 0)->address, "192.0.2.1:600#" KEY_A "@d.example.org:27480");
    assert_string_equal(server_rows_at(&rows, 0)->ping_address, "");
    preferences_remember(&preferences.recent,
                         "192.0.2.1:599#" KEY_A "@d.example.org:27480"); // its router had that port
    gather();
    assert_int_equal(rows.count, 1);
    assert_int_equal(server_rows_at(&rows, 0)->sources, SERVER_SOURCE_DIRECTORY | SERVER_SOURCE_RECENT);
}

TEST(an_answer_with_another_key_is_not_that_of_the_listed_server)
{
    add_listed(KEY_A, "192.0.2.1:27440", "Alpha");
    strcpy(add_asked("192.0.2.1:27440", "192.0.2.1:27440", "Liar")->key, KEY_B);
    browser.servers[0].listed = true;
    gather();
    const struct server_row *row = server_rows_at(&rows, 0);
    assert_string_equal(row->facts.name, "Alpha");
    assert_string_equal(row->key, KEY_A);
    assert_int_equal(row->ping, SERVER_PING_SILENT);
}

// A favourite has the name that others give themselves, in upper or lower case; who is no favourite has none to lose.
TEST(a_server_with_the_name_of_a_known_one_shows_its_key)
{
    char longest[SERVER_FACTS_NAME_BYTES];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    add_listed(KEY_B, "192.0.2.2:27440", "ALPHA");
    add_listed(KEY_A, "192.0.2.1:27440", "Alpha");
    add_listed(KEY_C, "192.0.2.3:27440", "Gamma");
    add_listed(KEY_D, "192.0.2.4:27440", "Gamma");
    preferences.servers_sort = SERVERS_SORT_NAME;
    gather();
    assert_string_equal(names(), "ALPHA Alpha Gamma Gamma");
    preferences_remember(&preferences.favourites, "192.0.2.1:27440#" KEY_A);
    gather();
    assert_string_equal(names(), "Alpha ALPHA #bbcd Gamma Gamma");
    // Two that are both known keep it; a name without room is cut for the key.
    preferences_remember(&preferences.recent, "192.0.2.2:27440#" KEY_B);
    preferences_remember(&preferences.favourites, "192.0.2.3:27440#" KEY_C);
    strcpy(list.entries[2].facts.name, longest);
    strcpy(list.entries[3].facts.name, longest);
    gather();
    assert_string_equal(server_rows_at(&rows, 0)->facts.name, "ALPHA");
    assert_string_equal(server_rows_at(&rows, 1)->facts.name, "Alpha");
    const char *cut = server_rows_at(&rows, 2)->facts.name;
    assert_int_equal(strlen(cut), SERVER_FACTS_NAME_BYTES - 1);
    assert_string_equal(cut + SERVER_FACTS_NAME_BYTES - 1 - 6, " #ddef");
    assert_string_equal(server_rows_at(&rows, 3)->facts.name, longest);
}

TEST(a_near_server_that_claims_a_listed_key_is_a_row_of_its_own)
{
    add_listed(KEY_A, "192.0.2.1:27440", "Alpha");
    strcpy(add_asked("10.0.0.9:27440", "10.0.0.9:27440", "Claims")->key, KEY_A);
    browser.servers[0].local = true;
    gather();
    assert_string_equal(names(), "Claims Alpha");
    assert_false(server_rows_at(&rows, 0)->is_proven);
    assert_string_equal(server_rows_at(&rows, 1)->address, "192.0.2.1:27440#" KEY_A);
}

static const struct server_row *row_at(const char *address)
{
    for (uint32_t i = 0; i < rows.count; i++)
        if (!strcmp(rows.rows[i].address, address))
            return &rows.rows[i];
    fail_msg("no row at %s", address);
    return NULL;
}

TEST(a_directory_that_lies_hides_no_server_of_others)
{
    add_listed(KEY_A, "192.0.2.66:1", "Alpha"); // it is not there
    add_listed(KEY_A, "192.0.2.1:27440", "Alpha");
    add_listed(KEY_B, "192.0.2.1:27440", "Mallory"); // nor is that one
    add_listed(KEY_C, "10.0.0.9:27440", "Mallory");
    add_listed(KEY_D, "192.0.2.1:27440", "Mallory");
    strcpy(entries[4].mappings[0], entries[4].addresses[0]);
    entries[4].addresses[0][0] = 0;
    strcpy(entries[4].through, "mallory.example");
    strcpy(add_asked("192.0.2.1:27440", "192.0.2.1:27440", "Alpha now")->key, KEY_A);
    browser.servers[0].listed = true;
    add_asked("10.0.0.9:27440", "10.0.0.9:27440", "Near")->local = true;
    strcpy(browser.servers[1].key, "edefghijklmnopqrstuvwxyz23456723");
    preferences_remember(&preferences.favourites, "alpha.example#" KEY_A);
    gather();
    assert_int_equal(rows.count, 6);
    const struct server_row *alpha = row_at("192.0.2.1:27440#" KEY_A);
    assert_int_equal(alpha->ping, SERVER_PING_KNOWN);
    assert_int_equal(alpha->sources, SERVER_SOURCE_DIRECTORY | SERVER_SOURCE_FAVOURITE);
    assert_int_equal(row_at("192.0.2.66:1#" KEY_A)->ping, SERVER_PING_NONE);
    assert_int_equal(row_at("192.0.2.1:27440#" KEY_B)->ping, SERVER_PING_SILENT);
    assert_int_equal(row_at("192.0.2.1:27440#" KEY_B)->sources, SERVER_SOURCE_DIRECTORY);
    assert_int_equal(row_at("10.0.0.9:27440#" KEY_C)->ping, SERVER_PING_SILENT);
    assert_int_equal(row_at("10.0.0.9:27440")->ping, SERVER_PING_KNOWN);
    assert_int_equal(row_at("10.0.0.9:27440")->sources, SERVER_SOURCE_NEAR);
    assert_int_equal(server_rows_best(&rows)->ping, SERVER_PING_KNOWN);
}

TEST(kept_addresses_are_rows_even_when_nothing_answers)
{
    preferences_remember(&preferences.favourites, "home.example");
    preferences_remember(&preferences.recent, "home.example");
    preferences_remember(&preferences.recent, "192.0.2.5:1");
    add_asked("192.0.2.5:1", "192.0.2.5:1", "")->answered = false;
    gather();
    assert_string_equal(names(), "192.0.2.5:1 home.example");
    assert_int_equal(server_rows_at(&rows, 0)->ping, SERVER_PING_WAITS);
    browser.servers[0].tries = SERVER_BROWSER_TRIES;
    browser.servers[0].asked_us = NOW_US - SERVER_BROWSER_TRY_US + 1;
    gather();
    assert_int_equal(server_rows_at(&rows, 0)->ping, SERVER_PING_WAITS);
    browser.servers[0].asked_us--;
    gather();
    assert_string_equal(names(), "home.example 192.0.2.5:1"); // silent ones come later
    assert_int_equal(server_rows_at(&rows, 1)->ping, SERVER_PING_SILENT);
    assert_int_equal(server_rows_at(&rows, 0)->sources, SERVER_SOURCE_FAVOURITE | SERVER_SOURCE_RECENT);
}

static void add_four(void)
{
    struct server_facts *facts = add_listed("a", "192.0.2.1:1", "dora");
    facts->players = 2;
    strcpy(facts->region, "us");
    facts = add_listed("b", "192.0.2.2:1", "Anna");
    facts->players = 8;
    facts->has_password = true;
    strcpy(facts->mode, "teams");
    facts = add_listed("c", "192.0.2.3:1", "carl");
    strcpy(facts->map, "arena");
    strcpy(facts->region, "eu");
    facts = add_listed("d", "192.0.2.4:1", "Bert");
    facts->protocol++;
    facts->players = 9;
    strcpy(facts->mode, "breakout");
}

TEST(the_order_is_that_of_the_chosen_column_and_misfits_come_last)
{
    static const struct {
        enum servers_sort sort;
        const char *names;
    } table[] = {
        /* 0 */ {SERVERS_SORT_PLAYERS, "Anna dora carl Bert"},
        /* 1 */ {SERVERS_SORT_NAME, "Anna carl dora Bert"},
        /* 2 */ {SERVERS_SORT_MODE, "dora carl Anna Bert"},
        /* 3 */ {SERVERS_SORT_MAP, "carl dora Anna Bert"},
        /* 4 */ {SERVERS_SORT_REGION, "carl dora Anna Bert"},
        /* 5 */ {SERVERS_SORT_PING, "carl Anna dora Bert"},
    };
    add_four();
    add_asked("192.0.2.3:1", "192.0.2.3:1", "carl")->listed = true;
    browser.servers[0].players = browser.servers[0].bots = 0;
    strcpy(browser.servers[0].mode, "ffa");
    strcpy(browser.servers[0].map, "arena");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        preferences.servers_sort = table[i].sort;
        gather();
        if (strcmp(names(), table[i].names) != 0)
            fail_msg("row %zu: %s", i, names());
    }
}

TEST(filters_hide_what_they_say)
{
    static const struct {
        const char *row;
        const char *value, *names;
    } table[] = {
        /* 0 */ {"servers-mode", "ffa", "dora carl"},
        /* 1 */ {"servers-mode", "breakout", "Bert"},
        /* 2 */ {"servers-region", "eu", "carl"},
        /* 3 */ {"servers-full", "off", "dora carl"},
        /* 4 */ {"servers-empty", "off", "Anna dora Bert"},
        /* 5 */ {"servers-locked", "off", "dora carl Bert"},
        /* 6 */ {"servers-from", "internet", "Anna dora carl Bert"},
        /* 7 */ {"servers-from", "this-network", ""},
        /* 8 */ {"servers-from", "favourites", "carl"},
        /* 9 */ {"servers-from", "recent", "dora"},
        /* 10 */ {"servers-from", "friends", "carl"},
    };
    add_four();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct error error;
        char path[] = "/tmp/deadfall-rows-XXXXXX", line[64];
        int file = mkstemp(path), count = snprintf(line, sizeof line, "%s = %s\n", table[i].row, table[i].value);
        assert_true(file >= 0 && write(file, line, (size_t)count) == count);
        close(file);
        assert_true(preferences_read(&preferences, path, &error));
        unlink(path);
        preferences_remember(&preferences.favourites, "192.0.2.3:1");
        preferences_remember(&preferences.recent, "192.0.2.1:1");
        preferences_remember(&friends, "192.0.2.3:1");
        rows.friends = &friends;
        gather();
        rows.friends = NULL;
        if (strcmp(names(), table[i].names) != 0)
            fail_msg("row %zu: %s", i, names());
    }
}

TEST(a_search_finds_names_maps_modes_and_regions)
{
    static const char *const table[][2] = {
        {"AN", "Anna"}, {"aren", "carl"}, {"TEAM", "Anna"}, {"us", "dora"}, {"zz", ""}};
    add_four();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        strcpy(rows.search, table[i][0]);
        gather();
        if (strcmp(names(), table[i][1]) != 0)
            fail_msg("row %zu: %s", i, names());
    }
    rows.search[0] = 0;
}

TEST(regions_follow_each_other)
{
    char region[OPTION_TEXT_BYTES] = "";
    add_four();
    gather();
    static const char *const forward[] = {"eu", "us", "", "eu"}, *const back[] = {"", "us", "eu", ""};
    for (size_t i = 0; i < 4; i++) {
        server_rows_next_region(&rows, 1, region);
        assert_string_equal(region, forward[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        server_rows_next_region(&rows, -1, region);
        assert_string_equal(region, back[i]);
    }
}

TEST(the_best_server_is_near_with_people_and_room)
{
    add_four();
    gather();
    assert_string_equal(server_rows_best(&rows)->facts.name, "dora"); // Anna is full and locked, Bert another version
    entries[1].facts.has_password = false;
    gather();
    assert_string_equal(server_rows_best(&rows)->facts.name, "dora"); // Anna is full
    entries[0].facts.is_closing = true;
    gather();
    assert_string_equal(server_rows_best(&rows)->facts.name, "carl");
    entries[2].facts.has_password = true;
    gather();
    assert_null(server_rows_best(&rows));
}

TEST(the_largest_lists_fit)
{
    char address[64], key[32];
    for (uint32_t i = 0; i < SERVER_LIST_CAPACITY; i++) {
        snprintf(address, sizeof address, "10.0.%u.%u:%u", i / 250, i % 250, i + 1);
        snprintf(key, sizeof key, "%u", i);
        add_listed(key, address, "Alpha");
    }
    for (uint32_t i = 0; i < SERVER_BROWSER_CAPACITY; i++) {
        snprintf(address, sizeof address, "10.1.%u.%u:%u", i / 250, i % 250, i + 1);
        add_asked(address, address, "Beta")->local = true;
    }
    for (uint32_t i = 0; i < OPTION_LIST_CAPACITY; i++) {
        snprintf(address, sizeof address, "f%u.example", i);
        preferences_remember(&preferences.favourites, address);
        snprintf(address, sizeof address, "r%u.example", i);
        preferences_remember(&preferences.recent, address);
        snprintf(address, sizeof address, "friend%u.example", i);
        preferences_remember(&friends, address);
    }
    rows.friends = &friends;
    gather();
    assert_int_equal(rows.shown_count, SERVER_ROWS_CAPACITY);
}

#define CERTIFICATE "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE"

TEST(a_browser_joins_only_servers_that_take_browsers)
{
    add_listed(KEY_A, "203.0.113.1:27440", "Closed")->players = 5;
    strcpy(add_listed(KEY_B, "203.0.113.2:27440", "Open")->certificate, CERTIFICATE);
    preferences_remember(&preferences.favourites, "203.0.113.4:27440#" KEY_D);
    preferences_remember(&preferences.favourites, "203.0.113.3:27440#" KEY_C "." CERTIFICATE);
    gather();
    for (uint32_t i = 0; i < rows.shown_count; i++) // not in a browser
        assert_false(server_rows_at(&rows, i)->takes_no_browsers);
    assert_string_equal(server_rows_best(&rows)->facts.name, "Closed");
    rows.is_browser = true;
    gather();
    assert_int_equal(rows.shown_count, 4);
    assert_string_equal(names(), "203.0.113.3:27440#" KEY_C "." CERTIFICATE " Open Closed 203.0.113.4:27440#" KEY_D);
    for (uint32_t i = 0; i < rows.shown_count; i++)
        assert_int_equal(server_rows_at(&rows, i)->takes_no_browsers, i > 1);
    assert_string_equal(server_rows_at(&rows, 0)->facts.certificate, CERTIFICATE);
    assert_string_equal(server_rows_best(&rows)->facts.name, "Open");
    rows.is_browser = false;
}
