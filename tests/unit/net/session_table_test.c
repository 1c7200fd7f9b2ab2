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

static struct session_table table;
static uint64_t now_ns;
static struct client_session player, other;
static struct session_id id; // from which the server has heard last
static uint8_t out[DATAGRAM_BYTES_MAX];
static struct datagram_output output = {.bytes = out};

static void open_table(uint32_t capacity)
{
    static const uint8_t seed[32] = {5};
    session_table_close(&table);
    now_ns = 1000 * SECOND_NS;
    assert_true(session_table_open(&table, capacity, seed, PROTOCOL));
}

static void begin(struct client_session *client, uint8_t who)
{
    memset(client, 0, sizeof *client);
    client->seed[0] = who;
    client_session_begin(client, PROTOCOL, "", now_ns);
}

static enum datagram_outcome server_takes(const struct net_address *from, const uint8_t *bytes, size_t byte_count,
                                          struct datagram_output *result)
{
    return session_table_take(&table, &(struct datagram){*from, now_ns, bytes, byte_count}, result);
}

// Returns whether the client accepts the bytes for ENet.
static bool client_takes(struct client_session *client, const uint8_t *bytes, size_t byte_count,
                         struct datagram_output *result)
{
    struct datagram datagram = {{.byte_count = 6}, now_ns, bytes, byte_count};
    return client_session_take(client, &datagram, result) == DATAGRAM_DELIVERED;
}

// Sends the client's next datagram to the server, and the answer to the client. Returns the server's outcome.
static enum datagram_outcome exchange(struct client_session *client, const struct net_address *from)
{
    uint8_t asked[HELLO_BYTES], answer[DATAGRAM_BYTES_MAX], plain[DATAGRAM_BYTES_MAX];
    struct datagram_output answered = {.bytes = answer}, ignored = {.bytes = plain};
    size_t asked_count = client_session_due(client, now_ns, asked);
    assert_true(asked_count > 0);
    enum datagram_outcome outcome = server_takes(from, asked, asked_count, &answered);
    if (outcome == DATAGRAM_ANSWERED) {
        assert_true(answered.byte_count <= asked_count);
        assert_false(client_takes(client, answer, answered.byte_count, &ignored));
    }
    return outcome;
}

static void join_as(struct client_session *client, uint8_t who)
{
    begin(client, who);
    assert_int_equal(exchange(client, &home), DATAGRAM_ANSWERED);
    assert_int_equal(exchange(client, &home), DATAGRAM_ANSWERED);
}

// The client sends a byte. Returns the server's outcome, and the session that the byte came from.
static enum datagram_outcome speak(struct client_session *client, const struct net_address *from)
{
    uint8_t encrypted[64];
    size_t size = packet_crypto_encrypt(&client->crypto, client->grant.session, (const uint8_t *)"x", 1, encrypted);
    enum datagram_outcome outcome = server_takes(from, encrypted, size, &output);
    if (outcome == DATAGRAM_DELIVERED) {
        assert_true(output.byte_count == 1 && out[0] == 'x');
        id = output.session;
    }
    if (outcome == DATAGRAM_ANSWERED && net_address_equals(from, &home)) {
        assert_true(output.byte_count < size);
        assert_true(handshake_reset_claims(&client->grant, output.bytes, output.byte_count));
    }
    return outcome;
}

static size_t encrypt(struct session_id session, const uint8_t *bytes, size_t byte_count, uint8_t *datagram,
                      struct net_address *to)
{
    struct datagram plain = {.now_ns = now_ns, .bytes = bytes, .byte_count = byte_count};
    return session_table_encrypt(&table, session, &plain, datagram, to);
}

// Returns whether ENet may connect: once.
static bool connects(struct session_id session)
{
    uint64_t round_trip_ns;
    return session_table_connect(&table, session, now_ns, &round_trip_ns);
}

// The client sends a byte, and ENet connects.
static void open_session(struct client_session *client)
{
    assert_int_equal(speak(client, &home), DATAGRAM_DELIVERED);
    assert_true(connects(id));
}

static void open_with_player(uint32_t capacity)
{
    open_table(capacity);
    join_as(&player, 1);
}

static void open_with_session(uint32_t capacity)
{
    open_with_player(capacity);
    open_session(&player);
}

TEST(a_client_joins_and_both_ends_send)
{
    open_with_player(4);
    assert_int_equal(player.state, CLIENT_SESSION_OPEN);
    assert_int_equal(speak(&player, &home), DATAGRAM_DELIVERED);
    assert_int_not_equal(id.generation, 0);
    uint8_t encrypted[DATAGRAM_BYTES_MAX];
    struct net_address to;
    size_t size = encrypt(id, (const uint8_t *)"yes", 3, encrypted, &to);
    assert_memory_equal(&to, &home, sizeof to);
    assert_true(client_takes(&player, encrypted, size, &output));
    assert_true(output.byte_count == 3 && memcmp(out, "yes", 3) == 0);
    assert_false(client_takes(&player, encrypted, size, &output)); // a second time
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
    struct net_client client;
    open_table(1);
    begin(&player, 2);
    uint8_t second[IDENTITY_BYTES];
    memcpy(second, player.attempt.identity, sizeof second);
    table.admission = (struct net_admission){only_the_second, second};
    join_as(&player, 1);
    assert_int_equal(player.state, CLIENT_SESSION_REFUSED);
    assert_string_equal(player.error.text, "The server has banned you: ask its operator. It says: no first ones");
    assert_int_equal(player.denial, DENIAL_BANNED);
    join_as(&player, 2);
    assert_int_equal(player.state, CLIENT_SESSION_OPEN);
    assert_int_equal(speak(&player, &cafe), DATAGRAM_DELIVERED);
    assert_true(session_table_client(&table, id, &client));
    assert_memory_equal(client.identity, player.attempt.identity, sizeof client.identity);
    assert_address(&client, "127.0.0.1:27000"); // the other address is not proven
    id.generation++;
    assert_false(session_table_client(&table, id, &client));
}

