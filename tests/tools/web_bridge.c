// SPDX-License-Identifier: MIT
//
// Lets native clients join as browsers do: web_bridge PORT. Prints a port on 127.0.0.1; each client that sends to it
// gets a data channel of its own to the server at PORT, and its datagrams travel through it.
// tests/system/web_bridge.mjs does the same by an independent WebRTC peer, and this one for hundreds.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "web_client.h"

#define CLIENTS_CAPACITY 512
#define EVENTS           64
#define ROUND_MS         1 // between looks; a sleeper that each datagram wakes would cost the server that sends it
#define UPDATE_MS        5
#define BUFFER_BYTES     (4 << 20)

struct passenger {
    struct web_client web;
    struct sockaddr_in address; ///< of the native client
    bool is_used;
};

static int front, events;
static uint16_t server_port;
static struct passenger passengers[CLIENTS_CAPACITY];

static uint64_t now_ms(void)
{
    return clock_now_ns() / CLOCK_MS_NS;
}

static void deliver(void *context, const uint8_t *bytes, size_t byte_count)
{
    const struct passenger *passenger = context;
    sendto(front, bytes, byte_count, MSG_DONTWAIT, (const struct sockaddr *)&passenger->address,
           sizeof passenger->address);
}

static void wait_on(int file, void *what)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};
    epoll_ctl(events, EPOLL_CTL_ADD, file, &event);
}

// Returns the place of a native client, or one that it may have; null if there is none.
static struct passenger *find_place(const struct sockaddr_in *address)
{
    struct passenger *unused = NULL;
    for (struct passenger *passenger = passengers; passenger < passengers + CLIENTS_CAPACITY; passenger++) {
        if (passenger->is_used && passenger->address.sin_port == address->sin_port)
            return passenger;
        unused = unused || passenger->is_used ? unused : passenger;
    }
    return unused;
}

// A channel that has ended begins again with the next datagram.
static struct passenger *find(const struct sockaddr_in *address)
{
    struct passenger *passenger = find_place(address);
    struct web_client_hooks hooks = {.take = deliver, .context = passenger};
    if (!passenger || passenger->is_used)
        return passenger;
    passenger->address = *address;
    passenger->is_used = web_client_open(&passenger->web, server_port, &hooks, now_ms());
    if (passenger->is_used)
        wait_on(passenger->web.file, passenger);
    return passenger->is_used ? passenger : NULL;
}

static void take_front(void)
{
    uint8_t bytes[2048];
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    for (ssize_t count;
         (count = recvfrom(front, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&from, &size)) > 0;) {
        struct passenger *passenger = find(&from);
        if (passenger)
            web_client_send(&passenger->web, bytes, (size_t)count);
    }
}

static void update(struct passenger *passenger)
{
    web_client_update(&passenger->web, now_ms());
    if (!passenger->web.is_over)
        return;
    web_client_close(&passenger->web); // epoll forgets it
    passenger->is_used = false;
}

static void run(void)
{
    struct epoll_event ready[EVENTS];
    for (uint64_t updated_ms = 0;;) {
        int count = epoll_wait(events, ready, EVENTS, 0);
        if (count == 0)
            clock_sleep(ROUND_MS * CLOCK_MS_NS);
        for (int i = 0; i < count; i++) {
            struct passenger *passenger = ready[i].data.ptr;
            if (!passenger)
                take_front();
            else if (passenger->is_used)
                web_client_receive(&passenger->web, now_ms());
        }
        if (now_ms() - updated_ms < UPDATE_MS)
            continue;
        updated_ms = now_ms();
        web_client_run_timers(updated_ms);
        for (size_t i = 0; i < CLIENTS_CAPACITY; i++)
            if (passengers[i].is_used)
                update(&passengers[i]);
    }
}

int main(int argc, char **argv)
{
    long port = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    int buffer_bytes = BUFFER_BYTES;
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof own;
    if (port < 1 || port > 65535) {
        fputs("usage: web_bridge PORT (connects only to 127.0.0.1:PORT)\n", stderr);
        return 64;
    }
    server_port = (uint16_t)port;
    front = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    events = epoll_create1(EPOLL_CLOEXEC);
    setsockopt(front, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof buffer_bytes);
    if (front < 0 || events < 0 || bind(front, (const struct sockaddr *)&own, size) != 0 ||
        getsockname(front, (struct sockaddr *)&own, &size) != 0 || !web_client_start()) {
        perror("web_bridge");
        return 69;
    }
    wait_on(front, NULL);
    printf("%d\n", ntohs(own.sin_port));
    fflush(stdout);
    run();
}
