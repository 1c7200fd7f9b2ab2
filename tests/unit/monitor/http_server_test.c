// SPDX-License-Identifier: MIT
//
// Tests the answers of the live page and its stream of frames. Time is a double: the age of the match is exact, and a
// pause between frames ends when the test says so.
#include "monitor/http_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "test.h"

#define NOW_NS   (1000 * CLOCK_SECOND_NS)
#define FRAME_NS (100 * CLOCK_MS_NS) // ten frames a second

struct MHD_Response;

static struct status_publisher publisher = STATUS_PUBLISHER_INITIAL;
static const struct status_server SELF = {.fingerprint = "thekey", .port = 5, .directories = {"/", "/no/where"}};
static struct http_server *web; // at 127.0.0.1
static char text[1 << 20];
static sem_t pause_ends;
static atomic_int responses;
static _Atomic uint64_t pause_ns;
static atomic_bool memory_fails, json_fails, memory_files_fail, responses_fail;

uint64_t __wrap_clock_now_ns(void);
void __real_clock_sleep(uint64_t duration_ns);
void __wrap_clock_sleep(uint64_t duration_ns);
void *__real_malloc(size_t byte_count);
void *__wrap_malloc(size_t byte_count);
FILE *__real_open_memstream(char **made, size_t *byte_count);
FILE *__wrap_open_memstream(char **made, size_t *byte_count);
struct MHD_Response *__real_MHD_create_response_from_buffer(size_t byte_count, void *bytes, int mode);
struct MHD_Response *__wrap_MHD_create_response_from_buffer(size_t byte_count, void *bytes, int mode);
struct MHD_Response *__real_MHD_create_response_from_callback(uint64_t size, size_t block_bytes, void *reader,
                                                              void *context, void (*free_context)(void *));
struct MHD_Response *__wrap_MHD_create_response_from_callback(uint64_t size, size_t block_bytes, void *reader,
                                                              void *context, void (*free_context)(void *));
void __real_MHD_destroy_response(struct MHD_Response *response);
void __wrap_MHD_destroy_response(struct MHD_Response *response);

uint64_t __wrap_clock_now_ns(void)
{
    return NOW_NS;
}

// The pause between frames ends when a test says so; the others are real.
void __wrap_clock_sleep(uint64_t duration_ns)
{
    if (duration_ns < FRAME_NS) {
        __real_clock_sleep(duration_ns);
        return;
    }
    pause_ns = duration_ns;
    sem_wait(&pause_ends);
}

// Only a large block is refused, so that libraries go on.
void *__wrap_malloc(size_t byte_count)
{
    if (!memory_fails || byte_count < sizeof(struct status_snapshot))
        return __real_malloc(byte_count);
    errno = ENOMEM;
    return NULL;
}

FILE *__wrap_open_memstream(char **made, size_t *byte_count)
{
    return memory_files_fail ? NULL : __real_open_memstream(made, byte_count);
}

struct MHD_Response *__wrap_MHD_create_response_from_buffer(size_t byte_count, void *bytes, int mode)
{
    responses += !responses_fail;
    return responses_fail ? NULL : __real_MHD_create_response_from_buffer(byte_count, bytes, mode);
}

struct MHD_Response *__wrap_MHD_create_response_from_callback(uint64_t size, size_t block_bytes, void *reader,
                                                              void *context, void (*free_context)(void *))
{
    responses += !responses_fail;
    return responses_fail ? NULL
                          : __real_MHD_create_response_from_callback(size, block_bytes, reader, context, free_context);
}

void __wrap_MHD_destroy_response(struct MHD_Response *response)
{
    responses--;
    __real_MHD_destroy_response(response);
}

static void *json_memory(size_t byte_count)
{
    return json_fails ? NULL : malloc(byte_count);
}

static void open_at(const char *address)
{
    struct error error;
    sem_init(&pause_ends, 0, 0);
    publisher.snapshot.written_ns = NOW_NS;
    web = http_server_open(address, &publisher, &SELF, &error);
    if (!web)
        fail_msg("%s", error.text);
}

static void begin(void)
{
    json_set_alloc_funcs(json_memory, free);
    open_at("127.0.0.1:0");
}

static void close_all(void)
{
    for (int i = 0; i < 100; i++)
        sem_post(&pause_ends);
    http_server_close(web);
    web = NULL;
    assert_int_equal(responses, 0);
}

EACH_TEST(begin, close_all);

