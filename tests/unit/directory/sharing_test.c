// SPDX-License-Identifier: MIT
//
// Two directories that share their list, in virtual time: one has changes, the other learns them.
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "directory/listing.h"
#include "directory/places.h"
#include "directory/punch_service.h"
#include "directory/store/store.h"
#include "test.h"

#define UNIX_MS UINT64_C(1764000000000)
#define BEGIN   (1000 * CLOCK_SECOND_NS)

static struct directory *directory;
static uint64_t now_ns;

static void begin(void)
{
    struct household_rules rules = {.players_max = 2};
    directory = malloc(sizeof *directory);
    assert_true(directory);
    directory_init(directory, NULL, &rules);
    directory->changes = calloc(1, sizeof *directory->changes);
    now_ns = BEGIN;
    assert_true(directory->changes);
}

static void finish(void)
{
    free(directory->changes);
    directory_clear(directory);
    free(directory);
}

static void begin_all(void)
{
    assert_true(sodium_init() >= 0);
}

ALL_TESTS(begin_all, NULL);
EACH_TEST(begin, finish);

// Writes an announcement of server `number`, with its key.
static char *write_announcement(uint8_t number, uint64_t time_ms, bool leaves, uint8_t key[SIGNED_TEXT_KEY_BYTES],
                                size_t *byte_count)
{
    uint8_t seed[32] = {number}, secret[SIGNED_TEXT_SECRET_BYTES];
    struct announcement announcement = {
        .time_ms = time_ms,
        .to = "d",
        .leaves = leaves,
        .port = 7,
        .facts = {.name = "S", .mode = "ffa", .map = "duel", .version = "1", .protocol = 10, .places = 2}};
    signed_text_keys(seed, key, secret);
    char *text = announcement_write(&announcement, key, secret, byte_count);
    assert_non_null(text);
    return text;
}

// Learns a change of server `number` at an address.
static bool learn(enum change_kind kind, uint8_t number, struct net_address address, uint64_t time_ms, uint32_t age_s)
{
    static struct change change;
    struct announcement announcement;
    change = (struct change){.kind = kind, .address = address, .at_ns = now_ns - age_s * CLOCK_SECOND_NS};
    change.proven_ns = change.at_ns;
    char *text = write_announcement(number, time_ms, kind == CHANGE_LEFT, change.key, &change.byte_count);
    memcpy(change.text, text, change.byte_count);
    free(text);
    assert_true(announcement_read(change.text, change.byte_count, &announcement, NULL));
    return listing_learn(directory, &change, directory_change_announces(kind) ? &announcement : NULL, now_ns);
}

// Server 9 announces itself here. Returns the code of the refusal, or -1.
static int announce(struct net_address from, uint64_t time_ms, bool leaves)
{
    struct listing_reply reply;
    struct error error;
    uint8_t key[SIGNED_TEXT_KEY_BYTES];
    size_t byte_count;
    char *text = write_announcement(9, time_ms, leaves, key, &byte_count);
    bool good =
        listing_announce(directory, text, byte_count, &from, (struct listing_time){now_ns, UNIX_MS}, &reply, &error);
    free(text);
    return good ? -1 : error.code;
}

static struct net_address ipv4(uint8_t last)
{
    return (struct net_address){{198, 51, 100, last, 0, 7}, ADDRESS_BYTES_IPV4};
}

static struct net_address ipv6(uint8_t last)
{
    return (struct net_address){{0x20, 0x01, 0x0D, 0xB8, [15] = last, [17] = 7}, ADDRESS_BYTES_MAX};
}

TEST(what_another_has_seen_is_listed_for_a_minute)
{
    struct server_list list;
    assert_true(learn(CHANGE_PROVEN, 1, ipv4(1), UNIX_MS, 50));
    assert_true(directory_list(directory, 7, &list));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.entries[0].addresses[0], "198.51.100.1:7");
    server_list_free(&list);
    now_ns += 9 * CLOCK_SECOND_NS;
    directory_sweep(directory, now_ns);
    assert_int_equal(directory_listed(directory, 0), 1);
    now_ns += CLOCK_SECOND_NS;
    directory_sweep(directory, now_ns);
    assert_int_equal(directory_listed(directory, 0), 0);
    assert_false(learn(CHANGE_PROVEN, 2, ipv4(2), UNIX_MS, 60));
}

