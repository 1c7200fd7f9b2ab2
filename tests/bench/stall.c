// SPDX-License-Identifier: MIT
//
// Measures how long a stall lasts on: the time from its end until an input again takes as long to its acknowledgement
// as before, within 10 % and a step of the session. The server, the client or the line stalls; a match in virtual time.
// Prints one JSON line per stall.
//     bench_stall [SEED]
#include <stdio.h>
#include <stdlib.h>

#include "session.h"

enum { SETTLE_S = 6, WINDOW = 12, PATIENCE_S = 60 };
enum { STEP_US = 1000000 / SESSION_STEPS };

enum stalled { SERVER, CLIENT, LINE_HELD, LINE_CUT, LINE_UP_CUT, LINE_DOWN_CUT, STALLED };
static const char *const NAMES[] = {"server", "client", "line held", "line cut", "line up cut", "line down cut"};

static void stall(enum stalled what, uint32_t ms)
{
    if (what == SERVER)
        session_stall_server(ms);
    else if (what == CLIENT)
        session_stall_client(0, ms);
    else if (what == LINE_HELD)
        session_hold_line(ms);
    else
        memory_network_block(session.network, what != LINE_DOWN_CUT, what != LINE_UP_CUT);
    session_run(ms / 1000.0);
    memory_network_block(session.network, false, false);
}

// Passes a few ticks and returns how long inputs took on average to be acknowledged, us; 0 if none was.
static uint64_t ack_us(void)
{
    uint64_t total_us = 0, count = 0;
    for (uint32_t ticks = 0; ticks < WINDOW; ticks++) {
        uint32_t acks = session_statistics(0).input_acks;
        session_run(1.0 / TICKS_PER_SECOND);
        struct client_statistics now = session_statistics(0);
        total_us += now.input_acks > acks ? now.input_ack_us : 0;
        count += now.input_acks > acks;
    }
    return count ? total_us / count : 0;
}

static void measure(uint64_t seed, enum stalled what, uint32_t ms, uint32_t delay_ms)
{
    session_begin(seed, "duel", &(struct impairment){.delay_us = delay_ms * 1000, .jitter_us = 2000});
    session_join(0, false);
    session_run(SETTLE_S);
    uint64_t before_us = ack_us(), most_us = 0;
    uint32_t missed = session_statistics(0).inputs_missed;
    stall(what, ms);
    double back_s = 0;
    for (bool back = false; !back && back_s < PATIENCE_S; back_s += (double)WINDOW / TICKS_PER_SECOND) {
        uint64_t now_us = ack_us(), limit_us = before_us / 10 + STEP_US;
        back = now_us + limit_us >= before_us && now_us <= before_us + limit_us;
        most_us = now_us > most_us ? now_us : most_us;
    }
    printf("{\"bench\":\"stall\",\"stalled\":\"%s\",\"ms\":%u,\"delay_ms\":%u,\"before_ms\":%.1f,\"most_ms\":%.1f,"
           "\"back_s\":%.1f,\"missed\":%u}\n",
           NAMES[what], ms, delay_ms, (double)before_us / 1e3, (double)most_us / 1e3, back_s,
           session_statistics(0).inputs_missed - missed);
    session_end();
}

int main(int argc, char **argv)
{
    static const uint32_t stalls_ms[] = {50, 100, 220, 500, 1000};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    for (uint32_t delay_ms = 25; delay_ms <= 50; delay_ms += 25)
        for (int what = 0; what < STALLED; what++)
            for (size_t i = 0; i < sizeof stalls_ms / sizeof *stalls_ms; i++)
                measure(seed, (enum stalled)what, stalls_ms[i], delay_ms);
    return EXIT_SUCCESS;
}