// A connection from this address, by IPv6 if it is null. Nothing is awaited for longer than ten seconds.
static int connect_from(const char *own)
{
    uint16_t port = http_server_port(web);
    struct sockaddr_in from = {.sin_family = AF_INET};
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 to6 = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in6addr_loopback};
    int file = socket(own ? AF_INET : AF_INET6, SOCK_STREAM, 0);
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 10}, sizeof(struct timeval));
    if (!own) {
        assert_int_equal(connect(file, (const struct sockaddr *)&to6, sizeof to6), 0);
        return file;
    }
    inet_pton(AF_INET, own, &from.sin_addr);
    assert_int_equal(bind(file, (const struct sockaddr *)&from, sizeof from), 0);
    assert_int_equal(connect(file, (const struct sockaddr *)&to, sizeof to), 0);
    return file;
}

// Reads until these bytes have come, or the server closes. The rest of the text is a zero.
static size_t read_until(int file, const char *wanted)
{
    size_t used = 0;
    text[0] = 0;
    while (used + 1 < sizeof text && (!wanted || !strstr(text, wanted))) {
        ssize_t more = recv(file, text + used, sizeof text - 1 - used, 0);
        if (more < 0 && errno != ECONNRESET)
            fail_msg("no answer: %s", strerror(errno));
        if (more <= 0)
            break;
        used += (size_t)more;
        text[used] = 0;
    }
    return used;
}

static void ask(int file, const char *method, const char *path, const char *version)
{
    char request[200];
    int count = snprintf(request, sizeof request, "%s %s HTTP/%s\r\nHost: localhost\r\n\r\n", method, path, version);
    assert_int_equal(send(file, request, (size_t)count, MSG_NOSIGNAL), count);
}

// Asks for the whole answer with its headers; empty if the server closes without one.
static void fetch(const char *own, const char *method, const char *path)
{
    int file = connect_from(own);
    ask(file, method, path, "1.0");
    read_until(file, NULL);
    close(file);
}

static void get(const char *path)
{
    fetch("127.0.0.1", "GET", path);
}

static const char *body(void)
{
    const char *head_end = strstr(text, "\r\n\r\n");
    assert_non_null(head_end);
    return head_end + 4;
}

TEST(the_page_answers_what_it_has_and_refuses_the_rest)
{
    static const struct {
        const char *method, *path;
        uint64_t age_ns;
        const char *status, *type, *words;
    } rows[] = {
        /* 0 */ {"GET", "/healthz", 0, "200", "text/plain", "\r\n\r\nok\n"},
        /* 1 */ {"GET", "/healthz", 3000000000u, "503", "text/plain", "\r\n\r\nthe match stands still\n"},
        /* 2 */ {"GET", "/healthz", 2999999999u, "200", "text/plain", "\r\n\r\nok\n"},
        /* 3 */ {"GET", "/metrics", 0, "200", "text/plain; version=0.0.4; charset=utf-8", "deadfall_players 7\n"},
        /* 4 */ {"GET", "/status.json", 0, "200", "application/json", "\"key\":\"thekey\""},
        /* 5 */ {"GET", "/map.json", 0, "200", "application/json", "\"tiles\":"},
        /* 6 */ {"GET", "/", 0, "200", "text/html; charset=utf-8", "<!doctype html>"},
        /* 7 */ {"GET", "/live.js", 0, "200", "text/javascript; charset=utf-8", ""},
        /* 8 */ {"GET", "/live.css", 0, "200", "text/css; charset=utf-8", ""},
        /* 9 */ {"GET", "/nothing", 0, "404", "text/plain", "/status.json here"},
        /* 10 */ {"POST", "/", 0, "405", "text/plain", "\r\nAllow: GET, HEAD\r\n"},
        /* 11 */ {"DELETE", "/metrics", 0, "405", "text/plain", "This server is read only.\n"},
        /* 12 */ {"HEAD", "/healthz", 0, "200", "text/plain", "\r\nContent-Length: 3\r\n"},
        /* 13 */ {"GET", "/status.json", 0, "200", "application/json", "\"port\":5,"},
        /* 14 */ {"GET", "/readyz", 0, "200", "text/plain", "\r\n\r\nok\n"},
        /* 15 */ {"GET", "/readyz", 3000000000u, "503", "text/plain", "\r\n\r\nthe match stands still\n"},
    };
    char wanted[120];
    publisher.snapshot.players = 7;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pthread_mutex_lock(&publisher.lock);
        publisher.snapshot.written_ns = NOW_NS - rows[i].age_ns;
        pthread_mutex_unlock(&publisher.lock);
        fetch("127.0.0.1", rows[i].method, rows[i].path);
        snprintf(wanted, sizeof wanted, "\r\nContent-Type: %s\r\n", rows[i].type);
        if (memcmp(text + strcspn(text, " ") + 1, rows[i].status, 3) != 0 || !strstr(text, wanted) ||
            !strcasestr(text, rows[i].words))
            fail_msg("row %zu: %.300s", i, text);
        assert_non_null(strstr(text, "\r\nCache-Control: no-store\r\n"));
        assert_non_null(strstr(text, "\r\nX-Content-Type-Options: nosniff\r\n"));
        assert_non_null(strstr(text, "\r\nContent-Security-Policy: default-src 'none';"));
        assert_int_equal(strstr(text, "\r\nAllow: ") != NULL, memcmp(rows[i].status, "405", 3) == 0);
        assert_int_equal(strlen(body()) == 0, strcmp(rows[i].method, "HEAD") == 0);
    }
    int file = connect_from("127.0.0.1");
    static const char with_body[] = "GET /live.css HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx";
    assert_int_equal(send(file, with_body, strlen(with_body), MSG_NOSIGNAL), strlen(with_body));
    ask(file, "GET", "/nothing", "1.0");
    read_until(file, NULL);
    assert_true(strstr(text, " 200 OK\r\n") && strstr(text, " 404 ")); // the connection stays open for the next one
    close(file);
}

