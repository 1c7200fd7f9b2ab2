// SPDX-License-Identifier: MIT
//
// A web server on the loopback that the test plays by hand: it answers in pieces, too much, or not at all.
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "net/fetch.h"

#define QUESTION "GET /metrics HTTP/1.0\r\nConnection: close\r\n\r\n"

static struct fetch fetch;
static int listener;
static char place[40];

static int open_listener(void **state)
{
    (void)state;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 4), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    snprintf(place, sizeof place, "127.0.0.1:%u", ntohs(address.sin_port));
    memset(&fetch, 0xAA, sizeof fetch);
    assert_true(fetch_open(&fetch, place));
    return 0;
}

static int close_listener(void **state)
{
    (void)state;
    fetch_close(&fetch);
    close(listener);
    return 0;
}

// True if a connection or bytes are there within two seconds, or false at once where none shall be.
static bool comes(int file, bool shall)
{
    return poll(&(struct pollfd){.fd = file, .events = POLLIN}, 1, shall ? 2000 : 20) > 0;
}

// Takes the question that was asked, whole and as it must be.
static int take_question(void)
{
    char question[300] = "";
    for (int i = 0; i < 200 && !comes(listener, false); i++)
        fetch_pulse(&fetch, "/metrics");
    int file = accept(listener, NULL, NULL);
    assert_true(file >= 0);
    for (int i = 0; i < 200 && !comes(file, false); i++)
        assert_false(fetch_pulse(&fetch, "/metrics"));
    assert_int_equal(recv(file, question, sizeof question - 1, 0), sizeof QUESTION - 1);
    assert_string_equal(question, QUESTION);
    return file;
}

// Says this much and pulses until it is taken.
static bool say(int file, const char *bytes, size_t count)
{
    bool done = false;
    for (size_t sent = 0; sent < count;) {
        ssize_t more = send(file, bytes + sent, count - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        sent += more > 0 ? (size_t)more : 0;
        done |= fetch_pulse(&fetch, "/metrics");
        if (more < 0 && !fetch_waits(&fetch))
            return done; // it has hung up
    }
    return done;
}

// Pulses until the question is no longer open; whether the answer was whole.
static bool ends(void)
{
    for (int i = 0; i < 200 && fetch_waits(&fetch); i++) {
        if (fetch_pulse(&fetch, "/metrics"))
            return true;
        poll(NULL, 0, 10);
    }
    assert_false(fetch_waits(&fetch));
    return false;
}

static void a_place_is_a_numeric_address_and_a_port(void **state)
{
    (void)state;
    static const struct {
        const char *place;
        bool good;
    } rows[] = {
        {"127.0.0.1:9464", true},  {"[::1]:9464", true},  {"", true},
        {"127.0.0.1", false},      {":9464", false},      {"[]:9464", false},
        {"[::1:9464", false},      {"::1]:9464", false},  {"localhost:80", false},
        {"127.0.0.1:http", false}, {"127.0.0.1:", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (fetch_open(&fetch, rows[i].place) != rows[i].good)
            fail_msg("\"%s\"", rows[i].place);
        assert_false(fetch_waits(&fetch));
    }
    fetch_open(&fetch, "");
    fetch_ask(&fetch);
    assert_false(fetch_waits(&fetch)); // nobody is asked
    assert_false(fetch_pulse(&fetch, "/metrics"));
}

static void an_answer_in_pieces_is_there_once_when_it_is_whole(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) { // the second on the same fetch, and shorter
        const char *answer = round ? "HTTP/1.0 200 OK\r\n\r\nx 1\n" : "HTTP/1.0 200 OK\r\n\r\nx 1234567\ny 2\n";
        fetch_ask(&fetch);
        assert_true(fetch_waits(&fetch));
        fetch_ask(&fetch); // one is open: nothing happens
        int file = take_question();
        assert_false(comes(listener, false));
        assert_false(say(file, answer, 10));
        assert_false(say(file, answer + 10, strlen(answer) - 10));
        assert_true(fetch_waits(&fetch));
        close(file);
        assert_true(ends());
        assert_string_equal(fetch.answer, answer);
        assert_false(fetch_waits(&fetch));
        assert_false(fetch_pulse(&fetch, "/metrics"));
    }
}

static void an_answer_of_more_than_there_is_room_for_is_none(void **state)
{
    (void)state;
    static char bytes[FETCH_BYTES + 10000];
    static const struct {
        size_t count;
        bool whole;
    } rows[] = {{FETCH_BYTES - 2, true},
                {FETCH_BYTES - 1, false},
                {FETCH_BYTES, false},
                {sizeof bytes, false},
                {1, true},
                {0, true}};
    memset(bytes, 'a', sizeof bytes);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fetch_ask(&fetch);
        int file = take_question();
        bool whole = say(file, bytes, rows[i].count);
        close(file);
        whole |= fetch_waits(&fetch) && ends();
        if (whole != rows[i].whole)
            fail_msg("%zu bytes", rows[i].count);
        if (whole)
            assert_int_equal(strlen(fetch.answer), rows[i].count);
    }
}

static void nobody_there_and_a_closed_question_end_without_an_answer(void **state)
{
    (void)state;
    fetch_ask(&fetch);
    int file = take_question();
    fetch_close(&fetch);
    assert_false(fetch_waits(&fetch));
    assert_false(fetch_pulse(&fetch, "/metrics"));
    close(file);
    close(listener);
    fetch_ask(&fetch);
    assert_false(ends());
    listener = socket(AF_INET, SOCK_STREAM, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_listener, close_listener)

int main(void)
{
    struct CMUnitTest tests[] = {
        TEST(a_place_is_a_numeric_address_and_a_port),
        TEST(an_answer_in_pieces_is_there_once_when_it_is_whole),
        TEST(an_answer_of_more_than_there_is_room_for_is_none),
        TEST(nobody_there_and_a_closed_question_end_without_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
