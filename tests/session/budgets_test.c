// SPDX-License-Identifier: MIT
//
// What strangers cost, as a property over random schedules: some honest clients and some that lie, on one server, in
// virtual time. For every address, bytes to it never exceed three times the bytes from it until it has echoed; bytes to
// a session and memory stay below bounds; liars are dropped; honest clients keep 60 messages a second and get in. A
// schedule is a seed: budgets_test [FIRST_SEED [COUNT]]. DEADFALL_TEST_LONG=1 runs 10^5 of them.
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/splitmix64.h"
#include "net/enet_transport.h"
#include "net/household.h"
#include "seeded_crypto.h"
#include "stranger.h"
#include "virtual_udp.h"

enum {
    STEPS_PER_S = 60,
    SECONDS = 4,
    SECONDS_LONG = 11, // of every fourth schedule: liars must be gone
    HONEST = 3,
    STRANGERS_MAX = 6,
    HOUSEHOLDS = 3, // of strangers
    HOUSEHOLD_PLAYERS = 4,
    PEERS = 32,
    SCHEDULES = 200,
    SCHEDULES_LONG = 100000,
    REAL_CURVE_SEEDS = 8, // of so many schedules one has real curves, which take most of its time
    ADDRESSES = 1 << 14,
    DELAY_US_MAX = 100000,
    ROUND_TRIP_STEPS = 14, // of that delay each way, and what a step rounds up
    SNAPSHOT_BYTES_MAX = 400,
    MAP_PARTS = 20,
    MAP_PART_BYTES = 1030,
};

// Bounds that the server promises.
enum {
    FACTOR = 3,
    SESSION_BYTES_PER_S = 100000, // 60 snapshots and a map, with what is sent again
    LIAR_SECONDS = 8,             // after the first lie it is dropped
};

struct account {
    struct net_address address; // byte_count 0: free
    uint64_t in_bytes, out_bytes;
    uint32_t second; // to which second_bytes belong
    uint64_t second_bytes;
    bool echoed;
};

struct honest {
    struct transport *transport;
    uint32_t begin_step;
    bool connected;
    uint32_t connected_step, second_messages;
};

static struct {
    uint64_t seed, random;
    uint32_t step, steps;
    struct transport *server;
    uint16_t port;
    uint32_t snapshot_bytes;
    struct visitor {
        bool connected, seated;
        uint32_t map_parts; // still to be sent
        uint64_t household;
    } visitors[PEERS];
    struct honest honest[HONEST];
    uint32_t stranger_count;
    struct stranger strangers[STRANGERS_MAX];
    size_t memory_bytes; // allocated at the start, and for the honest clients
} run;

static struct account accounts[ADDRESSES];
static uint64_t connected[LIES]; // strangers that ENet has let in, by lie

static uint32_t draw(uint32_t below)
{
    return (uint32_t)(splitmix64_next(&run.random) % below);
}

#define check(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_run(#condition, __LINE__);                                                                            \
    } while (0)

static void fail_run(const char *condition, int line)
{
    print_error("seed %llu, %.2f s: %s\n", (unsigned long long)run.seed, run.step / (double)STEPS_PER_S, condition);
    for (uint32_t i = 0; i < run.stranger_count; i++)
        print_error("  stranger %u: lie %d, %u a step\n", i, run.strangers[i].lie, run.strangers[i].per_step);
    _fail(__FILE__, line);
}

static struct account *account_of(const struct net_address *address)
{
    uint32_t at = 0;
    for (size_t i = 0; i < address->byte_count; i++)
        at = at * 31 + address->bytes[i];
    while (accounts[at % ADDRESSES].address.byte_count &&
           !net_address_equals(&accounts[at % ADDRESSES].address, address))
        at++;
    struct account *account = &accounts[at % ADDRESSES];
    account->address = *address;
    account->second_bytes = account->second == run.step / STEPS_PER_S ? account->second_bytes : 0;
    account->second = run.step / STEPS_PER_S;
    return account;
}