// Two announcements that went to two directories at once may come in any order.
TEST(families_are_learned_in_any_order)
{
    assert_true(learn(CHANGE_PROVEN, 1, ipv6(1), UNIX_MS + 1, 0));
    assert_true(learn(CHANGE_PROVEN, 1, ipv4(1), UNIX_MS, 0));
    assert_int_equal(directory_listed(directory, 0), 1);
    assert_int_equal(directory_listed(directory, 1), 1);
    assert_true(learn(CHANGE_FAILED, 1, ipv6(1), UNIX_MS + 1, 0));
    assert_int_equal(directory_listed(directory, 1), 0);
    assert_int_equal(directory_listed(directory, 0), 1);
}

TEST(what_is_old_changes_nothing)
{
    assert_false(learn(CHANGE_FAILED, 1, ipv4(1), UNIX_MS, 0));
    assert_int_equal(directory->used, 0);
    assert_true(learn(CHANGE_PROVEN, 1, ipv4(1), UNIX_MS + 2, 0));
    assert_false(learn(CHANGE_PROVEN, 1, ipv4(9), UNIX_MS + 1, 0));
    assert_false(learn(CHANGE_FAILED, 1, ipv4(1), UNIX_MS + 1, 0));
    assert_false(learn(CHANGE_LEFT, 1, ipv4(1), UNIX_MS + 1, 0));
    assert_int_equal(directory_listed(directory, 0), 1);
    assert_true(learn(CHANGE_FAILED, 1, ipv4(9), UNIX_MS + 2, 0)); // of an address that it has not
    assert_int_equal(directory_listed(directory, 0), 1);
    assert_true(learn(CHANGE_LEFT, 1, ipv4(1), UNIX_MS + 3, 0));
    assert_int_equal(directory_listed(directory, 0), 0);
    assert_false(learn(CHANGE_PROVEN, 1, ipv4(1), UNIX_MS + 2, 0));
    assert_false(learn(CHANGE_PROVEN, 1, ipv6(1), UNIX_MS + 2, 0));
    assert_true(learn(CHANGE_PROVEN, 1, ipv4(1), UNIX_MS + 4, 0)); // it is back
    assert_int_equal(directory_listed(directory, 0), 1);
}

TEST(a_quota_holds_for_what_others_have_seen_or_introduce)
{
    for (uint8_t i = 1; i <= 3; i++)
        assert_true(learn(CHANGE_PROVEN, i, ipv4(1), UNIX_MS, 0) == (i <= 2));
    assert_int_equal(directory->refused[DIRECTORY_REFUSED_QUOTA], 1);
    assert_int_equal(directory->used, 2);
    assert_int_equal(announce(ipv4(1), UNIX_MS, false), DIRECTORY_REFUSED_QUOTA);
    assert_int_equal(announce(ipv4(2), UNIX_MS, false), -1);
    for (uint8_t i = 11; i <= 13; i++)
        assert_true(learn(CHANGE_MAPPED, i, ipv4(11), UNIX_MS, 0) == (i <= 12));
    assert_int_equal(directory->refused[DIRECTORY_REFUSED_QUOTA], 3);
}

TEST(places_that_others_reserve_count)
{
    struct directory_wanted wanted = {.mode = "", .region = ""};
    assert_false(learn(CHANGE_RESERVED, 1, ipv4(1), UNIX_MS, 0));
    assert_true(learn(CHANGE_PROVEN, 1, ipv4(1), UNIX_MS, 0));
    assert_true(learn(CHANGE_RESERVED, 1, ipv4(1), UNIX_MS, 5));
    assert_non_null(places_play(directory, &wanted, now_ns));
    assert_null(places_play(directory, &wanted, now_ns));
    assert_int_equal(directory->changes->end, 1); // our own is said, theirs is not said again
    assert_int_equal(directory->changes->changes[0].kind, CHANGE_RESERVED);
    now_ns += DIRECTORY_RESERVED_NS - 5 * CLOCK_SECOND_NS;
    assert_non_null(places_play(directory, &wanted, now_ns));
    assert_false(learn(CHANGE_RESERVED, 1, ipv4(1), UNIX_MS, 20));
}

TEST(a_household_has_one_place_at_all_directories)
{
    struct directory_wanted wanted = {
        .mode = "", .region = "", .from = {{203, 0, 113, 5}, ADDRESS_BYTES_IPV4}}; // of servers with two places
    assert_true(learn(CHANGE_PROVEN, 1, ipv4(1), UNIX_MS, 0));
    for (uint32_t i = 0; i < 3; i++)
        assert_true(learn(CHANGE_RESERVED, 1, wanted.from, UNIX_MS, 0));
    assert_int_equal(places_count_reserved(directory), 1);
    assert_non_null(places_play(directory, &wanted, now_ns));
    assert_int_equal(places_count_reserved(directory), 1);
    assert_true(net_address_equals(&directory->changes->changes[0].address, &wanted.from)); // others learn who has it
    wanted.from.bytes[3]++;
    assert_non_null(places_play(directory, &wanted, now_ns));
    wanted.from.bytes[3]++;
    assert_null(places_play(directory, &wanted, now_ns));
}