// By somebody who sees the client's datagrams and answers before the server does.
TEST(a_forged_refusal_ends_no_join)
{
    uint8_t forged[DATAGRAM_BYTES_MAX] = {DATAGRAM_DENY};
    open_table(4);
    begin(&player, 1);
    assert_int_equal(exchange(&player, &home), DATAGRAM_ANSWERED);
    memcpy(forged + 1, player.attempt.nonce, NONCE_BYTES);
    for (size_t size = 9; size <= JOIN_BYTES; size++)
        for (uint8_t denial = DENIAL_FULL; denial <= DENIAL_PASSWORD; denial++) {
            forged[9] = denial;
            assert_false(client_takes(&player, forged, size, &output));
            if (player.state != CLIENT_SESSION_JOIN)
                fail_msg("%zu bytes with denial %d", size, denial);
        }
    assert_int_equal(exchange(&player, &home), DATAGRAM_ANSWERED);
    assert_int_equal(player.state, CLIENT_SESSION_OPEN);
}

static void join_with(struct client_session *client, const char *password, struct net_ticket *ticket)
{
    memset(client, 0, sizeof *client);
    client->seed[0] = 1;
    client->ticket = ticket;
    client_session_begin(client, PROTOCOL, password, now_ns);
    for (int i = 0; i < 8 && client->state != CLIENT_SESSION_OPEN && client->state != CLIENT_SESSION_REFUSED; i++)
        assert_int_equal(exchange(client, &home), DATAGRAM_ANSWERED);
}

TEST(a_wrong_password_is_refused_and_a_ticket_replaces_it)
{
    struct {
        struct net_ticket ticket;
        uint8_t behind[512];
    } own = {.behind = {0}};
    struct net_ticket *ticket = &own.ticket;
    open_table(8);
    handshake_server_password(&table.handshake, "sesame");
    table.handshake.unix_s = 2000000000;
    join_with(&player, "", ticket);
    assert_int_equal(player.state, CLIENT_SESSION_REFUSED);
    join_with(&player, "simsim", ticket);
    assert_int_equal(player.state, CLIENT_SESSION_REFUSED);
    assert_string_equal(player.error.text, handshake_denial_text(DENIAL_PASSWORD));
    join_with(&player, "sesame", ticket);
    assert_int_equal(player.state, CLIENT_SESSION_OPEN);
    session_table_close(&table); // the server starts again: same key, same password
    open_table(8);
    handshake_server_password(&table.handshake, "sesame");
    table.handshake.unix_s = 2000003600;
    join_with(&player, "", ticket);
    assert_int_equal(player.state, CLIENT_SESSION_OPEN);
    handshake_server_password(&table.handshake, "open");
    join_with(&player, "open", ticket); // the ticket is refused, the password is not
    assert_int_equal(player.state, CLIENT_SESSION_OPEN);
    table.handshake.unix_s += 2 * (uint64_t)TICKET_S;
    join_with(&player, "", ticket);
    assert_int_equal(player.state, CLIENT_SESSION_REFUSED);
    join_with(&player, "", ticket); // and it is not tried again
    assert_false(player.attempt.has_ticket);
    session_table_close(&table);
    for (size_t k = 0; k < sizeof own.behind; k++)
        assert_int_equal(own.behind[k], 0); // nothing is written but the ticket
}

TEST(only_a_new_genuine_datagram_moves_a_session)
{
    uint8_t early[64], late[64];
    struct net_address to;
    open_with_player(4);
    size_t early_size = packet_crypto_encrypt(&player.crypto, player.grant.session, (const uint8_t *)"x", 1, early);
    assert_int_equal(speak(&player, &cafe), DATAGRAM_DELIVERED);
    encrypt(id, (const uint8_t *)"x", 1, out, &to);
    assert_memory_equal(&to, &cafe, sizeof to);
    // From the old address and late: accepted, but the session does not move back.
    assert_int_equal(server_takes(&home, early, early_size, &output), DATAGRAM_DELIVERED);
    size_t late_size = packet_crypto_encrypt(&player.crypto, player.grant.session, (const uint8_t *)"x", 1, late);
    late[late_size - 1] ^= 1;
    assert_int_equal(server_takes(&home, late, late_size, &output), DATAGRAM_REJECTED);
    encrypt(id, (const uint8_t *)"x", 1, out, &to);
    assert_memory_equal(&to, &cafe, sizeof to);
}

TEST(a_repeated_join_gets_the_same_answer_and_session)
{
    uint8_t first[DATAGRAM_BYTES_MAX], again[DATAGRAM_BYTES_MAX];
    struct datagram_output answered = {.byte_count = 0};
    open_table(1);
    begin(&player, 1);
    exchange(&player, &home);
    for (int i = 0; i < 2; i++) {
        answered.bytes = i ? again : first;
        assert_int_equal(server_takes(&home, player.attempt.join, JOIN_BYTES, &answered), DATAGRAM_ANSWERED);
    }
    assert_int_equal(answered.byte_count, ACCEPT_BYTES);
    assert_memory_equal(first, again, ACCEPT_BYTES);
}