TEST(a_server_that_drains_is_healthy_and_not_ready)
{
    publisher.snapshot.drains = true;
    get("/healthz");
    assert_non_null(strstr(text, " 200 "));
    get("/readyz");
    assert_non_null(strstr(text, " 503 "));
    assert_non_null(strstr(text, "\r\n\r\nnobody new may join\n"));
    publisher.snapshot.drains = false;
}

TEST(the_page_is_made_of_its_files)
{
    static const char *const rows[][2] = {{"/", "html"}, {"/live.js", "js"}, {"/live.css", "css"}};
    static char wanted[65536];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, SOURCE_ROOT "/server/program/monitor/page/live.%s", rows[i][1]);
        FILE *file = fopen(text, "r");
        assert_non_null(file);
        wanted[fread(wanted, 1, sizeof wanted - 1, file)] = 0;
        fclose(file);
        get(rows[i][0]);
        assert_string_equal(body(), wanted);
    }
}

TEST(the_metrics_include_the_process)
{
    get("/metrics");
    const char *bytes = strstr(text, "\nprocess_resident_memory_bytes ");
    const char *start = strstr(text, "\nprocess_start_time_seconds ");
    assert_true(bytes && strtod(strchr(bytes, ' '), NULL) > 100000);
    assert_true(start && strtod(strchr(start, ' '), NULL) > 1.5e9);
}

TEST(addresses_are_numbers_and_free)
{
    char wanted[40];
    struct error error;
    snprintf(wanted, sizeof wanted, "127.0.0.1:%u", http_server_port(web));
    assert_null(http_server_open(wanted, &publisher, &SELF, &error));
    snprintf(text, sizeof text, "cannot listen on http://%s for --metrics: %s", wanted, strerror(EADDRINUSE));
    assert_string_equal(error.text, text);
    close_all();
    open_at("[::1]:0");
    fetch(NULL, "GET", "/healthz");
    assert_non_null(strstr(text, "\r\n\r\nok\n"));
    assert_null(http_server_open("nowhere", &publisher, &SELF, &error));
    assert_string_equal(error.text, "\"nowhere\" is not an ADDR:PORT");
    http_server_close(NULL);
}

// Callers who only wait, or stream, keep nobody from being answered.
TEST(connections_that_last_keep_nobody_out)
{
    static const char *const addresses[] = {"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"};
    int files[200], streams = 0;
    for (size_t i = 0; i < 200; i++) {
        files[i] = connect_from(addresses[i % 5]);
        if (i % 4 == 0)
            continue; // says nothing
        ask(files[i], "GET", "/events", "1.0");
        read_until(files[i], "\r\n\r\n");
        streams += memcmp(text, "HTTP/1.1 200 OK\r\n", 17) == 0;
        if (i % 50 == 49) {
            get("/healthz");
            assert_non_null(strstr(text, "\r\n\r\nok\n"));
        }
    }
    assert_int_equal(streams, 32);
    for (size_t i = 0; i < 200; i++)
        close(files[i]);
}

