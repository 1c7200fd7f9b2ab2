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

static int check_health_at(struct answering *answering, const char *bind_address)
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

static int check_health(struct answering *answering)
{
    return check_health_at(answering, "0.0.0.0");
}

TEST(a_healthcheck_follows_the_challenge_and_ends_with_its_code)
{
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
    struct answering six = {0, info, NULL, sizeof info - 1, 0, "", 0, ""};
    assert_int_equal(check_health_at(&six, "::"), EXIT_OK);
    assert_string_equal(six.printed, "well: My server plays arena\n");
    static const char nameless[] = "\xFF\xFF\xFF\xFFI\x11\0";
    struct answering empty = {0, nameless, NULL, sizeof nameless, 0, "", 0, ""};
    assert_int_equal(check_health(&empty), EXIT_OK);
    assert_string_equal(empty.printed, "well:  plays \n");
    struct answering torn = {0, info, NULL, sizeof info - 3, 0, "", 0, ""}; // no end of the map's name
    assert_int_equal(check_health(&torn), EXIT_FAILED);
    struct answering tiny = {0, info, NULL, 5, 0, "", 0, ""};
    assert_int_equal(check_health(&tiny), EXIT_FAILED);
    struct answering silent = {0, challenge, NULL, sizeof challenge - 1, 0, "", 0, ""};
    hurry_ns = 300000000;
    assert_int_equal(check_health(&silent), EXIT_FAILED);
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