TEST(only_servers_that_have_proven_themselves_are_shared)
{
    assert_int_equal(announce(ipv4(1), UNIX_MS, false), -1);
    assert_int_equal(announce(ipv4(1), UNIX_MS + 1, true), -1);
    assert_int_equal(directory->changes->end, 0);
}

TEST(what_another_introduces_is_listed_here_until_it_registers_no_more)
{
    struct server_list list;
    directory->punch_port = 9;
    assert_true(learn(CHANGE_MAPPED, 1, ipv4(1), UNIX_MS, 0));
    assert_true(directory_list(directory, 7, &list));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.entries[0].addresses[0], "");
    assert_string_equal(list.entries[0].mappings[0], "198.51.100.1:7");
    assert_int_equal(list.entries[0].punch_port, 9);
    server_list_free(&list);
    assert_int_equal(directory->changes->end, 0); // it is not said again
    assert_false(learn(CHANGE_MAPPED, 1, ipv4(2), UNIX_MS, 5));
    assert_true(learn(CHANGE_MAPPED, 1, ipv4(3), UNIX_MS - 1, 0)); // the registration counts, not the announcement
    assert_true(learn(CHANGE_PROVEN, 1, ipv4(3), UNIX_MS, 0));
    assert_true(learn(CHANGE_MAPPED, 1, ipv4(3), UNIX_MS, 0));
    assert_int_equal(directory_listed(directory, 0), 1); // both kinds stand beside each other
    assert_true(learn(CHANGE_LEFT, 1, ipv4(3), UNIX_MS + 1, 0));
    assert_true(learn(CHANGE_MAPPED, 2, ipv4(3), UNIX_MS, 0));
    now_ns += DIRECTORY_MAPPING_NS;
    directory_sweep(directory, now_ns);
    assert_true(directory_list(directory, 7, &list));
    assert_int_equal(list.count, 0);
    server_list_free(&list);
}

// Gives the service of introductions a client's question about server 1, with its cookie. Returns the answers.
static uint32_t ask(struct punch_service *service, struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS])
{
    uint8_t bytes[PUNCH_PACKET_BYTES_MAX];
    struct net_address client = ipv4(77);
    struct punch_packet packet = {.kind = PUNCH_PACKET_ASK, .nonce = {1, 2, 3}};
    memcpy(packet.fingerprint, directory->entries[0].last.fingerprint, sizeof packet.fingerprint);
    uint64_t cookie = net_address_cookie(service->cookie_key, &client, now_ns);
    for (size_t i = 0; i < sizeof packet.cookie; i++)
        packet.cookie[i] = (uint8_t)(cookie >> 8 * i);
    struct datagram datagram = {client, now_ns, bytes, punch_packet_write(&packet, bytes)};
    return punch_service_take(service, directory, &datagram, UNIX_MS, outputs);
}

TEST(who_asks_here_is_introduced_by_the_directory_that_can)
{
    static struct punch_service service;
    struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS];
    uint8_t seed[32] = {8}, key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    signed_text_keys(seed, key, secret);
    punch_service_init(&service, secret, 258);
    assert_true(learn(CHANGE_MAPPED, 1, ipv4(1), UNIX_MS, 0));
    assert_int_equal(ask(&service, outputs), 1);
    assert_int_equal(directory->introductions.unknown, 1); // Redis is away: nobody would hear of it
    directory->sharing.is_up = directory->entries[0].text_bytes > 0;
    assert_int_equal(ask(&service, outputs), 1); // only the client has an answer
    assert_int_equal(directory->introductions.introduced, 1);
    assert_int_equal(directory->changes->end, 1);
    struct change asked = directory->changes->changes[0], other = asked;
    struct net_address client = ipv4(77);
    assert_int_equal(asked.kind, CHANGE_ASKED);
    assert_true(net_address_equals(&asked.address, &client));
    assert_int_equal(asked.nonce[2], 3);
    assert_true(listing_learn(directory, &asked, NULL, now_ns)); // it is for another one
    assert_int_equal(directory->relay_count, 0);
    directory->entries[0].addresses[0].mapping.is_elsewhere = false; // and now it is that one
    other.at_ns -= 5 * CLOCK_SECOND_NS;
    assert_false(listing_learn(directory, &other, NULL, now_ns)); // that client has given up
    assert_true(listing_learn(directory, &asked, NULL, now_ns));
    assert_int_equal(punch_service_relay(&service, directory, UNIX_MS, outputs), 1);
    struct net_address server = ipv4(1);
    assert_true(net_address_equals(&outputs[0].to, &server));
    assert_int_equal(outputs[0].bytes[4], 'X');
    assert_int_equal(punch_service_relay(&service, directory, UNIX_MS, outputs), 0);
    for (uint32_t i = 0; i <= DIRECTORY_RELAYS_MAX; i++)
        assert_true(listing_learn(directory, &asked, NULL, now_ns) == (i < DIRECTORY_RELAYS_MAX));
}

