// SPDX-License-Identifier: MIT
//
// The own inputs as they were sent, by tick: what the server does not hold yet is said again with each message, so a
// lost one costs nothing. Owned by the client; reads no clock and sends nothing itself.
#ifndef CLIENT_SENT_INPUTS_H
#define CLIENT_SENT_INPUTS_H

#include "wire/message.h"

/// Ticks whose inputs are kept.
#define SENT_INPUTS_TICKS 64

/// Zero-initialise, then sent_inputs_begin().
struct sent_inputs {
    tick first;     ///< the oldest ever
    tick newest;    ///< the own tick
    tick confirmed; ///< newest that the server holds; 0: none
    struct player_input inputs[SENT_INPUTS_TICKS];
    uint64_t sent_us[SENT_INPUTS_TICKS];
};

/// The clock has been set: the next input is that of the tick after `now`.
void sent_inputs_begin(struct sent_inputs *sent, tick now);
/// The input of the tick `now`. Ticks that the clock left out hold the same.
void sent_inputs_add(struct sent_inputs *sent, tick now, struct player_input input, uint64_t now_us);
/// The server holds the input of a tick.
void sent_inputs_confirm(struct sent_inputs *sent, tick number);
/// How long ago the input that the world of this tick was made from was sent, us. False: it was none of the own.
bool sent_inputs_age(const struct sent_inputs *sent, tick number, uint64_t now_us, uint32_t *age_us);
/// Fills in the inputs to say now; `told` is the tick of the newest world that the server told.
void sent_inputs_batch(const struct sent_inputs *sent, tick told, struct input_message *batch);

#endif
