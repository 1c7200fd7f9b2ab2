// SPDX-License-Identifier: MIT
//
// A client that plays but never says which snapshot it holds, so that the server can forget nothing for it: mute PORT.
// Goes to 127.0.0.1 only. Prints the number of the reason for which the server sent it away, and after how many ms
// of play. Exit 1 if it was still there after twice the server's patience.
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "match/match.h"
#include "net/enet/enet_transport.h"
#include "net/udp_socket.h"
#include "wire/message.h"

#define TICK_NS (CLOCK_SECOND_NS / TICKS_PER_SECOND)

struct mute {
    struct transport *transport;
    uint64_t begun_ns; ///< 0: does not play yet
    tick tick;
    enum deny_reason reason;
};

static void send(struct mute *mute, enum net_channel channel, const struct message *message)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t size = message_encode(message, bytes);
    transport_send(mute->transport, 0, channel, bytes, size);
}

static void take(struct mute *mute, const struct net_event *event)
{
    struct message message;
    if (event->bytes[0] == MESSAGE_SNAPSHOT || !message_decode(&message, event->bytes, event->byte_count))
        return;
    if (message.kind == MESSAGE_WELCOME) {
        mute->tick = message.as.welcome.tick;
        mute->begun_ns = clock_now_ns();
        send(mute, NET_RELIABLE, &(struct message){.kind = MESSAGE_READY, .as.ready = mute->tick});
    } else if (message.kind == MESSAGE_DENY) {
        mute->reason = message.as.deny;
    }
}

// False: the connection has ended.
static bool receive(struct mute *mute)
{
    struct message join = {.kind = MESSAGE_JOIN, .as.join = {.protocol = PROTOCOL_VERSION, .name = {0x6574756D}}};
    struct net_event event;
    while (transport_poll(mute->transport, &event)) {
        if (event.kind == NET_DISCONNECTED)
            return false;
        if (event.kind == NET_CONNECTED)
            send(mute, NET_RELIABLE, &join);
        else if (event.kind == NET_MESSAGE)
            take(mute, &event);
    }
    return true;
}

int main(int argc, char **argv)
{
    struct error error;
    struct mute mute = {.reason = DENY_NONE};
    struct net_client_config config = {.host = "127.0.0.1",
                                       .port = argc == 2 ? (uint16_t)strtoul(argv[1], NULL, 10) : 0,
                                       .protocol = PROTOCOL_VERSION};
    mute.transport = enet_transport_open_client(&config, &error);
    if (!mute.transport) {
        fprintf(stderr, "mute: %s\n", error.text);
        return EXIT_FAILURE;
    }
    uint64_t end_ns = clock_now_ns() + 2 * PEER_SILENT_US_MAX * UINT64_C(1000), next_ns = 0;
    bool there = true;
    while (there && clock_now_ns() < end_ns) {
        there = receive(&mute);
        if (clock_now_ns() >= next_ns) {
            next_ns = clock_now_ns() + TICK_NS;
            struct message input = {.kind = MESSAGE_INPUT,
                                    .as.input = {.newest_tick = mute.tick + 1, .count = 1, .players = 1}};
            if (mute.begun_ns != 0)
                send(&mute, NET_UNSEQUENCED, &input);
            mute.tick += mute.begun_ns != 0;
            transport_flush(mute.transport);
        }
        transport_wait(mute.transport, next_ns);
    }
    printf("%d %.0f\n", (int)mute.reason, (double)(clock_now_ns() - mute.begun_ns) / 1e6);
    transport_close(mute.transport);
    return there ? EXIT_FAILURE : EXIT_SUCCESS;
}
