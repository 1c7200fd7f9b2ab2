// SPDX-License-Identifier: MIT
//
// A directory, servers and clients in virtual time, all with the real code, and between them a network in which routers
// give ports and let in only what was asked for.
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/little_endian.h"
#include "directory/listing.h"
#include "directory/punch_service.h"
#include "net/punch.h"
#include "test.h"

#define UNIX_MS UINT64_C(1764000000000)
#define SECOND  CLOCK_SECOND_NS
#define QUEUE   4096

static const struct net_address FIRST = {{203, 0, 113, 1, 1, 1}, 6}, SECOND_PORT = {{203, 0, 113, 1, 1, 2}, 6};

static struct directory *directory;
static struct punch_service service;
static struct punch_host host;
static struct punch_client client;
static uint8_t directory_key[32], directory_secret[64], server_key[32], server_secret[64];
static char fingerprint[FINGERPRINT_TEXT_BYTES];
static struct net_address found; // where the client believes the server to be
static uint64_t now_ns, time_ms;
static uint32_t holes_in; // that have reached the client

// Whose router it is, which address of the internet it has, and whether each destination gets a port of its own.
struct router {
    struct net_address outside;
    bool varies;
    struct net_address open[16]; // to these something was sent
    uint32_t count;
};

static struct router server_router, client_router;

static uint64_t unix_ms(void)
{
    return UNIX_MS + (now_ns - 1000 * SECOND) / CLOCK_MS_NS;
}

static void begin(void)
{
    static const uint8_t seeds[2][32] = {{1}, {2}};
    uint8_t own[32], theirs[32];
    struct household_rules rules = {.players_max = 16, .limits_lan = true};
    directory = calloc(1, sizeof *directory);
    assert_true(directory && sodium_init() >= 0);
    directory_init(directory, NULL, &rules);
    directory->punch_port = 257;
    signed_text_keys(seeds[0], directory_key, directory_secret);
    signed_text_keys(seeds[1], server_key, server_secret);
    assert_int_equal(crypto_sign_ed25519_pk_to_curve25519(theirs, server_key), 0);
    identity_fingerprint(theirs, fingerprint);
    punch_service_init(&service, directory_secret, 258);
    now_ns = 1000 * SECOND;
    time_ms = holes_in = 0;
    punch_host_init(&host, fingerprint);
    struct punch_host_directory at = {.address = FIRST};
    assert_int_equal(crypto_sign_ed25519_pk_to_curve25519(theirs, directory_key), 0);
    assert_int_equal(crypto_sign_ed25519_sk_to_curve25519(own, server_secret), 0);
    assert_true(punch_packet_key(own, theirs, at.key));
    punch_host_set(&host, &at, 1, now_ns);
    punch_client_begin(&client, &FIRST, fingerprint, now_ns);
    server_router = (struct router){.outside = {{198, 51, 100, 2, 2, 0}, 6}};
    client_router = (struct router){.outside = {{192, 0, 2, 2, 3, 0}, 6}};
    found = (struct net_address){.byte_count = 0};
}

static void finish(void)
{
    free(directory);
}

EACH_TEST(begin, finish);

static void announce(void)
{
    size_t byte_count;
    struct error error;
    struct listing_reply reply;
    struct announcement announcement = {
        .time_ms = unix_ms() > time_ms ? unix_ms() : time_ms + 1,
        .to = "d",
        .port = 512,
        .facts = {.name = "S", .mode = "ffa", .map = "duel", .version = "0.1.0", .protocol = 10, .places = 16}};
    struct net_address from = {{198, 51, 100, 2}, 6};
    time_ms = announcement.time_ms;
    char *text = announcement_write(&announcement, server_key, server_secret, &byte_count);
    assert_true(
        listing_announce(directory, text, byte_count, &from, (struct listing_time){now_ns, unix_ms()}, &reply, &error));
    free(text);
}

// A router gives the same port to all destinations, or each its own.
static struct net_address pass_out(struct router *router, const struct net_address *to)
{
    uint32_t i = 0;
    while (i < router->count && !net_address_equals(&router->open[i], to))
        i++;
    if (i == router->count && i < 16)
        router->open[router->count++] = *to;
    return net_address_with_port(&router->outside, (uint16_t)(600 + (router->varies ? i : 0)));
}

