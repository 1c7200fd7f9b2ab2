// SPDX-License-Identifier: MIT
//
// What strangers cost, as a property over random schedules: some honest clients, some that lie, and an eavesdropper, on
// one server that may crash or restart, in virtual time. For every address, bytes to it never exceed three times the
// bytes from it until it has echoed to the server that runs, also in the worst second; browsers' STUN and DTLS count
// as well, where there is a process for them, which is here in the same program; bytes to a session and memory stay
// below bounds; liars are dropped; honest clients get in, keep 60 messages a second, are back soon after a restart, and
// lose no session to a reset that was forged or replayed. A schedule is a seed: budgets_test [FIRST_SEED [COUNT]].
// DEADFALL_TEST_LONG=1 runs 10^5 of them.
//
// Seven of eight schedules have a product in place of the curve (seeded_crypto.h): budgets depend on sizes, states and
// times, and the tokens of resets are a keyed hash in all of them. It cannot show what a weak key does to the curve,
// nor what only a secret prevents: handshake_test and the eighth schedule are for that.
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/random.h"
#include "eavesdropper.h"
#include "net/enet/enet_transport.h"
#include "net/household.h"
#include "seeded_crypto.h"
#include "stranger.h"
#include "test.h"
#include "virtual_udp.h"
#ifdef DEADFALL_HAS_WEBRTC
#include "webrtc/web_peers.h"
#endif

enum {
    STEPS_PER_S = 60,
    SECONDS = 5,
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
    RESTARTS_MAX = 2,
    DOWN_STEPS_MAX = 30, // of a crash; sometimes so many times as long
    DOWN_LONG = 8,
    PLANNED_DOWN_STEPS_MAX = 10, // what comes meanwhile waits for the next server
    RESTART_REASON = 7,
    OWN_HOUSEHOLD = 200, // of the eavesdropper
    KEPT_SOCKET = 300,   // above those of clients
    STUN_ANSWER = 1,
    DTLS_HANDSHAKE = 22,
    DTLS_QUESTION_BYTES = 36,
    DATAGRAM_IS_RESET = 7,
    DATAGRAM_IS_ACCEPT = 4,
    DATAGRAM_IS_ENCRYPTED = 6,
    ENCRYPTED_BYTES_MIN = 24,
    HOUSEHOLD_ROWS = 512,
};

// Bounds that the server promises.
enum {
    FACTOR = 3,
    SESSION_BYTES_PER_S = 100000, // 60 snapshots and a map, with what is sent again
    LIAR_SECONDS = 8,             // after the first lie it is dropped
    RESET_BYTES = 21,
    RESETS_AT_ONCE = 64, // of a household
    RESETS_PER_S = 32,
    JOIN_STEPS = 3 * STEPS_PER_S,
    BACK_STEPS = 2 * STEPS_PER_S,         // after a restart, if it has played
    STARVED_BACK_STEPS = 6 * STEPS_PER_S, // the same, if somebody asks for resets in its name: 3.5 s of silence first
    GENTLE_PER_STEP = 2,                  // of an eavesdropper who leaves the client some
};

struct account {
    struct net_address address; // byte_count 0: free
    uint64_t in_bytes, out_bytes;
    uint32_t second; // to which these belong
    uint64_t second_bytes, second_in_bytes;
    uint64_t before_in_bytes;   // of the second before
    uint64_t questions, resets; // encrypted datagrams from it, and resets to it
    bool echoed;                // to the server that runs; the bytes are those of that server as well
};

struct honest {
    struct transport *transport;
    struct net_address address;
    uint32_t server;   // with which it has connected last, or that ran when it began to
    uint32_t due_step; // when it must be connected at the latest
    uint32_t begin_step;
    bool connected, has_played;
    uint32_t connected_step, second_messages;
};

static struct {
    uint64_t seed, random;
    uint32_t step, steps;
    struct transport *server; // null: none runs
    uint32_t server_number;   // from 1; of the next one while none runs
    uint32_t up_step;         // when this one began
    int kept_socket;
    uint16_t port;
    struct restart {
        uint32_t step, down_steps;
        bool is_planned;
    } restarts[RESTARTS_MAX];
    uint32_t restart_count, restarts_done;
    uint32_t household_resets[HOUSEHOLD_ROWS]; // of the server that runs
    uint32_t snapshot_bytes;
    struct visitor {
        bool connected, seated;
        uint32_t map_parts; // still to be sent
        uint64_t household;
    } visitors[PEERS];
    struct honest honest[HONEST];
    uint32_t stranger_count;
    struct stranger strangers[STRANGERS_MAX];
    struct eavesdropper eavesdropper; // of the first honest client
    size_t memory_bytes;              // allocated at the start, and for the honest clients
} run;

