// SPDX-License-Identifier: MIT
//
// A directory in virtual time. Servers announce themselves with real signatures, and prove themselves with the code
// that answers queries on the game's port, unless nobody can reach them.
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "directory/listing.h"
#include "directory/places.h"
#include "net/query.h"
#include "test.h"

#define UNIX_MS UINT64_C(1764000000000)
#define SECOND  CLOCK_SECOND_NS

static struct directory *directory;
static struct query query;
static uint64_t now_ns;
static struct listing_reply reply;
static struct error error;
static uint64_t last_ms;

struct server {
    uint8_t seed[32], key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    uint8_t box_key[32], box_secret[32];
    struct announcement announcement;
    struct net_address from;
    bool is_reachable;
};

static struct server servers[1000], *const server = &servers[0]; // at 198.51.100.7:20000

static struct server *make_server(uint32_t i, uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    struct server *made = &servers[i];
    *made = (struct server){.seed = {(uint8_t)i, (uint8_t)(i >> 8), 1}, .is_reachable = true};
    signed_text_keys(made->seed, made->key, made->secret);
    crypto_box_seed_keypair(made->box_key, made->box_secret, made->seed);
    made->from = (struct net_address){{a, b, c, d}, ADDRESS_BYTES_IPV4};
    made->announcement = (struct announcement){
        .to = "d",
        .port = (uint16_t)(20000 + i),
        .facts = {.name = "S", .mode = "ffa", .map = "duel", .version = "0.1.0", .protocol = 10, .places = 16}};
    return made;
}

static void begin_all(void)
{
    assert_true(sodium_init() >= 0);
}

static void begin(void)
{
    struct household_rules rules = {.players_max = 16};
    directory = malloc(sizeof *directory);
    assert_true(directory);
    directory_init(directory, NULL, &rules);
    query_init(&query);
    struct rate_limit_rates *rates = &query.provers.rates; // they are tested elsewhere
    rates->household = rates->quiet = rates->all_quiet = (struct rate_limit_rate){1000000, 1000000};
    now_ns = 1000 * SECOND;
    last_ms = UNIX_MS;
    make_server(0, 198, 51, 100, 7);
}

static void finish(void)
{
    free(directory);
}

ALL_TESTS(begin_all, NULL);
EACH_TEST(begin, finish);

static bool send_text(const struct server *from, const char *text, size_t byte_count)
{
    struct listing_time time = {now_ns, UNIX_MS + (now_ns - 1000 * SECOND) / CLOCK_MS_NS};
    return listing_announce(directory, text, byte_count, &from->from, time, &reply, &error);
}

static char *write_next(struct server *of, size_t *byte_count)
{
    uint64_t unix_ms = UNIX_MS + (now_ns - 1000 * SECOND) / CLOCK_MS_NS;
    last_ms = unix_ms > last_ms ? unix_ms : last_ms + 1;
    of->announcement.time_ms = last_ms;
    return announcement_write(&of->announcement, of->key, of->secret, byte_count);
}

static bool announce(struct server *by)
{
    size_t byte_count;
    char *text = write_next(by, &byte_count);
    bool good = send_text(by, text, byte_count);
    free(text);
    return good;
}

// Carries questions and proofs until nothing is due.
static void carry(void)
{
    uint8_t bytes[LISTING_QUESTION_BYTES], out[DATAGRAM_BYTES_MAX];
    struct net_address to;
    size_t byte_count;
    while ((byte_count = listing_ask(directory, now_ns, &to, bytes)) > 0) {
        const uint8_t *port_bytes = to.bytes + (to.byte_count == ADDRESS_BYTES_IPV4 ? 4 : 16);
        uint32_t port = (uint32_t)port_bytes[0] << 8 | port_bytes[1];
        const struct server *asked = port >= 20000 && port < 21000 ? &servers[port - 20000] : NULL;
        if (!asked || !asked->is_reachable)
            continue;
        struct datagram datagram = {{{192, 0, 2, 1, 1, 1}, ADDRESS_BYTES_IPV4}, now_ns, bytes, byte_count};
        struct datagram_output output = {.bytes = out};
        query.public_key = asked->box_key;
        query.secret_key = asked->box_secret;
        if (query_take(&query, &datagram, &output) == DATAGRAM_ANSWERED)
            listing_hear(directory, &(struct datagram){to, now_ns, out, output.byte_count});
    }
}