TEST(a_full_server_refuses_until_a_client_leaves)
{
    struct client_session one, third;
    open_table(1);
    join_as(&one, 1);
    open_session(&one);
    session_table_keep(&table, id);
    join_as(&other, 2);
    assert_int_equal(other.state, CLIENT_SESSION_REFUSED);
    assert_non_null(strstr(other.error.text, "full"));
    uint8_t hello[HELLO_BYTES], cookie[COOKIE_BYTES];
    handshake_hello_write(&other.attempt, hello);
    handshake_cookie_write(&table.handshake, &(struct datagram){home, now_ns, hello, sizeof hello}, cookie);
    assert_false(client_takes(&other, cookie, sizeof cookie, &output)); // a late one
    assert_int_equal(other.state, CLIENT_SESSION_REFUSED);
    session_table_end(&table, id, now_ns);
    assert_int_equal(speak(&one, &home), DATAGRAM_DELIVERED); // its last message
    now_ns += SECOND_NS + 1;
    join_as(&third, 3);
    assert_int_equal(third.state, CLIENT_SESSION_OPEN);
    struct session_id gone = id;
    struct net_address to;
    assert_int_equal(speak(&one, &home), DATAGRAM_ANSWERED); // another session has its place
    assert_int_equal(encrypt(gone, (const uint8_t *)"x", 1, out, &to), 0);
    session_table_end(&table, gone, now_ns); // and keeps it
    now_ns += 2 * SECOND_NS;
    assert_int_equal(speak(&third, &home), DATAGRAM_DELIVERED);
}

// Joins from a household: 203.0.113.NUMBER. Returns whether the client was accepted.
static bool join_from(struct client_session *client, uint8_t number)
{
    struct net_address from = {{203, 0, 113, number, 1, 1}, ADDRESS_BYTES_IPV4};
    begin(client, number);
    exchange(client, &from);
    exchange(client, &from);
    now_ns += SECOND_NS / 100;
    return client->state == CLIENT_SESSION_OPEN;
}

// Sends as that client. From then on its ENet has connected.
static bool is_alive(struct client_session *client, uint8_t number)
{
    struct net_address from = {{203, 0, 113, number, 1, 1}, ADDRESS_BYTES_IPV4};
    bool alive = speak(client, &from) == DATAGRAM_DELIVERED;
    if (alive)
        connects(id);
    return alive;
}

// Four households hold as many sessions as they can and repeat their joins all the time. Every honest client gets in
// and stays, although the table is full.
TEST(households_that_hoard_sessions_stop_nobody)
{
    static struct client_session hoarders[32], honest;
    struct net_sessions sessions;
    open_table(32);
    table.rules = (struct household_rules){.players_max = 8};
    for (unsigned i = 0; i < 32; i++)
        assert_true(join_from(&hoarders[i], (uint8_t)(1 + i % 4)));
    session_table_count(&table, now_ns, &sessions);
    assert_int_equal(sessions.accepted, 32);
    assert_int_equal(sessions.households, 4);
    unsigned in = 0;
    for (unsigned i = 0; i < 113; i++) {
        in += join_from(&honest, 100) && is_alive(&honest, 100);
        for (unsigned j = 0; j < 4; j++)
            join_from(&hoarders[(i * 4 + j) % 32], (uint8_t)(1 + j));
        for (unsigned j = 0; j < 32; j++)
            is_alive(&hoarders[j], (uint8_t)(1 + j % 4));
        assert_true(is_alive(&honest, 100)); // the hoarders took from themselves
        now_ns += SECOND_NS;
    }
    assert_int_equal(in, 113);
    assert_true(table.refusals.gave_way > 0);
}

// Joins from household NUMBER of one site, 2001:db8:1::/48.
static struct net_address neighbour(uint8_t number)
{
    return (struct net_address){{0x20, 1, 0x0D, 0xB8, 0, 1, number, [17] = 1}, ADDRESS_BYTES_MAX};
}

TEST(a_site_with_many_households_takes_from_itself)
{
    static struct client_session neighbours[256], honest;
    open_table(16);
    table.rules = (struct household_rules){.players_max = 8};
    assert_true(join_from(&honest, 100));
    for (unsigned i = 0; i < 256; i++) {
        struct net_address from = neighbour((uint8_t)i);
        begin(&neighbours[i], (uint8_t)i);
        exchange(&neighbours[i], &from);
        exchange(&neighbours[i], &from);
        now_ns += SECOND_NS / 100;
    }
    assert_true(is_alive(&honest, 100));
    struct net_sessions sessions;
    session_table_count(&table, now_ns, &sessions);
    assert_int_equal(sessions.accepted + sessions.waiting, 8 + 1);
}

TEST(a_household_with_too_many_sessions_takes_from_itself)
{
    static struct client_session mine[4];
    char text[HOUSEHOLD_TEXT_BYTES];
    open_table(8);
    table.rules = (struct household_rules){.players_max = 3};
    assert_true(join_from(&other, 9));
    for (unsigned i = 0; i < 4; i++)
        assert_true(join_from(&mine[i], 1));
    assert_false(is_alive(&mine[0], 1)); // the oldest
    for (unsigned i = 1; i < 4; i++)
        assert_true(is_alive(&mine[i], 1));
    assert_true(is_alive(&other, 9));
    assert_int_equal(table.refusals.gave_way, 1);
    household_text(table.refusals.sessions_of, text);
    assert_string_equal(text, "203.0.113.1");
}

