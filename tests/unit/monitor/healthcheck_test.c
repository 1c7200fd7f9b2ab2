// SPDX-License-Identifier: MIT
//
// Tests the healthcheck with servers that answer or do not.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "monitor/a2s.h"
#include "net/udp_socket.h"
#include "test.h"

static uint64_t hurry_ns; // added to the clock by each look at it

uint64_t __real_clock_now_ns(void);
uint64_t __wrap_clock_now_ns(void);

uint64_t __wrap_clock_now_ns(void)
{
    static uint64_t ahead_ns;
    return __real_clock_now_ns() + (ahead_ns += hurry_ns);
}

// A flood, while it lasts: datagrams are there as often as one looks.
static const char *flood;
static size_t flood_bytes, flood_count, sent_count;

size_t __real_udp_socket_receive(struct udp_socket *udp, uint64_t now_ns, struct net_address *from,
                                 uint8_t bytes[DATAGRAM_BYTES_MAX]);
size_t __wrap_udp_socket_receive(struct udp_socket *udp, uint64_t now_ns, struct net_address *from,
                                 uint8_t bytes[DATAGRAM_BYTES_MAX]);
void __real_udp_socket_send(struct udp_socket *udp, uint64_t now_ns, const struct net_address *to, const uint8_t *bytes,
                            size_t byte_count);
void __wrap_udp_socket_send(struct udp_socket *udp, uint64_t now_ns, const struct net_address *to, const uint8_t *bytes,
                            size_t byte_count);

size_t __wrap_udp_socket_receive(struct udp_socket *udp, uint64_t now_ns, struct net_address *from,
                                 uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    if (flood_count == 0)
        return __real_udp_socket_receive(udp, now_ns, from, bytes);
    flood_count--;
    memcpy(bytes, flood, flood_bytes);
    return flood_bytes;
}

void __wrap_udp_socket_send(struct udp_socket *udp, uint64_t now_ns, const struct net_address *to, const uint8_t *bytes,
                            size_t byte_count)
{
    sent_count++;
    __real_udp_socket_send(udp, now_ns, to, bytes, byte_count);
}

static int listen_on_loopback(int family, uint16_t *port)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {.any.sa_family = (sa_family_t)family};
    socklen_t length = sizeof address;
    if (family == AF_INET)
        address.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        address.v6.sin6_addr = in6addr_loopback;
    int file = socket(family, SOCK_DGRAM, 0);
    assert_int_equal(bind(file, &address.any, sizeof address), 0);
    assert_int_equal(getsockname(file, &address.any, &length), 0);
    *port = ntohs(family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
    return file;
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
    struct sockaddr_storage from;
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

static int check_health(struct answering *answering, const char *bind_address)
{
    struct settings settings = {0};
    uint16_t port;
    strcpy(settings.bind, bind_address);
    pthread_t thread;
    answering->file = listen_on_loopback(strchr(bind_address, ':') ? AF_INET6 : AF_INET, &port);
    settings.port = port;
    assert_int_equal(pthread_create(&thread, NULL, answer_queries, answering), 0);
    fflush(stdout);
    int real = dup(STDOUT_FILENO), printed = fileno(tmpfile());
    dup2(printed, STDOUT_FILENO);
    int code = a2s_healthcheck(&settings);
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

#define INFO "\xFF\xFF\xFF\xFFI\x11My server\0arena\0"
#define CHALLENGE                                                                                                      \
    "\xFF\xFF\xFF\xFF"                                                                                                 \
    "Awxyz"
#define NOT_ONE                                                                                                        \
    "\xFF\xFF\xFF\xFF"                                                                                                 \
    "Awxyzv"
#define NAMELESS   "\xFF\xFF\xFF\xFFI\x11\0"
#define REQUEST    "\xFF\xFF\xFF\xFFTSource Engine Query\0wxyz"
#define PART(text) text, sizeof(text) - 1

TEST(a_healthcheck_follows_the_challenge_and_ends_with_its_code)
{
    static const struct {
        const char *bind, *first;
        size_t first_bytes;
        const char *second;
        size_t second_bytes, asked_bytes;
        const char *printed; // null: it fails
    } rows[] = {
        /* 0 */ {"0.0.0.0", PART(CHALLENGE), PART(INFO), sizeof REQUEST - 1, "well: My server plays arena\n"},
        /* 1 */ {"0.0.0.0", PART(INFO), NULL, 0, 0, "well: My server plays arena\n"},
        /* 2 */ {"0.0.0.0", PART(NOT_ONE), PART(INFO), sizeof REQUEST - 5, "well: My server plays arena\n"}, // asks
                                                                                                             // again
        /* 3 */ {"127.0.0.1", PART(INFO), NULL, 0, 0, "well: My server plays arena\n"},
        /* 4 */ {"::", PART(INFO), NULL, 0, 0, "well: My server plays arena\n"},
        /* 5 */ {"0.0.0.0", NAMELESS, sizeof NAMELESS, NULL, 0, 0, "well:  plays \n"},
        /* 6 */ {"0.0.0.0", INFO, sizeof INFO - 3, NULL, 0, 0, NULL}, // no end of the map's name
        /* 7 */ {"0.0.0.0", INFO, 5, NULL, 0, 0, NULL},
        /* 8 */ {"0.0.0.0", PART(CHALLENGE), NULL, 0, 0, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct answering server = {0, rows[i].first, rows[i].second, rows[i].first_bytes, rows[i].second_bytes, "", 0,
                                   ""};
        hurry_ns = i == 8 ? 300000000 : 0; // nothing more comes
        int code = check_health(&server, rows[i].bind);
        if (code != (rows[i].printed ? EXIT_OK : EXIT_FAILED) || server.asked_bytes != rows[i].asked_bytes ||
            (rows[i].printed && strcmp(server.printed, rows[i].printed) != 0) ||
            memcmp(server.asked, REQUEST, server.asked_bytes) != 0)
            fail_msg("row %zu: %d, %zu bytes, %s", i, code, server.asked_bytes, server.printed);
    }
    hurry_ns = 0;
    assert_int_equal(a2s_healthcheck(&(struct settings){.bind = "no.such.host.invalid", .port = 1}), EXIT_FAILED);
}

TEST(a_flood_does_not_hold_the_healthcheck)
{
    static const struct {
        const char *bytes;
        size_t byte_count, sent_max;
    } rows[] = {{"garbage", 7, 4},
                {"\xFF\xFF\xFF\xFF"
                 "Awxyz",
                 9, 5}};
    hurry_ns = 1000000;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        flood = rows[i].bytes;
        flood_bytes = rows[i].byte_count;
        flood_count = 100000;
        sent_count = 0;
        assert_int_equal(a2s_healthcheck(&(struct settings){.bind = "127.0.0.1", .port = 9}), EXIT_FAILED);
        assert_true(flood_count > 100000 - A2S_HEALTHCHECK_NS / 1000000 - 1);
        assert_in_range(sent_count, 1, rows[i].sent_max);
    }
    flood_count = 0;
    hurry_ns = 0;
}
