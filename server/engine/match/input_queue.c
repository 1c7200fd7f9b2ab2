// SPDX-License-Identifier: MIT
#include "input_queue.h"

const int32_t INPUT_MARGIN_EDGES[INPUT_MARGIN_CLASSES] = {-32, -16, -8, -4, 0, 2, 4, 6, 8, 16, 32, 64};

// Measures how early an input came: the least of the last INPUT_MARGIN_TICKS counts.
static void measure(struct input_queue *queue, tick number, int32_t ahead, uint64_t elapsed_quarter_ticks)
{
    int32_t elapsed = elapsed_quarter_ticks > 128 ? 128 : (int32_t)elapsed_quarter_ticks;
    int32_t margin = 4 * (ahead > INPUT_AHEAD_TICKS ? INPUT_AHEAD_TICKS : ahead) - elapsed;
    uint32_t entry = queue->margin_count++ % INPUT_MARGIN_TICKS;
    queue->margins[entry] = (int8_t)(margin < INT8_MIN ? INT8_MIN : margin > INT8_MAX ? INT8_MAX : margin);
    queue->margin_ticks[entry] = number;
    uint32_t count = queue->margin_count < INPUT_MARGIN_TICKS ? queue->margin_count : INPUT_MARGIN_TICKS;
    tick newest = queue->margin_ticks[0];
    for (uint32_t i = 1; i < count; i++)
        newest = (int32_t)(queue->margin_ticks[i] - newest) > 0 ? queue->margin_ticks[i] : newest;
    queue->margin = INT8_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (newest - queue->margin_ticks[i] < INPUT_MARGIN_TICKS && queue->margins[i] < queue->margin)
            queue->margin = queue->margins[i];
}

static bool push(struct input_queue *queue, tick number, const struct local_inputs *inputs, bool own_tick, tick now,
                 uint64_t elapsed_quarter_ticks)
{
    uint32_t entry = number % INPUT_QUEUE_TICKS;
    int32_t ahead = (int32_t)(number - now);
    bool known = queue->ticks[entry] == number, timed = elapsed_quarter_ticks != INPUT_UNTIMED;
    if (number == 0 || known || ahead <= -INPUT_AHEAD_TICKS)
        return false;
    if (timed && own_tick)
        measure(queue, number, ahead, elapsed_quarter_ticks);
    if (ahead > INPUT_AHEAD_TICKS)
        return false;
    queue->ticks[entry] = number; // also of a late input, so that its repetitions are not counted
    if (ahead <= 0) {             // late: it counts if its tick was stepped with another one
        bool begun = queue->newest_tick != 0 && (int32_t)(number - queue->first_tick) > 0;
        if (timed && begun && !local_seats_hold_same(&queue->inputs[entry], inputs)) {
            queue->late++;
            queue->missed += (queue->released >> entry & 1) == 0; // those with released buttons are counted already
        }
        return false;
    }
    queue->inputs[entry] = *inputs;
    if (queue->newest_tick == 0)
        queue->first_tick = number;
    if (queue->newest_tick == 0 || (int32_t)(number - queue->newest_tick) > 0)
        queue->newest_tick = number;
    return true;
}

uint32_t input_queue_push(struct input_queue *queue, const struct input_message *message, tick now,
                          uint64_t elapsed_quarter_ticks)
{
    uint32_t added = 0, last = message->count - 1;
    for (uint32_t i = 0; i <= last; i++) {
        bool changed = i > 0 && !local_seats_hold_same(&message->inputs[i], &message->inputs[i - 1]);
        added += push(queue, message->newest_tick - (last - i), &message->inputs[i], changed || i == last, now,
                      elapsed_quarter_ticks);
    }
    return added;
}

struct local_inputs input_queue_take(struct input_queue *queue, tick number)
{
    uint32_t entry = number % INPUT_QUEUE_TICKS;
    queue->released &= ~(UINT64_C(1) << entry);
    if (queue->ticks[entry] == number) {
        queue->last = queue->inputs[entry];
        queue->silence_ticks = 0;
        return queue->last;
    }
    if (queue->newest_tick == 0 || (int32_t)(number - queue->first_tick) < 0)
        return (struct local_inputs){{{0}}};
    queue->silence_ticks++;
    bool released = queue->silence_ticks > INPUT_HOLD_EDGE_TICKS;
    queue->missed += released;
    queue->released |= (uint64_t)released << entry;
    struct local_inputs held = queue->last;
    uint32_t kept = queue->silence_ticks > INPUT_HOLD_TICKS ? 0 : released ? ~GAME_EDGE_BUTTONS : UINT32_MAX;
    for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
        held.of[local].buttons &= kept;
    return queue->inputs[entry] = held;
}
