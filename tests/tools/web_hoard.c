// SPDX-License-Identifier: MIT
//
// Browsers of a few sites that take all places for browsers of a server and do not play: web_hoard PORT ADDRESSES EACH
// SECONDS. Each of 127.0.1.1 to 127.0.1.ADDRESSES opens EACH data channels, sends rubbish in them, keeps them with STUN
// checks, and replaces those that end or do not open. Sends only to 127.0.0.1. Prints how many channels have opened.
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "web_client.h"

enum { BROWSERS_CAPACITY = 1024, ROUND_MS = 10, UPDATE_MS = 100, PATIENCE_MS = 3000, RUBBISH_MS = 5000 };

static struct browser {
    struct web_client web;
    uint64_t begun_ms, said_ms;
    bool was_open;
} browsers[BROWSERS_CAPACITY];
static struct pollfd files[BROWSERS_CAPACITY];
static unsigned count, addresses, opened;
static uint16_t port;

static uint64_t now_ms(void)
{
    return clock_now_ns() / CLOCK_MS_NS;
}

static void begin(unsigned i)
{
    struct web_client_hooks hooks = {.from = 0x7f000101 + i % addresses};
    if (browsers[i].web.file >= 0)
        web_client_close(&browsers[i].web);
    browsers[i] = (struct browser){.begun_ms = now_ms()};
    if (!web_client_open(&browsers[i].web, port, &hooks, now_ms()))
        browsers[i].web.is_over = true;
    files[i] = (struct pollfd){.fd = browsers[i].web.file, .events = POLLIN};
}

static void update(unsigned i)
{
    struct browser *browser = &browsers[i];
    web_client_update(&browser->web, now_ms());
    opened += browser->web.is_open && !browser->was_open;
    browser->was_open = browser->web.is_open;
    if (browser->web.is_open && now_ms() - browser->said_ms >= RUBBISH_MS) {
        web_client_send(&browser->web, (const uint8_t *)"rubbish", 7);
        browser->said_ms = now_ms();
    }
    if (browser->web.is_over || (!browser->web.is_open && now_ms() - browser->begun_ms >= PATIENCE_MS))
        begin(i);
}

int main(int argc, char **argv)
{
    long where = argc == 5 ? strtol(argv[1], NULL, 10) : 0;
    addresses = argc == 5 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    count = argc == 5 ? addresses * (unsigned)strtoul(argv[3], NULL, 10) : 0;
    uint64_t end_ms = now_ms() + (argc == 5 ? strtoul(argv[4], NULL, 10) * 1000 : 0), updated_ms = 0;
    if (where < 1 || where > 65535 || count < 1 || count > BROWSERS_CAPACITY || !web_client_start()) {
        fputs("usage: web_hoard PORT ADDRESSES EACH SECONDS (connects only to 127.0.0.1:PORT)\n", stderr);
        return 64;
    }
    port = (uint16_t)where;
    for (unsigned i = 0; i < count; i++) {
        browsers[i].web.file = -1;
        begin(i);
    }
    while (now_ms() < end_ms) {
        clock_sleep(ROUND_MS * CLOCK_MS_NS);
        poll(files, count, 0);
        for (unsigned i = 0; i < count; i++)
            if (files[i].revents != 0 && !browsers[i].web.is_over)
                web_client_receive(&browsers[i].web, now_ms());
        if (now_ms() - updated_ms < UPDATE_MS)
            continue;
        updated_ms = now_ms();
        web_client_run_timers(updated_ms);
        for (unsigned i = 0; i < count; i++)
            update(i);
    }
    printf("%u\n", opened);
    return 0;
}