static void send_as(const struct net_address *from, bool echoed, const uint8_t *bytes, size_t byte_count)
{
    struct account *account = account_of(from);
    account->in_bytes += byte_count;
    account->echoed |= echoed;
    virtual_udp_send_as(from, bytes, byte_count);
}

static void take_mail(void)
{
    struct net_address to;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    for (size_t size; (size = virtual_udp_take(&to, bytes)) > 0;) {
        struct account *account = account_of(&to);
        account->out_bytes += size;
        account->second_bytes += size;
        check(account->echoed ? account->second_bytes <= SESSION_BYTES_PER_S
                              : account->out_bytes <= FACTOR * account->in_bytes);
        for (uint32_t i = 0; i < run.stranger_count; i++)
            if (net_address_equals(&run.strangers[i].own, &to))
                stranger_take(&run.strangers[i], bytes, size, send_as);
    }
}

// Like the match, which has so many seats for a household, and none for the rest.
static void seat(uint32_t peer)
{
    uint32_t seated = 0;
    for (uint32_t i = 0; i < PEERS; i++)
        seated += run.visitors[i].seated && run.visitors[i].household == run.visitors[peer].household;
    if (run.visitors[peer].seated)
        return;
    if (seated < HOUSEHOLD_PLAYERS) {
        run.visitors[peer].seated = true;
        transport_keep(run.server, peer);
    } else {
        transport_disconnect(run.server, peer, 1, false);
    }
}

// A server like the match: 60 snapshots a second for everybody, and a map for each who comes.
static void serve(void)
{
    static const uint8_t zeros[MAP_PART_BYTES];
    struct net_event event;
    while (transport_poll(run.server, &event)) {
        check(event.peer < PEERS);
        struct visitor *visitor = &run.visitors[event.peer];
        if (event.kind == NET_MESSAGE)
            seat(event.peer);
        else
            *visitor = (struct visitor){.connected = event.kind == NET_CONNECTED, .map_parts = MAP_PARTS};
        if (event.kind == NET_CONNECTED)
            visitor->household = event.client->household;
    }
    for (uint32_t peer = 0; peer < PEERS; peer++) {
        struct visitor *visitor = &run.visitors[peer];
        if (!visitor->connected)
            continue;
        transport_send(run.server, peer, NET_UNSEQUENCED, zeros, run.snapshot_bytes);
        if (visitor->map_parts > 0 && transport_send(run.server, peer, NET_RELIABLE, zeros, sizeof zeros))
            visitor->map_parts--;
    }
    transport_flush(run.server);
}

static void play(struct honest *honest)
{
    static const uint8_t input[40];
    struct error error;
    struct net_event event;
    struct net_client_config config = {.host = "127.0.0.1", .port = run.port};
    if (run.step == honest->begin_step) {
        size_t before_bytes = mallinfo2().uordblks;
        check((honest->transport = enet_transport_open_client(&config, &error)) != NULL);
        transport_poll(honest->transport, &event);
        run.memory_bytes += mallinfo2().uordblks - before_bytes;
    }
    if (!honest->transport)
        return;
    while (transport_poll(honest->transport, &event)) {
        check(event.kind != NET_DISCONNECTED);
        honest->second_messages += event.kind == NET_MESSAGE && event.byte_count == run.snapshot_bytes;
        if (event.kind == NET_CONNECTED) {
            honest->connected = true;
            honest->connected_step = run.step;
        }
    }
    if (honest->connected)
        transport_send(honest->transport, 0, NET_UNSEQUENCED, input, sizeof input);
    transport_flush(honest->transport);
}

// Who acknowledges nothing is dropped, and gets nothing more.
static bool is_dropped(const struct stranger *stranger)
{
    bool answers = stranger->lie != LIE_SILENT && stranger->lie != LIE_MUTE && stranger->lie != LIE_ANY;
    return !answers && stranger->connected_steps > (LIAR_SECONDS + 1) * STEPS_PER_S;
}

