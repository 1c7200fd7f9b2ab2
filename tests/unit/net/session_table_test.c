// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/client_session.h"
#include "net/session_table.h"
#include "net/transport.h"
#include "test.h"

#define PROTOCOL  3u
#define SECOND_NS ((uint64_t)1000000000)

static const struct net_address home = {.bytes = {127, 0, 0, 1, 0x69, 0x78}, .byte_count = 6};
static const struct net_address cafe = {.bytes = {192, 0, 2, 7, 0x12, 0x34}, .byte_count = 6};

struct scene {
    struct session_table table;
    uint64_t now_ns;
};

static void open_scene(struct scene *scene, uint32_t capacity)
{
    static const uint8_t seed[32] = {5};
    memset(scene, 0, sizeof *scene);
    scene->now_ns = 1000 * SECOND_NS;
    assert_true(session_table_open(&scene->table, capacity, seed, PROTOCOL));
}

static void begin(struct scene *scene, struct client_session *handshake, uint8_t who)
{
    memset(handshake, 0, sizeof *handshake);
    handshake->seed[0] = who;
    client_session_begin(handshake, PROTOCOL, "", scene->now_ns);
}

static enum datagram_outcome server_takes(struct scene *scene, const struct net_address *from, const uint8_t *bytes,
                                          size_t byte_count, struct datagram_output *output)
{
    return session_table_take(&scene->table, &(struct datagram){*from, scene->now_ns, bytes, byte_count}, output);
}

// Returns whether the client accepts the bytes for ENet.
static bool client_takes(struct scene *scene, struct client_session *handshake, const uint8_t *bytes, size_t byte_count,
                         struct datagram_output *output)
{
    struct datagram datagram = {{.byte_count = 6}, scene->now_ns, bytes, byte_count};
    return client_session_take(handshake, &datagram, output) == DATAGRAM_DELIVERED;
}

// Sends the client's next datagram to the server, and the answer to the client. Returns the server's outcome.
static enum datagram_outcome exchange(struct scene *scene, struct client_session *handshake,
                                      const struct net_address *from)
{
    uint8_t asked[HELLO_BYTES], answer[DATAGRAM_BYTES_MAX], plain[DATAGRAM_BYTES_MAX];
    struct datagram_output answered = {.bytes = answer}, output = {.bytes = plain};
    size_t asked_count = client_session_due(handshake, scene->now_ns, asked);
    assert_true(asked_count > 0);
    enum datagram_outcome outcome = server_takes(scene, from, asked, asked_count, &answered);
    if (outcome == DATAGRAM_ANSWERED) {
        assert_true(answered.byte_count <= asked_count);
        assert_false(client_takes(scene, handshake, answer, answered.byte_count, &output));
    }
    return outcome;
}

static void join_as(struct scene *scene, struct client_session *handshake, uint8_t who)
{
    begin(scene, handshake, who);
    assert_int_equal(exchange(scene, handshake, &home), DATAGRAM_ANSWERED);
    assert_int_equal(exchange(scene, handshake, &home), DATAGRAM_ANSWERED);
}

// The client sends a byte. Returns the server's outcome, and the session that the byte came from.
static enum datagram_outcome speak(struct scene *scene, struct client_session *handshake,
                                   const struct net_address *from, struct session_id *id)
{
    uint8_t encrypted[64], plain[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = plain};
    size_t size =
        packet_crypto_encrypt(&handshake->crypto, handshake->grant.session, (const uint8_t *)"x", 1, encrypted);
    enum datagram_outcome outcome = server_takes(scene, from, encrypted, size, &output);
    if (outcome == DATAGRAM_DELIVERED) {
        assert_true(output.byte_count == 1 && plain[0] == 'x');
        *id = output.session;
    }
    if (outcome == DATAGRAM_ANSWERED && net_address_equals(from, &home)) {
        assert_true(output.byte_count < size);
        assert_true(handshake_reset_claims(&handshake->grant, output.bytes, output.byte_count));
    }
    return outcome;
}

static size_t encrypt(struct scene *scene, struct session_id id, const uint8_t *bytes, size_t byte_count, uint8_t *out,
                      struct net_address *to)
{
    struct datagram plain = {.now_ns = scene->now_ns, .bytes = bytes, .byte_count = byte_count};
    return session_table_encrypt(&scene->table, id, &plain, out, to);
}

// Returns whether ENet may connect: once.
static bool connects(struct scene *scene, struct session_id id)
{
    uint64_t round_trip_ns;
    return session_table_connect(&scene->table, id, scene->now_ns, &round_trip_ns);
}

// The client sends a byte, and ENet connects.
static void open_session(struct scene *scene, struct client_session *handshake, struct session_id *id)
{
    assert_int_equal(speak(scene, handshake, &home, id), DATAGRAM_DELIVERED);
    assert_true(connects(scene, *id));
}

TEST(a_client_joins_and_both_ends_send)
{
    struct scene scene;
    struct client_session handshake;
    struct session_id id;
    open_scene(&scene, 4);
    join_as(&scene, &handshake, 1);
    assert_int_equal(handshake.state, CLIENT_SESSION_OPEN);
    assert_int_equal(speak(&scene, &handshake, &home, &id), DATAGRAM_DELIVERED);
    assert_int_not_equal(id.generation, 0);
    uint8_t encrypted[DATAGRAM_BYTES_MAX], plain[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = plain};
    struct net_address to;
    size_t size = encrypt(&scene, id, (const uint8_t *)"yes", 3, encrypted, &to);
    assert_memory_equal(&to, &home, sizeof to);
    assert_true(client_takes(&scene, &handshake, encrypted, size, &output));
    assert_true(output.byte_count == 3 && memcmp(plain, "yes", 3) == 0);
    assert_false(client_takes(&scene, &handshake, encrypted, size, &output)); // a second time
    session_table_close(&scene.table);
}

static void assert_address(const struct net_client *client, const char *wanted)
{
    char text[NET_ADDRESS_TEXT_BYTES];
    net_address_text(&client->address, text);
    assert_string_equal(text, wanted);
}

static bool only_the_second(void *context, const struct net_client *client, char reason[NET_REASON_BYTES])
{
    assert_address(client, "127.0.0.1:27000");
    snprintf(reason, NET_REASON_BYTES, "no first\x1b ones");
    return memcmp(client->identity, context, IDENTITY_BYTES) == 0;
}

