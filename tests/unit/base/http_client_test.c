// SPDX-License-Identifier: MIT
//
// Tests the HTTP client. The test itself is the web server on loopback: it answers at once, in pieces, too much, or
// not.
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/http_client.h"
#include "test.h"

#define HEAD "HTTP/1.0 200 OK\r\n\r\n"

static struct http_client client;
static struct http_request request;
static int listener, peer;
static char server[64];
static uint64_t now_ns;
static char large[2 * HTTP_CLIENT_ANSWER_BYTES];

static void listen_on(int family)
{
    struct sockaddr_storage address = {.ss_family = (sa_family_t)family};
    struct sockaddr_in *four = (struct sockaddr_in *)&address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&address;
    socklen_t size = sizeof address;
    if (family == AF_INET)
        four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        six->sin6_addr = in6addr_loopback;
    listener = socket(family, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 4), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    snprintf(server, sizeof server, family == AF_INET ? "127.0.0.1:%u" : "[::1]:%u",
             ntohs(family == AF_INET ? four->sin_port : six->sin6_port));
}

static void begin(void)
{
    listen_on(AF_INET);
    peer = -1;
    now_ns = 5;
    client = (struct http_client){.state = HTTP_CLIENT_IDLE};
    request = (struct http_request){.server = server, .method = "GET", .path = "/metrics", .deadline_ns = UINT64_MAX};
}

static void finish(void)
{
    http_client_close(&client);
    close(listener);
    if (peer >= 0)
        close(peer);
}

EACH_TEST(begin, finish);

static bool is_readable(int file, int timeout_ms)
{
    return poll(&(struct pollfd){.fd = file, .events = POLLIN}, 1, timeout_ms) > 0;
}

// Starts the request and expects these bytes at the other end.
static void ask(const char *expected)
{
    char text[HTTP_CLIENT_REQUEST_BYTES + 1] = "";
    size_t used = 0;
    if (peer >= 0)
        close(peer);
    assert_true(http_client_begin(&client, &request));
    assert_true(is_readable(listener, 2000));
    peer = accept(listener, NULL, NULL);
    for (int i = 0; i < 200 && used < strlen(expected); i++) {
        assert_int_equal(http_client_step(&client, now_ns), HTTP_CLIENT_WAITING);
        used += is_readable(peer, 10) ? (size_t)recv(peer, text + used, sizeof text - 1 - used, 0) : 0;
    }
    assert_string_equal(text, expected);
}

static void ask_any(void)
{
    char expected[200];
    snprintf(expected, sizeof expected,
             "GET /metrics HTTP/1.0\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n",
             server);
    ask(expected);
}

// Sends an answer in pieces while the client steps; the client may give up before the end.
static void say(const char *bytes, size_t count, size_t piece)
{
    for (size_t sent = 0; sent < count && client.state == HTTP_CLIENT_WAITING;) {
        size_t size = count - sent < piece ? count - sent : piece;
        ssize_t more = send(peer, bytes + sent, size, MSG_DONTWAIT | MSG_NOSIGNAL);
        sent += more > 0 ? (size_t)more : 0;
        http_client_step(&client, now_ns);
    }
}

// Closes the other end; returns the state that follows.
static enum http_client_state hang_up(void)
{
    close(peer);
    peer = -1;
    for (int i = 0; i < 2000 && http_client_step(&client, now_ns) == HTTP_CLIENT_WAITING; i++)
        http_client_wait(&client, 1000);
    return client.state;
}

static enum http_client_state answer(const char *bytes, size_t count, size_t piece)
{
    ask_any();
    say(bytes, count, piece);
    return hang_up();
}

TEST(a_request_has_its_method_path_length_and_body)
{
    char expected[200];
    ask_any();
    assert_int_equal(hang_up(), HTTP_CLIENT_FAILED);
    request = (struct http_request){
        .server = server, .method = "POST", .path = "/ready", .body = "{\"a\":1}", .deadline_ns = UINT64_MAX};
    snprintf(expected, sizeof expected,
             "POST /ready HTTP/1.0\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
             server);
    ask(expected);
}