TEST(an_exempt_household_is_limited_by_the_table_alone)
{
    static struct client_session mine[4];
    open_table(4);
    table.rules = (struct household_rules){.players_max = 1, .exempt_count = 1};
    assert_true(household_range_parse("203.0.113.0/24", &table.rules.exempt[0]));
    for (unsigned i = 0; i < 4; i++)
        assert_true(join_from(&mine[i], 1));
    for (unsigned i = 0; i < 4; i++)
        assert_true(is_alive(&mine[i], 1));
}

TEST(a_session_with_a_player_never_gives_way)
{
    static struct client_session players[2], waiting, newest;
    struct net_sessions sessions;
    struct session_id ids[2];
    struct net_address from = {{203, 0, 113, 1, 1, 1}, ADDRESS_BYTES_IPV4};
    open_table(3);
    for (unsigned i = 0; i < 2; i++) {
        join_from(&players[i], 1);
        speak(&players[i], &from);
        connects(ids[i] = id);
        session_table_keep(&table, id);
    }
    assert_true(join_from(&waiting, 2));
    session_table_count(&table, now_ns, &sessions);
    assert_true(sessions.playing == 2 && sessions.waiting == 0 && sessions.accepted == 1);
    assert_true(is_alive(&waiting, 2));
    session_table_count(&table, now_ns, &sessions);
    assert_true(sessions.playing == 2 && sessions.waiting == 1 && sessions.accepted == 0 && sessions.leaving == 0);
    assert_true(join_from(&newest, 3));
    assert_false(is_alive(&waiting, 2));
    assert_true(is_alive(&players[0], 1) && is_alive(&players[1], 1) && is_alive(&newest, 3));
    struct session_id third = newest.grant.session;
    assert_true(session_table_has(&table, third, now_ns));
    session_table_keep(&table, third);
    assert_false(join_from(&waiting, 2));
    assert_int_equal(table.refusals.denied[DENIAL_FULL], 1);
    session_table_end(&table, ids[0], now_ns); // who leaves has no player any more
    session_table_keep(&table, ids[0]);
    session_table_count(&table, now_ns, &sessions);
    assert_true(sessions.leaving == 1 && sessions.playing == 2);
    assert_true(join_from(&waiting, 2));
    assert_false(session_table_has(&table, ids[0], now_ns));
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
        open_with_player(1);
        if (rows[i].speaks)
            open_session(&player);
        now_ns += rows[i].later_ns;
        if ((speak(&player, &home) == DATAGRAM_DELIVERED) != rows[i].stays)
            fail_msg("row %zu", i);
    }
}

TEST(too_many_faults_end_a_session)
{
    open_with_session(1);
    for (int i = 0; i < 7; i++)
        session_table_report_violation(&table, id, now_ns);
    now_ns += 2 * SECOND_NS;
    assert_int_equal(speak(&player, &home), DATAGRAM_DELIVERED);
    session_table_report_violation(&table, id, now_ns);
    now_ns += 2 * SECOND_NS;
    assert_int_equal(speak(&player, &home), DATAGRAM_ANSWERED);
}

TEST(a_client_that_sends_too_much_is_ignored_for_a_while)
{
    open_with_player(1);
    unsigned heard = 0;
    for (int i = 0; i < 2000; i++)
        heard += speak(&player, &home) == DATAGRAM_DELIVERED;
    assert_int_equal(heard, 480);
    now_ns += SECOND_NS;
    assert_int_equal(speak(&player, &home), DATAGRAM_DELIVERED);
}

TEST(one_address_cannot_prevent_others_from_joining)
{
    struct client_session honest;
    open_table(4);
    begin(&player, 1);
    exchange(&player, &cafe);
    unsigned answered = 0;
    for (int i = 0; i < 1000; i++)
        answered += server_takes(&cafe, player.attempt.join, JOIN_BYTES, &output) == DATAGRAM_ANSWERED;
    assert_int_equal(answered, 64);
    join_as(&honest, 2);
    assert_int_equal(honest.state, CLIENT_SESSION_OPEN);
}

TEST(a_client_joins_a_restarted_server_with_a_new_attempt)
{
    open_table(1);
    begin(&player, 1);
    exchange(&player, &home);
    open_table(1); // so that cookie is worth nothing
    for (int i = 0; i < 20 && player.state != CLIENT_SESSION_OPEN; i++) {
        exchange(&player, &home);
        now_ns += SECOND_NS / 4;
    }
    assert_int_equal(player.state, CLIENT_SESSION_OPEN);
}

TEST(a_client_repeats_its_hello_until_it_is_answered)
{
    open_table(1);
    begin(&player, 1);
    unsigned sent = 0;
    for (int ms = 0; ms < 1000; ms++)
        sent += client_session_due(&player, now_ns + (uint64_t)ms * 1000000, out) > 0;
    assert_int_equal(sent, 10);
}

// A second after an unexpected server has answered, and no other.
static void give_up(struct client_session *client)
{
    assert_true(client_session_due(client, now_ns + SECOND_NS - 1, out) > 0);
    assert_int_equal(client_session_due(client, now_ns + SECOND_NS, out), 0);
}

