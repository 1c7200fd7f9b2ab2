// SPDX-License-Identifier: MIT
//
// HTTP with peers that cut, creep, lie or say nothing: what Agones' sidecar may answer, and what the live page answers.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "monitor/agones_call.h"
#include "monitor/healthcheck.h"
#include "monitor/http_server.h"

// A peer that answers one connection after the other with the same bytes, so many at a time.
struct sidecar {
    int listener;
    uint16_t port;
    const char *answer;
    size_t answer_bytes, piece_bytes;
    char request[2048];
    pthread_t thread;
};

static struct agones_answer answer;
static char large[AGONES_ANSWER_BYTES_MAX + 200];

static int listen_on_loopback(int type, uint16_t *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int file = socket(AF_INET, type, 0);
    assert_int_equal(bind(file, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getsockname(file, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin_port);
    return file;
}

// Reads the request to its end, so that closing does not reset the line.
static void *answer_one(void *context)
{
    struct sidecar *peer = context;
    int file = accept(peer->listener, NULL, NULL);
    size_t used = 0;
    while (used < sizeof peer->request - 1 && !strstr(peer->request, "\r\n\r\n")) {
        ssize_t count = recv(file, peer->request + used, sizeof peer->request - 1 - used, 0);
        if (count <= 0)
            break;
        used += (size_t)count;
        peer->request[used] = 0;
    }
    for (size_t at = 0; at < peer->answer_bytes; at += peer->piece_bytes) {
        size_t rest = peer->answer_bytes - at;
        if (send(file, peer->answer + at, rest < peer->piece_bytes ? rest : peer->piece_bytes, MSG_NOSIGNAL) < 0)
            break;
        if (peer->piece_bytes < 100)
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    shutdown(file, SHUT_WR);
    char rest[256];
    while (recv(file, rest, sizeof rest, 0) > 0)
        ;
    close(file);
    return NULL;
}

static void begin_peer(struct sidecar *peer, const char *bytes, size_t count, size_t piece_bytes)
{
    *peer = (struct sidecar){.answer = bytes, .answer_bytes = count, .piece_bytes = piece_bytes};
    peer->listener = listen_on_loopback(SOCK_STREAM, &peer->port);
    assert_int_equal(listen(peer->listener, 4), 0);
    assert_int_equal(pthread_create(&peer->thread, NULL, answer_one, peer), 0);
}

static void end_peer(struct sidecar *peer)
{
    pthread_join(peer->thread, NULL);
    close(peer->listener);
}

static bool call_with(const char *bytes, size_t count, size_t piece_bytes)
{
    struct sidecar peer;
    begin_peer(&peer, bytes, count, piece_bytes);
    bool good = agones_call(peer.port, "GET", "/gameserver", NULL, &answer);
    end_peer(&peer);
    return good;
}

static void an_answer_is_whole_or_none(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        int status; // 0: none
        const char *body;
    } rows[] = {
        /* 0 */ {"HTTP/1.0 200 OK\r\n\r\n{}", 200, "{}"},
        /* 1 */ {"HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\n{}", 404, "{}"},
        /* 2 */ {"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}", 0, NULL},
        /* 3 */ {"HTTP/1.1 200 OK\r\nCONTENT-LENGTH: 2\r\n\r\n", 0, NULL},
        /* 4 */ {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}", 200, "{}"},
        /* 5 */ {"HTTP/1.1 200 OK\r\n", 0, NULL},
        /* 6 */ {"HTTP/2 200 OK\r\n\r\n{}", 0, NULL},
        /* 7 */ {"HTTP/1.2 200 OK\r\n\r\n{}", 0, NULL},
        /* 8 */ {"SSH-2.0-x\r\n\r\n", 0, NULL},
        /* 9 */ {"", 0, NULL},
        /* 10 */ {"HTTP/1.0 200 OK\r\n\r\n\r\ncontent-length: 99", 200, "\r\ncontent-length: 99"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t piece = 1; piece <= 1000; piece += 999) { // byte by byte, and at once
            bool good = call_with(rows[i].bytes, strlen(rows[i].bytes), piece);
            if (good != (rows[i].status != 0) || answer.status != rows[i].status)
                fail_msg("row %zu: status %d", i, answer.status);
            if (good)
                assert_string_equal(answer.body, rows[i].body);
        }
    }
}

static void an_answer_that_is_too_long_is_none(void **state)
{
    (void)state;
    memset(large, 'x', sizeof large);
    memcpy(large, "HTTP/1.0 200 OK\r\n\r\n", 19);
    assert_true(call_with(large, AGONES_ANSWER_BYTES_MAX - 1, 4096));
    assert_int_equal(strlen(answer.body), AGONES_ANSWER_BYTES_MAX - 1 - 19);
    assert_false(call_with(large, AGONES_ANSWER_BYTES_MAX, 4096));
    assert_false(call_with(large, sizeof large, 4096));
}

static void the_request_has_its_method_path_length_and_body(void **state)
{
    (void)state;
    struct sidecar peer;
    begin_peer(&peer, "HTTP/1.0 200 OK\r\n\r\n", 19, 100);
    assert_true(agones_call(peer.port, "POST", "/ready", "{\"a\":1}", &answer));
    end_peer(&peer);
    assert_memory_equal(peer.request, "POST /ready HTTP/1.0\r\n", 22);
    assert_non_null(strstr(peer.request, "\r\nHost: localhost\r\n"));
    assert_non_null(strstr(peer.request, "\r\nContent-Type: application/json\r\n"));
    assert_non_null(strstr(peer.request, "\r\nContent-Length: 7\r\n\r\n{\"a\":1}"));
    char body[2000];
    memset(body, 'x', sizeof body);
    body[sizeof body - 1] = 0;
    begin_peer(&peer, "HTTP/1.0 200 OK\r\n\r\n", 19, 100);
    assert_false(agones_call(peer.port, "POST", "/ready", body, &answer)); // too long to be asked
    end_peer(&peer);
}

static void nobody_there_is_no_answer(void **state)
{
    (void)state;
    uint16_t port;
    close(listen_on_loopback(SOCK_STREAM, &port));
    struct agones_stream stream = {.socket = -1};
    assert_false(agones_call(port, "GET", "/", NULL, &answer));
    assert_int_equal(answer.status, 0);
    assert_string_equal(answer.body, "");
    assert_false(agones_stream_open(&stream, port, "/"));
    assert_int_equal(stream.socket, -1);
    agones_stream_close(&stream);
}

static void who_says_nothing_is_not_waited_for_long(void **state)
{
    (void)state;
    uint16_t port;
    int listener = listen_on_loopback(SOCK_STREAM, &port);
    assert_int_equal(listen(listener, 4), 0); // the kernel takes the connection, nobody reads
    assert_false(agones_call(port, "GET", "/", NULL, &answer));
    assert_int_equal(answer.status, 0);
    close(listener);
}

static int next_line(struct agones_stream *stream)
{
    int found = 0;
    for (int i = 0; i < 100 && found == 0; i++)
        found = agones_stream_next(stream, 100);
    return found;
}

static void a_stream_gives_its_lines_after_its_head(void **state)
{
    (void)state;
    static const char bytes[] = "HTTP/1.1 200 OK\r\nX: y\r\n\r\n{\"a\":1}\n\nhalf";
    static const size_t pieces[] = {1, 7, 1000};
    static struct agones_stream stream = {.socket = -1};
    for (size_t i = 0; i < 3; i++) {
        struct sidecar peer;
        begin_peer(&peer, bytes, sizeof bytes - 1, pieces[i]);
        assert_true(agones_stream_open(&stream, peer.port, "/watch"));
        assert_int_equal(next_line(&stream), 1);
        assert_string_equal(stream.line, "{\"a\":1}");
        assert_int_equal(next_line(&stream), 1);
        assert_string_equal(stream.line, "");
        assert_int_equal(next_line(&stream), -1); // half a line is none
        assert_int_equal(stream.socket, -1);
        end_peer(&peer);
        assert_memory_equal(peer.request, "GET /watch HTTP/1.0\r\n", 21);
    }
}

static void a_stream_whose_line_never_ends_is_closed(void **state)
{
    (void)state;
    static struct agones_stream stream = {.socket = -1};
    struct sidecar peer;
    memset(large, 'x', sizeof large);
    memcpy(large, "HTTP/1.0 200 OK\n\n", 17);
    begin_peer(&peer, large, sizeof large, 8192);
    assert_true(agones_stream_open(&stream, peer.port, "/watch"));
    assert_int_equal(next_line(&stream), -1);
    end_peer(&peer);
}

// The answers of the page, with what a browser would be told about them.
static void fetch(uint16_t port, const char *method, const char *path, char text[65536])
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char request[200];
    size_t used = 0;
    int file = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(file, (const struct sockaddr *)&address, sizeof address), 0);
    int count = snprintf(request, sizeof request, "%s %s HTTP/1.0\r\n\r\n", method, path);
    assert_int_equal(send(file, request, (size_t)count, MSG_NOSIGNAL), count);
    for (ssize_t more; used < 65535 && (more = recv(file, text + used, 65535 - used, 0)) > 0;)
        used += (size_t)more;
    text[used] = 0;
    close(file);
}