static bool lets_in(const struct router *router, const struct net_address *from, const struct net_address *to)
{
    for (uint32_t i = 0; i < router->count; i++) {
        struct net_address at = net_address_with_port(&router->outside, (uint16_t)(600 + (router->varies ? i : 0)));
        if (net_address_equals(&router->open[i], from) && net_address_equals(&at, to))
            return true;
    }
    return false;
}

struct envelope {
    struct net_address from, to;
    size_t byte_count;
    uint8_t bytes[PUNCH_PACKET_BYTES_MAX];
};

static struct envelope queue[QUEUE];
static uint32_t queued;

static void post(const struct net_address *from, const struct net_address *to, const uint8_t *bytes, size_t byte_count)
{
    assert_true(queued < QUEUE);
    queue[queued] = (struct envelope){.from = *from, .to = *to, .byte_count = byte_count};
    memcpy(queue[queued++].bytes, bytes, byte_count);
}

static void deliver_to_directory(const struct datagram *datagram, bool is_second)
{
    struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS];
    uint32_t count = is_second ? punch_service_see(&service, datagram, outputs)
                               : punch_service_take(&service, directory, datagram, unix_ms(), outputs);
    for (uint32_t i = 0; i < count; i++)
        post(is_second ? &SECOND_PORT : &FIRST, &outputs[i].to, outputs[i].bytes, outputs[i].byte_count);
}

static void deliver(const struct envelope *envelope)
{
    struct datagram datagram = {envelope->from, now_ns, envelope->bytes, envelope->byte_count};
    struct punch_packet packet;
    if (net_address_equals(&envelope->to, &FIRST) || net_address_equals(&envelope->to, &SECOND_PORT)) {
        deliver_to_directory(&datagram, net_address_equals(&envelope->to, &SECOND_PORT));
    } else if (lets_in(&server_router, &envelope->from, &envelope->to)) {
        punch_host_take(&host, &datagram);
    } else if (lets_in(&client_router, &envelope->from, &envelope->to)) {
        holes_in +=
            punch_packet_read(&packet, envelope->bytes, envelope->byte_count) && packet.kind == PUNCH_PACKET_HOLE;
        punch_client_take(&client, &datagram, &found);
    }
}

// Lets everybody send what is due, and carries it, for a time. The client sends its HELLO, too: here it is any byte.
static void run(uint64_t time_ns)
{
    uint8_t bytes[PUNCH_PACKET_BYTES_MAX];
    struct net_address to, from;
    size_t count;
    for (uint64_t end_ns = now_ns + time_ns; now_ns < end_ns; now_ns += 20 * CLOCK_MS_NS) {
        while ((count = punch_host_due(&host, now_ns, &to, bytes)) > 0) {
            from = pass_out(&server_router, &to);
            post(&from, &to, bytes, count);
        }
        while ((count = punch_client_due(&client, now_ns, &to, bytes)) > 0) {
            from = pass_out(&client_router, &to);
            post(&from, &to, bytes, count);
        }
        if (found.byte_count > 0)
            pass_out(&client_router, &found);
        for (uint32_t i = 0; i < queued; i++)
            deliver(&queue[i]);
        queued = 0;
        directory_sweep(directory, now_ns);
    }
}

TEST(a_client_is_introduced_to_a_server_behind_a_router)
{
    struct server_list list;
    announce();
    run(2 * SECOND);
    assert_true(client.is_introduced);
    assert_true(client.is_opened);
    assert_true(holes_in > 0);
    assert_string_equal(punch_client_failure(&(struct punch_client){.is_on = false}), "");
    assert_true(directory_list(directory, 1, &list));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.entries[0].addresses[0], "");
    assert_string_equal(list.entries[0].mappings[0], "198.51.100.2:600");
    assert_int_equal(list.entries[0].punch_port, 257);
    server_list_free(&list);
}

