// SPDX-License-Identifier: MIT
//
// The player's own inputs, by tick, and which ticks need a message: one with a change, and those shortly after it; of
// the others every third. Each message repeats the inputs that the server does not hold yet, so a lost message costs
// nothing. Owned by the client; reads no clock and sends nothing itself.
#ifndef CORE_SENT_INPUTS_H
#define CORE_SENT_INPUTS_H

#include "wire/message.h"

/// Ticks whose inputs are kept.
#define SENT_INPUTS_TICKS 64

/// Zero-initialise, then sent_inputs_begin().
struct sent_inputs {
    tick first;     ///< the oldest ever
    tick newest;    ///< the own tick
    tick confirmed; ///< newest that the server holds; 0: none
    tick changed;   ///< newest with another input than the tick before
    tick sent;      ///< newest of the last message
    struct player_input inputs[SENT_INPUTS_TICKS];
    uint64_t sent_us[SENT_INPUTS_TICKS];
};

/// Begins after the clock was set: the next input is that of the tick after `now`.
void sent_inputs_begin(struct sent_inputs *sent, tick now);
/// Adds the input of the tick `now`. Ticks that the clock left out get the same input.
void sent_inputs_add(struct sent_inputs *sent, tick now, struct player_input input, uint64_t now_us);
/// Records that the server holds the input of a tick.
void sent_inputs_confirm(struct sent_inputs *sent, tick number);
/// Gets how long ago the own input of a tick was sent, us. False if the server holds no own input of that tick, or it
/// is no longer kept.
bool sent_inputs_age(const struct sent_inputs *sent, tick number, uint64_t now_us, uint32_t *age_us);
/// Returns whether the newest tick needs a message of its own.
bool sent_inputs_due(const struct sent_inputs *sent);
/// Fills in the inputs to send now; `world_tick` is the tick of the newest confirmed world.
void sent_inputs_batch(struct sent_inputs *sent, tick world_tick, struct input_message *batch);

#endif