static struct account accounts[ADDRESSES];
static uint64_t connected[LIES]; // strangers that ENet has let in, by lie
static struct {
    uint64_t crashes, restarts, resets, returns, resets_forged, checks, flights;
    uint32_t slowest_return_steps;
} totals;
static char key_path[] = "/tmp/deadfall-budgets-XXXXXX";

static uint32_t draw(uint32_t below)
{
    return (uint32_t)(random_next64(&run.random) % below);
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
    for (uint32_t i = 0; i < HONEST; i++)
        print_error("  honest %u: server %u of %u, %s, due %.2f s\n", i, run.honest[i].server, run.server_number,
                    run.honest[i].connected ? "connected" : "waits", run.honest[i].due_step / (double)STEPS_PER_S);
    for (uint32_t i = 0; i < run.restart_count; i++)
        print_error("  %s at %.2f s for %u steps\n", run.restarts[i].is_planned ? "restart" : "crash",
                    run.restarts[i].step / (double)STEPS_PER_S, run.restarts[i].down_steps);
    print_error("  eavesdropper: %u a step\n", run.eavesdropper.per_step);
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
    uint32_t second = run.step / STEPS_PER_S;
    if (account->second != second) {
        account->before_in_bytes = account->second + 1 == second ? account->second_in_bytes : 0;
        account->second_bytes = account->second_in_bytes = 0;
    }
    account->second = second;
    return account;
}

static void send_as(const struct net_address *from, bool echoed, const uint8_t *bytes, size_t byte_count)
{
    account_of(from)->echoed |= echoed && run.server;
    virtual_udp_send_as(from, bytes, byte_count);
}

static void hear(bool to_server, const struct net_address *address, const uint8_t *bytes, size_t byte_count)
{
    struct account *account = account_of(address);
    if (net_address_equals(address, &run.eavesdropper.client))
        eavesdropper_hear(&run.eavesdropper, to_server, bytes, byte_count);
    if (to_server) {
        account->in_bytes += byte_count;
        account->second_in_bytes += byte_count;
        account->questions += bytes[0] == DATAGRAM_IS_ENCRYPTED && byte_count >= ENCRYPTED_BYTES_MIN;
        return;
    }
    bool is_client = address->bytes[0] == 10;
    account->out_bytes += byte_count;
    if (bytes[0] == DATAGRAM_IS_RESET) { // none is larger than what it answers, or unasked for
        // Of addresses of households below 256, and of clients, each of which has a household.
        uint32_t *resets = &run.household_resets[is_client * 256u + address->bytes[3]];
        check(byte_count == RESET_BYTES);
        check(++account->resets <= account->questions);
        check(++*resets <= RESETS_AT_ONCE + RESETS_PER_S * (1 + (run.step - run.up_step) / STEPS_PER_S));
        totals.resets++;
    } else {
        account->second_bytes += byte_count;
    }
    check(account->echoed
              ? account->second_bytes <= SESSION_BYTES_PER_S
              : account->out_bytes <= FACTOR * account->in_bytes &&
                    account->second_bytes <= FACTOR * (account->second_in_bytes + account->before_in_bytes));
    bool is_flight = bytes[0] == DTLS_HANDSHAKE && byte_count > DTLS_QUESTION_BYTES;
    totals.checks += bytes[0] == STUN_ANSWER;
    totals.flights += is_flight;
    account->echoed |= is_client && bytes[0] == DATAGRAM_IS_ACCEPT; // it answers nobody else's cookies
}

