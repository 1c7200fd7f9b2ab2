// SPDX-License-Identifier: MIT
#include "input_queue.h"

#define EDGE_BUTTONS ((uint32_t)(BUTTON_JUMP | BUTTON_DASH | BUTTON_SHOOT))

const int32_t INPUT_MARGIN_EDGES[INPUT_MARGIN_CLASSES] = {-32, -16, -8, -4, 0, 2, 4, 6, 8, 16, 32, 64};

static void measure(struct input_queue *queue, int32_t margin)
{
    margin = margin < INT8_MIN ? INT8_MIN : margin > INT8_MAX ? INT8_MAX : margin;
    queue->margins[queue->margin_count++ % INPUT_MARGIN_COUNT] = (int8_t)margin;
}

bool input_queue_push(struct input_queue *queue, tick number, struct player_input input, tick now,
                      uint64_t elapsed_quarter_ticks)
{
    uint32_t entry = number % INPUT_QUEUE_TICKS;
    int32_t ahead = (int32_t)(number - now);
    bool known = queue->ticks[entry] == number;
    if (number == 0 || known || ahead <= -INPUT_AHEAD_TICKS)
        return false;
    int32_t ahead_measured = ahead > INPUT_AHEAD_TICKS ? INPUT_AHEAD_TICKS : ahead;
    bool timed = elapsed_quarter_ticks != INPUT_UNTIMED;
    if (timed)
        measure(queue, 4 * ahead_measured - (int32_t)(elapsed_quarter_ticks > 128 ? 128 : elapsed_quarter_ticks));
    if (ahead > INPUT_AHEAD_TICKS)
        return false;
    queue->ticks[entry] = number; // also of a late input, so that its repetitions are not counted
    if (ahead <= 0) {
        queue->late += timed;
        return false;
    }
    queue->inputs[entry] = input;
    if (queue->newest_tick == 0)
        queue->first_tick = number;
    if (queue->newest_tick == 0 || (int32_t)(number - queue->newest_tick) > 0)
        queue->newest_tick = number;
    return true;
}

struct player_input input_queue_take(struct input_queue *queue, tick number)
{
    uint32_t entry = number % INPUT_QUEUE_TICKS;
    if (queue->ticks[entry] == number) {
        queue->last = queue->inputs[entry];
        queue->silence_ticks = 0;
        return queue->last;
    }
    if (queue->newest_tick == 0 || (int32_t)(number - queue->first_tick) < 0)
        return (struct player_input){0};
    queue->missed++;
    queue->silence_ticks++;
    struct player_input held = queue->last;
    if (queue->silence_ticks > INPUT_HOLD_TICKS)
        held.buttons = 0;
    else if (queue->silence_ticks > INPUT_HOLD_EDGE_TICKS)
        held.buttons &= ~EDGE_BUTTONS;
    return held;
}

int32_t input_queue_margin(const struct input_queue *queue)
{
    uint32_t count = queue->margin_count < INPUT_MARGIN_COUNT ? queue->margin_count : INPUT_MARGIN_COUNT;
    int32_t least = count > 0 ? INT8_MAX : 0;
    for (uint32_t i = 0; i < count; i++)
        least = queue->margins[i] < least ? queue->margins[i] : least;
    return least;
}
