// SPDX-License-Identifier: MIT
//
// Who guesses a password and who has it, against a server's real transport in virtual time; and a client that was given
// a password where nobody asks for one.
#include <string.h>

#include "base/clock.h"
#include "net/client_session.h"
#include "net/enet/enet_transport.h"
#include "net/household.h"
#include "net/password_guard.h"
#include "test.h"
#include "virtual_udp.h"

enum { PROTOCOL = 3, STEP_MS = 20, GUESSER = 1, OTHER = 2 };

static struct {
    struct transport *server;
    struct net_endpoint endpoint;
    uint16_t next_port;  // of a stranger
    uint8_t next_player; // with another account
} scene;

static void end(void)
{
    if (!scene.server)
        return;
    transport_close(scene.server);
    virtual_udp_end();
    memset(&scene, 0, sizeof scene);
}

static void begin_server(const char *password)
{
    struct error error;
    end();
    virtual_udp_begin(1, &(struct impairment){0}, UINT64_C(1000000000000));
    scene.server = enet_transport_open_server(
        &(struct net_server_config){
            .bind_address = "127.0.0.1", .peer_capacity = 8, .protocol = PROTOCOL, .password = password},
        &scene.endpoint, &error);
    assert_non_null(scene.server);
    scene.next_port = 1000;
    scene.next_player = 1;
}

static void begin(void)
{
    begin_server("sesame");
}

EACH_TEST(begin, end);

static void wait_ms(uint64_t ms)
{
    struct net_event event;
    virtual_udp_advance(ms * CLOCK_MS_NS);
    while (transport_poll(scene.server, &event))
        ;
    transport_flush(scene.server);
}

static struct net_refusals refusals(void)
{
    struct net_totals totals;
    transport_totals(scene.server, &totals);
    return totals.refusals;
}

enum answer { ADMITTED, WRONG, UNTRIED };

// Somebody joins from an address of a household, and sends each datagram so many times.
static enum answer join_repeating(uint32_t household, uint8_t player, const char *password, struct net_ticket *ticket,
                                  uint32_t times)
{
    struct client_session client = {.seed = {player}, .ticket = ticket};
    struct net_address own = virtual_udp_stranger(household, scene.next_port++), to;
    uint8_t bytes[DATAGRAM_BYTES_MAX], plain[DATAGRAM_BYTES_MAX];
    client_session_begin(&client, PROTOCOL, password, virtual_udp_now_ns());
    for (int i = 0; i < 20 && client.state != CLIENT_SESSION_OPEN && client.state != CLIENT_SESSION_REFUSED; i++) {
        size_t size = client_session_due(&client, virtual_udp_now_ns(), bytes);
        for (uint32_t j = 0; j < times && size > 0; j++)
            virtual_udp_send_as(&own, bytes, size);
        wait_ms(STEP_MS);
        while ((size = virtual_udp_take(&to, bytes)) > 0)
            if (net_address_equals(&to, &own))
                client_session_take(&client, &(struct datagram){to, virtual_udp_now_ns(), bytes, size},
                                    &(struct datagram_output){.bytes = plain});
    }
    if (client.state == CLIENT_SESSION_OPEN)
        return ADMITTED;
    assert_int_equal(client.state, CLIENT_SESSION_REFUSED);
    assert_int_equal(client.denial, DENIAL_PASSWORD);
    return strstr(client.error.text, "Too many wrong passwords") ? UNTRIED : WRONG;
}

static enum answer join(uint32_t household, uint8_t player, const char *password)
{
    return join_repeating(household, player, password, NULL, 1);
}

// A guess under an account that nobody has seen before.
static enum answer guess(uint32_t household)
{
    return join(household, (uint8_t)(100 + scene.next_player++ % 100), "wrong");
}

static uint32_t guess_until_untried(void)
{
    uint32_t tried = 0;
    while (tried < 50 && guess(GUESSER) == WRONG)
        tried++;
    return tried;
}