static void pass(uint64_t duration_ns)
{
    for (uint64_t end_ns = now_ns + duration_ns; now_ns < end_ns; now_ns += SECOND / 4) {
        carry();
        directory_sweep(directory, now_ns);
    }
    carry();
}

static uint32_t count_listed(void)
{
    struct server_list list;
    assert_true(directory_list(directory, UNIX_MS / 1000, &list));
    uint32_t count = list.count;
    server_list_free(&list);
    return count;
}

TEST(a_server_that_proves_itself_is_listed)
{
    struct server_list list;
    assert_true(announce(server));
    assert_false(reply.is_listed);
    assert_string_equal(reply.address, "198.51.100.7:20000");
    assert_int_equal(reply.again_ms, DIRECTORY_SOON_MS);
    assert_int_equal(count_listed(), 0);
    carry();
    assert_true(directory_list(directory, 7, &list));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.made_s, 7);
    assert_string_equal(list.entries[0].addresses[0], "198.51.100.7:20000");
    assert_string_equal(list.entries[0].addresses[1], "");
    server_list_free(&list);
    pass(SECOND);
    assert_true(announce(server));
    assert_true(reply.is_listed);
    assert_int_equal(reply.again_ms, ANNOUNCEMENT_PERIOD_MS);
}

TEST(families_are_proven_apart)
{
    assert_true(announce(server));
    carry();
    server->is_reachable = false;
    server->from = (struct net_address){{0x20, 0x01, 0x0D, 0xB8, [15] = 7}, ADDRESS_BYTES_MAX};
    assert_true(announce(server));
    pass(5 * SECOND);
    assert_int_equal(directory_listed(directory, 0), 1);
    assert_int_equal(directory_listed(directory, 1), 0);
    server->is_reachable = true;
    assert_true(announce(server));
    carry();
    assert_int_equal(directory_listed(directory, 1), 1);
    assert_int_equal(count_listed(), 1);
}

TEST(an_unreachable_server_learns_it_and_is_never_listed)
{
    server->is_reachable = false;
    for (uint32_t i = 0; i < 70; i++) { // longer than a server that is silent is remembered
        assert_true(announce(server));
        assert_false(reply.is_listed);
        assert_true(reply.has_failed == (i > 0));
        pass(10 * SECOND);
        assert_int_equal(count_listed(), 0);
    }
}

// Somebody listens there, but with another key.
TEST(an_address_of_somebody_else_is_never_listed)
{
    crypto_box_keypair(server->box_key, server->box_secret);
    assert_true(announce(server));
    pass(5 * SECOND);
    assert_int_equal(count_listed(), 0);
    assert_true(announce(server));
    assert_true(reply.has_failed);
}

// Somebody who has heard an announcement sends it from their own address, and carries the question to the server.
TEST(nobody_is_listed_in_the_place_of_a_server)
{
    assert_true(announce(server));
    carry();
    query.replies.own[0] = net_address_with_port(&server->from, 20000); // as the directory has said
    query.replies.own_count = 1;
    struct net_address home = server->from;
    server->from = (struct net_address){{203, 0, 113, 66}, ADDRESS_BYTES_IPV4};
    assert_true(announce(server));
    pass(10 * SECOND);
    assert_int_equal(count_listed(), 0);
    server->from = home;
    assert_true(announce(server));
    carry();
    assert_int_equal(count_listed(), 1);
}