TEST(a_refused_client_learns_why_and_uses_no_session)
{
    struct scene scene;
    struct client_session handshake;
    struct session_id id;
    struct net_client client;
    open_scene(&scene, 1);
    begin(&scene, &handshake, 2);
    uint8_t second[IDENTITY_BYTES];
    memcpy(second, handshake.attempt.identity, sizeof second);
    scene.table.admission = (struct net_admission){only_the_second, second};
    join_as(&scene, &handshake, 1);
    assert_int_equal(handshake.state, CLIENT_SESSION_REFUSED);
    assert_string_equal(handshake.error.text, "The server has banned you: ask its operator. It says: no first ones");
    assert_int_equal(handshake.denial, DENIAL_BANNED);
    join_as(&scene, &handshake, 2);
    assert_int_equal(handshake.state, CLIENT_SESSION_OPEN);
    assert_int_equal(speak(&scene, &handshake, &cafe, &id), DATAGRAM_DELIVERED);
    assert_true(session_table_client(&scene.table, id, &client));
    assert_memory_equal(client.identity, handshake.attempt.identity, sizeof client.identity);
    assert_address(&client, "127.0.0.1:27000"); // the other address is not proven
    id.generation++;
    assert_false(session_table_client(&scene.table, id, &client));
    session_table_close(&scene.table);
}

// By somebody who sees the client's datagrams and answers before the server does.
TEST(a_forged_refusal_ends_no_join)
{
    struct scene scene;
    struct client_session handshake;
    uint8_t forged[DATAGRAM_BYTES_MAX] = {DATAGRAM_DENY}, plain[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = plain};
    open_scene(&scene, 4);
    begin(&scene, &handshake, 1);
    assert_int_equal(exchange(&scene, &handshake, &home), DATAGRAM_ANSWERED);
    memcpy(forged + 1, handshake.attempt.nonce, NONCE_BYTES);
    for (size_t size = 9; size <= JOIN_BYTES; size++)
        for (uint8_t denial = DENIAL_FULL; denial <= DENIAL_PASSWORD; denial++) {
            forged[9] = denial;
            assert_false(client_takes(&scene, &handshake, forged, size, &output));
            if (handshake.state != CLIENT_SESSION_JOIN)
                fail_msg("%zu bytes with denial %d", size, denial);
        }
    assert_int_equal(exchange(&scene, &handshake, &home), DATAGRAM_ANSWERED);
    assert_int_equal(handshake.state, CLIENT_SESSION_OPEN);
    session_table_close(&scene.table);
}

static void join_with(struct scene *scene, struct client_session *handshake, const char *password,
                      struct net_ticket *ticket)
{
    memset(handshake, 0, sizeof *handshake);
    handshake->seed[0] = 1;
    handshake->ticket = ticket;
    client_session_begin(handshake, PROTOCOL, password, scene->now_ns);
    for (int i = 0; i < 8 && handshake->state != CLIENT_SESSION_OPEN && handshake->state != CLIENT_SESSION_REFUSED; i++)
        assert_int_equal(exchange(scene, handshake, &home), DATAGRAM_ANSWERED);
}

TEST(a_wrong_password_is_refused_and_a_ticket_replaces_it)
{
    struct scene scene;
    struct client_session handshake;
    struct {
        struct net_ticket ticket;
        uint8_t behind[512];
    } own = {{{0}}, {0}};
    struct net_ticket *ticket = &own.ticket;
    open_scene(&scene, 8);
    handshake_server_password(&scene.table.handshake, "sesame");
    scene.table.handshake.unix_s = 2000000000;
    join_with(&scene, &handshake, "", ticket);
    assert_int_equal(handshake.state, CLIENT_SESSION_REFUSED);
    join_with(&scene, &handshake, "simsim", ticket);
    assert_int_equal(handshake.state, CLIENT_SESSION_REFUSED);
    assert_string_equal(handshake.error.text, handshake_denial_text(DENIAL_PASSWORD));
    join_with(&scene, &handshake, "sesame", ticket);
    assert_int_equal(handshake.state, CLIENT_SESSION_OPEN);
    session_table_close(&scene.table); // the server starts again: same key, same password
    open_scene(&scene, 8);
    handshake_server_password(&scene.table.handshake, "sesame");
    scene.table.handshake.unix_s = 2000003600;
    join_with(&scene, &handshake, "", ticket);
    assert_int_equal(handshake.state, CLIENT_SESSION_OPEN);
    handshake_server_password(&scene.table.handshake, "open");
    join_with(&scene, &handshake, "open", ticket); // the ticket is refused, the password is not
    assert_int_equal(handshake.state, CLIENT_SESSION_OPEN);
    scene.table.handshake.unix_s += 2 * (uint64_t)TICKET_S;
    join_with(&scene, &handshake, "", ticket);
    assert_int_equal(handshake.state, CLIENT_SESSION_REFUSED);
    join_with(&scene, &handshake, "", ticket); // and it is not tried again
    assert_false(handshake.attempt.has_ticket);
    session_table_close(&scene.table);
    for (size_t k = 0; k < sizeof own.behind; k++)
        assert_int_equal(own.behind[k], 0); // nothing is written but the ticket
}