TEST(an_address_guesses_five_times_at_once_and_then_ever_more_slowly)
{
    static const uint32_t waits_s[] = {10, 20, 40, 80, 160};
    assert_int_equal(guess_until_untried(), 5);
    for (size_t i = 0; i < COUNT_OF(waits_s); i++) {
        wait_ms(waits_s[i] * 1000 - 1000);
        assert_int_equal(guess(GUESSER), UNTRIED);
        wait_ms(1000);
        assert_int_equal(guess_until_untried(), 1);
    }
    assert_int_equal(refusals().passwords_untried, 11);
    assert_int_equal(refusals().denied[DENIAL_PASSWORD], 21);
}

// Every ten seconds, which no wait is shorter than: 2,880 joins, of which the budget of a day and no more than a third
// of a day's waits are tried.
TEST(in_a_third_of_a_day_an_address_guesses_a_third_of_what_it_may)
{
    uint32_t tried = 0;
    for (uint32_t i = 0; i < 2880; i++) {
        tried += guess(GUESSER) == WRONG;
        wait_ms(10000 - 3 * STEP_MS);
    }
    assert_in_range(tried, 160, 170);
    struct net_refusals refused = refusals();
    assert_int_equal(refused.password_waits, 1); // one line in the log
    struct net_address guesser = virtual_udp_stranger(GUESSER, 1);
    assert_true(refused.passwords_from == household_site(household_of(&guesser)));
}

TEST(who_has_the_password_joins_while_others_of_their_address_guess)
{
    struct net_ticket ticket = {.bytes = {0}};
    enum { RETURNING = 1, WITH_TICKET = 2, NEW = 3, ELSEWHERE = 4 };
    assert_int_equal(join(OTHER, RETURNING, "sesame"), ADMITTED); // from wherever
    assert_int_equal(join_repeating(GUESSER, WITH_TICKET, "sesame", &ticket, 1), ADMITTED);
    guess_until_untried();
    assert_int_equal(join(GUESSER, RETURNING, "sesame"), ADMITTED);
    assert_int_equal(join_repeating(GUESSER, WITH_TICKET, "", &ticket, 1), ADMITTED);
    assert_int_equal(join(ELSEWHERE, ELSEWHERE, "sesame"), ADMITTED);
    // The server cannot tell them from those who guess, and does not say that their password is wrong.
    assert_int_equal(join(GUESSER, NEW, "sesame"), UNTRIED);
    wait_ms(10000);
    assert_int_equal(join(GUESSER, NEW, "sesame"), ADMITTED);
    assert_int_equal(guess(GUESSER), WRONG);
    assert_int_equal(join(GUESSER, NEW, "sesame"), ADMITTED);
}

TEST(an_account_that_knew_the_password_before_guesses_no_more_than_others)
{
    assert_int_equal(join(GUESSER, 1, "sesame"), ADMITTED);
    transport_password(scene.server, "sesame"); // a reload; it is the same
    guess_until_untried();
    assert_int_equal(join(GUESSER, 1, "sesame"), ADMITTED);
    transport_password(scene.server, "changed");
    assert_int_equal(join(GUESSER, 1, "sesame"), UNTRIED);
    assert_int_equal(join(OTHER, 1, "changed"), ADMITTED);
    assert_int_equal(join(GUESSER, 1, "changed"), ADMITTED);
}

// On a slow line, a client sends its join up to fifteen times before the answer is there.
TEST(a_join_that_is_repeated_is_one_guess)
{
    for (int i = 0; i < 5; i++)
        assert_int_equal(join_repeating(GUESSER, 1, "wrong", NULL, 8), WRONG);
    assert_int_equal(guess(GUESSER), UNTRIED);
}

TEST(who_is_yet_to_be_asked_for_the_password_has_not_guessed)
{
    for (int i = 0; i < 20; i++)
        assert_int_equal(join(GUESSER, 1, ""), WRONG);
    assert_int_equal(guess_until_untried(), 5);
    assert_int_equal(join(GUESSER, 1, ""), WRONG); // it is asked for one
}

TEST(a_ticket_that_is_out_of_date_is_one_guess)
{
    struct net_ticket old = {.bytes = {0}}, ticket;
    assert_int_equal(join_repeating(GUESSER, 1, "sesame", &old, 1), ADMITTED);
    transport_password(scene.server, "open");
    for (int i = 0; i < 4; i++) {
        ticket = old;
        assert_int_equal(join_repeating(GUESSER, 1, "", &ticket, 1), WRONG);
    }
    ticket = old;
    assert_int_equal(join_repeating(GUESSER, 1, "open", &ticket, 1), UNTRIED);
    wait_ms(10000);
    assert_int_equal(join_repeating(GUESSER, 1, "open", &ticket, 1), ADMITTED);
}