TEST(only_routers_that_both_keep_their_port_let_a_client_in)
{
    static const struct {
        bool server_varies, client_varies, is_opened;
        const char *said;
    } rows[] = {
        /* 1 */ {false, false, true, "both were asked"},
        /* 2 */ {true, false, false, "a new port for each"},
        /* 3 */ {false, true, false, "a new port for each"},
        /* 4 */ {true, true, false, "a new port for each"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        finish();
        begin();
        server_router.varies = rows[i].server_varies;
        client_router.varies = rows[i].client_varies;
        announce();
        run(20 * SECOND); // the server says with its second registration what its router does
        found.byte_count = 0;
        client_router.count = 0;
        punch_client_begin(&client, &FIRST, fingerprint, now_ns);
        run(4 * SECOND);
        if (client.is_opened != rows[i].is_opened || !strstr(punch_client_failure(&client), rows[i].said))
            fail_msg("row %zu: %d, %s", i + 1, client.is_opened, punch_client_failure(&client));
    }
}

TEST(a_client_learns_why_nobody_comes)
{
    assert_non_null(strstr(punch_client_failure(&client), "does not answer"));
    run(SECOND); // nobody has announced
    assert_non_null(strstr(punch_client_failure(&client), "knows no such server"));
}

// Takes the next datagram of a kind to an address from what a round sends.
static struct envelope catch (enum punch_packet_kind kind)
{
    struct punch_packet packet;
    for (uint32_t i = 0; i < queued; i++)
        if (punch_packet_read(&packet, queue[i].bytes, queue[i].byte_count) && packet.kind == kind)
            return queue[i];
    fail();
    return queue[0];
}

static bool host_takes(const struct net_address *from, const uint8_t *bytes, size_t byte_count)
{
    struct datagram datagram = {*from, now_ns, bytes, byte_count};
    return punch_host_take(&host, &datagram) == DATAGRAM_CONSUMED;
}

// A request with the cookie of its sender, as a client or a server sends it.
static uint32_t request(const struct net_address *from, const struct punch_packet *packet, const uint8_t *key,
                        struct punch_service_output *outputs)
{
    uint8_t bytes[PUNCH_PACKET_BYTES_MAX];
    struct punch_packet whole = *packet;
    memcpy(whole.fingerprint, fingerprint, sizeof whole.fingerprint);
    little_endian_write(whole.cookie, net_address_cookie(service.cookie_key, from, now_ns), 8);
    size_t byte_count = punch_packet_write(&whole, bytes);
    if (key)
        punch_packet_authenticate(bytes, byte_count, key, whole.nonce);
    struct datagram datagram = {*from, now_ns, bytes, byte_count};
    return punch_service_take(&service, directory, &datagram, unix_ms(), outputs);
}

TEST(an_expectation_is_believed_once_from_its_directory_and_in_this_run)
{
    struct net_address asker = {{192, 0, 2, 77, 9, 9}, 6}, stranger = {{192, 0, 2, 78, 9, 9}, 6};
    struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS];
    struct punch_packet ask = {.kind = PUNCH_PACKET_ASK};
    announce();
    run(SECOND);
    assert_int_equal(request(&asker, &ask, NULL, outputs), 2);
    post(&FIRST, &outputs[1].to, outputs[1].bytes, outputs[1].byte_count);
    struct envelope expect = catch (PUNCH_PACKET_EXPECT);
    queued = 0;
    uint64_t refused = host.refused;
    for (size_t i = 5; i < expect.byte_count; i++)
        for (uint8_t bit = 1; bit != 0; bit = (uint8_t)(bit << 1)) {
            expect.bytes[i] ^= bit;
            assert_false(host_takes(&FIRST, expect.bytes, expect.byte_count));
            expect.bytes[i] ^= bit;
        }
    assert_true(host.refused > refused);
    assert_false(host_takes(&stranger, expect.bytes, expect.byte_count));
    assert_false(host_takes(&SECOND_PORT, expect.bytes, expect.byte_count));
    uint64_t expected = host.expected;
    assert_true(host_takes(&FIRST, expect.bytes, expect.byte_count));
    assert_int_equal(host.expected, expected + 1);
    assert_false(host_takes(&FIRST, expect.bytes, expect.byte_count)); // again
    struct punch_host again = host;
    punch_host_init(&host, fingerprint);
    punch_host_set(&host, &again.rows[0].directory, 1, now_ns);
    assert_false(host_takes(&FIRST, expect.bytes, expect.byte_count)); // another run
}