TEST(addresses_are_printed_for_people)
{
    static const struct {
        struct net_address address;
        const char *text;
    } rows[] = {
        /* 0 */ {{{127, 0, 0, 1, 0x69, 0x78}, 6}, "127.0.0.1:27000"},
        /* 1 */ {{{255, 255, 255, 255, 255, 255}, 6}, "255.255.255.255:65535"},
        /* 2 */ {{{0x20, 1, 0xd, 0xb8, [15] = 1, [17] = 9}, 22}, "[2001:db8::1]:9"},
        /* 3 */ {{{0xfe, 0x80, [15] = 1, [17] = 9, 3}, 22}, "[fe80::1]:9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[NET_ADDRESS_TEXT_BYTES];
        net_address_text(&rows[i].address, text);
        assert_string_equal(text, rows[i].text);
    }
}

TEST(only_a_new_genuine_datagram_moves_a_session)
{
    struct scene scene;
    struct client_session handshake;
    struct session_id id;
    uint8_t early[64], late[64], out[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = out};
    struct net_address to;
    open_scene(&scene, 4);
    join_as(&scene, &handshake, 1);
    size_t early_size =
        packet_crypto_encrypt(&handshake.crypto, handshake.grant.session, (const uint8_t *)"x", 1, early);
    assert_int_equal(speak(&scene, &handshake, &cafe, &id), DATAGRAM_DELIVERED);
    encrypt(&scene, id, (const uint8_t *)"x", 1, out, &to);
    assert_memory_equal(&to, &cafe, sizeof to);
    // From the old address and late: accepted, but the session does not move back.
    assert_int_equal(server_takes(&scene, &home, early, early_size, &output), DATAGRAM_DELIVERED);
    size_t late_size = packet_crypto_encrypt(&handshake.crypto, handshake.grant.session, (const uint8_t *)"x", 1, late);
    late[late_size - 1] ^= 1;
    assert_int_equal(server_takes(&scene, &home, late, late_size, &output), DATAGRAM_REJECTED);
    encrypt(&scene, id, (const uint8_t *)"x", 1, out, &to);
    assert_memory_equal(&to, &cafe, sizeof to);
    session_table_close(&scene.table);
}

TEST(a_repeated_join_gets_the_same_answer_and_session)
{
    struct scene scene;
    struct client_session handshake;
    uint8_t first[DATAGRAM_BYTES_MAX], again[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.byte_count = 0};
    open_scene(&scene, 1);
    begin(&scene, &handshake, 1);
    exchange(&scene, &handshake, &home);
    for (int i = 0; i < 2; i++) {
        output.bytes = i ? again : first;
        assert_int_equal(server_takes(&scene, &home, handshake.attempt.join, JOIN_BYTES, &output), DATAGRAM_ANSWERED);
    }
    assert_int_equal(output.byte_count, ACCEPT_BYTES);
    assert_memory_equal(first, again, ACCEPT_BYTES);
    session_table_close(&scene.table);
}

TEST(a_full_server_refuses_until_a_client_leaves)
{
    struct scene scene;
    struct client_session one, other, third;
    struct session_id id;
    open_scene(&scene, 1);
    join_as(&scene, &one, 1);
    open_session(&scene, &one, &id);
    session_table_keep(&scene.table, id);
    join_as(&scene, &other, 2);
    assert_int_equal(other.state, CLIENT_SESSION_REFUSED);
    assert_non_null(strstr(other.error.text, "full"));
    uint8_t hello[HELLO_BYTES], cookie[COOKIE_BYTES], out[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = out};
    handshake_hello_write(&other.attempt, hello);
    handshake_cookie_write(&scene.table.handshake, &(struct datagram){home, scene.now_ns, hello, sizeof hello}, cookie);
    assert_false(client_takes(&scene, &other, cookie, sizeof cookie, &output)); // a late one
    assert_int_equal(other.state, CLIENT_SESSION_REFUSED);
    session_table_end(&scene.table, id, scene.now_ns);
    assert_int_equal(speak(&scene, &one, &home, &id), DATAGRAM_DELIVERED); // its last message
    scene.now_ns += SECOND_NS + 1;
    join_as(&scene, &third, 3);
    assert_int_equal(third.state, CLIENT_SESSION_OPEN);
    struct session_id gone = id;
    struct net_address to;
    assert_int_equal(speak(&scene, &one, &home, &id), DATAGRAM_ANSWERED); // another session has its place
    assert_int_equal(encrypt(&scene, gone, (const uint8_t *)"x", 1, out, &to), 0);
    session_table_end(&scene.table, gone, scene.now_ns); // and keeps it
    scene.now_ns += 2 * SECOND_NS;
    assert_int_equal(speak(&scene, &third, &home, &id), DATAGRAM_DELIVERED);
    session_table_close(&scene.table);
}

// Joins from a household: 203.0.113.NUMBER. Returns whether the client was accepted.
static bool join_from(struct scene *scene, struct client_session *handshake, uint8_t number)
{
    struct net_address from = {{203, 0, 113, number, 1, 1}, ADDRESS_BYTES_IPV4};
    begin(scene, handshake, number);
    exchange(scene, handshake, &from);
    exchange(scene, handshake, &from);
    scene->now_ns += SECOND_NS / 100;
    return handshake->state == CLIENT_SESSION_OPEN;
}

// Sends as that client. From then on its ENet has connected.
static bool is_alive(struct scene *scene, struct client_session *handshake, uint8_t number)
{
    struct session_id id;
    struct net_address from = {{203, 0, 113, number, 1, 1}, ADDRESS_BYTES_IPV4};
    bool alive = speak(scene, handshake, &from, &id) == DATAGRAM_DELIVERED;
    if (alive)
        connects(scene, id);
    return alive;
}

// Four households hold as many sessions as they can and repeat their joins all the time. Every honest client gets in
// and stays, although the table is full.
TEST(households_that_hoard_sessions_stop_nobody)
{
    static struct scene scene;
    static struct client_session hoarders[32], honest;
    struct net_sessions sessions;
    open_scene(&scene, 32);
    scene.table.rules = (struct household_rules){.players_max = 8};
    for (unsigned i = 0; i < 32; i++)
        assert_true(join_from(&scene, &hoarders[i], (uint8_t)(1 + i % 4)));
    session_table_count(&scene.table, scene.now_ns, &sessions);
    assert_int_equal(sessions.accepted, 32);
    assert_int_equal(sessions.households, 4);
    unsigned in = 0;
    for (unsigned i = 0; i < 113; i++) {
        in += join_from(&scene, &honest, 100) && is_alive(&scene, &honest, 100);
        for (unsigned j = 0; j < 4; j++)
            join_from(&scene, &hoarders[(i * 4 + j) % 32], (uint8_t)(1 + j));
        for (unsigned j = 0; j < 32; j++)
            is_alive(&scene, &hoarders[j], (uint8_t)(1 + j % 4));
        assert_true(is_alive(&scene, &honest, 100)); // the hoarders took from themselves
        scene.now_ns += SECOND_NS;
    }
    assert_int_equal(in, 113);
    assert_true(scene.table.refusals.gave_way > 0);
    session_table_close(&scene.table);
}

// Joins from household NUMBER of one site, 2001:db8:1::/48.
static struct net_address neighbour(uint8_t number)
{
    return (struct net_address){{0x20, 1, 0x0D, 0xB8, 0, 1, number, [17] = 1}, ADDRESS_BYTES_MAX};
}

TEST(a_site_with_many_households_takes_from_itself)
{
    static struct scene scene;
    static struct client_session neighbours[256], honest;
    open_scene(&scene, 16);
    scene.table.rules = (struct household_rules){.players_max = 8};
    assert_true(join_from(&scene, &honest, 100));
    for (unsigned i = 0; i < 256; i++) {
        struct net_address from = neighbour((uint8_t)i);
        begin(&scene, &neighbours[i], (uint8_t)i);
        exchange(&scene, &neighbours[i], &from);
        exchange(&scene, &neighbours[i], &from);
        scene.now_ns += SECOND_NS / 100;
    }
    assert_true(is_alive(&scene, &honest, 100));
    struct net_sessions sessions;
    session_table_count(&scene.table, scene.now_ns, &sessions);
    assert_int_equal(sessions.accepted + sessions.waiting, 8 + 1);
    session_table_close(&scene.table);
}

TEST(a_household_with_too_many_sessions_takes_from_itself)
{
    static struct scene scene;
    static struct client_session mine[4], other;
    char text[HOUSEHOLD_TEXT_BYTES];
    open_scene(&scene, 8);
    scene.table.rules = (struct household_rules){.players_max = 3};
    assert_true(join_from(&scene, &other, 9));
    for (unsigned i = 0; i < 4; i++)
        assert_true(join_from(&scene, &mine[i], 1));
    assert_false(is_alive(&scene, &mine[0], 1)); // the oldest
    for (unsigned i = 1; i < 4; i++)
        assert_true(is_alive(&scene, &mine[i], 1));
    assert_true(is_alive(&scene, &other, 9));
    assert_int_equal(scene.table.refusals.gave_way, 1);
    household_text(scene.table.refusals.sessions_of, text);
    assert_string_equal(text, "203.0.113.1");
    session_table_close(&scene.table);
}

TEST(an_exempt_household_is_limited_by_the_table_alone)
{
    static struct scene scene;
    static struct client_session mine[4];
    open_scene(&scene, 4);
    scene.table.rules = (struct household_rules){.players_max = 1, .exempt_count = 1};
    assert_true(household_range_parse("203.0.113.0/24", &scene.table.rules.exempt[0]));
    for (unsigned i = 0; i < 4; i++)
        assert_true(join_from(&scene, &mine[i], 1));
    for (unsigned i = 0; i < 4; i++)
        assert_true(is_alive(&scene, &mine[i], 1));
    session_table_close(&scene.table);
}

TEST(a_session_with_a_player_never_gives_way)
{
    static struct scene scene;
    static struct client_session players[2], waiting, newest;
    struct net_sessions sessions;
    struct session_id ids[2];
    struct net_address from = {{203, 0, 113, 1, 1, 1}, ADDRESS_BYTES_IPV4};
    open_scene(&scene, 3);
    for (unsigned i = 0; i < 2; i++) {
        join_from(&scene, &players[i], 1);
        speak(&scene, &players[i], &from, &ids[i]);
        connects(&scene, ids[i]);
        session_table_keep(&scene.table, ids[i]);
    }
    assert_true(join_from(&scene, &waiting, 2));
    session_table_count(&scene.table, scene.now_ns, &sessions);
    assert_true(sessions.playing == 2 && sessions.waiting == 0 && sessions.accepted == 1);
    assert_true(is_alive(&scene, &waiting, 2));
    session_table_count(&scene.table, scene.now_ns, &sessions);
    assert_true(sessions.playing == 2 && sessions.waiting == 1 && sessions.accepted == 0 && sessions.leaving == 0);
    assert_true(join_from(&scene, &newest, 3));
    assert_false(is_alive(&scene, &waiting, 2));
    assert_true(is_alive(&scene, &players[0], 1) && is_alive(&scene, &players[1], 1) && is_alive(&scene, &newest, 3));
    struct session_id third = newest.grant.session;
    assert_true(session_table_has(&scene.table, third, scene.now_ns));
    session_table_keep(&scene.table, third);
    assert_false(join_from(&scene, &waiting, 2));
    assert_int_equal(scene.table.refusals.denied[DENIAL_FULL], 1);
    session_table_end(&scene.table, ids[0], scene.now_ns); // who leaves has no player any more
    session_table_keep(&scene.table, ids[0]);
    session_table_count(&scene.table, scene.now_ns, &sessions);
    assert_true(sessions.leaving == 1 && sessions.playing == 2);
    assert_true(join_from(&scene, &waiting, 2));
    assert_false(session_table_has(&scene.table, ids[0], scene.now_ns));
    session_table_close(&scene.table);
}

TEST(a_session_lasts_while_its_client_sends)
{
    static const struct {
        bool speaks;
        uint64_t later_ns;
        bool stays;
    } rows[] = {
        /* 0 */ {false, 4 * SECOND_NS, true}, // accepted, but silent since
        /* 1 */ {false, 4 * SECOND_NS + 1, false},
        /* 2 */ {true, 8 * SECOND_NS, true},
        /* 3 */ {true, 8 * SECOND_NS + 1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scene scene;
        struct client_session handshake;
        struct session_id id;
        open_scene(&scene, 1);
        join_as(&scene, &handshake, 1);
        if (rows[i].speaks)
            open_session(&scene, &handshake, &id);
        scene.now_ns += rows[i].later_ns;
        if ((speak(&scene, &handshake, &home, &id) == DATAGRAM_DELIVERED) != rows[i].stays)
            fail_msg("row %zu", i);
        session_table_close(&scene.table);
    }
}

TEST(too_many_faults_end_a_session)
{
    struct scene scene;
    struct client_session handshake;
    struct session_id id;
    open_scene(&scene, 1);
    join_as(&scene, &handshake, 1);
    open_session(&scene, &handshake, &id);
    for (int i = 0; i < 7; i++)
        session_table_report_violation(&scene.table, id, scene.now_ns);
    scene.now_ns += 2 * SECOND_NS;
    assert_int_equal(speak(&scene, &handshake, &home, &id), DATAGRAM_DELIVERED);
    session_table_report_violation(&scene.table, id, scene.now_ns);
    scene.now_ns += 2 * SECOND_NS;
    assert_int_equal(speak(&scene, &handshake, &home, &id), DATAGRAM_ANSWERED);
    session_table_close(&scene.table);
}

TEST(a_client_that_sends_too_much_is_ignored_for_a_while)
{
    struct scene scene;
    struct client_session handshake;
    struct session_id id;
    open_scene(&scene, 1);
    join_as(&scene, &handshake, 1);
    unsigned heard = 0;
    for (int i = 0; i < 2000; i++)
        heard += speak(&scene, &handshake, &home, &id) == DATAGRAM_DELIVERED;
    assert_int_equal(heard, 480);
    scene.now_ns += SECOND_NS;
    assert_int_equal(speak(&scene, &handshake, &home, &id), DATAGRAM_DELIVERED);
    session_table_close(&scene.table);
}

TEST(one_address_cannot_prevent_others_from_joining)
{
    struct scene scene;
    struct client_session handshake, honest;
    open_scene(&scene, 4);
    begin(&scene, &handshake, 1);
    exchange(&scene, &handshake, &cafe);
    uint8_t out[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = out};
    unsigned answered = 0;
    for (int i = 0; i < 1000; i++)
        answered += server_takes(&scene, &cafe, handshake.attempt.join, JOIN_BYTES, &output) == DATAGRAM_ANSWERED;
    assert_int_equal(answered, 64);
    join_as(&scene, &honest, 2);
    assert_int_equal(honest.state, CLIENT_SESSION_OPEN);
    session_table_close(&scene.table);
}

TEST(a_client_joins_a_restarted_server_with_a_new_attempt)
{
    struct scene before, after;
    struct client_session handshake;
    open_scene(&before, 1);
    open_scene(&after, 1);
    begin(&before, &handshake, 1);
    exchange(&before, &handshake, &home); // this cookie is worth nothing afterwards
    for (int i = 0; i < 20 && handshake.state != CLIENT_SESSION_OPEN; i++) {
        exchange(&after, &handshake, &home);
        after.now_ns += SECOND_NS / 4;
    }
    assert_int_equal(handshake.state, CLIENT_SESSION_OPEN);
    session_table_close(&before.table);
    session_table_close(&after.table);
}

TEST(a_client_repeats_its_hello_until_it_is_answered)
{
    struct scene scene;
    struct client_session handshake;
    uint8_t out[HELLO_BYTES];
    open_scene(&scene, 1);
    begin(&scene, &handshake, 1);
    unsigned sent = 0;
    for (int ms = 0; ms < 1000; ms++)
        sent += client_session_due(&handshake, scene.now_ns + (uint64_t)ms * 1000000, out) > 0;
    assert_int_equal(sent, 10);
    session_table_close(&scene.table);
}

// A second after an unexpected server has answered, and no other.
static void give_up(struct scene *scene, struct client_session *handshake)
{
    uint8_t out[HELLO_BYTES];
    assert_true(client_session_due(handshake, scene->now_ns + SECOND_NS - 1, out) > 0);
    assert_int_equal(client_session_due(handshake, scene->now_ns + SECOND_NS, out), 0);
}

TEST(a_client_identifies_itself_only_to_the_expected_server)
{
    struct scene scene;
    struct client_session handshake;
    char path[] = "/tmp/deadfall_known_XXXXXX", own[FINGERPRINT_TEXT_BYTES];
    close(mkstemp(path));
    open_scene(&scene, 9);
    identity_fingerprint(scene.table.handshake.public_key, own);
    struct {
        const char *expected, *claimed, *known;
        bool joins;
    } rows[] = {
        /* 0 */ {own, "", "", true},
        /* 1 */ {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "", "", false},
        /* 2 */ {"", "", "", true},
        /* 3 */ {"", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", path, false}, // the list was wrong
        /* 4 */ {"", "", path, true},                                  // trusted at first
        /* 5 */ {"", "", path, true},
        /* 6 */ {"", own, path, true},
        /* 7 */ {own, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&scene, &handshake, 1);
        strcpy(handshake.fingerprint, rows[i].expected);
        strcpy(handshake.claimed, rows[i].claimed);
        strcpy(handshake.known_servers_path, rows[i].known);
        strcpy(handshake.server_name, "arena.example:27440");
        exchange(&scene, &handshake, &home);
        if (handshake.state != (rows[i].joins ? CLIENT_SESSION_JOIN : CLIENT_SESSION_HELLO))
            fail_msg("row %zu: %s", i, handshake.error.text);
        if (rows[i].joins)
            exchange(&scene, &handshake, &home);
        else
            give_up(&scene, &handshake);
        if (rows[i].joins != (handshake.state == CLIENT_SESSION_OPEN) ||
            rows[i].joins != (handshake.error.text[0] == 0))
            fail_msg("row %zu: %s", i, handshake.error.text);
    }
    session_table_close(&scene.table);
    assert_true(session_table_open(&scene.table, 1, (const uint8_t[32]){6}, PROTOCOL)); // another key in its place
    begin(&scene, &handshake, 1);
    strcpy(handshake.known_servers_path, path);
    identity_fingerprint(scene.table.handshake.public_key, handshake.claimed); // a claim does not replace what is known
    strcpy(handshake.server_name, "arena.example:27440");
    exchange(&scene, &handshake, &home);
    give_up(&scene, &handshake);
    assert_int_equal(handshake.state, CLIENT_SESSION_REFUSED);
    assert_non_null(strstr(handshake.error.text, "another key"));
    session_table_close(&scene.table);
    unlink(path);
}

// Looks for the keys of a session in all memory of its table.
static bool has_keys(const struct scene *scene, const struct packet_crypto *crypto)
{
    const struct session *sessions = scene->table.sessions;
    size_t byte_count = scene->table.capacity * sizeof *sessions;
    return memmem(sessions, byte_count, crypto->send_key, PACKET_CRYPTO_KEY_BYTES) ||
           memmem(sessions, byte_count, crypto->receive_key, PACKET_CRYPTO_KEY_BYTES);
}

TEST(the_keys_of_a_session_that_is_over_are_wiped)
{
    struct scene scene;
    struct client_session handshake;
    struct session_id id;
    uint16_t generation = 0;
    for (int row = 0; row < 2; row++) { // it ends, or its client is silent
        open_scene(&scene, 4);
        join_as(&scene, &handshake, 1);
        open_session(&scene, &handshake, &id);
        generation = id.generation;
        if (row == 0)
            session_table_end(&scene.table, id, scene.now_ns);
        scene.now_ns += (row == 0 ? 1 : 8) * SECOND_NS;
        session_table_sweep(&scene.table, scene.now_ns);
        assert_true(has_keys(&scene, &handshake.crypto));
        session_table_sweep(&scene.table, scene.now_ns + 1);
        assert_false(has_keys(&scene, &handshake.crypto));
        assert_int_equal(scene.table.sessions[id.index].generation, generation);
        session_table_close(&scene.table);
    }
}

TEST(a_sweep_finds_every_session_that_is_over)
{
    enum { SESSIONS = 4 };
    struct client_session handshakes[SESSIONS];
    struct session_id ids[SESSIONS];
    for (uint32_t first = 0; first < SESSIONS; first++) { // that is silent; the next ones follow after a second each
        struct scene scene;
        open_scene(&scene, SESSIONS);
        for (uint8_t i = 0; i < SESSIONS; i++) {
            join_as(&scene, &handshakes[i], (uint8_t)(i + 1));
            open_session(&scene, &handshakes[i], &ids[i]);
        }
        for (uint32_t silent = 0; silent < SESSIONS; silent++) {
            session_table_end(&scene.table, ids[(first + silent) % SESSIONS], scene.now_ns);
            scene.now_ns += SECOND_NS + 1;
            session_table_sweep(&scene.table, scene.now_ns);
            for (uint32_t i = 0; i < SESSIONS; i++) {
                bool is_over = (i + SESSIONS - first) % SESSIONS <= silent;
                assert_int_equal(has_keys(&scene, &handshakes[i].crypto), !is_over);
            }
        }
        join_as(&scene, &handshakes[0], 9); // there is room again
        session_table_close(&scene.table);
    }
}

TEST(a_client_keeps_only_what_it_needs)
{
    struct scene scene;
    struct client_session handshake;
    static const char secret[] = "a secret";
    static const uint8_t zeros[32];
    open_scene(&scene, 4);
    for (int row = 0; row < 2; row++) { // joins, or is refused
        handshake_server_password(&scene.table.handshake, row == 0 ? "a secret" : "another");
        join_with(&scene, &handshake, "a secret", NULL);
        assert_int_equal(handshake.state, row == 0 ? CLIENT_SESSION_OPEN : CLIENT_SESSION_REFUSED);
        assert_null(memmem(&handshake, sizeof handshake, secret, sizeof secret));
        assert_memory_equal(handshake.seed, zeros, sizeof zeros);
        assert_memory_equal(handshake.attempt.static_secret, zeros, sizeof zeros);
    }
    session_table_close(&scene.table);
}

// By somebody who sees the HELLO and answers before the server does.
TEST(a_cookie_of_another_server_ends_no_join)
{
    struct scene scene, other;
    struct client_session handshake;
    open_scene(&scene, 1);
    open_scene(&other, 1);
    handshake_server_init(&other.table.handshake, (const uint8_t[32]){9}, PROTOCOL);
    begin(&scene, &handshake, 1);
    identity_fingerprint(scene.table.handshake.public_key, handshake.fingerprint);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(exchange(&other, &handshake, &home), DATAGRAM_ANSWERED);
        assert_int_equal(handshake.state, CLIENT_SESSION_HELLO);
        scene.now_ns = other.now_ns += SECOND_NS / 10;
    }
    assert_int_equal(exchange(&scene, &handshake, &home), DATAGRAM_ANSWERED);
    assert_int_equal(exchange(&scene, &handshake, &home), DATAGRAM_ANSWERED);
    assert_int_equal(handshake.state, CLIENT_SESSION_OPEN);
    assert_string_equal(handshake.error.text, "");
    session_table_close(&scene.table);
    session_table_close(&other.table);
}

TEST(a_closed_table_has_no_sessions_and_a_new_one_has_new_keys)
{
    static struct scene scene, other;
    struct client_session handshake;
    struct net_client client;
    open_scene(&scene, 4);
    open_scene(&other, 4);
    assert_memory_not_equal(scene.table.joins.key, other.table.joins.key, sizeof other.table.joins.key);
    assert_memory_not_equal(scene.table.handshake.cookie_key, other.table.handshake.cookie_key, 32);
    join_as(&scene, &handshake, 1);
    assert_true(session_table_client(&scene.table, handshake.grant.session, &client));
    session_table_close(&scene.table);
    assert_false(session_table_client(&scene.table, handshake.grant.session, &client));
    session_table_close(&scene.table);
    session_table_close(&other.table);
}

TEST(datagrams_that_no_client_sends_are_rejected)
{
    struct scene scene;
    struct client_session handshake;
    struct session_id id;
    uint8_t bytes[DATAGRAM_BYTES_MAX + 1] = {0}, out[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = out};
    struct net_address to;
    open_scene(&scene, 2);
    join_as(&scene, &handshake, 1);
    assert_int_equal(speak(&scene, &handshake, &home, &id), DATAGRAM_DELIVERED);
    assert_int_equal(server_takes(&scene, &home, bytes, 0, &output), DATAGRAM_REJECTED);
    for (unsigned kind = 0; kind < 256; kind++) {
        memset(bytes, 0, sizeof bytes);
        bytes[0] = (uint8_t)kind;
        static const size_t sizes[] = {1, 3, COOKIE_BYTES, JOIN_BYTES, HELLO_BYTES, DATAGRAM_BYTES_MAX + 1};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            assert_int_equal(server_takes(&scene, &home, bytes, sizes[i], &output), DATAGRAM_REJECTED);
    }
    for (uint16_t index = 0; index < 4; index++) { // one that is free, and some beyond the last
        struct session_id session = {index, id.generation};
        size_t size = packet_crypto_encrypt(&handshake.crypto, session, (const uint8_t *)"x", 1, bytes);
        assert_int_equal(server_takes(&scene, &home, bytes, size, &output),
                         index == id.index ? DATAGRAM_DELIVERED : DATAGRAM_ANSWERED);
    }
    static const size_t places[] = {34, 66, 98, 150, JOIN_BYTES - 1}; // of a JOIN with a good cookie
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct client_session forger;
        begin(&scene, &forger, 3);
        assert_int_equal(exchange(&scene, &forger, &home), DATAGRAM_ANSWERED);
        assert_int_equal(client_session_due(&forger, scene.now_ns, bytes), JOIN_BYTES);
        bytes[places[i]] ^= 1;
        assert_int_equal(server_takes(&scene, &cafe, bytes, JOIN_BYTES, &output), DATAGRAM_REJECTED);
        assert_int_equal(server_takes(&scene, &home, bytes, JOIN_BYTES, &output), DATAGRAM_REJECTED);
        scene.now_ns += SECOND_NS;
    }
    size_t most = DATAGRAM_BYTES_MAX - PACKET_CRYPTO_OVERHEAD_BYTES;
    assert_int_equal(encrypt(&scene, id, bytes, most, out, &to), DATAGRAM_BYTES_MAX);
    assert_int_equal(encrypt(&scene, id, bytes, most + 1, out, &to), 0);
    id.generation++;
    assert_int_equal(encrypt(&scene, id, bytes, 1, out, &to), 0);
    id = (struct session_id){2, id.generation};
    assert_int_equal(encrypt(&scene, id, bytes, 1, out, &to), 0);
    session_table_close(&scene.table);
}

// A cookie that leads nowhere costs half a second, and a slow line is waited for.
TEST(a_client_asks_as_long_as_its_line_may_take_and_begins_again)
{
    static const struct {
        uint32_t cookie_took, joins; // tenths of a second; JOINs
    } rows[] = {{0, 5}, {1, 5}, {2, 5}, {3, 6}, {6, 12}, {7, 14}, {8, 15}, {30, 15}};
    struct scene scene;
    struct client_session handshake;
    uint8_t out[HELLO_BYTES];
    open_scene(&scene, 1);
    begin(&scene, &handshake, 1);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        for (uint32_t i = 0; i < rows[row].cookie_took; i++) { // these are not answered
            assert_int_equal(client_session_due(&handshake, scene.now_ns, out), HELLO_BYTES);
            assert_int_equal(client_session_due(&handshake, scene.now_ns + SECOND_NS / 10 - 1, out), 0);
            scene.now_ns += SECOND_NS / 10;
        }
        assert_int_equal(exchange(&scene, &handshake, &home), DATAGRAM_ANSWERED);
        for (uint32_t i = 0; i < rows[row].joins; i++) {
            assert_int_equal(client_session_due(&handshake, scene.now_ns, out), JOIN_BYTES);
            assert_int_equal(out[0], DATAGRAM_JOIN);
            scene.now_ns += SECOND_NS / 10;
        }
        assert_int_equal(client_session_due(&handshake, scene.now_ns, out), HELLO_BYTES);
        assert_int_equal(out[0], DATAGRAM_HELLO);
        begin(&scene, &handshake, 1);
    }
    session_table_close(&scene.table);
}

