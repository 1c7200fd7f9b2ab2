// SPDX-License-Identifier: MIT
//
// Tests the ENet transport over real loopback sockets. Nothing depends on the speed of the machine: each wait ends
// when the event arrives, or fails after ten seconds.
#include <arpa/inet.h>
#include <enet/enet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/enet/enet_transport.h"
#include "net/transport.h"
#include "test.h"

// Replaces the C library's functions: the allocation with this number fails; 0: none.
static int allocation_fails_at;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
    return allocation_fails_at && --allocation_fails_at == 0 ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_fails_at && --allocation_fails_at == 0 ? NULL : __real_calloc(count, size);
}

static uint64_t clock_ahead_ns; // of the clock of the product

static bool is_opening; // the data channel of a page
bool __wrap_udp_is_opening(int socket);

bool __wrap_udp_is_opening(int socket)
{
    return socket >= 0 && is_opening;
}

uint64_t __real_clock_now_ns(void);
uint64_t __wrap_clock_now_ns(void);

uint64_t __wrap_clock_now_ns(void)
{
    return __real_clock_now_ns() + clock_ahead_ns;
}

// A name server for which every name is this machine.
int __real_getaddrinfo(const char *host, const char *service, const struct addrinfo *wanted, struct addrinfo **found);
int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *wanted, struct addrinfo **found);

int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *wanted, struct addrinfo **found)
{
    bool is_name = (host[0] | 0x20) == 'p' && !(wanted->ai_flags & AI_NUMERICHOST);
    return __real_getaddrinfo(is_name ? "127.0.0.1" : host, service, wanted, found);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#define PATIENCE_NS 600000000000u // then something is wrong

// Serves both ends until `side` has an event.
static struct net_event next_event(struct transport *side, struct transport *other)
{
    struct net_event event, ignored;
    for (uint64_t end_ns = now_ns() + PATIENCE_NS; now_ns() < end_ns;) {
        if (transport_poll(side, &event))
            return event;
        if (other)
            while (transport_poll(other, &ignored)) {
            }
        transport_wait(side, now_ns() + 1000000);
    }
    fail_msg("nothing came in ten minutes");
    return event;
}

static struct transport *server, *client;
static uint32_t peer; // of the client, at the server
static struct net_endpoint endpoint;
static struct error error;

static struct transport *try_server(struct net_server_config config)
{
    config.bind_address = config.bind_address ? config.bind_address : "127.0.0.1";
    config.peer_capacity = 8;
    return enet_transport_open_server(&config, &endpoint, &error);
}

static void open_server(struct net_server_config config)
{
    server = try_server(config);
    if (!server)
        fail_msg("%s", error.text);
}

// A client of that server.
static void open_client(struct net_client_config config)
{
    config.host = config.host ? config.host : "127.0.0.1";
    config.port = endpoint.port;
    client = enet_transport_open_client(&config, &error);
    assert_non_null(client);
}

static void open_pair_on(const char *address)
{
    struct net_event event;
    open_server((struct net_server_config){.bind_address = address});
    assert_int_not_equal(endpoint.port, 0);
    open_client((struct net_client_config){.host = address});
    // The server has no event until the client has answered, so both are polled in turn.
    bool server_knows = false, client_knows = false;
    for (uint64_t end_ns = now_ns() + PATIENCE_NS; !(server_knows && client_knows) && now_ns() < end_ns;) {
        if (transport_poll(client, &event))
            client_knows = event.kind == NET_CONNECTED;
        if (transport_poll(server, &event)) {
            server_knows = event.kind == NET_CONNECTED;
            assert_non_null(event.client);
            char from[NET_ADDRESS_TEXT_BYTES];
            net_address_text(&event.client->address, from);
            assert_non_null(strstr(from, address));
            peer = event.peer;
        }
    }
    assert_true(server_knows && client_knows);
}

static void open_pair(void)
{
    open_pair_on("127.0.0.1");
}

static void close_pair(void)
{
    transport_close(client);
    transport_close(server);
    client = server = NULL;
}

EACH_TEST(NULL, close_pair);

static void drain(struct transport *transport)
{
    struct net_event event;
    while (transport_poll(transport, &event))
        continue;
}

static struct net_totals totals_of(const struct transport *transport)
{
    struct net_totals totals;
    transport_totals(transport, &totals);
    return totals;
}

static void say(struct transport *transport, uint32_t to, enum net_channel channel, const char *text)
{
    assert_true(transport_send(transport, to, channel, (const uint8_t *)text, strlen(text)));
    transport_flush(transport);
}

TEST(messages_of_every_kind_and_size_arrive_both_ways)
{
    open_pair();
    uint8_t bytes[NET_MESSAGE_BYTES_MAX];
    static const size_t sizes[] = {1, 2, 100, 1100, NET_MESSAGE_BYTES_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int channel = NET_RELIABLE; channel <= NET_APART; channel++) {
            memset(bytes, (int)(i * 2) + channel, sizeof bytes);
            assert_true(transport_send(client, 0, (enum net_channel)channel, bytes, sizes[i]));
            transport_flush(client);
            struct net_event event = next_event(server, NULL);
            assert_int_equal(event.kind, NET_MESSAGE);
            assert_int_equal(event.peer, peer);
            assert_int_equal(event.byte_count, sizes[i]);
            assert_memory_equal(event.bytes, bytes, sizes[i]);
            assert_true(transport_send(server, peer, (enum net_channel)channel, bytes, sizes[i]));
            transport_flush(server);
            event = next_event(client, NULL);
            assert_int_equal(event.byte_count, sizes[i]);
            assert_memory_equal(event.bytes, bytes, sizes[i]);
        }
    }
}