TEST(a_ticket_of_another_server_is_no_guess)
{
    struct net_ticket ticket = {.bytes = {0}};
    assert_int_equal(join_repeating(GUESSER, 1, "sesame", &ticket, 1), ADMITTED);
    begin_server("open"); // its key is another one
    for (int i = 0; i < 20; i++)
        assert_int_equal(join_repeating(GUESSER, 1, "", &ticket, 1), WRONG);
    assert_int_equal(guess_until_untried(), 5);
}

TEST(a_client_that_was_given_a_password_stops_at_an_unknown_server_that_asks_for_none)
{
    struct error error;
    begin_server("");
    const struct {
        const char *password, *fingerprint, *claimed;
        bool joins;
    } rows[] = {
        /* 0 */ {"sesame", NULL, NULL, false},
        /* 1 */ {"sesame", NULL, scene.endpoint.fingerprint, false}, // a list has no secrets
        /* 2 */ {"sesame", scene.endpoint.fingerprint, NULL, true},
        /* 3 */ {"", NULL, NULL, true},
        /* 4 */ {NULL, NULL, NULL, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct transport *client =
            enet_transport_open_client(&(struct net_client_config){.host = "127.0.0.1",
                                                                   .port = scene.endpoint.port,
                                                                   .protocol = PROTOCOL,
                                                                   .password = rows[i].password,
                                                                   .fingerprint = rows[i].fingerprint,
                                                                   .claimed = rows[i].claimed},
                                       &error);
        struct net_event event = {0};
        assert_non_null(client);
        uint64_t begun_ns = virtual_udp_now_ns();
        while (event.kind == NET_NOTHING && virtual_udp_now_ns() - begun_ns < 3 * CLOCK_SECOND_NS) {
            transport_poll(client, &event);
            transport_flush(client);
            wait_ms(STEP_MS);
        }
        if ((event.kind == NET_CONNECTED) != rows[i].joins ||
            (strstr(transport_error(client), "asks for no password, but you gave one") == NULL) != rows[i].joins)
            fail_msg("row %zu: %d %s", i, event.kind, transport_error(client));
        assert_int_equal(transport_denial(client), DENIAL_NONE); // nobody is asked for another password
        transport_close(client);
        wait_ms(STEP_MS);
    }
}

// The true server may still answer.
TEST(another_answer_without_a_password_ends_no_join)
{
    static const uint8_t seed[32] = {9};
    struct handshake_server impostor;
    struct client_session client = {.seed = {1}, .server_name = "arena.example:27440"};
    struct net_address own = virtual_udp_stranger(OTHER, 7), to;
    uint8_t bytes[DATAGRAM_BYTES_MAX], plain[DATAGRAM_BYTES_MAX];
    client_session_begin(&client, PROTOCOL, "sesame", virtual_udp_now_ns());
    handshake_server_init(&impostor, seed, PROTOCOL);
    handshake_server_renew(&impostor, virtual_udp_now_ns());
    for (int i = 0; i < 20 && client.state != CLIENT_SESSION_OPEN; i++) {
        struct datagram_output output = {.bytes = plain};
        size_t size = client_session_due(&client, virtual_udp_now_ns(), bytes);
        if (size == HELLO_BYTES) {
            uint8_t cookie[COOKIE_BYTES];
            struct datagram hello = {own, virtual_udp_now_ns(), bytes, size};
            handshake_cookie_write(&impostor, &hello, cookie);
            client_session_take(&client, &(struct datagram){to, virtual_udp_now_ns(), cookie, COOKIE_BYTES}, &output);
            assert_int_equal(client.state, CLIENT_SESSION_HELLO);
        }
        if (size > 0)
            virtual_udp_send_as(&own, bytes, size);
        wait_ms(STEP_MS);
        while ((size = virtual_udp_take(&to, bytes)) > 0)
            client_session_take(&client, &(struct datagram){to, virtual_udp_now_ns(), bytes, size}, &output);
    }
    assert_int_equal(client.state, CLIENT_SESSION_OPEN);
    assert_string_equal(client.error.text, "");
}