TEST(a_session_that_ends_is_gone_after_a_second)
{
    struct scene scene;
    struct client_session handshake;
    struct session_id id;
    open_scene(&scene, 1);
    join_as(&scene, &handshake, 1);
    open_session(&scene, &handshake, &id);
    assert_int_equal(id.index, 0);
    session_table_end(&scene.table, (struct session_id){0, (uint16_t)(id.generation + 1)}, scene.now_ns);
    session_table_end(&scene.table, (struct session_id){1, id.generation}, scene.now_ns);
    scene.now_ns += 5 * SECOND_NS;
    assert_int_equal(speak(&scene, &handshake, &home, &id), DATAGRAM_DELIVERED); // neither was this one
    session_table_end(&scene.table, id, scene.now_ns);
    scene.now_ns += SECOND_NS;
    session_table_end(&scene.table, id, scene.now_ns); // a second time
    assert_int_equal(speak(&scene, &handshake, &home, &id), DATAGRAM_DELIVERED);
    scene.now_ns++;
    assert_int_equal(speak(&scene, &handshake, &home, &id), DATAGRAM_ANSWERED);
    session_table_close(&scene.table);
}

// Without the cookie of its sender, a JOIN gets nothing; with it, the session still waits for its keys.
TEST(a_replayed_join_opens_no_session_for_another_address)
{
    struct scene scene;
    struct client_session handshake;
    uint8_t join[JOIN_BYTES], out[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = out};
    struct session_id id;
    open_scene(&scene, 4);
    join_as(&scene, &handshake, 1);
    memcpy(join, handshake.attempt.join, sizeof join);
    open_session(&scene, &handshake, &id);
    struct net_address neighbour = home;
    neighbour.bytes[5]++; // another port
    assert_int_equal(server_takes(&scene, &cafe, join, sizeof join, &output), DATAGRAM_REJECTED);
    assert_int_equal(server_takes(&scene, &neighbour, join, sizeof join, &output), DATAGRAM_REJECTED);
    session_table_end(&scene.table, id, scene.now_ns);
    scene.now_ns += 2 * SECOND_NS;
    assert_int_equal(server_takes(&scene, &home, join, sizeof join, &output), DATAGRAM_ANSWERED);
    assert_true(output.byte_count < sizeof join);
    assert_int_equal(speak(&scene, &handshake, &home, &id), DATAGRAM_ANSWERED); // it is another one now
    assert_int_equal(scene.table.sessions[0].state, SESSION_ACCEPTED);
    session_table_close(&scene.table);
}