TEST(ipv6_works_too)
{
    server = try_server((struct net_server_config){.bind_address = "::1"});
    if (!server)
        skip(); // a machine without IPv6
    transport_close(server);
    open_pair_on("::1");
    say(client, 0, NET_RELIABLE, "six");
    assert_int_equal(next_event(server, client).byte_count, 3);
}

TEST(a_client_that_is_not_admitted_learns_why)
{
    open_server((struct net_server_config){.protocol = 2});
    open_client((struct net_client_config){.protocol = 1});
    assert_int_equal(next_event(client, server).kind, NET_DISCONNECTED);
    assert_non_null(strstr(transport_error(client), "another version"));
    struct net_event event;
    assert_false(transport_poll(client, &event)); // once
}

TEST(an_empty_and_an_oversized_message_are_refused)
{
    open_pair();
    uint8_t bytes[NET_MESSAGE_BYTES_MAX + 1] = {0};
    for (int channel = NET_RELIABLE; channel <= NET_APART; channel++) {
        assert_false(transport_send(client, 0, (enum net_channel)channel, bytes, 0));
        assert_false(transport_send(client, 0, (enum net_channel)channel, bytes, sizeof bytes));
    }
    assert_false(transport_send(client, 1, NET_RELIABLE, bytes, 1)); // no such peer
    assert_false(transport_send(server, 7, NET_RELIABLE, bytes, 1)); // nobody there
    assert_int_equal(totals_of(server).rejected, 0);                 // which is no fault of the server
}

TEST(the_key_of_a_server_on_this_machine_is_not_remembered)
{
    char folder[] = "/tmp/deadfall_known_XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/known_servers", folder);
    open_server((struct net_server_config){.port = 0});
    open_client((struct net_client_config){.known_servers_path = path});
    assert_int_equal(next_event(client, server).kind, NET_CONNECTED);
    assert_int_not_equal(access(path, F_OK), 0);
    rmdir(folder);
}

// Writes a list in which a name with this port has another key.
static void pin(const char *path, const char *name, uint16_t port)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s:%u aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", name, port);
    fclose(file);
}

TEST(a_pinned_server_is_refused_under_every_spelling)
{
    static const struct {
        const char *pinned, *host;
        bool refused;
    } rows[] = {
        /* 0 */ {"play.example.org", "play.example.org", true}, // although it resolves to loopback
        /* 1 */ {"play.example.org", "Play.Example.Org", true},
        /* 2 */ {"play.example.org", "play.example.org.", true},
        /* 3 */ {"Play.Example.ORG.", "play.example.org", true}, // as older versions wrote it
        /* 4 */ {"play.example.org", "play.example.com", false},
        /* 5 */ {"127.0.0.1", "127.0.0.1", false}, // this machine's own servers come and go
        /* 6 */ {"127.0.0.1", "LocalHost", false},
    };
    char path[] = "/tmp/deadfall_known_XXXXXX";
    close(mkstemp(path));
    open_server((struct net_server_config){.port = 0});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pin(path, rows[i].pinned, endpoint.port);
        open_client((struct net_client_config){.host = rows[i].host, .known_servers_path = path});
        bool refused = next_event(client, server).kind == NET_DISCONNECTED;
        if (refused != rows[i].refused || refused != (strstr(transport_error(client), "another key") != NULL))
            fail_msg("row %zu: %s", i, transport_error(client));
        transport_close(client);
        client = NULL;
    }
    unlink(path);
}

