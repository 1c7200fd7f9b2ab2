// SPDX-License-Identifier: MIT
//
// A router stands in for that of a home: it answers on a port of this machine as a row of a table says. It does so
// while the program waits, and time passes only then.
#include <string.h>

#include "base/clock.h"
#include "base/platform/udp.h"
#include "monitor/reach/port_mapping.h"
#include "net/net_address.h"
#include "test.h"

#define PORT    27440
#define OUTSIDE 30001
#define LEASE_S 3600

// What the router answers to one kind of question; `byte_count` 0: nothing.
struct reply {
    uint8_t bytes[80];
    uint32_t byte_count;
};

struct router {
    struct reply to_address, to_mapping;
    uint32_t ignores;    // so many questions at first
    bool from_elsewhere; // answers from another port
    bool chatters;       // sends junk all the time
    int socket, other;
    struct net_address address, client;
    uint32_t addresses, mappings; // questions that it has seen
    uint8_t last_mapping[12];
};

static struct router *router;      // that is asked; null: nobody has the port
static uint64_t now_ns, waited_ns; // the second: for the last answer
static struct natpmp_mapping mapping;

uint64_t __wrap_clock_now_ns(void);
void __wrap_udp_wait(const int *sockets, unsigned count, uint64_t timeout_ns);

uint64_t __wrap_clock_now_ns(void)
{
    return now_ns;
}

#define ADDRESS_REPLY                                                                                                  \
    {                                                                                                                  \
        {0, 128, 0, 0, 0, 0, 0, 1, 203, 0, 113, 7}, 12                                                                 \
    }
// 27440 inside, 30001 outside, 3600 s
#define MAPPING_REPLY                                                                                                  \
    {                                                                                                                  \
        {0, 129, 0, 0, 0, 0, 0, 1, 0x6b, 0x30, 0x75, 0x31, 0, 0, 0x0e, 0x10}, 16                                       \
    }

static void answer(const struct udp_datagram *asked)
{
    bool is_address = asked->byte_count == 2 && memcmp(asked->bytes, "\0\0", 2) == 0;
    bool is_mapping = asked->byte_count == 12 && memcmp(asked->bytes, "\0\1\0\0", 4) == 0;
    assert_true(is_address || is_mapping);
    router->addresses += is_address;
    router->mappings += is_mapping;
    if (is_mapping)
        memcpy(router->last_mapping, asked->bytes, 12);
    if (router->ignores > 0) {
        router->ignores--;
        return;
    }
    const struct reply *reply = is_address ? &router->to_address : &router->to_mapping;
    if (reply->byte_count)
        udp_send(router->from_elsewhere ? router->other : router->socket, &asked->address, reply->bytes,
                 reply->byte_count);
}

// Returns whether the router has seen, or said, something.
static bool serve(void)
{
    uint8_t bytes[64];
    struct udp_datagram asked = {.bytes = bytes};
    bool is_busy = router->chatters;
    while (udp_receive_many(router->socket, &asked, 1, sizeof bytes) == 1) {
        router->client = asked.address;
        is_busy = true;
        answer(&asked);
    }
    if (router->chatters && router->client.byte_count)
        udp_send(router->socket, &router->client, "\0\x81", 2);
    return is_busy;
}

void __wrap_udp_wait(const int *sockets, unsigned count, uint64_t timeout_ns)
{
    (void)sockets, (void)count;
    bool is_busy = router && serve();
    now_ns += is_busy && CLOCK_MS_NS < timeout_ns ? CLOCK_MS_NS : timeout_ns;
}

static int open_at_any_port(struct net_address *address)
{
    uint32_t buffer_bytes;
    struct net_address loopback;
    int socket = udp_open(false, &buffer_bytes);
    assert_true(ip_address_parse(&loopback, "127.0.0.1", 0) && udp_bind(socket, &loopback));
    assert_true(udp_own_address(socket, address));
    return socket;
}