TEST(a_server_that_is_dead_or_unreachable_or_leaves_is_gone)
{
    assert_true(announce(server));
    carry();
    pass(59 * SECOND);
    assert_int_equal(count_listed(), 1);
    pass(2 * SECOND);
    assert_int_equal(count_listed(), 0); // after a minute of silence
    assert_true(announce(server));
    carry();
    assert_int_equal(count_listed(), 1);
    server->is_reachable = false;
    pass(20 * SECOND);
    assert_true(announce(server));
    pass(5 * SECOND);
    assert_int_equal(count_listed(), 0); // after a question that nobody answers
    server->is_reachable = true;
    assert_true(announce(server));
    carry();
    assert_int_equal(count_listed(), 1);
    server->announcement.leaves = true;
    assert_true(announce(server));
    assert_int_equal(count_listed(), 0); // at once
}

TEST(old_announcements_are_refused)
{
    size_t byte_count;
    char *text = write_next(server, &byte_count);
    assert_true(send_text(server, text, byte_count));
    assert_false(send_text(server, text, byte_count));
    assert_int_equal(error.code, DIRECTORY_REFUSED_REPLAYED);
    pass(70 * SECOND); // it is dead
    assert_false(send_text(server, text, byte_count));
    assert_int_equal(error.code, DIRECTORY_REFUSED_REPLAYED);
    pass(700 * SECOND); // and forgotten
    assert_int_equal(directory->used, 0);
    assert_false(send_text(server, text, byte_count));
    assert_int_equal(error.code, DIRECTORY_REFUSED_CLOCK);
    free(text);
}

TEST(forged_and_misdirected_announcements_are_refused)
{
    static const char *const names[] = {"directory.example.org", "d"};
    size_t byte_count;
    char *text = write_next(server, &byte_count);
    char *place = strstr(text, "20000");
    place[0] = '3';
    assert_false(send_text(server, text, byte_count));
    assert_int_equal(error.code, DIRECTORY_REFUSED_MALFORMED);
    free(text);
    directory->hosts = (struct directory_hosts){1, names};
    assert_false(announce(server));
    assert_int_equal(error.code, DIRECTORY_REFUSED_ELSEWHERE);
    directory->hosts.count = 2;
    assert_true(announce(server));
}

TEST(a_household_has_a_quota_and_drives_nobody_out)
{
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < 400; i++)
        accepted += announce(make_server(i, 198, 51, 100, 7));
    assert_int_equal(accepted, 16);
    assert_int_equal(error.code, DIRECTORY_REFUSED_QUOTA);
    assert_true(announce(make_server(500, 198, 51, 100, 8)));
    assert_true(announce(&servers[3])); // one that it has already
    pass(61 * SECOND);
    assert_true(announce(make_server(501, 198, 51, 100, 7))); // the others are gone
}

// Fakes that nobody can reach, more than there is room for, from many households.
TEST(a_full_table_keeps_the_servers_that_are_listed)
{
    for (uint32_t i = 0; i < 50; i++)
        assert_true(announce(make_server(i, 198, 51, 100, (uint8_t)i)));
    carry();
    assert_int_equal(count_listed(), 50);
    for (uint32_t i = 0; i < DIRECTORY_CAPACITY + 500; i++) {
        struct server *fake = make_server(60, 20, (uint8_t)(i >> 16), (uint8_t)(i >> 8), (uint8_t)i);
        memcpy(fake->seed, &i, sizeof i);
        signed_text_keys(fake->seed, fake->key, fake->secret);
        fake->is_reachable = false;
        announce(fake);
    }
    assert_int_equal(directory->used, DIRECTORY_CAPACITY);
    assert_int_equal(count_listed(), 50);
    struct server *late = make_server(70, 203, 0, 113, 9);
    pass(5 * SECOND); // the questions to fakes end
    assert_true(announce(late));
    carry();
    assert_int_equal(count_listed(), 51);
}

