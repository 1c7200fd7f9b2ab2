// SPDX-License-Identifier: MIT
//
// A server of dots over UDP: dots-server [PORT]. It plays until Ctrl-C; bots have the seats that nobody takes.
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/platform/process.h"
#include "dots.h"
#include "match/match.h"
#include "net/enet/enet_transport.h"

enum { PLAYERS = 8, TICK_NS = 1000000000 / TICKS_PER_SECOND, GOODBYE_TICKS = 2 * TICKS_PER_SECOND };

static uint64_t now_us(void)
{
    return clock_now_ns() / 1000;
}

// Receives until the tick is due, and ticks. Messages say how long they have waited, but who joins waits for answers.
static void play(struct match *match, struct transport *transport, uint64_t due_ns)
{
    for (match_receive(match, now_us()); clock_now_ns() < due_ns; match_receive(match, now_us()))
        transport_wait(transport, due_ns);
    match_tick(match, now_us());
}

int main(int argc, char **argv)
{
    static const struct map plain = {400};
    struct net_server_config listen = {.port = (uint16_t)(argc > 1 ? atoi(argv[1]) : DOTS_PORT),
                                       .peer_capacity = PLAYERS + MATCH_EXTRA_PEERS,
                                       .protocol = DOTS_PROTOCOL};
    struct net_endpoint endpoint;
    struct error error;
    struct transport *transport = enet_transport_open_server(&listen, &endpoint, &error);
    if (!transport) {
        fprintf(stderr, "dots-server: %s\n", error.text);
        return EXIT_FAILURE;
    }
    struct match_config config = {.map = &plain,
                                  .rules = {.seed = (uint32_t)clock_unix_s()},
                                  .players_max = PLAYERS,
                                  .bots = PLAYERS / 2,
                                  .snapshot_rate = 60};
    struct match *match = match_create(&config, transport);
    if (!match)
        return EXIT_FAILURE;
    process_catch_stop();
    printf("ready: port %u, key %s\n", endpoint.port, endpoint.fingerprint);
    fflush(stdout);
    uint64_t due_ns = clock_now_ns();
    while (!process_is_stopping())
        play(match, transport, due_ns += TICK_NS);
    match_close(match); // so that clients know
    for (uint32_t left = GOODBYE_TICKS; left > 0 && !match_is_empty(match); left--)
        play(match, transport, due_ns += TICK_NS);
    match_destroy(match);
    transport_close(transport);
    return EXIT_SUCCESS;
}
