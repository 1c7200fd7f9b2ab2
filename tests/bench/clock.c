// SPDX-License-Identifier: MIT
//
// Measures how many ticks are stepped with another input than the player's, how much delay the client's clock adds, and
// how many messages inputs take. Compares the adaptive clock with two that know the mean delay of the network exactly
// and keep a fixed margin of 1 or 2 ticks. All three send over one network with a seed, in virtual time, to the
// server's input queue. The buttons change every eighth tick. Prints one JSON line per network; `added` is the time
// from an input to its tick, less the shortest possible trip; `missed` is counted here, `reported` by the queue.
//     bench_clock [SECONDS [SEED]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/client_clock.h"
#include "match/input_queue.h"
#include "memory_network.h"
#include "net/transport.h"

enum { SELF, FIXED_1, FIXED_2, KINDS };
enum { STEP_US = 250, SECOND_US = 1000000, SETTLE_S = 5, DELAY_US = 40000, TICKS_KEPT = 64 };

// Bursts of loss: the network fails for three packets on average, and for the given share of the time.
enum { BURST_US = 50000 };

// A client, and what the server has received from it.
struct sender {
    struct transport *transport;
    struct client_clock clock; // only of SELF
    tick sent, newest;
    struct client_inputs inputs;
    uint64_t sent_us[TICKS_KEPT];
    struct input_queue queue;
    uint32_t reported_before, missed, messages, ticks;
    uint64_t added_us;
};

struct bench {
    struct memory_network *network;
    struct transport *server;
    struct impairment impairment;
    uint64_t now_us, random;
    tick tick;
    bool burst, dead;
    struct sender senders[KINDS];
};

static uint64_t tick_us(tick number)
{
    return (uint64_t)number * SECOND_US / TICKS_PER_SECOND;
}

static uint64_t dice(struct bench *bench)
{
    bench->random = bench->random * 6364136223846793005u + 1442695040888963407u;
    return bench->random >> 33;
}

static struct player_input input_of(tick number)
{
    return (struct player_input){(number / 8 * 2654435761u) >> 24};
}

static void take_inputs(struct bench *bench)
{
    struct net_event event;
    while (transport_poll(bench->server, &event)) {
        struct input_message message;
        if (event.kind != NET_MESSAGE)
            continue;
        memcpy(&message, event.bytes, sizeof message);
        uint64_t elapsed_us = bench->now_us - tick_us(bench->tick);
        input_queue_push(&bench->senders[event.peer].queue, &message, bench->tick,
                         (elapsed_us * 4 * TICKS_PER_SECOND + SECOND_US - 1) / SECOND_US);
    }
}

static void step_server(struct bench *bench)
{
    bench->tick++;
    for (uint32_t i = 0; i < KINDS; i++) {
        struct sender *sender = &bench->senders[i];
        struct player_input used = input_queue_take(&sender->queue, bench->tick).of[0];
        sender->missed += used.buttons != input_of(bench->tick).buttons;
        if ((int32_t)(sender->sent - bench->tick) >= 0 && sender->sent_us[bench->tick % TICKS_KEPT] != 0) {
            sender->added_us += bench->now_us - sender->sent_us[bench->tick % TICKS_KEPT] - DELAY_US;
            sender->ticks++;
        }
        struct client_clock_report report = {
            bench->tick, sender->queue.newest_tick, sender->queue.margin, sender->queue.missed & 0xFFFF, 0, 0};
        transport_send(bench->server, i, NET_UNSEQUENCED, (const uint8_t *)&report, sizeof report);
    }
}

static void take_reports(struct bench *bench, struct sender *sender)
{
    struct net_event event;
    while (transport_poll(sender->transport, &event)) {
        struct client_clock_report report;
        if (event.kind != NET_MESSAGE)
            continue;
        memcpy(&report, event.bytes, sizeof report);
        if ((int32_t)(report.snapshot_tick - sender->newest) <= 0)
            continue;
        sender->newest = report.snapshot_tick;
        client_inputs_confirm(&sender->inputs, report.input_tick);
        bool started = sender->clock.running;
        if (!started)
            client_clock_start(&sender->clock, sender->newest, 2 * DELAY_US + bench->impairment.jitter_us,
                               bench->now_us);
        report.arrival_us = bench->now_us;
        report.interval_ticks = 1;
        if (started && (report.input_tick != 0 || report.margin_quarter_ticks != 0))
            client_clock_report(&sender->clock, report);
    }
}

static void send_inputs(struct bench *bench, struct sender *sender, tick now)
{
    if (sender->sent == 0 || sender->inputs.newest == 0)
        client_inputs_begin(&sender->inputs, now - 1);
    sender->sent = now;
    sender->sent_us[now % TICKS_KEPT] = bench->now_us;
    client_inputs_add(&sender->inputs, now, &(struct local_inputs){{input_of(now)}}, bench->now_us);
    if (!client_inputs_due(&sender->inputs))
        return;
    struct input_message message;
    client_inputs_batch(&sender->inputs, sender->newest, &message);
    transport_send(sender->transport, 0, NET_UNSEQUENCED, (const uint8_t *)&message, sizeof message);
    sender->messages++;
}

