// SPDX-License-Identifier: MIT
//
// Tests the answers of the live page, and the healthcheck with servers that answer or do not.
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

#include "monitor/healthcheck.h"
#include "monitor/http_server.h"

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

// The answers of the page, with their headers.
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
        /* 11 */ {"DELETE", "/metrics", 0, "405", "text/plain", "This server is read only.\n"},
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
    assert_string_equal(error.text, "\"nowhere\" is not an ADDR:PORT");
    http_server_close(NULL);
}

static uint32_t times_in(const char *text, const char *words)
{
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, words)); at++)
        count++;
    return count;
}

// Frames follow each other, each whole and with its own match, until the server closes.
static void a_browser_receives_frames_until_the_server_closes(void **state)
{
    (void)state;
    static char text[262144];
    static const char request[] = "GET /events HTTP/1.1\r\nHost: x\r\n\r\n";
    struct error error;
    size_t used = 0;
    publisher.snapshot.world.tick = 1234;
    struct http_server *web = http_server_open("127.0.0.1:0", &publisher, &(struct status_server){"thekey", 5}, &error);
    assert_non_null(web);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(http_server_port(web)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int file = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(file, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(send(file, request, sizeof request - 1, MSG_NOSIGNAL), sizeof request - 1);
    while (times_in(text, "data: {") < 3 && used < sizeof text - 1) {
        ssize_t more = recv(file, text + used, sizeof text - 1 - used, 0);
        assert_true(more > 0);
        used += (size_t)more;
    }
    assert_memory_equal(text, "HTTP/1.1 200 OK\r\n", 17);
    assert_non_null(strstr(text, "\r\nContent-Type: text/event-stream\r\n"));
    assert_true(times_in(text, "\"tick\":1234") >= 2);
    assert_true(times_in(text, "}\n\n") >= 2); // an empty line ends an event
    http_server_close(web);
    while (recv(file, text, sizeof text, 0) > 0)
        ;
    close(file);
}

// A server that answers A2S_INFO: with a challenge first, or with something else.
struct answering {
    int file;
    const char *first, *second;
    size_t first_bytes, second_bytes;
    char asked[64];
    size_t asked_bytes;
    char printed[100];
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

static int check_health_at(struct answering *answering, const char *bind_address)
{
    struct settings settings = {0};
    uint16_t port;
    strcpy(settings.bind, bind_address);
    pthread_t thread;
    answering->file = listen_on_loopback(SOCK_DGRAM, &port);
    settings.port = port;
    assert_int_equal(pthread_create(&thread, NULL, answer_queries, answering), 0);
    fflush(stdout);
    int real = dup(STDOUT_FILENO), printed = fileno(tmpfile());
    dup2(printed, STDOUT_FILENO);
    int code = healthcheck(&settings);
    fflush(stdout);
    dup2(real, STDOUT_FILENO);
    close(real);
    ssize_t count = pread(printed, answering->printed, sizeof answering->printed - 1, 0);
    answering->printed[count > 0 ? count : 0] = 0;
    shutdown(answering->file, SHUT_RDWR);
    pthread_join(thread, NULL);
    close(answering->file);
    return code;
}

static int check_health(struct answering *answering)
{
    return check_health_at(answering, "0.0.0.0");
}

static void a_healthcheck_follows_the_challenge_and_ends_with_its_code(void **state)
{
    (void)state;
    static const char info[] = "\xFF\xFF\xFF\xFFI\x11My server\0arena\0";
    static const char challenge[] = "\xFF\xFF\xFF\xFF"
                                    "A"
                                    "wxyz";
    static const char request[] = "\xFF\xFF\xFF\xFFTSource Engine Query\0wxyz";
    struct answering good = {0, challenge, info, sizeof challenge - 1, sizeof info - 1, "", 0, ""};
    assert_int_equal(check_health(&good), EXIT_OK);
    assert_int_equal(good.asked_bytes, sizeof request - 1);
    assert_string_equal(good.printed, "well: My server plays arena\n");
    assert_memory_equal(good.asked, request, sizeof request - 1);
    struct answering at_once = {0, info, NULL, sizeof info - 1, 0, "", 0, ""};
    assert_int_equal(check_health(&at_once), EXIT_OK);
    assert_string_equal(at_once.printed, "well: My server plays arena\n");
    static const char longer[] = "\xFF\xFF\xFF\xFF"
                                 "Awxyzv";
    struct answering odd = {0, longer, info, sizeof longer - 1, sizeof info - 1, "", 0, ""}; // no challenge: asks again
    assert_int_equal(check_health(&odd), EXIT_OK);
    assert_int_equal(odd.asked_bytes, sizeof request - 1 - 4);
    struct answering bound = {0, info, NULL, sizeof info - 1, 0, "", 0, ""};
    assert_int_equal(check_health_at(&bound, "127.0.0.1"), EXIT_OK);
    struct answering torn = {0, info, NULL, sizeof info - 3, 0, "", 0, ""}; // no end of the map's name
    assert_int_equal(check_health(&torn), EXIT_FAILED);
    struct answering tiny = {0, info, NULL, 5, 0, "", 0, ""};
    assert_int_equal(check_health(&tiny), EXIT_FAILED);
    struct answering silent = {0, challenge, NULL, sizeof challenge - 1, 0, "", 0, ""};
    assert_int_equal(check_health(&silent), EXIT_FAILED);
    assert_int_equal(healthcheck(&(struct settings){.bind = "no.such.host.invalid", .port = 1}), EXIT_FAILED);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_answers_what_it_has_and_refuses_the_rest),
        cmocka_unit_test(a_browser_receives_frames_until_the_server_closes),
        cmocka_unit_test(a_healthcheck_follows_the_challenge_and_ends_with_its_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