TEST(a_client_identifies_itself_only_to_the_expected_server)
{
    char path[] = "/tmp/deadfall_known_XXXXXX", own[FINGERPRINT_TEXT_BYTES];
    close(mkstemp(path));
    open_table(9);
    identity_fingerprint(table.handshake.public_key, own);
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
        begin(&player, 1);
        strcpy(player.fingerprint, rows[i].expected);
        strcpy(player.claimed, rows[i].claimed);
        strcpy(player.known_servers_path, rows[i].known);
        strcpy(player.server_name, "arena.example:27440");
        exchange(&player, &home);
        if (player.state != (rows[i].joins ? CLIENT_SESSION_JOIN : CLIENT_SESSION_HELLO))
            fail_msg("row %zu: %s", i, player.error.text);
        if (rows[i].joins)
            exchange(&player, &home);
        else
            give_up(&player);
        if (rows[i].joins != (player.state == CLIENT_SESSION_OPEN) || rows[i].joins != (player.error.text[0] == 0))
            fail_msg("row %zu: %s", i, player.error.text);
    }
    session_table_close(&table);
    assert_true(session_table_open(&table, 1, (const uint8_t[32]){6}, PROTOCOL)); // another key in its place
    begin(&player, 1);
    strcpy(player.known_servers_path, path);
    identity_fingerprint(table.handshake.public_key, player.claimed); // a claim does not replace what is known
    strcpy(player.server_name, "arena.example:27440");
    exchange(&player, &home);
    give_up(&player);
    assert_int_equal(player.state, CLIENT_SESSION_REFUSED);
    assert_non_null(strstr(player.error.text, "another key"));
    session_table_close(&table);
    unlink(path);
}

TEST(a_password_without_a_question_is_for_a_known_server)
{
    char path[] = "/tmp/deadfall_known_XXXXXX";
    close(mkstemp(path));
    open_table(2);
    for (int row = 0; row < 3; row++) { // unknown, met without a password, known
        begin(&player, 1);
        strcpy(player.password, row == 1 ? "" : "sesame");
        strcpy(player.known_servers_path, path);
        strcpy(player.server_name, "arena.example:27440");
        exchange(&player, &home);
        if (row == 0) {
            assert_int_equal(player.state, CLIENT_SESSION_HELLO);
            give_up(&player);
            assert_string_equal(player.error.text,
                                "arena.example:27440 asks for no password, but you gave one: either it needs none, or "
                                "somebody else answers in its place; if you trust it, join without a password");
        } else {
            exchange(&player, &home);
            assert_int_equal(player.state, CLIENT_SESSION_OPEN);
        }
    }
    session_table_close(&table);
    unlink(path);
}

// Looks for the keys of a session in all memory of its table.
static bool has_keys(const struct packet_crypto *crypto)
{
    const struct session *sessions = table.sessions;
    size_t byte_count = table.capacity * sizeof *sessions;
    return memmem(sessions, byte_count, crypto->send_key, PACKET_CRYPTO_KEY_BYTES) ||
           memmem(sessions, byte_count, crypto->receive_key, PACKET_CRYPTO_KEY_BYTES);
}

TEST(the_keys_of_a_session_that_is_over_are_wiped)
{
    uint16_t generation = 0;
    for (int row = 0; row < 2; row++) { // it ends, or its client is silent
        open_with_session(4);
        generation = id.generation;
        if (row == 0)
            session_table_end(&table, id, now_ns);
        now_ns += (row == 0 ? 1 : 8) * SECOND_NS;
        session_table_sweep(&table, now_ns);
        assert_true(has_keys(&player.crypto));
        session_table_sweep(&table, now_ns + 1);
        assert_false(has_keys(&player.crypto));
        assert_int_equal(table.sessions[id.index].generation, generation);
    }
}

TEST(a_sweep_finds_every_session_that_is_over)
{
    enum { SESSIONS = 4 };
    struct client_session players[SESSIONS];
    struct session_id ids[SESSIONS];
    for (uint32_t first = 0; first < SESSIONS; first++) { // that is silent; the next ones follow after a second each
        open_table(SESSIONS);
        for (uint8_t i = 0; i < SESSIONS; i++) {
            join_as(&players[i], (uint8_t)(i + 1));
            open_session(&players[i]);
            ids[i] = id;
        }
        for (uint32_t silent = 0; silent < SESSIONS; silent++) {
            session_table_end(&table, ids[(first + silent) % SESSIONS], now_ns);
            now_ns += SECOND_NS + 1;
            session_table_sweep(&table, now_ns);
            for (uint32_t i = 0; i < SESSIONS; i++) {
                bool is_over = (i + SESSIONS - first) % SESSIONS <= silent;
                assert_int_equal(has_keys(&players[i].crypto), !is_over);
            }
        }
        join_as(&players[0], 9); // there is room again
    }
}

TEST(a_client_keeps_only_what_it_needs)
{
    static const char secret[] = "a secret";
    static const uint8_t zeros[32];
    open_table(4);
    for (int row = 0; row < 2; row++) { // joins, or is refused
        handshake_server_password(&table.handshake, row == 0 ? "a secret" : "another");
        join_with(&player, "a secret", NULL);
        assert_int_equal(player.state, row == 0 ? CLIENT_SESSION_OPEN : CLIENT_SESSION_REFUSED);
        assert_null(memmem(&player, sizeof player, secret, sizeof secret));
        assert_memory_equal(player.seed, zeros, sizeof zeros);
        assert_memory_equal(player.attempt.static_secret, zeros, sizeof zeros);
    }
}