static enum router_answer ask(struct router *asked, uint32_t lease_s)
{
    struct net_address other;
    asked->socket = open_at_any_port(&asked->address);
    asked->other = open_at_any_port(&other);
    router = asked;
    uint64_t begin_ns = now_ns;
    enum router_answer outcome = port_mapping_ask_natpmp(
        &(struct natpmp_request){router->address, PORT, OUTSIDE - 1, lease_s}, lease_s ? &mapping : NULL);
    waited_ns = now_ns - begin_ns;
    udp_close(router->socket);
    udp_close(router->other);
    router = NULL;
    return outcome;
}

TEST(a_router_forwards_a_port)
{
    static struct router home = {.to_address = ADDRESS_REPLY, .to_mapping = MAPPING_REPLY};
    char text[NET_ADDRESS_TEXT_BYTES];
    assert_int_equal(ask(&home, LEASE_S), ROUTER_FORWARDS);
    net_address_text(&mapping.outside, text);
    assert_string_equal(text, "203.0.113.7:30001");
    assert_int_equal(mapping.port, OUTSIDE);
    assert_int_equal(mapping.lease_s, LEASE_S);
    static const uint8_t asked[] = {0, 1, 0, 0, 0x6b, 0x30, 0x75, 0x30, 0, 0, 0x0e, 0x10};
    assert_memory_equal(home.last_mapping, asked, sizeof asked);
    assert_int_equal(home.addresses + home.mappings, 2);
}

TEST(the_end_of_a_mapping_is_one_question)
{
    static struct router home = {.to_mapping = {{0, 129, 0, 0, 0, 0, 0, 1, 0x6b, 0x30}, 16}};
    assert_int_equal(ask(&home, 0), ROUTER_FORWARDS);
    static const uint8_t asked[] = {0, 1, 0, 0, 0x6b, 0x30, 0, 0, 0, 0, 0, 0}; // RFC 6886, 3.4
    assert_memory_equal(home.last_mapping, asked, sizeof asked);
    assert_int_equal(home.addresses, 0);
}

TEST(a_lost_question_is_asked_again)
{
    static struct router home = {.to_address = ADDRESS_REPLY, .to_mapping = MAPPING_REPLY, .ignores = 2};
    assert_int_equal(ask(&home, LEASE_S), ROUTER_FORWARDS);
    assert_in_range(waited_ns / CLOCK_MS_NS, 750, 760); // a quarter of a second, then half of one
    assert_int_equal(home.addresses, 3);
}

TEST(what_a_router_says_is_checked)
{
    static const struct {
        struct reply to_address, to_mapping;
        enum router_answer outcome;
    } rows[] = {
        /* 1: it does not want to */ {ADDRESS_REPLY, {{0, 129, 0, 2}, 16}, ROUTER_REFUSES},
        /* 2: it has no network */ {{{0, 128, 0, 3}, 12}, MAPPING_REPLY, ROUTER_REFUSES},
        /* 3: it has no room */ {ADDRESS_REPLY, {{0, 129, 0, 4}, 16}, ROUTER_REFUSES},
        /* 4: a result that nobody knows */ {ADDRESS_REPLY, {{0, 129, 0xff, 0xff}, 16}, ROUTER_REFUSES},
        /* 5: another version */ {{{0, 128, 0, 1}, 12}, MAPPING_REPLY, ROUTER_ABSENT},
        /* 6: PCP alone */ {{{2, 128, 0, 0}, 24}, MAPPING_REPLY, ROUTER_ABSENT},
        /* 7: no such operation */ {ADDRESS_REPLY, {{0, 129, 0, 5}, 16}, ROUTER_ABSENT},
        /* 8: no time at all */
        {ADDRESS_REPLY, {{0, 129, 0, 0, 0, 0, 0, 1, 0x6b, 0x30, 0x75, 0x31}, 16}, ROUTER_REFUSES},
        /* 9: port 0 */
        {ADDRESS_REPLY, {{0, 129, 0, 0, 0, 0, 0, 1, 0x6b, 0x30, 0, 0, 0, 0, 0x0e, 0x10}, 16}, ROUTER_REFUSES},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct router home;
        home = (struct router){.to_address = rows[i].to_address, .to_mapping = rows[i].to_mapping};
        enum router_answer outcome = ask(&home, LEASE_S);
        bool was_heard = waited_ns < NATPMP_PATIENCE_NS;
        if (outcome != rows[i].outcome || !was_heard)
            fail_msg("row %zu: outcome %d, %s", i + 1, outcome, was_heard ? "heard" : "not heard");
    }
}

