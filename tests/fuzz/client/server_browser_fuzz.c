// SPDX-License-Identifier: MIT
//
// Fuzzes the server browser with answers from anywhere. The input is a list of datagrams, each after a byte for its
// sender, one for the time since the last and one for its length. What a menu shows is printable, an address counts
// only once it has been challenged, its first answer stays, and an answer causes one request at most.
#include <string.h>

#include "base/utf8.h"
#include "core/server_browser.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SENDERS = 64, PORT = 27440, TYPED = 2, TIME_UNIT_US = 10000 };

static const char typed[TYPED][512] = {"10.0.0.1:1", "deadfall://10.0.0.2:1#aaaa"};

static struct server_browser browser;
static struct {
    const uint8_t *bytes;
    size_t byte_count; // 0: none
    uint8_t sender;
} next;
static uint32_t requests;
static bool has_challenged[SENDERS];

size_t __wrap_udp_socket_receive(struct udp_socket *udp, uint64_t now_ns, struct net_address *from,
                                 uint8_t bytes[DATAGRAM_BYTES_MAX]);
void __wrap_udp_socket_send(struct udp_socket *udp, uint64_t now_ns, const struct net_address *to, const uint8_t *bytes,
                            size_t byte_count);

size_t __wrap_udp_socket_receive(struct udp_socket *udp, uint64_t now_ns, struct net_address *from,
                                 uint8_t bytes[DATAGRAM_BYTES_MAX])
{
    (void)udp, (void)now_ns;
    size_t byte_count = next.byte_count;
    *from = (struct net_address){{10, 0, 0, next.sender, 0, 1}, ADDRESS_BYTES_IPV4};
    if (byte_count > 0)
        memcpy(bytes, next.bytes, byte_count);
    next.byte_count = 0;
    return byte_count;
}

void __wrap_udp_socket_send(struct udp_socket *udp, uint64_t now_ns, const struct net_address *to, const uint8_t *bytes,
                            size_t byte_count)
{
    (void)udp, (void)now_ns, (void)to, (void)bytes;
    require(byte_count == 25 || byte_count == 29);
    requests += byte_count == 29; // with a challenge
}

static void require_printable(const char *text, size_t text_bytes)
{
    char clean[512];
    size_t length = strnlen(text, text_bytes);
    require(length < text_bytes);
    utf8_clean(clean, sizeof clean, text, length);
    require(strcmp(clean, text) == 0);
}

static void check(void)
{
    require(browser.count <= SERVER_BROWSER_CAPACITY);
    for (uint32_t i = 0; i < browser.count; i++) {
        const struct server_browser_entry *server = &browser.servers[i];
        require(!server->local || has_challenged[server->net_address.bytes[3]]);
        require(!server_browser_lists(&browser, i) || server->answered);
        require_printable(server->address, sizeof server->address);
        require_printable(server->name, sizeof server->name);
        require_printable(server->map, sizeof server->map);
        require_printable(server->mode, sizeof server->mode);
        require_printable(server->version, sizeof server->version);
        require_printable(server->key, sizeof server->key);
        require(server_browser_find(&browser, server->address) != NULL);
    }
}

static void check_first_answers(const struct server_browser_entry *before, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        require(!before[i].answered || memcmp(&before[i], &browser.servers[i], sizeof *before) == 0);
}

static void take(const uint8_t *bytes, size_t byte_count, uint8_t sender, uint64_t now_us)
{
    static struct server_browser_entry before[SERVER_BROWSER_CAPACITY];
    uint32_t count = browser.count;
    memcpy(before, browser.servers, count * sizeof *before);
    next.bytes = bytes;
    next.byte_count = byte_count;
    next.sender = sender;
    has_challenged[sender] |= byte_count == 9 && memcmp(bytes,
                                                        "\xFF\xFF\xFF\xFF"
                                                        "A",
                                                        5) == 0;
    requests = 0;
    server_browser_step(&browser, now_us);
    require(requests <= 1);
    check_first_answers(before, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t now_us = 1000000;
    memset(&browser, 0, sizeof browser);
    memset(has_challenged, 0, sizeof has_challenged);
    browser.open = true; // without a socket
    server_browser_search(&browser, PORT, typed, TYPED, now_us);
    for (size_t at = 0; at + 3 < size;) {
        size_t rest = size - at - 3, wanted = data[at + 2] * (size_t)2, count = wanted < rest ? wanted : rest;
        take(data + at + 3, count, data[at] % SENDERS, now_us += data[at + 1] * (uint64_t)TIME_UNIT_US);
        at += 3 + count;
    }
    check();
    return 0;
}