// By somebody who sees the HELLO and answers before the server does.
TEST(a_cookie_of_another_server_ends_no_join)
{
    open_table(1);
    begin(&player, 1);
    identity_fingerprint(table.handshake.public_key, player.fingerprint);
    struct handshake_server expected = table.handshake;
    handshake_server_init(&table.handshake, (const uint8_t[32]){9}, PROTOCOL);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(exchange(&player, &home), DATAGRAM_ANSWERED);
        assert_int_equal(player.state, CLIENT_SESSION_HELLO);
        now_ns += SECOND_NS / 10;
    }
    table.handshake = expected;
    assert_int_equal(exchange(&player, &home), DATAGRAM_ANSWERED);
    assert_int_equal(exchange(&player, &home), DATAGRAM_ANSWERED);
    assert_int_equal(player.state, CLIENT_SESSION_OPEN);
    assert_string_equal(player.error.text, "");
}

TEST(a_closed_table_has_no_sessions_and_a_new_one_has_new_keys)
{
    struct net_client client;
    uint8_t cookie_key[32], joins_key[RATE_LIMIT_KEY_BYTES];
    open_table(4);
    memcpy(cookie_key, table.handshake.cookie_key, sizeof cookie_key);
    memcpy(joins_key, table.joins.key, sizeof joins_key);
    join_as(&player, 1);
    assert_true(session_table_client(&table, player.grant.session, &client));
    session_table_close(&table);
    assert_false(session_table_client(&table, player.grant.session, &client));
    session_table_close(&table);
    open_table(4);
    assert_memory_not_equal(table.joins.key, joins_key, sizeof joins_key);
    assert_memory_not_equal(table.handshake.cookie_key, cookie_key, sizeof cookie_key);
}

TEST(datagrams_that_no_client_sends_are_rejected)
{
    uint8_t bytes[DATAGRAM_BYTES_MAX + 1] = {0};
    struct net_address to;
    open_with_player(2);
    assert_int_equal(speak(&player, &home), DATAGRAM_DELIVERED);
    assert_int_equal(server_takes(&home, bytes, 0, &output), DATAGRAM_REJECTED);
    for (unsigned kind = 0; kind < 256; kind++) {
        memset(bytes, 0, sizeof bytes);
        bytes[0] = (uint8_t)kind;
        static const size_t sizes[] = {1, 3, COOKIE_BYTES, JOIN_BYTES, HELLO_BYTES, DATAGRAM_BYTES_MAX + 1};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            assert_int_equal(server_takes(&home, bytes, sizes[i], &output), DATAGRAM_REJECTED);
    }
    for (uint16_t index = 0; index < 4; index++) { // one that is free, and some beyond the last
        struct session_id session = {index, id.generation};
        size_t size = packet_crypto_encrypt(&player.crypto, session, (const uint8_t *)"x", 1, bytes);
        assert_int_equal(server_takes(&home, bytes, size, &output),
                         index == id.index ? DATAGRAM_DELIVERED : DATAGRAM_ANSWERED);
    }
    static const size_t places[] = {34, 66, 98, 150, JOIN_BYTES - 1}; // of a JOIN with a good cookie
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct client_session forger;
        begin(&forger, 3);
        assert_int_equal(exchange(&forger, &home), DATAGRAM_ANSWERED);
        assert_int_equal(client_session_due(&forger, now_ns, bytes), JOIN_BYTES);
        bytes[places[i]] ^= 1;
        assert_int_equal(server_takes(&cafe, bytes, JOIN_BYTES, &output), DATAGRAM_REJECTED);
        assert_int_equal(server_takes(&home, bytes, JOIN_BYTES, &output), DATAGRAM_REJECTED);
        now_ns += SECOND_NS;
    }
    size_t most = DATAGRAM_BYTES_MAX - PACKET_CRYPTO_OVERHEAD_BYTES;
    assert_int_equal(encrypt(id, bytes, most, out, &to), DATAGRAM_BYTES_MAX);
    assert_int_equal(encrypt(id, bytes, most + 1, out, &to), 0);
    id.generation++;
    assert_int_equal(encrypt(id, bytes, 1, out, &to), 0);
    id = (struct session_id){2, id.generation};
    assert_int_equal(encrypt(id, bytes, 1, out, &to), 0);
}

// A cookie that leads nowhere costs half a second, and a slow line is waited for.
TEST(a_client_asks_as_long_as_its_line_may_take_and_begins_again)
{
    static const struct {
        uint32_t cookie_took, joins; // tenths of a second; JOINs
    } rows[] = {{0, 5}, {1, 5}, {2, 5}, {3, 6}, {6, 12}, {7, 14}, {8, 15}, {30, 15}};
    open_table(1);
    begin(&player, 1);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        for (uint32_t i = 0; i < rows[row].cookie_took; i++) { // these are not answered
            assert_int_equal(client_session_due(&player, now_ns, out), HELLO_BYTES);
            assert_int_equal(client_session_due(&player, now_ns + SECOND_NS / 10 - 1, out), 0);
            now_ns += SECOND_NS / 10;
        }
        assert_int_equal(exchange(&player, &home), DATAGRAM_ANSWERED);
        for (uint32_t i = 0; i < rows[row].joins; i++) {
            assert_int_equal(client_session_due(&player, now_ns, out), JOIN_BYTES);
            assert_int_equal(out[0], DATAGRAM_JOIN);
            now_ns += SECOND_NS / 10;
        }
        assert_int_equal(client_session_due(&player, now_ns, out), HELLO_BYTES);
        assert_int_equal(out[0], DATAGRAM_HELLO);
        begin(&player, 1);
    }
}