static struct status_publisher publisher = STATUS_PUBLISHER_INITIAL;

static void the_page_answers_what_it_has_and_refuses_the_rest(void **state)
{
    (void)state;
    static const struct {
        const char *method, *path;
        uint64_t age_ns;
        const char *status, *type, *words;
    } rows[] = {
        /* 0 */ {"GET", "/healthz", 0, "200", "text/plain", "\r\n\r\nok\n"},
        /* 1 */ {"GET", "/healthz", 3100000000u, "503", "text/plain", "\r\n\r\nthe match stands still\n"},
        /* 2 */ {"GET", "/healthz", 2000000000u, "200", "text/plain", "\r\n\r\nok\n"},
        /* 3 */ {"GET", "/metrics", 0, "200", "text/plain; version=0.0.4; charset=utf-8", "deadfall_players 7\n"},
        /* 4 */ {"GET", "/status.json", 0, "200", "application/json", "\"key\":\"thekey\""},
        /* 5 */ {"GET", "/map.json", 0, "200", "application/json", "\"tiles\":"},
        /* 6 */ {"GET", "/", 0, "200", "text/html; charset=utf-8", "<!doctype html>"},
        /* 7 */ {"GET", "/live.js", 0, "200", "text/javascript; charset=utf-8", ""},
        /* 8 */ {"GET", "/live.css", 0, "200", "text/css; charset=utf-8", ""},
        /* 9 */ {"GET", "/nothing", 0, "404", "text/plain", "/status.json here"},
        /* 10 */ {"POST", "/", 0, "405", "text/plain", "Allow: GET, HEAD\r\n"},
        /* 11 */ {"DELETE", "/metrics", 0, "405", "text/plain", "There is nothing to change here.\n"},
    };
    static char text[65536];
    struct error error;
    char wanted[120];
    struct timespec now;
    struct http_server *web = http_server_open("127.0.0.1:0", &publisher, &(struct status_server){"thekey", 5}, &error);
    assert_non_null(web);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        pthread_mutex_lock(&publisher.lock);
        publisher.snapshot.written_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec - rows[i].age_ns;
        publisher.snapshot.players = 7;
        pthread_mutex_unlock(&publisher.lock);
        fetch(http_server_port(web), rows[i].method, rows[i].path, text);
        snprintf(wanted, sizeof wanted, "\r\nContent-Type: %s\r\n", rows[i].type);
        if (memcmp(text + strcspn(text, " ") + 1, rows[i].status, 3) != 0 || !strstr(text, wanted) ||
            !strcasestr(text, rows[i].words))
            fail_msg("row %zu: %.300s", i, text);
        assert_non_null(strstr(text, "\r\nCache-Control: no-store\r\n"));
        assert_non_null(strstr(text, "\r\nX-Content-Type-Options: nosniff\r\n"));
        assert_non_null(strstr(text, "\r\nContent-Security-Policy: default-src 'none';"));
    }
    snprintf(wanted, sizeof wanted, "127.0.0.1:%u", http_server_port(web));
    assert_null(http_server_open(wanted, &publisher, &(struct status_server){"thekey", 5}, &error));
    assert_non_null(strstr(error.text, "cannot listen on http://127.0.0.1:"));
    http_server_close(web);
    assert_null(http_server_open("nowhere", &publisher, &(struct status_server){"thekey", 5}, &error));
    assert_string_equal(error.text, "\"nowhere\" is no ADDR:PORT");
    http_server_close(NULL);
}