// As if nothing had come, until the time is over.
TEST(what_is_no_answer_is_dropped)
{
    static const struct {
        struct reply to_mapping;
        bool from_elsewhere, chatters;
    } rows[] = {
        /* 1: too short for a result */ {{{0, 129, 0}, 3}, false, false},
        /* 2: too short for a mapping */
        {{{0, 129, 0, 0, 0, 0, 0, 1, 0x6b, 0x30, 0x75, 0x31, 0, 0, 0x0e}, 15}, false, false},
        /* 3: longer than any */
        {{{0, 129, 0, 0, 0, 0, 0, 1, 0x6b, 0x30, 0x75, 0x31, 0, 0, 0x0e, 0x10}, 80}, false, false},
        /* 4: another port of this machine */
        {{{0, 129, 0, 0, 0, 0, 0, 1, 0x6b, 0x31, 0x75, 0x31, 0, 0, 0x0e, 0x10}, 16}, false, false},
        /* 5: for TCP */ {{{0, 130, 0, 0, 0, 0, 0, 1, 0x6b, 0x30, 0x75, 0x31, 0, 0, 0x0e, 0x10}, 16}, false, false},
        /* 6: the question itself */ {{{0, 1, 0, 0, 0x6b, 0x30, 0, 0, 0, 0, 0, 0}, 12}, false, false},
        /* 7: junk without end */ {{{0}, 0}, false, true},
        /* 8: an answer of somebody else */ {MAPPING_REPLY, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct router home;
        home = (struct router){.to_address = ADDRESS_REPLY,
                               .to_mapping = rows[i].to_mapping,
                               .from_elsewhere = rows[i].from_elsewhere,
                               .chatters = rows[i].chatters};
        enum router_answer outcome = ask(&home, LEASE_S);
        if (outcome != ROUTER_ABSENT || waited_ns < NATPMP_PATIENCE_NS)
            fail_msg("row %zu: outcome %d after %u ms", i + 1, outcome, (unsigned)(waited_ns / CLOCK_MS_NS));
        uint32_t asked = rows[i].from_elsewhere ? home.addresses : home.mappings;
        if (asked != 4)
            fail_msg("row %zu: asked %u times", i + 1, asked);
    }
}

TEST(a_longer_lease_than_wanted_is_cut)
{
    static struct router home = {
        .to_address = ADDRESS_REPLY,
        .to_mapping = {{0, 129, 0, 0, 0, 0, 0, 1, 0x6b, 0x30, 0x75, 0x31, 0xff, 0xff, 0xff, 0xff}, 16}};
    assert_int_equal(ask(&home, LEASE_S), ROUTER_FORWARDS);
    assert_int_equal(mapping.lease_s, LEASE_S);
}

TEST(a_machine_without_the_port_needs_no_patience)
{
    struct natpmp_request request = {.port = PORT, .outside = PORT, .lease_s = LEASE_S};
    int socket = open_at_any_port(&request.router);
    udp_close(socket);
    uint64_t begin_ns = now_ns;
    assert_int_equal(port_mapping_ask_natpmp(&request, &mapping), ROUTER_ABSENT);
    assert_true(now_ns - begin_ns < NATPMP_PATIENCE_NS);
}
