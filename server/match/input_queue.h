// SPDX-License-Identifier: MIT
//
// Queues the inputs of one client by tick. Late inputs are dropped and never shifted, since shifting would reward
// clients that delay them; a missing input repeats the last one. The queue measures how early inputs arrive; every
// snapshot carries that to the client, which keeps its clock just far enough ahead.
#ifndef MATCH_INPUT_QUEUE_H
#define MATCH_INPUT_QUEUE_H

#include <stdbool.h>

#include "game/input.h"

/// How far ahead of the last tick an input may be.
#define INPUT_AHEAD_TICKS 32
/// Ticks of silence after which jump, dash and shoot are released, and after which all buttons are.
#define INPUT_HOLD_EDGE_TICKS 6
#define INPUT_HOLD_TICKS      15
/// Number of arrivals that the margin is measured over.
#define INPUT_MARGIN_COUNT 16
/// Instead of a time: nobody knows when the input arrived, because the server was too late itself.
#define INPUT_UNTIMED UINT64_MAX
/// Entries: for as many ticks back as ahead.
#define INPUT_QUEUE_TICKS (2 * INPUT_AHEAD_TICKS)

/// Upper edges of the classes in which margins are counted, quarter ticks.
#define INPUT_MARGIN_CLASSES 12
extern const int32_t INPUT_MARGIN_EDGES[INPUT_MARGIN_CLASSES];

/// Zero-initialise.
struct input_queue {
    tick ticks[INPUT_QUEUE_TICKS]; ///< which tick entry tick % INPUT_QUEUE_TICKS is for; 0: none
    struct player_input inputs[INPUT_QUEUE_TICKS];
    struct player_input last; ///< used last; repeated while inputs are missing
    uint32_t silence_ticks;   ///< since that one was used
    tick first_tick;          ///< of the first input; nothing is missed before it
    tick newest_tick;         ///< of all inputs so far; 0: none
    int8_t margins[INPUT_MARGIN_COUNT];
    uint32_t margin_count; ///< measured so far
    uint32_t missed;       ///< ticks stepped without an input since the first one
    uint32_t late;         ///< inputs dropped because their tick was over
};

/// Adds an input for a tick. `now` is the tick stepped last, `elapsed_quarter_ticks` the time since then, rounded up;
/// INPUT_UNTIMED: it is neither measured nor late. Returns false, and drops the input, unless its tick is new and in
/// (now, now + INPUT_AHEAD_TICKS].
bool input_queue_push(struct input_queue *queue, tick number, struct player_input input, tick now,
                      uint64_t elapsed_quarter_ticks);

/// Returns the input that a tick is stepped with. Call once for each tick.
struct player_input input_queue_take(struct input_queue *queue, tick number);

/// Returns how early inputs arrive, as the least of the last INPUT_MARGIN_COUNT: quarter ticks, [-128, 127]; 0 before
/// the first.
int32_t input_queue_margin(const struct input_queue *queue);

#endif