TEST(a_directory_elsewhere_cannot_aim_at_this_machine_or_at_many)
{
    static const struct {
        uint8_t place[19];
        bool is_good;
    } rows[] = {
        /* 1 */ {{6, 192, 0, 2, 1, 1, 1}, true},
        /* 2 */ {{6, 127, 0, 0, 1, 1, 1}, false},
        /* 3 */ {{6, 224, 0, 0, 1, 1, 1}, false},
        /* 4 */ {{6, 255, 255, 255, 255, 1, 1}, false},
        /* 5 */ {{6, 0, 0, 0, 0, 1, 1}, false},
        /* 6 */ {{6, 192, 0, 2, 1, 0, 0}, false},
        /* 7 */ {{18, 0xFF, 2, [16] = 1, 1, 1}, false},
        /* 8 */ {{18, [16] = 1, 1, 1}, false},
        /* 9 */ {{18, [17] = 1, 1}, false},
        /* 10 */ {{18, 0x20, 1, [16] = 1, 1, 1}, true},
        /* 11 */ {{7, 192, 0, 2, 1, 1, 1}, false},
    };
    uint8_t bytes[PUNCH_PACKET_BYTES_MAX];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct punch_packet packet = {.kind = PUNCH_PACKET_EXPECT, .number = {(uint8_t)(i + 1)}};
        memcpy(packet.place, rows[i].place, sizeof packet.place);
        size_t byte_count = punch_packet_write(&packet, bytes);
        punch_packet_authenticate(bytes, byte_count, host.rows[0].directory.key, host.nonce);
        if (host_takes(&FIRST, bytes, byte_count) != rows[i].is_good)
            fail_msg("row %zu", i + 1);
    }
}

TEST(strangers_get_a_cookie_and_nothing_longer_than_what_they_send)
{
    uint8_t bytes[PUNCH_PACKET_BYTES_MAX];
    struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS];
    struct net_address stranger = {{192, 0, 2, 78, 9, 9}, 6};
    announce();
    run(SECOND);
    uint64_t introduced = directory->introductions.introduced, registered = directory->introductions.registered;
    for (uint32_t kind = 0; kind < PUNCH_PACKET_KINDS; kind++)
        for (uint32_t second = 0; second < 2; second++) {
            struct punch_packet packet = {.kind = (enum punch_packet_kind)kind, .cookie = {1, 2, 3}};
            memcpy(packet.fingerprint, fingerprint, sizeof packet.fingerprint);
            struct datagram datagram = {stranger, now_ns, bytes, punch_packet_write(&packet, bytes)};
            uint32_t count = second ? punch_service_see(&service, &datagram, outputs)
                                    : punch_service_take(&service, directory, &datagram, unix_ms(), outputs);
            bool is_request = kind == PUNCH_PACKET_ASK || kind == PUNCH_PACKET_REGISTER;
            assert_int_equal(count, is_request);
            if (count > 0) {
                assert_true(outputs[0].byte_count < datagram.byte_count);
                assert_true(net_address_equals(&outputs[0].to, &stranger));
            }
        }
    assert_int_equal(directory->introductions.introduced, introduced);
    assert_int_equal(directory->introductions.registered, registered);
}

TEST(nobody_registers_in_the_place_of_a_server)
{
    struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS];
    struct net_address stranger = {{192, 0, 2, 78, 9, 9}, 6};
    struct punch_packet packet = {.kind = PUNCH_PACKET_REGISTER};
    static const uint8_t key[PUNCH_PACKET_KEY_BYTES] = {1};
    announce();
    run(SECOND);
    assert_int_equal(request(&stranger, &packet, key, outputs), 0);
    assert_int_equal(directory->introductions.forged, 1);
    assert_int_equal(request(&stranger, &packet, host.rows[0].directory.key, outputs), 1); // the server has moved
    struct directory_entry *entry = directory_find(directory, fingerprint);
    assert_true(net_address_equals(&entry->addresses[0].mapping.address, &stranger));
}