// The server forgets all and begins again with the same key, as after a crash.
static void restart(struct scene *scene)
{
    uint64_t now_ns = scene->now_ns;
    session_table_close(&scene->table);
    open_scene(scene, 4);
    scene->now_ns = now_ns;
}

// The client takes a datagram of a kind that is not for ENet. Returns whether it still has its session.
static bool survives(struct scene *scene, struct client_session *handshake, const uint8_t *bytes, size_t byte_count)
{
    uint8_t plain[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = plain};
    assert_false(client_takes(scene, handshake, bytes, byte_count, &output));
    return handshake->state == CLIENT_SESSION_OPEN;
}

TEST(a_restarted_server_resets_the_sessions_that_it_does_not_know)
{
    static struct scene scene;
    struct client_session handshake;
    struct session_id id;
    uint8_t asked[64], answer[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = answer};
    open_scene(&scene, 4);
    join_as(&scene, &handshake, 1);
    open_session(&scene, &handshake, &id);
    restart(&scene);
    size_t size = packet_crypto_encrypt(&handshake.crypto, id, (const uint8_t *)"x", 1, asked);
    assert_int_equal(server_takes(&scene, &home, asked, size, &output), DATAGRAM_ANSWERED);
    assert_int_equal(output.byte_count, SESSION_RESET_BYTES);
    assert_int_equal(scene.table.refusals.resets, 1);
    assert_false(survives(&scene, &handshake, answer, output.byte_count));
    assert_int_equal(handshake.state, CLIENT_SESSION_RESET);
    static const uint8_t zeros[sizeof handshake.crypto.send_key];
    assert_memory_equal(handshake.crypto.send_key, zeros, sizeof zeros);
    uint8_t due[HELLO_BYTES];
    assert_int_equal(client_session_due(&handshake, scene.now_ns + SECOND_NS, due), 0);
    join_as(&scene, &handshake, 1);
    assert_memory_not_equal(&handshake.grant.session, &id, sizeof id);
    assert_true(survives(&scene, &handshake, answer, SESSION_RESET_BYTES)); // which ended the session before
    session_table_close(&scene.table);
}