// A server that carries several names, behind one address of this machine.
TEST(a_request_may_name_its_host_and_come_from_an_address)
{
    struct sockaddr_in own;
    socklen_t size = sizeof own;
    request.host = "directory.example.org";
    request.from = "127.0.0.9:0";
    ask("GET /metrics HTTP/1.0\r\nHost: directory.example.org\r\nContent-Type: application/json\r\n"
        "Content-Length: 0\r\n\r\n");
    assert_int_equal(getpeername(peer, (struct sockaddr *)&own, &size), 0);
    assert_int_equal(ntohl(own.sin_addr.s_addr), 0x7F000009);
    request.from = "192.0.2.1:0"; // not ours
    assert_false(http_client_begin(&client, &request));
    assert_non_null(strstr(client.error.text, "no connection from 192.0.2.1:0"));
}

TEST(a_request_has_at_most_3071_bytes)
{
    char path[HTTP_CLIENT_REQUEST_BYTES + 1], expected[2 * HTTP_CLIENT_REQUEST_BYTES];
    size_t others = (size_t)snprintf(
        expected, sizeof expected,
        "GET  HTTP/1.0\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n", server);
    memset(path, 'x', sizeof path);
    path[HTTP_CLIENT_REQUEST_BYTES - others] = 0;
    request.path = path;
    assert_false(http_client_begin(&client, &request));
    assert_int_equal(http_client_step(&client, now_ns), HTTP_CLIENT_FAILED);
    assert_string_equal(client.error.text, "the request is longer than 3071 bytes");
    path[HTTP_CLIENT_REQUEST_BYTES - others - 1] = 0;
    snprintf(expected, sizeof expected,
             "GET %s HTTP/1.0\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n", path,
             server);
    ask(expected);
}

TEST(a_server_needs_a_numeric_address_and_a_port)
{
    static const char *const bad[] = {"", "127.0.0.1", ":9464", "[::1:9464", "localhost:80", "127.0.0.1:http"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char expected[100];
        request.server = bad[i];
        snprintf(expected, sizeof expected, "\"%s\" is no ADDR:PORT in numbers", bad[i]);
        assert_false(http_client_begin(&client, &request));
        assert_string_equal(client.error.text, expected);
    }
    close(listener);
    listen_on(AF_INET6);
    request.server = server;
    assert_int_equal(answer(HEAD "six", strlen(HEAD "six"), 1000), HTTP_CLIENT_ANSWERED);
    assert_string_equal(client.body, "six");
}

TEST(an_answer_is_complete_or_fails_with_a_reason)
{
    static const char cut[] = "the answer breaks off", other[] = "the answer is not HTTP/1.0 or HTTP/1.1",
                      chunked[] = "the answer comes in chunks, which HTTP/1.0 does not have";
    static const struct {
        const char *bytes;
        int status; // 0: it fails
        const char *expected;
    } rows[] = {
        /* 0 */ {"HTTP/1.0 200 OK\r\n\r\n{}", 200, "{}"},
        /* 1 */ {"HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\n{}", 404, "{}"},
        /* 2 */ {"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}", 0, cut},
        /* 3 */ {"HTTP/1.1 200 OK\r\nCONTENT-LENGTH: 2\r\n\r\n", 0, cut},
        /* 4 */ {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}", 200, "{}"},
        /* 5 */ {"HTTP/1.1 200 OK\r\nContent-Length:2\r\n\r\n{}", 200, "{}"},
        /* 6 */ {"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}", 0, cut},
        /* 7 */ {"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}", 200, "{}"},
        /* 8 */ {"HTTP/1.1 200 OK\r\n", 0, cut},
        /* 9 */ {"HTTP/1.1 200 OK\r\n\r", 0, cut},
        /* 10 */ {"", 0, cut},
        /* 11 */ {"HTTP/2 200 OK\r\n\r\n{}", 0, other},
        /* 12 */ {"HTTP/1.2 200 OK\r\n\r\n{}", 0, other},
        /* 13 */ {"HTTP/1.1 99 OK\r\n\r\n{}", 0, other},
        /* 14 */ {"HTTP/1.1 100 OK\r\n\r\n{}", 100, "{}"},
        /* 15 */ {"HTTP/1.1 999 OK\r\n\r\n{}", 999, "{}"},
        /* 16 */ {"HTTP/1.1 OK\r\n\r\n{}", 0, other},
        /* 17 */ {"SSH-2.0-x\r\n\r\n", 0, other},
        /* 18 */ {"HTTP/1.0 200 OK\r\n\r\n\r\ncontent-length: 99", 200, "\r\ncontent-length: 99"},
        /* 19 */ {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 0, chunked},
        /* 20 */ {"HTTP/1.0 200 OK\r\n\r\n\r\ntransfer-encoding: chunked", 200, "\r\ntransfer-encoding: chunked"},
        /* 21 */ {"HTTP/1.0 204 None\r\n\r\n", 204, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t piece = 1; piece <= 1000; piece += 999) { // byte by byte, and at once
            bool good = answer(rows[i].bytes, strlen(rows[i].bytes), piece) == HTTP_CLIENT_ANSWERED;
            if (good != (rows[i].status != 0) || (good && client.status != rows[i].status) ||
                strcmp(good ? client.body : client.error.text, rows[i].expected) != 0)
                fail_msg("row %zu: status %d, \"%s\"", i, client.status, good ? client.body : client.error.text);
        }
    }
}