TEST(a_session_that_ends_is_gone_after_a_second)
{
    open_with_session(1);
    assert_int_equal(id.index, 0);
    session_table_end(&table, (struct session_id){0, (uint16_t)(id.generation + 1)}, now_ns);
    session_table_end(&table, (struct session_id){1, id.generation}, now_ns);
    now_ns += 5 * SECOND_NS;
    assert_int_equal(speak(&player, &home), DATAGRAM_DELIVERED); // neither was this one
    session_table_end(&table, id, now_ns);
    now_ns += SECOND_NS;
    session_table_end(&table, id, now_ns); // a second time
    assert_int_equal(speak(&player, &home), DATAGRAM_DELIVERED);
    now_ns++;
    assert_int_equal(speak(&player, &home), DATAGRAM_ANSWERED);
}

// Without the cookie of its sender, a JOIN gets nothing; with it, the session still waits for its keys.
TEST(a_replayed_join_opens_no_session_for_another_address)
{
    uint8_t join[JOIN_BYTES];
    open_with_player(4);
    memcpy(join, player.attempt.join, sizeof join);
    open_session(&player);
    struct net_address neighbour = home;
    neighbour.bytes[5]++; // another port
    assert_int_equal(server_takes(&cafe, join, sizeof join, &output), DATAGRAM_REJECTED);
    assert_int_equal(server_takes(&neighbour, join, sizeof join, &output), DATAGRAM_REJECTED);
    session_table_end(&table, id, now_ns);
    now_ns += 2 * SECOND_NS;
    assert_int_equal(server_takes(&home, join, sizeof join, &output), DATAGRAM_ANSWERED);
    assert_true(output.byte_count < sizeof join);
    assert_int_equal(speak(&player, &home), DATAGRAM_ANSWERED); // it is another one now
    assert_int_equal(table.sessions[0].state, SESSION_ACCEPTED);
}

// The server forgets all and begins again with the same key, as after a crash.
static void restart(void)
{
    uint64_t then_ns = now_ns;
    open_table(4);
    now_ns = then_ns;
}

// The client takes a datagram of a kind that is not for ENet. Returns whether it still has its session.
static bool survives(struct client_session *client, const uint8_t *bytes, size_t byte_count)
{
    uint8_t plain[DATAGRAM_BYTES_MAX];
    struct datagram_output ignored = {.bytes = plain};
    assert_false(client_takes(client, bytes, byte_count, &ignored));
    return client->state == CLIENT_SESSION_OPEN;
}

TEST(a_restarted_server_resets_the_sessions_that_it_does_not_know)
{
    uint8_t asked[64];
    open_with_session(4);
    restart();
    size_t size = packet_crypto_encrypt(&player.crypto, id, (const uint8_t *)"x", 1, asked);
    assert_int_equal(server_takes(&home, asked, size, &output), DATAGRAM_ANSWERED);
    assert_int_equal(output.byte_count, SESSION_RESET_BYTES);
    assert_int_equal(table.refusals.resets, 1);
    assert_false(survives(&player, out, output.byte_count));
    assert_int_equal(player.state, CLIENT_SESSION_RESET);
    static const uint8_t zeros[sizeof player.crypto.send_key];
    assert_memory_equal(player.crypto.send_key, zeros, sizeof zeros);
    uint8_t due[HELLO_BYTES];
    assert_int_equal(client_session_due(&player, now_ns + SECOND_NS, due), 0);
    join_as(&player, 1);
    assert_memory_not_equal(&player.grant.session, &id, sizeof id);
    assert_true(survives(&player, out, SESSION_RESET_BYTES)); // which ended the session before
}

