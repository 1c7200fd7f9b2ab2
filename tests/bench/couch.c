// SPDX-License-Identifier: MIT
//
// Measures what a client costs with one player and with four, in the same match of four people: one at the machine and
// three elsewhere; four at the machine over one connection; four at the machine with a client each. Encrypted and with
// ENet, in virtual time. Prints a JSON line each: processor time of receiving, ticking and viewing (60 a second), and
// bytes both ways, of all clients at the machine.
//     bench_couch [SECONDS [MAP]]
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "game/ai/ai.h"
#include "session.h"

enum { SETTLE_S = 5, FRAME_STEPS = SESSION_STEPS / 60 };

static uint64_t work_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Steps one client of the machine. Returns the time that this took, without that of what plays.
static uint64_t step(struct client *client, struct view *view)
{
    uint64_t now_us = session_now_us(), begun_ns = work_ns(), taken_ns;
    client_receive(client, now_us);
    taken_ns = work_ns() - begun_ns;
    while (client_tick_due(client, now_us)) {
        struct local_inputs inputs = {{{0}}};
        for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
            if (client_seats(client)->of[local] && client_world(client))
                inputs.of[local] = ai_think(client_world(client), client_map(client), NULL,
                                            client_seats(client)->of[local] - 1, SKILL_EASY);
        begun_ns = work_ns();
        client_tick(client, &inputs, now_us);
        taken_ns += work_ns() - begun_ns;
    }
    begun_ns = work_ns();
    if (session.step % FRAME_STEPS == 0)
        client_view(client, now_us, view);
    return taken_ns + work_ns() - begun_ns;
}

static void measure(const char *name, const char *map, uint32_t seconds, uint32_t clients, uint32_t players)
{
    static struct view view;
    struct client *here[LOCAL_PLAYERS];
    uint64_t work = 0, bytes = 0;
    session_begin_over_enet(7, map, &(struct impairment){.delay_us = 20000});
    session_join_first(4 - (players - 1), 4);
    for (uint32_t local = 1; local < players; local++)
        session_join_beside(0, local);
    for (uint32_t i = 0; i < clients; i++) { // the session steps the others
        here[i] = session.clients[i];
        session.clients[i] = NULL;
    }
    for (uint32_t i = 0; i < (SETTLE_S + seconds) * SESSION_STEPS; i++) {
        if (i == SETTLE_S * SESSION_STEPS) {
            work = bytes = 0;
            for (uint32_t k = 0; k < clients; k++) {
                struct client_statistics statistics;
                client_statistics(here[k], &statistics);
                bytes -= statistics.bytes_in + statistics.bytes_out;
            }
        }
        session_run(1.0 / SESSION_STEPS);
        for (uint32_t k = 0; k < clients; k++)
            work += step(here[k], &view);
    }
    uint32_t seats = 0;
    for (uint32_t k = 0; k < clients; k++) {
        struct client_statistics statistics;
        client_statistics(here[k], &statistics);
        bytes += statistics.bytes_in + statistics.bytes_out;
        seats += local_seats_count(client_seats(here[k]));
        session.clients[k] = here[k];
    }
    printf("{\"who\": \"%s\", \"players\": %u, \"us_per_tick\": %.1f, \"bytes_per_s\": %.0f}\n", name, seats,
           (double)work / 1e3 / (seconds * 60.0), (double)bytes / seconds);
    session_end();
}

int main(int argc, char **argv)
{
    uint32_t seconds = argc > 1 ? (uint32_t)atoi(argv[1]) : 60;
    const char *map = argc > 2 ? argv[2] : "foundry";
    measure("one", map, seconds, 1, 1);
    measure("four over one connection", map, seconds, 1, 4);
    measure("four clients", map, seconds, 4, 1);
    return 0;
}