TEST(head_and_body_have_a_limit)
{
    static const struct {
        size_t head_bytes, body_bytes; // of the answer; without an end of the head there is no body
        bool has_end, good;
    } rows[] = {
        /* 0 */ {19, HTTP_CLIENT_ANSWER_BYTES - 1, true, true},
        /* 1 */ {19, HTTP_CLIENT_ANSWER_BYTES, true, false},
        /* 2 */ {19, HTTP_CLIENT_ANSWER_BYTES + 20000, true, false},
        /* 3 */ {HTTP_CLIENT_ANSWER_BYTES - 1, 1, true, true},
        /* 4 */ {HTTP_CLIENT_ANSWER_BYTES + 1, 0, true, false},
        /* 5 */ {HTTP_CLIENT_ANSWER_BYTES + 20000, 0, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = rows[i].head_bytes + rows[i].body_bytes;
        memset(large, 'x', sizeof large);
        memcpy(large, "HTTP/1.0 200 OK", 15);
        if (rows[i].has_end)
            memcpy(large + rows[i].head_bytes - 4, "\r\n\r\n", 4);
        if ((answer(large, count, 4096) == HTTP_CLIENT_ANSWERED) != rows[i].good)
            fail_msg("row %zu: %s", i, client.error.text);
        if (rows[i].good)
            assert_int_equal(strlen(client.body), rows[i].body_bytes);
        else
            assert_string_equal(client.error.text, "the answer is longer than 65535 bytes");
    }
}

TEST(a_slow_answer_may_take_until_the_deadline)
{
    request.deadline_ns = 1000;
    ask_any();
    say(HEAD "{", strlen(HEAD "{"), 1);
    assert_int_equal(http_client_step(&client, 999), HTTP_CLIENT_WAITING);
    assert_int_equal(http_client_step(&client, 1000), HTTP_CLIENT_FAILED);
    assert_string_equal(client.error.text, "no whole answer in time");
    assert_int_equal(recv(peer, large, 1, 0), 0); // the client has closed the connection
    ask_any();
    say(HEAD "{}", strlen(HEAD "{}"), 100);
    assert_int_equal(hang_up(), HTTP_CLIENT_ANSWERED);
    assert_int_equal(http_client_step(&client, 2000), HTTP_CLIENT_ANSWERED); // and stays answered
    request.deadline_ns = UINT64_MAX;
    now_ns = UINT64_MAX - 1;
    ask_any();
    assert_int_equal(http_client_step(&client, now_ns), HTTP_CLIENT_WAITING);
}

TEST(a_reset_or_a_refused_connection_is_an_error)
{
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    ask_any();
    say(HEAD "{}", strlen(HEAD "{}"), 100);
    setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    assert_int_equal(hang_up(), HTTP_CLIENT_FAILED);
    assert_string_equal(client.error.text, "the answer breaks off: Connection reset by peer");
    close(listener);
    http_client_begin(&client, &request);
    for (int i = 0; i < 200 && http_client_step(&client, now_ns) == HTTP_CLIENT_WAITING; i++)
        http_client_wait(&client, 10);
    assert_int_equal(client.state, HTTP_CLIENT_FAILED);
    assert_string_equal(client.error.text, "no connection: Connection refused");
    listener = socket(AF_INET, SOCK_STREAM, 0);
}

TEST(a_request_can_be_cancelled_or_replaced)
{
    assert_int_equal(http_client_step(&client, now_ns), HTTP_CLIENT_IDLE);
    http_client_wait(&client, 600000); // nothing to wait for
    ask_any();
    http_client_close(&client);
    assert_int_equal(http_client_step(&client, now_ns), HTTP_CLIENT_IDLE);
    assert_int_equal(recv(peer, large, 1, 0), 0);
    assert_int_equal(answer(HEAD "long\nand longer", strlen(HEAD "long\nand longer"), 100), HTTP_CLIENT_ANSWERED);
    assert_string_equal(http_client_line(&client), "long");
    int first = (ask_any(), peer);
    peer = -1;
    ask_any(); // cancels the first
    assert_int_equal(recv(first, large, 1, 0), 0);
    close(first);
    assert_int_equal(client.status, 0);
    assert_null(http_client_line(&client));
    say(HEAD "short", strlen(HEAD "short"), 100);
    assert_int_equal(hang_up(), HTTP_CLIENT_ANSWERED);
    assert_string_equal(client.body, "short");
}

TEST(waiting_ends_when_there_is_something_to_do)
{
    assert_true(http_client_begin(&client, &request));
    http_client_wait(&client, 600000); // connected
    http_client_step(&client, now_ns);
    http_client_wait(&client, 1); // nothing is there yet
    peer = accept(listener, NULL, NULL);
    assert_int_equal(send(peer, HEAD, strlen(HEAD), 0), strlen(HEAD));
    http_client_wait(&client, 600000);
    http_client_step(&client, now_ns);
    assert_int_equal(client.status, 200);
}

TEST(lines_can_be_read_while_they_arrive)
{
    static const size_t pieces[] = {1, 7, 1000};
    for (size_t i = 0; i < 3; i++) {
        ask_any();
        say("HTTP/1.1 200 OK\nX: y\r\n", 22, pieces[i]);
        assert_null(http_client_line(&client)); // the head has no lines for the caller
        say("\r\n{\"a\":1}\n\nsecond", 17, pieces[i]);
        for (int k = 0; k < 200 && client.byte_count < 15; k++)
            http_client_step(&client, now_ns);
        assert_string_equal(http_client_line(&client), "{\"a\":1}");
        assert_string_equal(http_client_line(&client), "");
        assert_null(http_client_line(&client)); // half a line
        say(" half\nrest", 10, pieces[i]);
        assert_int_equal(hang_up(), HTTP_CLIENT_ANSWERED);
        assert_string_equal(http_client_line(&client), "second half");
        assert_null(http_client_line(&client));
    }
}

TEST(lines_may_be_longer_together_than_the_buffer)
{
    char line[1001];
    memset(line, 'x', 1000);
    line[999] = '\n';
    line[1000] = 0;
    uint32_t taken = 0;
    ask_any();
    say(HEAD, strlen(HEAD), 100);
    for (int i = 0; i < 200; i++) {
        say(line, 1000, 300);
        for (const char *next; (next = http_client_line(&client)); taken++)
            assert_int_equal(strlen(next), 999);
    }
    assert_int_equal(hang_up(), HTTP_CLIENT_ANSWERED);
    for (const char *next; (next = http_client_line(&client)); taken++)
        assert_int_equal(strlen(next), 999);
    assert_int_equal(taken, 200);
}

TEST(a_line_that_never_ends_fails)
{
    ask_any();
    memset(large, 'x', sizeof large);
    say(HEAD, strlen(HEAD), 100);
    say(large, sizeof large, 4096);
    assert_int_equal(client.state, HTTP_CLIENT_FAILED);
    assert_null(http_client_line(&client));
}

TEST(a_body_may_begin_with_its_head_and_go_on_later)
{
    static const char begins[] = "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nab";
    for (size_t rest = 2; rest <= 3; rest++) {
        ask_any();
        say(begins, strlen(begins), 1000);
        for (int i = 0; i < 200 && client.status == 0; i++)
            http_client_wait(&client, 10), http_client_step(&client, now_ns);
        assert_int_equal(client.byte_count, 2);
        say("cde", rest, 1000);
        assert_int_equal(hang_up(), rest == 3 ? HTTP_CLIENT_ANSWERED : HTTP_CLIENT_FAILED);
    }
}

TEST(a_promised_length_holds_for_lines_too)
{
    static const char *const answers[] = {"HTTP/1.0 200 OK\r\nContent-Length: 8\r\n\r\nab\n",
                                          "HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nab\n"};
    for (size_t i = 0; i < 2; i++) {
        ask_any();
        say(answers[i], strlen(answers[i]), 1);
        for (int k = 0; k < 200 && client.byte_count < 3; k++)
            http_client_step(&client, now_ns);
        assert_string_equal(http_client_line(&client), "ab");
        say("cdef\n", 5, 1);
        assert_int_equal(hang_up(), i ? HTTP_CLIENT_FAILED : HTTP_CLIENT_ANSWERED);
        assert_string_equal(http_client_line(&client), "cdef");
    }
}