static void run_client(struct bench *bench, uint32_t kind)
{
    struct sender *sender = &bench->senders[kind];
    take_reports(bench, sender);
    if (kind == SELF) {
        while (bench->now_us >= client_clock_due_us(&sender->clock))
            send_inputs(bench, sender, client_clock_advance(&sender->clock, bench->now_us));
        return;
    }
    uint64_t ahead_us = bench->impairment.delay_us + bench->impairment.jitter_us / 2 + tick_us(kind == FIXED_1 ? 1 : 2);
    if (sender->sent == 0)
        sender->sent = bench->tick + 16;
    while (tick_us(sender->sent + 1) <= bench->now_us + ahead_us)
        send_inputs(bench, sender, sender->sent + 1);
}

// The network fails and recovers, so that it is down for the given share of the time.
static void burst(struct bench *bench)
{

    uint64_t good_us = (uint64_t)BURST_US * (1000000 - bench->impairment.loss_ppm) / bench->impairment.loss_ppm;
    uint64_t mean_us = bench->dead ? BURST_US : good_us;
    if (dice(bench) % 1000000 >= UINT64_C(1000000) * STEP_US / mean_us)
        return;
    bench->dead = !bench->dead;
    struct impairment now = bench->impairment;
    now.loss_ppm = bench->dead ? 1000000 : 0;
    memory_network_impair(bench->network, &now);
}

static void run(struct bench *bench, uint32_t seconds)
{
    uint64_t end_us = bench->now_us + (uint64_t)seconds * SECOND_US;
    for (; bench->now_us < end_us; bench->now_us += STEP_US) {
        if (bench->burst)
            burst(bench);
        memory_network_advance(bench->network, bench->now_us);
        take_inputs(bench);
        if (bench->now_us >= tick_us(bench->tick + 1))
            step_server(bench);
        for (uint32_t i = 0; i < KINDS; i++)
            run_client(bench, i);
    }
}

static void print(const struct bench *bench, uint32_t seconds)
{
    static const char *const names[KINDS] = {"self", "fixed_1", "fixed_2"};
    printf("{\"bench\":\"clock\",\"loss_pct\":%g,\"burst\":%s,\"jitter_ms\":%g,\"seconds\":%u",
           bench->impairment.loss_ppm / 1e4, bench->burst ? "true" : "false", bench->impairment.jitter_us / 1e3,
           seconds);
    for (uint32_t i = 0; i < KINDS; i++) {
        const struct sender *sender = &bench->senders[i];
        double percent = 100.0 / (seconds * TICKS_PER_SECOND);
        printf(",\"%s_missed_pct\":%.2f,\"%s_reported_pct\":%.2f,\"%s_added_ms\":%.1f,\"%s_messages_per_s\":%.1f",
               names[i], sender->missed * percent, names[i], (sender->queue.missed - sender->reported_before) * percent,
               names[i], sender->ticks ? (double)sender->added_us / sender->ticks / 1e3 : 0, names[i],
               (double)sender->messages / seconds);
    }
    printf("}\n");
}

static bool measure(uint64_t seed, struct impairment impairment, bool burst, uint32_t seconds)
{
    static struct bench bench;
    bench = (struct bench){.impairment = impairment, .burst = burst, .random = seed};
    struct impairment quiet = impairment;
    quiet.loss_ppm = burst ? 0 : impairment.loss_ppm;
    bench.network =
        memory_network_create(seed, &(struct impairment){0}, KINDS); // no delay, so that they connect in turn
    bench.server = bench.network ? memory_network_server(bench.network) : NULL;
    for (uint32_t i = 0; i < KINDS && bench.network; i++)
        bench.senders[i].transport = memory_network_client(bench.network);
    bool good = bench.network && bench.senders[KINDS - 1].transport;
    if (good) {
        memory_network_impair(bench.network, &quiet);
        run(&bench, SETTLE_S);
        for (uint32_t i = 0; i < KINDS; i++) {
            bench.senders[i].reported_before = bench.senders[i].queue.missed;
            bench.senders[i].added_us = bench.senders[i].ticks = 0;
            bench.senders[i].missed = bench.senders[i].messages = 0;
        }
        run(&bench, seconds);
        print(&bench, seconds);
    }
    memory_network_destroy(bench.network);
    return good;
}

int main(int argc, char **argv)
{
    static const uint32_t losses_pct[] = {0, 1, 5, 10}, jitters_ms[] = {0, 5, 10, 30, 100};
    uint32_t seconds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 120;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    bool good = seconds > 0;
    for (int burst = 0; burst < 2; burst++)
        for (size_t i = burst ? 2 : 0; i < (burst ? 3 : 4); i++)
            for (size_t j = 0; j < 5; j++)
                good &= measure(seed,
                                (struct impairment){.delay_us = DELAY_US,
                                                    .jitter_us = jitters_ms[j] * 1000,
                                                    .loss_ppm = losses_pct[i] * 10000},
                                burst != 0, seconds);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