TEST(a_place_behind_a_router_is_answered_with_the_way_to_it)
{
    static const struct {
        const char *through, *suffix;
        uint16_t punch_port;
    } rows[] = {
        /* 1 */ {"d.example.org:27480", "@d.example.org:9", 9},
        /* 2 */ {"[2001:db8::1]", "@[2001:db8::1]:9", 9},
        /* 3 */ {"", NULL, 9},
        /* 4 */ {"a b", NULL, 9},
        /* 5 */ {"d.example.org", NULL, 0}, // it introduces nobody
    };
    char line[256];
    struct directory_wanted wanted = {.mode = "", .region = ""};
    assert_true(learn(CHANGE_MAPPED, 1, ipv4(1), UNIX_MS, 0));
    directory->entries[0].last.facts.places = 16;
    const char *fingerprint = directory->entries[0].last.fingerprint;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        directory->punch_port = rows[i].punch_port;
        char *given = places_line_play(directory, &wanted, rows[i].through, now_ns);
        snprintf(line, sizeof line, "198.51.100.1:7#%s%s\n", fingerprint, rows[i].suffix ? rows[i].suffix : "");
        if ((given != NULL) != (rows[i].suffix != NULL) || (given && strcmp(given, line) != 0))
            fail_msg("row %zu: %s", i + 1, given ? given : "none");
        free(given);
    }
    directory->punch_port = 9;
    directory->entries[0].addresses[0].mapping.varies = true; // there may be no way to it
    assert_null(places_line_play(directory, &wanted, "d", now_ns));
    directory->entries[0].addresses[0].mapping.varies = false;
    assert_true(learn(CHANGE_PROVEN, 2, ipv4(2), UNIX_MS, 0)); // a way that is open is better
    char *given = places_line_play(directory, &wanted, "d", now_ns);
    snprintf(line, sizeof line, "198.51.100.2:7#%s\n", directory->entries[1].last.fingerprint);
    assert_string_equal(given, line);
    free(given);
}

TEST(a_queue_that_nobody_empties_loses_the_oldest)
{
    static struct change change;
    for (uint32_t i = 0; i < CHANGE_QUEUE_CAPACITY + 3; i++)
        directory_push_change(directory->changes)->at_ns = i;
    assert_int_equal(directory->changes->lost, 3);
    for (uint32_t i = 3; i < CHANGE_QUEUE_CAPACITY + 3; i++)
        assert_true(directory_pop_change(directory->changes, &change) && change.at_ns == i);
    assert_false(directory_pop_change(directory->changes, &change));
}

BARE_TEST(addresses_of_stores)
{
    struct store_address address;
    static const struct {
        const char *text, *host;
        uint16_t port;
        uint32_t database;
    } rows[] = {
        {"redis://h", "h", 6379, 0},
        {"redis://h/", "h", 6379, 0},
        {"redis://h:7/3", "h", 7, 3},
        {"redis://[::1]:7", "::1", 7, 0},
        {"redis://10.0.0.1/15", "10.0.0.1", 6379, 15},
        {"rediss://h:7/3", "h", 7, 3},
    };
    static const char *const wrong[] = {"",
                                        "h:7",
                                        "redis://",
                                        "redis://:7",
                                        "redis://h:0",
                                        "redis://h/x",
                                        "redis://h/-1",
                                        "redis://h/1/",
                                        "redis://u@h:7",
                                        "redisss://h",
                                        "rediss://"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(store_address_parse(rows[i].text, &address));
        assert_string_equal(address.place.host, rows[i].host);
        assert_int_equal(address.place.port, rows[i].port);
        assert_int_equal(address.database, rows[i].database);
        assert_int_equal(address.is_secure, strncmp(rows[i].text, "rediss:", 7) == 0);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(store_address_parse(wrong[i], &address));
}