static void take_mail(void)
{
    struct net_address to;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    for (size_t size; (size = virtual_udp_take(&to, bytes)) > 0;) {
        if (net_address_equals(&run.eavesdropper.own, &to))
            eavesdropper_hear(&run.eavesdropper, false, bytes, size);
        for (uint32_t i = 0; i < run.stranger_count; i++)
            if (net_address_equals(&run.strangers[i].own, &to))
                stranger_take(&run.strangers[i], bytes, size);
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
        if (event.kind == NET_CONNECTED) {
            visitor->household = event.client->household;
            for (uint32_t i = 0; i < HONEST; i++)
                if (net_address_equals(&run.honest[i].address, &event.client->address))
                    run.honest[i].server = run.server_number;
        }
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

#ifdef DEADFALL_HAS_WEBRTC
// The process for browsers, in this program. Its memory is not the server's.
static struct {
    struct webrtc_filter filter;
    struct webrtc_link server, own;
    struct web_certificate certificate;
    struct web_peers peers;
} web;

static uint64_t now_ms(void)
{
    return virtual_udp_now_ns() / 1000000;
}

static void emit(void *context, const struct webrtc_frame *frame)
{
    webrtc_link_give(context, frame);
}

static void open_web(void)
{
    static bool has_begun;
    int ends[2];
    size_t before_bytes = mallinfo2().uordblks;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    if (!has_begun) {
        assert_true(web_peers_certify(&web.certificate, NULL, 0));
        web_peers_init(&web.peers, &web.certificate, &(struct web_output){emit, &web.own}, now_ms());
    }
    has_begun = true;
    web.peers.updated_ms = now_ms();
    web.server = (struct webrtc_link){.file = fcntl(ends[0], F_DUPFD_CLOEXEC, KEPT_SOCKET)};
    web.own = (struct webrtc_link){.file = fcntl(ends[1], F_DUPFD_CLOEXEC, KEPT_SOCKET)};
    close(ends[0]);
    close(ends[1]);
    webrtc_filter_init(&web.filter);
    enet_transport_set_webrtc(run.server, &web.server, &web.filter);
    run.memory_bytes += mallinfo2().uordblks - before_bytes;
}

static void serve_web(void)
{
    struct webrtc_frame frame;
    size_t before_bytes = mallinfo2().uordblks;
    while (webrtc_link_receive(&web.own, &frame))
        web_peers_take(&web.peers, &frame, now_ms());
    web_peers_update(&web.peers, now_ms());
    webrtc_link_flush(&web.own);
    run.memory_bytes += mallinfo2().uordblks - before_bytes;
}

static void close_web(void)
{
    size_t before_bytes = mallinfo2().uordblks;
    web_peers_update(&web.peers, now_ms() + 60000); // all are forgotten
    assert_int_equal(web.peers.count, 0);
    close(web.server.file);
    close(web.own.file);
    run.memory_bytes += mallinfo2().uordblks - before_bytes;
}
#else
static void open_web(void)
{
}

static void serve_web(void)
{
}

static void close_web(void)
{
}
#endif

// Opens the next server, which has the key and the socket of the one before, and begins to count its bytes.
static void open_server(void)
{
    struct error error;
    struct net_endpoint endpoint;
    int socket = run.kept_socket < 0 ? -1 : fcntl(run.kept_socket, F_DUPFD_CLOEXEC, KEPT_SOCKET), sockets[2];
    struct net_server_config config = {.bind_address = "127.0.0.1",
                                       .port = run.port,
                                       .peer_capacity = PEERS,
                                       .key_path = key_path,
                                       .sockets = &socket,
                                       .socket_count = socket >= 0};
    size_t before_bytes = mallinfo2().uordblks;
    run.server = enet_transport_open_server(&config, &endpoint, &error);
    assert_non_null(run.server);
    run.memory_bytes += mallinfo2().uordblks - before_bytes;
    transport_limit(run.server, &(struct household_rules){.players_max = HOUSEHOLD_PLAYERS});
    run.port = endpoint.port;
    enet_transport_sockets(run.server, sockets);
    run.kept_socket = run.kept_socket < 0 ? fcntl(sockets[0], F_DUPFD_CLOEXEC, KEPT_SOCKET) : run.kept_socket;
    assert_true(run.kept_socket >= KEPT_SOCKET);
    run.up_step = run.step;
    open_web();
    virtual_udp_start_server();
}

// Nothing is left of a server that has crashed. A planned end is announced, and the next server hears what comes
// meanwhile.
static void close_server(bool is_planned)
{
    for (uint32_t peer = 0; peer < PEERS && is_planned; peer++)
        if (run.visitors[peer].connected)
            transport_disconnect(run.server, peer, RESTART_REASON, true);
    if (is_planned)
        transport_flush(run.server);
    else
        virtual_udp_kill_server();
    close_web();
    size_t before_bytes = mallinfo2().uordblks;
    transport_close(run.server);
    run.memory_bytes -= before_bytes - mallinfo2().uordblks;
    run.server = NULL;
    run.server_number++;
    totals.crashes += !is_planned;
    totals.restarts += is_planned;
    memset(run.visitors, 0, sizeof run.visitors);
    memset(run.household_resets, 0, sizeof run.household_resets);
    memset(accounts, 0, sizeof accounts);
    for (uint32_t i = 0; i < run.stranger_count; i++)
        run.strangers[i].has_echoed = run.strangers[i].has_cookie = false;
}

static void restart_if_due(void)
{
    const struct restart *restart = &run.restarts[run.restarts_done];
    if (run.restarts_done == run.restart_count || run.step < restart->step)
        return;
    if (run.server)
        close_server(restart->is_planned);
    if (run.step < restart->step + restart->down_steps)
        return;
    open_server();
    run.restarts_done++;
    uint32_t back_steps = run.eavesdropper.per_step > GENTLE_PER_STEP ? STARVED_BACK_STEPS : BACK_STEPS;
    for (uint32_t i = 0; i < HONEST; i++) {
        struct honest *honest = &run.honest[i];
        uint32_t wait = !honest->connected ? JOIN_STEPS + BACK_STEPS : i == 0 ? back_steps : BACK_STEPS;
        if (run.step > honest->begin_step)
            honest->due_step = run.step + wait;
    }
}

static void connect_to_server(struct honest *honest)
{
    struct error error;
    struct net_event event;
    struct net_client_config config = {.host = "127.0.0.1", .port = run.port};
    size_t before_bytes = mallinfo2().uordblks;
    int sockets[2];
    struct transport *before = honest->transport;
    check((honest->transport = enet_transport_open_client(&config, &error)) != NULL);
    transport_poll(honest->transport, &event);
    transport_close(before);
    run.memory_bytes += mallinfo2().uordblks - before_bytes;
    enet_transport_sockets(honest->transport, sockets);
    honest->address = virtual_udp_client(sockets[0]);
    honest->server = run.server_number;
    honest->connected = false;
    if (honest == &run.honest[0])
        run.eavesdropper.client = honest->address;
}

// An honest client sends its inputs. A session ends only with its server.
static void play(struct honest *honest)
{
    static const uint8_t input[40];
    struct net_event event;
    bool is_lost = false;
    if (run.step == honest->begin_step)
        connect_to_server(honest);
    if (!honest->transport)
        return;
    while (transport_poll(honest->transport, &event)) {
        is_lost |= event.kind == NET_DISCONNECTED;
        honest->second_messages += event.kind == NET_MESSAGE && event.byte_count == run.snapshot_bytes;
        if (event.kind != NET_CONNECTED)
            continue;
        bool returns = run.restarts_done > 0 && honest->has_played;
        totals.returns += returns;
        if (returns && run.step - run.up_step > totals.slowest_return_steps)
            totals.slowest_return_steps = run.step - run.up_step;
        honest->connected = honest->has_played = true;
        honest->connected_step = run.step;
    }
    check(!is_lost || honest->server < run.server_number);
    if (is_lost)
        connect_to_server(honest);
    if (honest->connected)
        transport_send(honest->transport, 0, NET_UNSEQUENCED, input, sizeof input);
    transport_flush(honest->transport);
}

static bool is_connected(const struct honest *honest)
{
    return honest->connected && honest->server == run.server_number && run.server;
}

static void end_second(void)
{
    for (uint32_t i = 0; i < HONEST; i++) {
        struct honest *honest = &run.honest[i];
        bool whole = is_connected(honest) && run.step >= honest->connected_step + STEPS_PER_S + ROUND_TRIP_STEPS;
        check(!whole || honest->second_messages >= STEPS_PER_S - 1);
        check(is_connected(honest) || !run.server || run.step < honest->due_step);
        honest->second_messages = 0;
    }
    for (uint32_t i = 0; i < run.stranger_count; i++) { // who acknowledges nothing is dropped, and gets nothing more
        const struct stranger *stranger = &run.strangers[i];
        bool answers = stranger->lie != LIE_SILENT && stranger->lie != LIE_MUTE && stranger->lie != LIE_ANY;
        bool is_dropped = !answers && stranger->connected_steps > (LIAR_SECONDS + 1) * STEPS_PER_S;
        check(!is_dropped || account_of(&stranger->own)->second_bytes == 0);
    }
    check(mallinfo2().uordblks <= run.memory_bytes);
}

// Half of all schedules have a restart, and some have another one soon after.
static void plan_restarts(void)
{
    run.restart_count = draw(2) ? 1 + (draw(3) == 0) : 0;
    uint32_t step = STEPS_PER_S / 2 + draw(2 * STEPS_PER_S);
    for (uint32_t i = 0; i < run.restart_count; i++) {
        struct restart *restart = &run.restarts[i];
        restart->is_planned = draw(2);
        restart->step = step;
        restart->down_steps = restart->is_planned ? draw(PLANNED_DOWN_STEPS_MAX) : draw(DOWN_STEPS_MAX);
        if (!restart->is_planned && run.steps == SECONDS_LONG * STEPS_PER_S && draw(4) == 0)
            restart->down_steps *= DOWN_LONG;
        step += restart->down_steps + 1 + draw(STEPS_PER_S);
    }
}

static void begin_strangers(void)
{
    run.stranger_count = 1 + draw(STRANGERS_MAX);
    for (uint32_t i = 0; i < run.stranger_count; i++) {
        run.strangers[i] = (struct stranger){.lie = (enum lie)draw(LIES),
                                             .send = send_as,
                                             .household = 1 + draw(HOUSEHOLDS),
                                             .port = 1024 + i * STRANGER_PORTS,
                                             .victim = 100 + draw(2),
                                             .per_step = 1u << draw(4),
                                             .is_deaf = draw(2),
                                             .random = random_next64(&run.random)};
        stranger_begin(&run.strangers[i]);
    }
    run.eavesdropper = (struct eavesdropper){.own = virtual_udp_stranger(OWN_HOUSEHOLD, 1024),
                                             .per_step = 1u << draw(4),
                                             .random = random_next64(&run.random)};
}

static void begin(uint64_t seed)
{
    memset(&run, 0, sizeof run);
    memset(accounts, 0, sizeof accounts);
    run.seed = run.random = seed;
    run.server_number = 1;
    run.kept_socket = -1;
    run.steps = (draw(4) ? SECONDS : SECONDS_LONG) * STEPS_PER_S;
    seeded_crypto_begin(seed, seed % REAL_CURVE_SEEDS != 0);
    virtual_udp_begin(seed, &(struct impairment){.delay_us = draw(DELAY_US_MAX)}, UINT64_C(1000000000000));
    virtual_udp_listen(hear);
    open_server();
    run.snapshot_bytes = 30 + draw(SNAPSHOT_BYTES_MAX - 30);
    for (uint32_t i = 0; i < HONEST; i++) {
        run.honest[i].begin_step = draw(STEPS_PER_S);
        run.honest[i].due_step = run.honest[i].begin_step + JOIN_STEPS;
    }
    begin_strangers();
    plan_restarts();
    run.memory_bytes = mallinfo2().uordblks;
}

static void run_schedule(uint64_t seed)
{
    begin(seed);
    for (run.step = 0; run.step < run.steps; run.step++) {
        virtual_udp_advance(1000000000 / STEPS_PER_S);
        for (uint32_t i = 0; i < run.stranger_count; i++)
            stranger_step(&run.strangers[i]);
        eavesdropper_step(&run.eavesdropper);
        restart_if_due();
        if (run.server) {
            serve();
            serve_web();
        }
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
    totals.resets_forged += run.eavesdropper.resets_forged;
    virtual_udp_listen(NULL);
    if (run.server)
        close_web();
    transport_close(run.server);
    close(run.kept_socket);
    virtual_udp_end();
}

static uint64_t first_seed = 1, seed_count;

static void begin_all(void)
{
    const char *seed = getenv("DEADFALL_SEED");
    if (seed)
        first_seed = strtoull(seed, NULL, 10), seed_count = 1;
    int key_file = mkstemp(key_path);
    assert_true(key_file >= 0 && unlink(key_path) == 0 && close(key_file) == 0);
}

static void end_all(void)
{
    unlink(key_path);
}

ALL_TESTS(begin_all, end_all);

TEST(strangers_stay_within_their_budgets)
{
    const char *longer = getenv("DEADFALL_TEST_LONG");
    uint64_t count = seed_count ? seed_count : longer && *longer ? SCHEDULES_LONG : SCHEDULES;
    for (uint64_t i = 0; i < count; i++)
        run_schedule(first_seed + i);
    for (enum lie lie = LIE_SILENT; lie <= LIE_NONE && count >= SCHEDULES; lie++)
        assert_true(connected[lie] > 0); // or the test would prove nothing
    if (count >= SCHEDULES)
        assert_true(totals.crashes > 0 && totals.restarts > 0 && totals.resets_forged > 0 && totals.returns > 0);
    for (int l = 0; l < LIES; l++)
        print_message("%d:%llu ", l, (unsigned long long)connected[l]);
#ifdef DEADFALL_HAS_WEBRTC
    assert_true(count < SCHEDULES || (totals.checks > 0 && totals.flights > 0));
#endif
    print_message("%llu answers to checks, %llu flights of DTLS, ", (unsigned long long)totals.checks,
                  (unsigned long long)totals.flights);
    print_message("%llu schedules, %llu crashes, %llu planned restarts, %llu resets, %llu forged, %llu returns, "
                  "slowest %u steps\n",
                  (unsigned long long)count, (unsigned long long)totals.crashes, (unsigned long long)totals.restarts,
                  (unsigned long long)totals.resets, (unsigned long long)totals.resets_forged,
                  (unsigned long long)totals.returns, totals.slowest_return_steps);
}
