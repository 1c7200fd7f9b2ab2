// SPDX-License-Identifier: MIT
//
// The client's clock: which tick is due when, so that each input reaches the server shortly before the tick that needs
// it. It starts from an estimate and then follows only the arrival margins that snapshots report. It remembers its own
// `lead` at each tick and takes late reports for the lead that they were made with, so the control loop has no delay.
// A stall of the client or of the line says nothing about the route, so it changes nothing once it is over.
// Called by the client; reads no clock, the moment is an argument.
#ifndef CORE_CLIENT_CLOCK_H
#define CORE_CLIENT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "sync/world.h"
#include "wire/message.h"

/// Margins remembered: 4 s of snapshots at 60 a second.
#define CLIENT_CLOCK_MARGINS 240
/// Ticks that one reported margin covers, and reports in which two missed inputs count as "late twice".
#define CLIENT_CLOCK_WINDOW 16
/// Sent ticks whose lead is remembered; a power of two.
#define CLIENT_CLOCK_LEADS 128

/// What one snapshot reports about the inputs' arrival.
struct client_clock_report {
    tick snapshot_tick;           ///< of the server's world
    tick input_tick;              ///< newest input that came in time; 0: none yet
    int32_t margin_quarter_ticks; ///< how long before its need an input arrived; the least of the last 16 ticks
    uint32_t inputs_missed;       ///< ticks stepped with another input than the own, modulo 2^16
    uint64_t arrival_us;          ///< of the snapshot, on the caller's clock
    tick interval_ticks;          ///< from one snapshot to the next
};

/// All times in ns. Zero-initialise.
struct client_clock {
    bool running;                             ///< client_clock_start() was called
    tick tick;                                ///< newest tick taken
    tick origin_tick;                         ///< was due at origin_ns while the lead was 0
    tick steady_tick;                         ///< reports about earlier inputs were made under another numbering
    uint64_t origin_ns;                       ///< on the caller's clock
    int64_t lead_ns;                          ///< how much earlier ticks are due than origin and 60 Hz say
    int64_t target_ns;                        ///< the lead to reach
    int64_t leap_ns;                          ///< still to be added to the lead, up to a tick with each tick
    uint32_t restarts;                        ///< hard resyncs since the first start
    uint32_t stalls;                          ///< times that ticks were taken far too late
    bool stalled;                             ///< the newest tick was one of those
    uint32_t cut_ticks;                       ///< how many inputs the newest report lacked, if several
    tick silence_tick;                        ///< newest tick at the end of the last silence
    uint64_t heard_us;                        ///< when that report arrived; 0: none yet
    uint32_t margins;                         ///< reports taken since the start
    int64_t leads_ns[CLIENT_CLOCK_LEADS];     ///< the lead that each tick was sent with
    int64_t margins_ns[CLIENT_CLOCK_MARGINS]; ///< reported margins, as they would be with a lead of 0
    tick leapt_tick;                          ///< newest tick at the last leap; missed inputs up to it are dealt with
    uint32_t reports_since_leap;              ///< reports taken since then
    uint32_t missed[CLIENT_CLOCK_WINDOW];     ///< inputs_missed of the newest of them
};

/// Starts, or starts over: a snapshot of `server_tick` has just arrived, and the round trip takes `round_trip_us`. The
/// next tick is due now and numbered so that it should arrive in time. Numbers never go back.
void client_clock_start(struct client_clock *clock, tick server_tick, uint64_t round_trip_us, uint64_t now_us);

/// Goes on in the next match of the same server, as its ticks do: its first snapshot, of `server_tick`, has just
/// arrived. What is known of the route stays. Returns false, and changes nothing, if the clock does not run or the
/// ticks do not go on.
bool client_clock_resume(struct client_clock *clock, tick server_tick, uint64_t now_us);

/// Returns true if a tick that the server has stepped is not even due here: the clock must start over.
bool client_clock_is_behind(const struct client_clock *clock, tick server_tick, uint64_t now_us);

/// Returns when the next tick is due, us; UINT64_MAX while the clock does not run.
uint64_t client_clock_due_us(const struct client_clock *clock);

/// Takes the next tick and returns its number. More than 250 ms late, it leaves the missed ticks out.
tick client_clock_advance(struct client_clock *clock, uint64_t now_us);

/// Takes a snapshot's report and steers: up to 3 % faster or slower. Late again within 16 snapshots: adds one tick at
/// once. Late for eight ticks in a row: the route has become longer, and each tick adds another until the lead is
/// reached. Early by three ticks in 16 reports: it has become shorter, and each tick takes one back. More than 250 ms
/// wrong: sets the lead at once. Reports of what was sent before the end of a stall are ignored. Not for a snapshot
/// made before any input arrived.
void client_clock_report(struct client_clock *clock, struct client_clock_report report);

/// Returns how far the present is between the last tick (0) and the next (256).
uint32_t client_clock_between(const struct client_clock *clock, uint64_t now_us);

// --- the inputs of the local players, by tick, and which ticks need a message: one with a change, and those shortly
// after it; of the others every third. Each message repeats the inputs that the server does not hold yet, so a lost
// message costs nothing. Sends nothing itself.

/// Ticks of inputs that are kept.
#define CLIENT_INPUTS_TICKS 64

/// Zero-initialise, then client_inputs_begin().
struct client_inputs {
    tick first;     ///< the oldest ever
    tick newest;    ///< the own tick
    tick confirmed; ///< newest that the server holds; 0: none
    tick changed;   ///< newest with another input than the tick before
    tick sent;      ///< newest of the last message
    struct local_inputs of[CLIENT_INPUTS_TICKS];
    uint64_t sent_us[CLIENT_INPUTS_TICKS];
};

/// Begins after the clock was set: the next input is that of the tick after `now`.
void client_inputs_begin(struct client_inputs *inputs, tick now);
/// Adds the inputs of the tick `now`. Ticks that the clock left out get the same.
void client_inputs_add(struct client_inputs *inputs, tick now, const struct local_inputs *added, uint64_t now_us);
/// Records that the server holds the input of a tick.
void client_inputs_confirm(struct client_inputs *inputs, tick number);
/// Gets how long ago the own input of a tick was sent, us. False if the server holds no own input of that tick, or it
/// is no longer kept.
bool client_inputs_age(const struct client_inputs *inputs, tick number, uint64_t now_us, uint32_t *age_us);
/// Returns whether the newest tick needs a message of its own.
bool client_inputs_due(const struct client_inputs *inputs);
/// Fills in the inputs to send now, all but `players`; `world_tick` is the tick of the newest confirmed world.
void client_inputs_batch(struct client_inputs *inputs, tick world_tick, struct input_message *batch);

#endif