TEST(no_other_reset_ends_a_session)
{
    uint8_t asked[64], wanted[SESSION_RESET_BYTES];
    open_with_player(4);
    join_as(&other, 2);
    open_session(&player);
    handshake_reset_write(&player.grant, wanted);
    for (size_t bit = 0; bit < sizeof wanted * 8; bit++) {
        wanted[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_true(survives(&player, wanted, sizeof wanted));
        wanted[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_true(survives(&player, wanted, sizeof wanted - 1));
    handshake_reset_write(&other.grant, out);
    assert_true(survives(&player, out, SESSION_RESET_BYTES));
    memcpy(out, wanted, 5); // the right name with the token of another
    assert_true(survives(&player, out, SESSION_RESET_BYTES));
    restart();
    size_t size = packet_crypto_encrypt(&player.crypto, id, (const uint8_t *)"x", 1, asked);
    assert_int_equal(server_takes(&cafe, asked, size, &output), DATAGRAM_ANSWERED); // a stranger asks
    assert_true(survives(&player, out, output.byte_count));
    assert_false(survives(&player, wanted, sizeof wanted)); // so it was the right one
}

// A name of a session is in the clear, and the tokens of a restarted server are those from before.
TEST(nobody_collects_the_tokens_of_their_neighbours)
{
    static const struct net_address here = {{0x20, 0x01, 0x0D, 0xB8, 0, 1, 2, [17] = 7}, ADDRESS_BYTES_MAX};
    const struct {
        struct net_address own, neighbour;
        bool is_one_household;
    } rows[] = {
        /* 0 */ {{{192, 0, 2, 7, 1, 1}, 6}, {{192, 0, 2, 8, 1, 1}, 6}, false},
        /* 1 */ {here, {{0x20, 0x01, 0x0D, 0xB8, 0, 1, 3, [17] = 7}, ADDRESS_BYTES_MAX}, false}, // of the same /48
        /* 2 */ {here, {{0x20, 0x01, 0x0D, 0xB8, 0, 1, 2, 9, [17] = 7}, ADDRESS_BYTES_MAX}, true},
        /* 3 */ {{{192, 0, 2, 7, 1, 1}, 6}, {{192, 0, 2, 7, 9, 9}, 6}, true}, // a router that forgot its port
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t asked[64];
        open_table(4);
        begin(&player, 1);
        exchange(&player, &rows[i].own);
        assert_int_equal(exchange(&player, &rows[i].own), DATAGRAM_ANSWERED);
        restart();
        size_t size = packet_crypto_encrypt(&player.crypto, player.grant.session, (const uint8_t *)"x", 1, asked);
        assert_int_equal(server_takes(&rows[i].neighbour, asked, size, &output), DATAGRAM_ANSWERED);
        if (survives(&player, out, output.byte_count) == rows[i].is_one_household)
            fail_msg("row %zu", i);
    }
}

TEST(a_household_gets_a_bounded_number_of_resets)
{
    uint8_t asked[64];
    open_with_player(4);
    restart();
    size_t size = packet_crypto_encrypt(&player.crypto, player.grant.session, (const uint8_t *)"x", 1, asked);
    unsigned answered = 0;
    for (unsigned i = 0; i < 1000; i++)
        answered += server_takes(&cafe, asked, size, &output) == DATAGRAM_ANSWERED;
    assert_int_equal(answered, RATE_LIMIT_RESETS.household.burst);
    assert_int_equal(server_takes(&home, asked, size, &output), DATAGRAM_ANSWERED); // another household
    now_ns += SECOND_NS;
    for (unsigned i = 0; i < 1000; i++)
        answered += server_takes(&cafe, asked, size, &output) == DATAGRAM_ANSWERED;
    assert_int_equal(answered, RATE_LIMIT_RESETS.household.burst + RATE_LIMIT_RESETS.household.per_s);
    begin(&other, 2); // resets cost a household no joins
    assert_int_equal(exchange(&other, &cafe), DATAGRAM_ANSWERED);
    assert_int_equal(exchange(&other, &cafe), DATAGRAM_ANSWERED);
}

TEST(enet_connects_once_in_a_session_and_knows_its_round_trip)
{
    struct session_id stranger;
    uint64_t round_trip_ns = 0;
    open_with_player(1);
    id = player.grant.session;
    uint64_t accepted_ns = table.sessions[id.index].begun_ns;
    now_ns = accepted_ns + SECOND_NS / 4;
    assert_int_equal(speak(&player, &home), DATAGRAM_DELIVERED);
    stranger = (struct session_id){id.index, (uint16_t)(id.generation + 1)};
    assert_false(connects(stranger));
    assert_true(session_table_connect(&table, id, now_ns, &round_trip_ns));
    assert_true(round_trip_ns == SECOND_NS / 4);
    for (int i = 0; i < 20; i++)
        assert_false(connects(id));
    assert_int_equal(table.sessions[0].state, SESSION_LIVE);
    session_table_end(&table, id, now_ns);
    assert_false(connects(id));
}

// Sends what the server has for the client's new address. Returns its bytes.
static size_t challenge(struct client_session *client, const struct net_address *at, bool arrives)
{
    uint8_t encrypted[DATAGRAM_BYTES_MAX], plain[DATAGRAM_BYTES_MAX];
    struct datagram_output ignored = {.bytes = plain};
    struct net_address to;
    size_t size = session_table_challenge(&table, id, now_ns, encrypted, &to);
    if (size == 0 || !arrives)
        return size;
    assert_true(net_address_equals(&to, at));
    struct datagram datagram = {{.byte_count = 6}, now_ns, encrypted, size};
    assert_int_equal(client_session_take(client, &datagram, &output), DATAGRAM_ANSWERED);
    assert_int_equal(output.byte_count, size);
    assert_int_equal(server_takes(at, out, output.byte_count, &ignored), DATAGRAM_CONSUMED);
    return size;
}

TEST(a_client_at_a_new_address_gets_little_until_it_echoes)
{
    static const uint8_t message[100] = {1};
    for (int echoes = 0; echoes < 2; echoes++) {
        struct net_client client;
        struct net_address to;
        size_t sent = 0, received = 0;
        open_with_session(1);
        assert_int_equal(challenge(&player, &home, true), 0); // the JOIN has proven this one
        for (int i = 0; i < 60; i++) {
            assert_int_equal(speak(&player, &cafe), DATAGRAM_DELIVERED);
            received += 1 + PACKET_CRYPTO_OVERHEAD_BYTES;
            sent += challenge(&player, &cafe, echoes);
            size_t size = encrypt(id, message, sizeof message, out, &to);
            assert_true(size == 0 || net_address_equals(&to, &cafe));
            assert_true(echoes ? size > 0 : sent + size <= 3 * received);
            sent += size;
            now_ns += SECOND_NS / 60;
        }
        assert_true(sent > 2 * received);
        assert_true(session_table_client(&table, id, &client));
        assert_address(&client, echoes ? "192.0.2.7:4660" : "127.0.0.1:27000");
    }
}