static void end_second(void)
{
    for (uint32_t i = 0; i < HONEST; i++) {
        struct honest *honest = &run.honest[i];
        bool whole = honest->connected && run.step >= honest->connected_step + STEPS_PER_S + ROUND_TRIP_STEPS;
        check(!whole || honest->second_messages >= STEPS_PER_S - 1);
        check(honest->connected || run.step < honest->begin_step + 3 * STEPS_PER_S);
        honest->second_messages = 0;
    }
    for (uint32_t i = 0; i < run.stranger_count; i++)
        check(!is_dropped(&run.strangers[i]) || account_of(&run.strangers[i].own)->second_bytes == 0);
    struct mallinfo2 now = mallinfo2();
    check(now.uordblks <= run.memory_bytes);
}

static void begin(uint64_t seed)
{
    struct error error;
    struct net_endpoint endpoint;
    memset(&run, 0, sizeof run);
    memset(accounts, 0, sizeof accounts);
    run.seed = run.random = seed;
    run.steps = (draw(4) ? SECONDS : SECONDS_LONG) * STEPS_PER_S;
    seeded_crypto_begin(seed, seed % REAL_CURVE_SEEDS != 0);
    virtual_udp_begin(seed, &(struct impairment){.delay_us = draw(DELAY_US_MAX)}, UINT64_C(1000000000000));
    run.server = enet_transport_open_server(
        &(struct net_server_config){.bind_address = "127.0.0.1", .peer_capacity = PEERS}, &endpoint, &error);
    assert_non_null(run.server);
    transport_limit(run.server, &(struct household_rules){.players_max = HOUSEHOLD_PLAYERS});
    run.port = endpoint.port;
    run.snapshot_bytes = 30 + draw(SNAPSHOT_BYTES_MAX - 30);
    run.stranger_count = 1 + draw(STRANGERS_MAX);
    for (uint32_t i = 0; i < HONEST; i++)
        run.honest[i].begin_step = draw(STEPS_PER_S);
    for (uint32_t i = 0; i < run.stranger_count; i++) {
        run.strangers[i] = (struct stranger){.lie = (enum lie)draw(LIES),
                                             .household = 1 + draw(HOUSEHOLDS),
                                             .port = 1024 + i * STRANGER_PORTS,
                                             .victim = 100 + draw(2),
                                             .per_step = 1u << draw(4),
                                             .random = splitmix64_next(&run.random)};
        stranger_begin(&run.strangers[i]);
    }
    run.memory_bytes = mallinfo2().uordblks;
}

static void run_schedule(uint64_t seed)
{
    begin(seed);
    for (run.step = 0; run.step < run.steps; run.step++) {
        virtual_udp_advance(1000000000 / STEPS_PER_S);
        for (uint32_t i = 0; i < run.stranger_count; i++)
            stranger_step(&run.strangers[i], send_as);
        serve();
        take_mail();
        for (uint32_t i = 0; i < HONEST; i++)
            play(&run.honest[i]);
        if (run.step % STEPS_PER_S == STEPS_PER_S - 1)
            end_second();
    }
    for (uint32_t i = 0; i < run.stranger_count; i++)
        connected[run.strangers[i].lie] += run.strangers[i].connections > 0;
    for (uint32_t i = 0; i < HONEST; i++)
        transport_close(run.honest[i].transport);
    transport_close(run.server);
    virtual_udp_end();
}

static uint64_t first_seed = 1, seed_count;

static void strangers_stay_within_their_budgets(void **state)
{
    (void)state;
    const char *longer = getenv("DEADFALL_TEST_LONG");
    uint64_t count = seed_count ? seed_count : longer && *longer ? SCHEDULES_LONG : SCHEDULES;
    for (uint64_t i = 0; i < count; i++)
        run_schedule(first_seed + i);
    for (enum lie lie = LIE_SILENT; lie <= LIE_NONE && count >= SCHEDULES; lie++)
        assert_true(connected[lie] > 0); // or the test would prove nothing
    for (int l = 0; l < LIES; l++)
        print_message("%d:%llu ", l, (unsigned long long)connected[l]);
    print_message("%llu schedules\n", (unsigned long long)count);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(strangers_stay_within_their_budgets)};
    if (argc > 1)
        first_seed = strtoull(argv[1], NULL, 10);
    if (argc > 1)
        seed_count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