// A server that answers A2S_INFO: with a challenge first, or with something else.
struct answering {
    int file;
    const char *first, *second;
    size_t first_bytes, second_bytes;
    char asked[64];
    size_t asked_bytes;
};

static void *answer_queries(void *context)
{
    struct answering *answering = context;
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    uint8_t bytes[64];
    if (recvfrom(answering->file, bytes, sizeof bytes, 0, (struct sockaddr *)&from, &length) < 0)
        return NULL;
    sendto(answering->file, answering->first, answering->first_bytes, 0, (const struct sockaddr *)&from, length);
    if (answering->second_bytes == 0)
        return NULL;
    answering->asked_bytes =
        (size_t)recvfrom(answering->file, answering->asked, sizeof answering->asked, 0, NULL, NULL);
    sendto(answering->file, answering->second, answering->second_bytes, 0, (const struct sockaddr *)&from, length);
    return NULL;
}

static int check_health(struct answering *answering)
{
    struct settings settings = {.bind = "0.0.0.0"};
    uint16_t port;
    pthread_t thread;
    answering->file = listen_on_loopback(SOCK_DGRAM, &port);
    settings.port = port;
    assert_int_equal(pthread_create(&thread, NULL, answer_queries, answering), 0);
    int code = healthcheck(&settings);
    shutdown(answering->file, SHUT_RDWR);
    pthread_join(thread, NULL);
    close(answering->file);
    return code;
}