// 1,000 arenas of four modes and 16,000 calls at once: each gets a place, and then there is none.
TEST(no_arena_is_overbooked_and_none_has_another_mode)
{
    static const char *const modes[] = {"ffa", "teams", "lms", "ball"};
    static uint32_t clients[1000];
    memset(clients, 0, sizeof clients);
    for (uint32_t i = 0; i < 1000; i++) {
        struct server *arena = make_server(i, 198, (uint8_t)(i >> 8), (uint8_t)i, 1);
        strcpy(arena->announcement.facts.mode, modes[i % 4]);
        assert_true(announce(arena));
        carry();
    }
    for (uint32_t i = 0; i < 16000; i++) {
        struct directory_wanted wanted = {.mode = modes[i * 7 % 4], .region = "eu", .protocol = 10};
        const struct directory_entry *entry = places_play(directory, &wanted, now_ns);
        assert_non_null(entry);
        assert_string_equal(entry->last.facts.mode, wanted.mode);
        clients[entry->last.port - 20000]++;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(clients[i], 16);
    for (uint32_t i = 0; i < 4; i++)
        assert_null(places_play(directory, &(struct directory_wanted){.mode = modes[i], .region = ""}, now_ns));
    now_ns += DIRECTORY_RESERVED_NS; // nobody came
    assert_non_null(places_play(directory, &(struct directory_wanted){.mode = "lms", .region = ""}, now_ns));
}

// Lists servers with two places each.
static void list_small_servers(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        make_server(i, 198, 51, 100, (uint8_t)(1 + i))->announcement.facts.places = 2;
        assert_true(announce(&servers[i]));
        carry();
    }
}

// Somebody at an address asks for a place. Returns whether they get one.
static bool gets_place(struct net_address from)
{
    return places_play(directory, &(struct directory_wanted){.mode = "", .region = "", .from = from}, now_ns) != NULL;
}

static struct net_address ipv4(uint8_t last)
{
    return (struct net_address){{203, 0, 113, last}, ADDRESS_BYTES_IPV4};
}

// The first address of a /56 of a /48.
static struct net_address ipv6(uint8_t site, uint8_t home)
{
    return (struct net_address){{0x20, 0x01, 0x0D, 0xB8, 0, site, home, [15] = 1}, ADDRESS_BYTES_MAX};
}

TEST(a_household_has_one_place_at_a_time)
{
    list_small_servers(2);
    for (uint32_t i = 0; i < 20; i++)
        assert_true(gets_place(ipv4(1)));
    assert_int_equal(places_count_reserved(directory), 1);
    for (uint8_t i = 2; i <= 4; i++)
        assert_true(gets_place(ipv4(i)));
    assert_false(gets_place(ipv4(5)));
    now_ns += DIRECTORY_RESERVED_NS / 2;
    assert_true(gets_place(ipv4(1))); // its own again, and for the whole time
    assert_int_equal(places_count_reserved(directory), 4);
    now_ns += DIRECTORY_RESERVED_NS / 2; // those of the others are over
    for (uint8_t i = 5; i <= 7; i++)
        assert_true(gets_place(ipv4(i)));
    assert_false(gets_place(ipv4(8)));
}

TEST(a_site_has_the_places_of_four_households)
{
    list_small_servers(4);
    for (uint8_t home = 0; home < 200; home++)
        assert_true(gets_place(ipv6(1, home)));
    assert_int_equal(places_count_reserved(directory), HOUSEHOLD_SITE_MAX);
    for (uint8_t site = 2; site < 2 + 8 - HOUSEHOLD_SITE_MAX; site++)
        assert_true(gets_place(ipv6(site, 0)));
    assert_false(gets_place(ipv6(9, 0)));
}

TEST(who_has_no_limits_gets_a_place_each_time)
{
    struct net_address lan = {{192, 168, 1, 7}, ADDRESS_BYTES_IPV4};
    list_small_servers(1);
    assert_true(gets_place(lan) && gets_place(lan));
    assert_false(gets_place(lan));
}

TEST(a_place_is_given_back_at_the_server_that_it_was_at)
{
    list_small_servers(1);
    assert_true(gets_place(ipv4(1)));
    struct directory_entry *entry = &directory->entries[0];
    entry->number++; // another server has taken its place in the table
    entry->reserved = 0;
    assert_true(gets_place(ipv4(1)));
    assert_int_equal(entry->reserved, 1);
    now_ns += DIRECTORY_RESERVED_NS;
    assert_true(gets_place(ipv4(2)));
    assert_int_equal(entry->reserved, 1);
}