TEST(a_flood_of_asks_reaches_the_server_no_oftener_than_a_household_may)
{
    struct punch_service_output outputs[PUNCH_SERVICE_OUTPUTS];
    struct punch_packet ask = {.kind = PUNCH_PACKET_ASK};
    struct net_address flooder = {{192, 0, 2, 66, 9, 9}, 6}, honest = {{192, 0, 2, 67, 9, 9}, 6};
    announce();
    run(SECOND);
    uint64_t introduced = directory->introductions.introduced, expected = host.expected;
    for (uint32_t i = 0; i < 10000; i++) {
        now_ns += CLOCK_MS_NS; // for ten seconds
        if (request(&flooder, &ask, NULL, outputs) == 2)
            host_takes(&FIRST, outputs[1].bytes, outputs[1].byte_count);
    }
    assert_in_range(directory->introductions.introduced - introduced, 32, 80);
    assert_true(host.expected - expected <= directory->introductions.introduced - introduced);
    assert_true(directory->introductions.too_many > 9900);
    assert_int_equal(request(&honest, &ask, NULL, outputs), 2);
    assert_true(host_takes(&FIRST, outputs[1].bytes, outputs[1].byte_count));
}

TEST(a_server_that_registers_no_more_is_forgotten)
{
    announce();
    run(SECOND);
    assert_int_equal(directory_find(directory, fingerprint)->addresses[0].mapping.address.byte_count, 6);
    punch_host_set(&host, NULL, 0, now_ns);
    run(40 * SECOND);
    announce();
    directory->has_changed = false;
    run(12 * SECOND);
    assert_int_equal(directory_find(directory, fingerprint)->addresses[0].mapping.address.byte_count, 0);
    assert_true(directory->has_changed);
}

TEST(a_server_registers_seldom_and_again_when_its_directory_has_forgotten)
{
    announce();
    run(SECOND);
    uint64_t registered = directory->introductions.registered;
    for (uint32_t i = 0; i < 3; i++) {
        announce();
        run(20 * SECOND);
    }
    assert_int_equal(directory->introductions.registered - registered, 4);
    announce();
    randombytes_buf(service.cookie_key, sizeof service.cookie_key); // as if it had started again
    run(20 * SECOND);
    assert_true(directory->introductions.registered - registered >= 5);
}

TEST(routes_are_read)
{
#define KEY         "abcdefghijklmnopqrstuvwxyz234567"
#define CERTIFICATE "rUVXWfJ0qV8AxUVUxyWVd0_fC7kmCz-ZgVnFL9XJ8Q4"
    static const struct {
        const char *text, *host;
        uint16_t port;
        const char *certificate;
    } rows[] = {
        /*  1 */ {KEY, "", 0, ""},
        /*  2 */ {KEY "@example.org:27480", "example.org", 27480, ""},
        /*  3 */ {KEY "@[2001:db8::1]:1", "2001:db8::1", 1, ""},
        /*  4 */ {KEY "@example.org", NULL, 0, ""},
        /*  5 */ {KEY "@example.org:0", NULL, 0, ""},
        /*  6 */ {KEY "@", NULL, 0, ""},
        /*  7 */ {KEY "a", NULL, 0, ""},
        /*  8 */ {"", NULL, 0, ""},
        /*  9 */ {"@example.org:1", NULL, 0, ""},
        /* 10 */ {KEY "@a b:1", NULL, 0, ""},
        /* 11 */ {KEY "@2001:db8::1:1", NULL, 0, ""},
        /* 12 */ {KEY "@a@b:1", NULL, 0, ""},
        /* 13 */ {KEY "." CERTIFICATE, "", 0, CERTIFICATE},
        /* 14 */ {KEY "." CERTIFICATE "@example.org:27480", "example.org", 27480, CERTIFICATE},
        /* 15 */ {KEY ".", NULL, 0, ""},
        /* 16 */ {KEY "." CERTIFICATE "A", NULL, 0, ""},
        /* 17 */ {KEY ".A" CERTIFICATE, NULL, 0, ""},
        /* 18 */ {KEY "." KEY, NULL, 0, ""},
        /* 19 */ {"." CERTIFICATE, NULL, 0, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct punch_client_route route;
        bool good = punch_client_read_route(rows[i].text, &route);
        if (good != (rows[i].host != NULL) ||
            (good && (strcmp(route.host, rows[i].host) != 0 || route.port != rows[i].port ||
                      strcmp(route.certificate, rows[i].certificate) != 0)))
            fail_msg("row %zu", i + 1);
    }
}