static void a_healthcheck_follows_the_challenge_and_ends_with_its_code(void **state)
{
    (void)state;
    static const char info[] = "\xFF\xFF\xFF\xFFI\x11My server\0arena\0";
    static const char challenge[] = "\xFF\xFF\xFF\xFF"
                                    "A"
                                    "wxyz";
    static const char request[] = "\xFF\xFF\xFF\xFFTSource Engine Query\0wxyz";
    struct answering good = {0, challenge, info, sizeof challenge - 1, sizeof info - 1, "", 0};
    assert_int_equal(check_health(&good), EXIT_OK);
    assert_int_equal(good.asked_bytes, sizeof request - 1);
    assert_memory_equal(good.asked, request, sizeof request - 1);
    struct answering at_once = {0, info, NULL, sizeof info - 1, 0, "", 0};
    assert_int_equal(check_health(&at_once), EXIT_OK);
    struct answering torn = {0, info, NULL, sizeof info - 3, 0, "", 0}; // no end of the map's name
    assert_int_equal(check_health(&torn), EXIT_FAILED);
    struct answering tiny = {0, info, NULL, 5, 0, "", 0};
    assert_int_equal(check_health(&tiny), EXIT_FAILED);
    struct answering silent = {0, challenge, NULL, sizeof challenge - 1, 0, "", 0};
    assert_int_equal(check_health(&silent), EXIT_FAILED);
    assert_int_equal(healthcheck(&(struct settings){.bind = "no.such.host.invalid", .port = 1}), EXIT_FAILED);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_whole_or_none),
        cmocka_unit_test(an_answer_that_is_too_long_is_none),
        cmocka_unit_test(the_request_has_its_method_path_length_and_body),
        cmocka_unit_test(nobody_there_is_no_answer),
        cmocka_unit_test(who_says_nothing_is_not_waited_for_long),
        cmocka_unit_test(a_stream_gives_its_lines_after_its_head),
        cmocka_unit_test(a_stream_whose_line_never_ends_is_closed),
        cmocka_unit_test(the_page_answers_what_it_has_and_refuses_the_rest),
        cmocka_unit_test(a_healthcheck_follows_the_challenge_and_ends_with_its_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