TEST(an_unknown_peer_has_no_round_trip)
{
    open_pair();
    assert_int_equal(transport_rtt_ms(server, 8), 0);
    assert_int_equal(transport_rtt_ms(server, UINT32_MAX), 0);
}

TEST(totals_count_what_was_sent_and_received)
{
    open_pair();
    struct net_totals before = totals_of(server);
    uint8_t bytes[500] = {0};
    transport_send(client, 0, NET_UNSEQUENCED, bytes, sizeof bytes);
    transport_flush(client);
    next_event(server, NULL);
    struct net_totals after = totals_of(server);
    assert_true(after.bytes_in >= before.bytes_in + 500);
    assert_true(after.packets_in > before.packets_in);
    assert_true(after.receive_buffer_bytes > 0);
}

TEST(a_disconnect_arrives_with_its_reason_after_the_last_message)
{
    open_pair();
    transport_send(server, peer, NET_RELIABLE, (const uint8_t *)"bye", 3);
    transport_disconnect(server, peer, 4, false);
    transport_flush(server);
    struct net_event event = next_event(client, server);
    assert_int_equal(event.kind, NET_MESSAGE);
    event = next_event(client, server);
    assert_int_equal(event.kind, NET_DISCONNECTED);
    assert_int_equal(event.reason, 4);
}

// Sends an unsequenced message, waits, and returns its age when the server polls.
static uint64_t age_after(enum net_channel channel, uint64_t wait_ns, uint64_t *most_us)
{
    uint64_t before_ns = now_ns();
    say(client, 0, channel, "input");
    clock_sleep(wait_ns);
    struct net_event event = next_event(server, NULL);
    assert_int_equal(event.kind, NET_MESSAGE);
    *most_us = (now_ns() - before_ns) / 1000;
    return event.age_us;
}

TEST(a_message_says_how_long_it_has_waited)
{
    open_pair();
    uint64_t most_us;
    while (age_after(NET_UNSEQUENCED, CLOCK_MS_NS, &most_us) == 0)
        ; // the kernel begins to stamp a while after it was asked to
    for (uint64_t wait_ms = 0; wait_ms <= 60; wait_ms += 20) {
        uint64_t age_us = age_after(NET_UNSEQUENCED, wait_ms * CLOCK_MS_NS, &most_us);
        assert_in_range(age_us, wait_ms * 900, most_us);
    }
    assert_int_equal(age_after(NET_RELIABLE, 20 * CLOCK_MS_NS, &most_us), 0);
}