TEST(a_page_of_this_machine_has_its_names_only)
{
    static const struct {
        const char *host;
        bool answered;
    } rows[] = {
        /* 0 */ {"localhost", true},
        /* 1 */ {"LOCALHOST:9100", true},
        /* 2 */ {"127.0.0.1:9100", true},
        /* 3 */ {"[::1]:9100", true},
        /* 4 */ {"evil.example", false},
        /* 5 */ {"evil.example:9100", false},
        /* 6 */ {"localhost.evil.example", false},
        /* 7 */ {"127.0.0.1.evil.example", false},
        /* 8 */ {"localhost.", false},
        /* 9 */ {"", false},
        /* 10 */ {"localhost:99999", false},
        /* 11 */ {"localhost@evil.example", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char request[200];
        int file = connect_from("127.0.0.1");
        int count = snprintf(request, sizeof request,
                             "GET /status.json HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", rows[i].host);
        assert_int_equal(send(file, request, (size_t)count, MSG_NOSIGNAL), count);
        read_until(file, NULL);
        close(file);
        if (memcmp(text, rows[i].answered ? "HTTP/1.1 200" : "HTTP/1.1 421", 12) != 0 ||
            (strstr(text, "thekey") != NULL) != rows[i].answered)
            fail_msg("row %zu: %.300s", i, text);
    }
    close_all();
    open_at("0.0.0.0:0"); // for others it has any name
    int file = connect_from("127.0.0.1");
    ask(file, "GET", "/healthz", "1.0");
    read_until(file, NULL);
    assert_memory_equal(text, "HTTP/1.1 200", 12);
    close(file);
}

// A world that fills several blocks of the stream.
static char *fill_world(void)
{
    publisher.snapshot.world.player_slots = PLAYER_CAPACITY;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        publisher.snapshot.world.players[slot].state = PLAYER_ALIVE;
    publisher.snapshot.world.arrow_slots = ARROW_CAPACITY;
    for (uint32_t i = 0; i < ARROW_CAPACITY; i++)
        publisher.snapshot.world.arrows[i].state = ARROW_FLYING;
    publisher.snapshot.world.tick = 1234;
    return status_json_frame(&publisher.snapshot);
}

TEST(a_browser_receives_whole_frames)
{
    static char wanted[1 << 20];
    char *first = fill_world();
    assert_true(strlen(first) > 32768);
    int file = connect_from("127.0.0.1");
    ask(file, "GET", "/events", "1.0");
    sem_post(&pause_ends);
    size_t used = read_until(file, "\n\n");
    assert_memory_equal(text, "HTTP/1.1 200 OK\r\n", 17);
    assert_non_null(strstr(text, "\r\nContent-Type: text/event-stream\r\n"));
    snprintf(wanted, sizeof wanted, "data: %s\n\n", first);
    assert_string_equal(body(), wanted);
    assert_int_equal(pause_ns, 100 * CLOCK_MS_NS); // ten frames a second
    get("/healthz");                               // while the stream waits
    assert_non_null(strstr(text, "\r\n\r\nok\n"));
    pthread_mutex_lock(&publisher.lock);
    publisher.snapshot.world.tick = 1240;
    char *second = status_json_frame(&publisher.snapshot);
    pthread_mutex_unlock(&publisher.lock);
    sem_post(&pause_ends);
    used = read_until(file, "\n\n");
    snprintf(wanted, sizeof wanted, "data: %s\n\n", second);
    assert_int_equal(used, strlen(wanted));
    assert_string_equal(text, wanted);
    close_all();
    read_until(file, NULL); // to its end
    close(file);
    free(first);
    free(second);
}

TEST(a_stream_breaks_off_without_memory)
{
    free(fill_world());
    int file = connect_from("127.0.0.1");
    ask(file, "GET", "/events", "1.1");
    sem_post(&pause_ends);
    read_until(file, "\n\n\r\n"); // the end of a chunk
    json_fails = true;
    sem_post(&pause_ends);
    assert_int_equal(read_until(file, NULL), 0); // no chunk that ends the answer well
    json_fails = false;
    close(file);
}

TEST(a_page_without_memory_is_not_sent)
{
    static const struct {
        const char *path;
        atomic_bool *fails;
    } rows[] = {
        /* 0 */ {"/metrics", &memory_fails},   /* 1 */ {"/status.json", &memory_fails},
        /* 2 */ {"/events", &memory_fails},    /* 3 */ {"/metrics", &memory_files_fail},
        /* 4 */ {"/status.json", &json_fails}, /* 5 */ {"/healthz", &responses_fail},
        /* 6 */ {"/events", &responses_fail},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i].fails = true;
        get(rows[i].path);
        *rows[i].fails = false;
        if (text[0])
            fail_msg("row %zu: %.300s", i, text);
    }
    get("/healthz");
    assert_non_null(strstr(text, "\r\n\r\nok\n"));
}
