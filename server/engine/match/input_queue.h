// SPDX-License-Identifier: MIT
//
// Queues the inputs of one client by tick. A client sends an input when it changes, and every few ticks anyway, so a
// missing input repeats the last one. Late inputs are dropped and never shifted, since shifting would reward clients
// that delay them. The queue measures how early inputs arrive; every snapshot carries that to the client, which keeps
// its clock just far enough ahead.
#ifndef MATCH_INPUT_QUEUE_H
#define MATCH_INPUT_QUEUE_H

#include <stdbool.h>

#include "wire/message.h"

/// How far ahead of the last tick an input may be.
#define INPUT_AHEAD_TICKS 32
/// Ticks of silence after which GAME_EDGE_BUTTONS are released, and after which all are: three lost messages of a
/// player who changes nothing, and five.
#define INPUT_HOLD_EDGE_TICKS (3 * INPUT_INTERVAL_TICKS)
#define INPUT_HOLD_TICKS      (5 * INPUT_INTERVAL_TICKS)
/// Ticks that the margin is measured over.
#define INPUT_MARGIN_TICKS 16
/// Instead of a time: nobody knows when the input arrived, because the server was too late itself.
#define INPUT_UNTIMED UINT64_MAX
/// Entries: for as many ticks back as ahead.
#define INPUT_QUEUE_TICKS (2 * INPUT_AHEAD_TICKS)

/// Upper edges of the classes in which margins are counted, quarter ticks.
#define INPUT_MARGIN_CLASSES 12
extern const int32_t INPUT_MARGIN_EDGES[INPUT_MARGIN_CLASSES];

/// Zero-initialise.
struct input_queue {
    struct local_inputs last; ///< received and used last; repeated while inputs are missing
    tick first_tick;          ///< of the first input; nothing is missed before it
    tick newest_tick;         ///< of all inputs so far; 0: none
    int32_t margin;         ///< how early inputs arrive: the least margin of the newest that was measured and of those
                            ///< up to INPUT_MARGIN_TICKS - 1 before it; quarter ticks, [-128, 127]; 0 before the first
    uint32_t missed;        ///< ticks since the first input that were stepped with another one than the client's
    uint32_t late;          ///< those of them for which the right input came too late
    uint32_t silence_ticks; ///< since `last` was used
    uint64_t released;      ///< a bit for each entry: its tick came so late in a silence that buttons were released
    uint32_t margin_count;  ///< measured so far
    int8_t margins[INPUT_MARGIN_TICKS];
    tick margin_ticks[INPUT_MARGIN_TICKS];         ///< of the inputs that they were measured with
    tick ticks[INPUT_QUEUE_TICKS];                 ///< which tick entry tick % INPUT_QUEUE_TICKS is for; 0: none
    struct local_inputs inputs[INPUT_QUEUE_TICKS]; ///< received, or used in place of one
};

/// Adds the inputs of a message that are new and for ticks in (now, now + INPUT_AHEAD_TICKS], drops the others, and
/// returns how many it has added. `now` is the tick stepped last, `elapsed_quarter_ticks` the time since then, rounded
/// up; INPUT_UNTIMED: the message is neither measured nor late. Measures the inputs that had to be sent in their own
/// tick: the newest, and those that differ from the one before.
uint32_t input_queue_push(struct input_queue *queue, const struct input_message *message, tick now,
                          uint64_t elapsed_quarter_ticks);

/// Returns the inputs that a tick is stepped with. Call once for each tick.
struct local_inputs input_queue_take(struct input_queue *queue, tick number);

#endif