TEST(no_other_reset_ends_a_session)
{
    static struct scene scene;
    struct client_session handshake, other;
    struct session_id id;
    uint8_t asked[64], answer[DATAGRAM_BYTES_MAX], wanted[SESSION_RESET_BYTES];
    struct datagram_output output = {.bytes = answer};
    open_scene(&scene, 4);
    join_as(&scene, &handshake, 1);
    join_as(&scene, &other, 2);
    open_session(&scene, &handshake, &id);
    handshake_reset_write(&handshake.grant, wanted);
    for (size_t bit = 0; bit < sizeof wanted * 8; bit++) {
        wanted[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_true(survives(&scene, &handshake, wanted, sizeof wanted));
        wanted[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_true(survives(&scene, &handshake, wanted, sizeof wanted - 1));
    handshake_reset_write(&other.grant, answer);
    assert_true(survives(&scene, &handshake, answer, SESSION_RESET_BYTES));
    memcpy(answer, wanted, 5); // the right name with the token of another
    assert_true(survives(&scene, &handshake, answer, SESSION_RESET_BYTES));
    restart(&scene);
    size_t size = packet_crypto_encrypt(&handshake.crypto, id, (const uint8_t *)"x", 1, asked);
    assert_int_equal(server_takes(&scene, &cafe, asked, size, &output), DATAGRAM_ANSWERED); // a stranger asks
    assert_true(survives(&scene, &handshake, answer, output.byte_count));
    assert_false(survives(&scene, &handshake, wanted, sizeof wanted)); // so it was the right one
    session_table_close(&scene.table);
}

TEST(a_household_gets_a_bounded_number_of_resets)
{
    static struct scene scene;
    struct client_session handshake, other;
    uint8_t asked[64], answer[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = answer};
    open_scene(&scene, 4);
    join_as(&scene, &handshake, 1);
    restart(&scene);
    size_t size = packet_crypto_encrypt(&handshake.crypto, handshake.grant.session, (const uint8_t *)"x", 1, asked);
    unsigned answered = 0;
    for (unsigned i = 0; i < 1000; i++)
        answered += server_takes(&scene, &cafe, asked, size, &output) == DATAGRAM_ANSWERED;
    assert_int_equal(answered, RATE_LIMIT_RESETS.household.burst);
    assert_int_equal(server_takes(&scene, &home, asked, size, &output), DATAGRAM_ANSWERED); // another household
    scene.now_ns += SECOND_NS;
    for (unsigned i = 0; i < 1000; i++)
        answered += server_takes(&scene, &cafe, asked, size, &output) == DATAGRAM_ANSWERED;
    assert_int_equal(answered, RATE_LIMIT_RESETS.household.burst + RATE_LIMIT_RESETS.household.per_s);
    begin(&scene, &other, 2); // resets cost a household no joins
    assert_int_equal(exchange(&scene, &other, &cafe), DATAGRAM_ANSWERED);
    assert_int_equal(exchange(&scene, &other, &cafe), DATAGRAM_ANSWERED);
    session_table_close(&scene.table);
}

TEST(enet_connects_once_in_a_session_and_knows_its_round_trip)
{
    struct scene scene;
    struct client_session handshake;
    struct session_id id, other;
    uint64_t round_trip_ns = 0;
    open_scene(&scene, 1);
    join_as(&scene, &handshake, 1);
    id = handshake.grant.session;
    uint64_t accepted_ns = scene.table.sessions[id.index].begun_ns;
    scene.now_ns = accepted_ns + SECOND_NS / 4;
    assert_int_equal(speak(&scene, &handshake, &home, &id), DATAGRAM_DELIVERED);
    other = (struct session_id){id.index, (uint16_t)(id.generation + 1)};
    assert_false(connects(&scene, other));
    assert_true(session_table_connect(&scene.table, id, scene.now_ns, &round_trip_ns));
    assert_true(round_trip_ns == SECOND_NS / 4);
    for (int i = 0; i < 20; i++)
        assert_false(connects(&scene, id));
    assert_int_equal(scene.table.sessions[0].state, SESSION_LIVE);
    session_table_end(&scene.table, id, scene.now_ns);
    assert_false(connects(&scene, id));
    session_table_close(&scene.table);
}

// Sends what the server has for the client's new address. Returns its bytes.
static size_t challenge(struct scene *scene, struct client_session *handshake, struct session_id id,
                        const struct net_address *at, bool arrives)
{
    uint8_t encrypted[DATAGRAM_BYTES_MAX], echo[DATAGRAM_BYTES_MAX], plain[DATAGRAM_BYTES_MAX];
    struct datagram_output output = {.bytes = echo}, ignored = {.bytes = plain};
    struct net_address to;
    size_t size = session_table_challenge(&scene->table, id, scene->now_ns, encrypted, &to);
    if (size == 0 || !arrives)
        return size;
    assert_true(net_address_equals(&to, at));
    struct datagram datagram = {{.byte_count = 6}, scene->now_ns, encrypted, size};
    assert_int_equal(client_session_take(handshake, &datagram, &output), DATAGRAM_ANSWERED);
    assert_int_equal(output.byte_count, size);
    assert_int_equal(server_takes(scene, at, echo, output.byte_count, &ignored), DATAGRAM_CONSUMED);
    return size;
}

TEST(a_client_at_a_new_address_gets_little_until_it_echoes)
{
    static const uint8_t message[100] = {1};
    for (int echoes = 0; echoes < 2; echoes++) {
        struct scene scene;
        struct client_session handshake;
        struct session_id id;
        struct net_client client;
        uint8_t out[DATAGRAM_BYTES_MAX];
        struct net_address to;
        size_t sent = 0, received = 0;
        open_scene(&scene, 1);
        join_as(&scene, &handshake, 1);
        open_session(&scene, &handshake, &id);
        assert_int_equal(challenge(&scene, &handshake, id, &home, true), 0); // the JOIN has proven this one
        for (int i = 0; i < 60; i++) {
            assert_int_equal(speak(&scene, &handshake, &cafe, &id), DATAGRAM_DELIVERED);
            received += 1 + PACKET_CRYPTO_OVERHEAD_BYTES;
            sent += challenge(&scene, &handshake, id, &cafe, echoes);
            size_t size = encrypt(&scene, id, message, sizeof message, out, &to);
            assert_true(size == 0 || net_address_equals(&to, &cafe));
            assert_true(echoes ? size > 0 : sent + size <= 3 * received);
            sent += size;
            scene.now_ns += SECOND_NS / 60;
        }
        assert_true(sent > 2 * received);
        assert_true(session_table_client(&scene.table, id, &client));
        assert_address(&client, echoes ? "192.0.2.7:4660" : "127.0.0.1:27000");
        session_table_close(&scene.table);
    }
}