TEST(a_server_is_busy_while_somebody_joins_and_while_much_arrives)
{
    enum { BURST = 2000 };
    open_pair();
    assert_true(transport_is_busy(server));
    clock_sleep(400 * CLOCK_MS_NS);
    drain(server);
    assert_false(transport_is_busy(server));
    int noisy = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(endpoint.port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (int i = 0; i < BURST; i++)
        sendto(noisy, "noise", 5, 0, (const struct sockaddr *)&to, sizeof to);
    close(noisy);
    drain(server);
    assert_true(transport_is_busy(server));
    drain(server);
    assert_false(transport_is_busy(server));
}

TEST(a_port_in_use_or_a_bad_address_is_an_error)
{
    open_server((struct net_server_config){.port = 0});
    assert_null(try_server((struct net_server_config){.port = endpoint.port}));
    assert_non_null(strstr(error.text, "in use"));
    assert_null(try_server((struct net_server_config){.bind_address = "not-an-address"}));
    assert_non_null(strstr(error.text, "not-an-address"));
    assert_null(
        enet_transport_open_client(&(struct net_client_config){.host = "no.such.host.invalid", .port = 1}, &error));
    assert_non_null(strstr(error.text, "no.such.host.invalid"));
}

TEST(foreign_datagrams_do_no_harm)
{
    open_pair();
    int stranger = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(endpoint.port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    static uint8_t bytes[8192];
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
    struct net_event event;
    for (size_t size = 0; size < sizeof bytes; size = size * 2 + 1) {
        sendto(stranger, bytes, size, 0, (struct sockaddr *)&address, sizeof address);
        drain(server);
    }
    close(stranger);
    say(client, 0, NET_RELIABLE, "still");
    event = next_event(server, client);
    assert_int_equal(event.kind, NET_MESSAGE);
    assert_memory_equal(event.bytes, "still", 5);
}

TEST(a_peer_that_never_reads_only_borrows_from_the_pool)
{
    open_pair();
    uint8_t bytes[NET_MESSAGE_BYTES_MAX] = {0};
    size_t queued = 0;
    while (queued < 100000 && transport_send(server, peer, NET_RELIABLE, bytes, sizeof bytes))
        queued++;
    assert_in_range(queued, 100, 2000);
    close_pair();
    open_pair();
}

static int lowest_free_file(void)
{
    int file = dup(0);
    close(file);
    return file;
}

TEST(without_memory_neither_end_opens_and_nothing_is_lost)
{
    struct transport *opened = NULL;
    int failures[2] = {0}, free_before = lowest_free_file();
    for (int is_client = 0; is_client < 2; is_client++, opened = NULL) {
        while (!opened && failures[is_client] < 100) {
            error.text[0] = 0;
            allocation_fails_at = failures[is_client] + 1;
            opened =
                is_client
                    ? enet_transport_open_client(
                          &(struct net_client_config){.host = "127.0.0.1", .port = 1, .impairment = {.delay_us = 1}},
                          &error)
                    : enet_transport_open_server(
                          &(struct net_server_config){.bind_address = "127.0.0.1", .peer_capacity = 8}, &endpoint,
                          &error);
            failures[is_client] += !opened;
            if (!opened && strncmp(error.text, "out of memory", 13) != 0)
                fail_msg("allocation %d: \"%s\"", failures[is_client], error.text);
            if (!opened)
                assert_int_equal(lowest_free_file(), free_before);
        }
        allocation_fails_at = 0;
        assert_non_null(opened);
        transport_close(opened);
    }
    assert_true(failures[0] >= 4 && failures[1] >= 5);
    open_pair();
}

TEST(an_immediate_disconnect_arrives_even_if_the_client_was_served_last)
{
    open_pair();
    struct net_event event;
    drain(client);                            // the client was served last
    transport_disconnect(server, 8, 9, true); // no such peer
    transport_disconnect(server, peer, 9, true);
    event = next_event(client, NULL);
    assert_int_equal(event.kind, NET_DISCONNECTED);
    assert_int_equal(event.reason, 9);
    assert_false(transport_send(server, peer, NET_RELIABLE, (const uint8_t *)"x", 1));
}

TEST(a_closing_server_disconnects_its_clients)
{
    open_pair();
    drain(client);
    transport_close(server);
    server = NULL;
    uint64_t packets_in = totals_of(client).packets_in;
    assert_int_equal(next_event(client, NULL).kind, NET_DISCONNECTED);
    assert_true(totals_of(client).packets_in > packets_in); // the connection does not end by silence
}

TEST(without_a_key_file_a_key_is_generated)
{
    uint8_t identities[3][IDENTITY_BYTES], key[IDENTITY_SEED_BYTES] = {7};
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    open_server((struct net_server_config){.port = 0});
    strcpy(fingerprint, endpoint.fingerprint);
    transport_close(server);
    open_server((struct net_server_config){.port = 0});
    assert_string_not_equal(fingerprint, endpoint.fingerprint);
    for (size_t i = 0; i < 3; i++) {
        open_client((struct net_client_config){.key = i == 2 ? key : NULL});
        struct net_event event = next_event(server, client);
        while (event.kind != NET_CONNECTED)
            event = next_event(server, client);
        memcpy(identities[i], event.client->identity, IDENTITY_BYTES);
        transport_close(client);
        client = NULL;
    }
    assert_memory_not_equal(identities[0], identities[1], IDENTITY_BYTES);
    char expected[FINGERPRINT_TEXT_BYTES], found[FINGERPRINT_TEXT_BYTES], path[] = "/tmp/deadfall_key_XXXXXX";
    int file = mkstemp(path);
    assert_int_equal(write(file, key, sizeof key), sizeof key);
    close(file);
    assert_true(identity_fingerprint_of_file(path, expected, &error));
    remove(path);
    identity_fingerprint(identities[2], found);
    assert_string_equal(found, expected);
}

// Joins the server and returns the denial; `text` is what the client says then.
static enum denial denial_of(struct net_client_config config, char text[NET_ERROR_BYTES])
{
    open_client(config);
    assert_int_equal(transport_denial(client), DENIAL_NONE);
    struct net_event event = next_event(client, server);
    enum denial denial = transport_denial(client);
    snprintf(text, NET_ERROR_BYTES, "%s", transport_error(client));
    assert_int_equal(event.kind, *text ? NET_DISCONNECTED : NET_CONNECTED);
    assert_int_equal(event.peer, 0);
    assert_int_equal(event.reason, 0);
    transport_close(client);
    client = NULL;
    return denial;
}

TEST(a_server_with_a_password_admits_only_those_who_know_it)
{
    char text[NET_ERROR_BYTES];
    struct net_ticket ticket = {.bytes = {0}};
    static const uint8_t key[IDENTITY_SEED_BYTES] = {3};
    open_server((struct net_server_config){.password = "xyzzy"});
    struct net_client_config config = {.key = key, .ticket = &ticket};
    assert_int_equal(denial_of(config, text), DENIAL_PASSWORD);
    assert_non_null(strstr(text, "password"));
    config.password = "xyz";
    assert_int_equal(denial_of(config, text), DENIAL_PASSWORD);
    config.password = "xyzzy";
    assert_int_equal(denial_of(config, text), DENIAL_NONE);
    assert_string_equal(text, "");
    config.password = NULL; // the ticket replaces it
    assert_int_equal(denial_of(config, text), DENIAL_NONE);
    transport_password(server, "plugh");
    assert_int_equal(denial_of(config, text), DENIAL_PASSWORD);
    transport_password(server, "");
    assert_int_equal(denial_of(config, text), DENIAL_NONE);
}

TEST(a_client_joins_only_the_server_that_it_expects)
{
    char text[NET_ERROR_BYTES];
    open_server((struct net_server_config){.port = 0});
    struct net_endpoint other = endpoint;
    transport_close(server);
    open_server((struct net_server_config){.port = 0});
    struct net_client_config config = {.fingerprint = endpoint.fingerprint};
    denial_of(config, text);
    assert_string_equal(text, "");
    config.fingerprint = other.fingerprint;
    assert_int_equal(denial_of(config, text), DENIAL_NONE); // the server has not refused it
    char expected[NET_ERROR_BYTES];
    snprintf(expected, sizeof expected, "127.0.0.1:%u has the key %s, but you asked for %s", endpoint.port,
             endpoint.fingerprint, other.fingerprint);
    assert_memory_equal(text, expected, strlen(expected));
}

TEST(an_admitted_client_connects_at_once)
{
    bool at_once = false;
    for (int attempt = 0; attempt < 10 && !at_once; attempt++) { // a slow machine repeats datagrams
        struct net_event event;
        struct net_totals totals = {0};
        close_pair();
        open_server((struct net_server_config){.port = 0});
        open_client((struct net_client_config){.port = 0});
        bool connected = false;
        for (int i = 0; i < 1000 && !connected; i++) { // the cookie, and the admission
            assert_false(transport_poll(server, &event));
            connected = transport_poll(client, &event);
            totals = totals_of(client);
            assert_true(connected == (totals.packets_in == 2));
        }
        assert_int_equal(event.kind, NET_CONNECTED);
        at_once = totals.packets_out == 2; // and nothing of ENet's
    }
    assert_true(at_once);
}

// A client of a server that is not there. Returns after how many seconds it says so; its channel opens after some.
static int seconds_to_give_up(int opens_after_s)
{
    struct net_event event;
    close_pair();
    open_server((struct net_server_config){.port = 0});
    transport_close(server);
    server = NULL;
    is_opening = opens_after_s > 0;
    open_client((struct net_client_config){.port = 0});
    int seconds = 0;
    assert_false(transport_poll(client, &event));
    while (seconds < 60) {
        clock_ahead_ns += CLOCK_SECOND_NS;
        is_opening = ++seconds < opens_after_s;
        if (transport_poll(client, &event))
            break;
    }
    assert_int_equal(event.kind, NET_DISCONNECTED);
    assert_false(transport_poll(client, &event)); // once
    clock_ahead_ns = 0;
    is_opening = false;
    return seconds;
}

TEST(a_client_gives_up_five_seconds_after_its_channel_is_open)
{
    assert_int_equal(seconds_to_give_up(0), 5);
    assert_int_equal(seconds_to_give_up(4), 8); // the last look before it is open was a second ago
    assert_int_equal(seconds_to_give_up(14), 18);
    assert_int_equal(seconds_to_give_up(60), 19); // it never opens
}

TEST(a_client_that_sends_what_enet_does_not_is_shut_out)
{
    open_pair();
    struct net_event event;
    struct net_totals before, after;
    uint8_t bytes[] = {0, 0, 0x8f, 0xff, 0, 0}; // no such command
    ENetAddress address = {.host = 1, .port = 1};
    ENetBuffer buffer = {.data = bytes, .dataLength = sizeof bytes};
    for (unsigned violations = 1; violations <= 8; violations++) {
        drain(server);
        before = totals_of(server);
        drain(client); // the client calls ENet from now on
        assert_int_equal(enet_socket_send(ENET_SOCKET_NULL, &address, &buffer, 1), sizeof bytes);
        assert_false(transport_poll(server, &event));
        after = totals_of(server);
        assert_int_equal(after.rejected, before.rejected + 1);
        clock_ahead_ns += violations < 8 ? 1500000000 : 900000000; // the eighth ends the session in a second
        assert_false(transport_poll(client, &event));
        say(client, 0, NET_RELIABLE, "here");
        event = next_event(server, NULL);
        assert_int_equal(event.kind, NET_MESSAGE);
        assert_int_equal(event.byte_count, 4);
    }
    clock_ahead_ns += 200000000;
    say(client, 0, NET_RELIABLE, "gone");
    before = totals_of(server);
    assert_int_equal(next_event(server, NULL).kind, NET_DISCONNECTED);
    after = totals_of(server);
    assert_true(after.refusals.resets > before.refusals.resets);
}

// More than one pass takes.
TEST(a_round_takes_all_noise_and_then_the_message_behind_it)
{
    enum { NOISE = 300 };
    open_pair();
    struct net_event event;
    struct net_totals before, after;
    drain(server);
    before = totals_of(server);
    int file = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(endpoint.port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    for (int i = 0; i < NOISE; i++)
        assert_int_equal(sendto(file, "noise", 5, 0, (struct sockaddr *)&to, sizeof to), 5);
    close(file);
    say(client, 0, NET_RELIABLE, "hello");
    assert_true(transport_poll(server, &event));
    assert_int_equal(event.kind, NET_MESSAGE);
    after = totals_of(server);
    assert_int_equal(after.rejected, before.rejected + NOISE);
}

TEST(nothing_is_received_or_sent_without_a_transport)
{
    open_pair();
    struct net_totals before, after;
    uint8_t bytes[2000] = {0};
    ENetAddress address = {.host = 1, .port = 1};
    ENetBuffer buffers[2] = {{.data = bytes, .dataLength = sizeof bytes}, {.data = bytes, .dataLength = 7}};
    say(client, 0, NET_RELIABLE, "text");
    drain(client); // the client calls ENet from now on
    before = totals_of(client);
    assert_int_equal(enet_socket_send(ENET_SOCKET_NULL, &address, buffers, 2), 2007); // too long to send
    assert_int_equal(enet_socket_receive(ENET_SOCKET_NULL, &address, buffers, 2), 0);
    assert_int_equal(enet_socket_receive(ENET_SOCKET_NULL, &address, buffers + 1, 1), 0); // too small
    after = totals_of(client);
    assert_int_equal(after.packets_out, before.packets_out);
    assert_int_equal(enet_socket_send(ENET_SOCKET_NULL, &address, buffers + 1, 1), 7);
    after = totals_of(client);
    assert_int_equal(after.packets_out, before.packets_out + 1);
    assert_true(after.bytes_out >= before.bytes_out + 7);
    close_pair();
    assert_int_equal(enet_socket_receive(ENET_SOCKET_NULL, &address, buffers, 1), 0);
    assert_int_equal(enet_socket_send(ENET_SOCKET_NULL, &address, buffers + 1, 1), 7);
}