TEST(play_respects_what_is_wanted)
{
    struct server *far = make_server(0, 198, 51, 100, 1), *near = make_server(1, 198, 51, 100, 2);
    strcpy(near->announcement.facts.region, "eu");
    far->announcement.facts.players = 9;
    assert_true(announce(far));
    assert_true(announce(near));
    carry();
    struct directory_wanted wanted = {.mode = "", .region = "eu"};
    assert_int_equal(places_play(directory, &wanted, now_ns)->last.port, 20001);
    wanted.region = "";
    assert_int_equal(places_play(directory, &wanted, now_ns)->last.port, 20000); // where people are
    wanted.protocol = 9;
    assert_null(places_play(directory, &wanted, now_ns));
    wanted.protocol = 0;
    wanted.over_ipv6 = true;
    assert_null(places_play(directory, &wanted, now_ns));
    wanted.over_ipv6 = false;
    far->announcement.facts.has_password = near->announcement.facts.is_closing = true;
    assert_true(announce(far));
    assert_true(announce(near));
    assert_null(places_play(directory, &wanted, now_ns));
}

TEST(the_best_match_that_is_listed_can_be_watched)
{
    struct directory_wanted wanted = {.mode = "", .region = ""};
    struct server *good = make_server(0, 198, 51, 100, 1), *better = make_server(1, 198, 51, 100, 2);
    struct server *unlisted = make_server(2, 198, 51, 100, 3), *private = make_server(3, 198, 51, 100, 4);
    struct server *const all[] = {good, better, unlisted, private};
    for (uint32_t i = 0; i < 4; i++)
        all[i]->announcement.facts.interest = 10 + i;
    strcpy(good->announcement.facts.live_url, "http://good/");
    strcpy(better->announcement.facts.live_url, "https://better.example.org/live/");
    strcpy(unlisted->announcement.facts.live_url, "http://unlisted/");
    strcpy(good->announcement.facts.mode, "lms");
    unlisted->is_reachable = false;
    assert_null(places_best_live(directory, &wanted));
    for (uint32_t i = 0; i < 4; i++)
        assert_true(announce(all[i]));
    carry();
    assert_string_equal(places_best_live(directory, &wanted)->last.facts.live_url, "https://better.example.org/live/");
    wanted.mode = "lms";
    assert_string_equal(places_best_live(directory, &wanted)->last.facts.live_url, "http://good/");
    wanted.protocol = 9;
    assert_null(places_best_live(directory, &wanted));
}

// Anybody can send with the address of a server: noise, false proofs, and challenges that use up questions.
TEST(forged_datagrams_change_nothing)
{
    uint8_t bytes[64], question[LISTING_QUESTION_BYTES];
    struct net_address at = {{198, 51, 100, 7, 20000 >> 8, 20000 & 255}, ADDRESS_BYTES_IPV4}, to;
    server->is_reachable = false;
    assert_true(announce(server));
    carry();
    memset(bytes, 0xFF, 4);
    for (uint32_t letter = 0; letter < 256; letter++)
        for (size_t byte_count = 0; byte_count <= sizeof bytes; byte_count++) {
            memset(bytes + 5, (int)letter * 7, sizeof bytes - 5);
            bytes[4] = (uint8_t)letter;
            listing_hear(directory, &(struct datagram){at, now_ns, bytes, byte_count});
        }
    assert_int_equal(directory->question_count, 1);
    assert_int_equal(count_listed(), 0);
    bytes[4] = 'A';
    for (uint8_t i = 1; i <= 200; i++) {
        memset(bytes + 5, i, 4);
        listing_hear(directory, &(struct datagram){at, now_ns, bytes, 9});
        listing_ask(directory, now_ns, &to, question);
    }
    assert_int_equal(directory->question_count, 1);
    server->is_reachable = true;
    pass(SECOND);
    assert_int_equal(count_listed(), 1);
}
