// SPDX-License-Identifier: MIT
//
// The client's clock: which tick is due when, so that each input reaches the server shortly before the tick that needs
// it. It starts from a guess and then believes only the arrival margins that snapshots tell. Every change of its own is
// known as `lead`, so margins told late are taken for what they were, and the control loop has no delay to fight with.
// Called by the client; reads no clock, the moment is an argument.
#ifndef CORE_CLIENT_CLOCK_H
#define CORE_CLIENT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "game/input.h"

/// Margins remembered: 4 s of snapshots at 60 a second.
#define CLIENT_CLOCK_MARGINS 240
/// Inputs that one told margin speaks for, and snapshots in which two misses count as "late twice".
#define CLIENT_CLOCK_WINDOW 16
/// Sent ticks whose lead is remembered; a power of two.
#define CLIENT_CLOCK_LEADS 128

/// What one snapshot tells about the inputs' arrival.
struct client_clock_report {
    tick snapshot_tick;           ///< of the server's world
    tick input_tick;              ///< newest input that came in time; 0: none yet
    int32_t margin_quarter_ticks; ///< arrival before need, the least of the last 16 inputs
    uint32_t inputs_missed;       ///< ticks stepped without an input, modulo 2^16
};

/// All times in ns. Zero-initialise.
struct client_clock {
    bool running;                             ///< client_clock_start() was called
    tick tick;                                ///< done last
    tick origin_tick;                         ///< was due at origin_ns while the lead was 0
    tick steady_tick;                         ///< reports about inputs before it were made under another numbering
    uint64_t origin_ns;                       ///< on the caller's clock
    int64_t lead_ns;                          ///< how much earlier than origin and 60 Hz say ticks are due now
    int64_t target_ns;                        ///< the lead to reach
    int64_t leap_ns;                          ///< to be added to the lead at once, a tick with each tick
    uint32_t restarts;                        ///< hard resyncs since the first start
    uint32_t margins;                         ///< reports taken since the start
    int64_t leads_ns[CLIENT_CLOCK_LEADS];     ///< with which each tick was sent
    int64_t margins_ns[CLIENT_CLOCK_MARGINS]; ///< told, as they would be with lead 0
    tick leapt_tick;                          ///< done last when it was late twice; misses up to it are answered
    uint32_t watched;                         ///< reports taken since then
    uint32_t missed[CLIENT_CLOCK_WINDOW];     ///< told in the last of them
};

/// Starts, or starts over: a snapshot of `server_tick` has just arrived, and an answer takes `round_trip_us` there and
/// back. The next tick is due now and numbered so that it should arrive in time. Numbers never go back.
void client_clock_start(struct client_clock *clock, tick server_tick, uint64_t round_trip_us, uint64_t now_us);

/// When the next tick is due, us; UINT64_MAX while it does not run.
uint64_t client_clock_due_us(const struct client_clock *clock);

/// Takes the next tick and returns its number. More than 250 ms behind it leaves the missed ticks out.
tick client_clock_advance(struct client_clock *clock, uint64_t now_us);

/// Takes what a snapshot told and steers: up to 3 % faster, 1 % slower; late twice in 16 snapshots: one tick at once;
/// all late for half of that: the way has become longer, and each tick comes with another until it is made up for;
/// more than 250 ms wrong: all at once. Not for a snapshot made before any input arrived.
void client_clock_report(struct client_clock *clock, struct client_clock_report report);

/// How far the present is between the last tick (0) and the next (256).
uint32_t client_clock_between(const struct client_clock *clock, uint64_t now_us);

#endif
