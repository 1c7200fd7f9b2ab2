// SPDX-License-Identifier: MIT
//
// Fuzzes an input queue with any order of inputs and ticks, and compares it with the simplest possible queue: a list of
// all inputs that were in time. The first four bytes are the first tick, so that it can be near the wrap.
#include <string.h>

#include "match/input_queue.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS = 512 };

// The expected input of the n-th tick from the first; -1: none was received.
static int expected[STEPS + INPUT_AHEAD_TICKS + 1];

static void push(struct input_queue *queue, tick now, size_t stepped, int32_t ahead, uint32_t buttons)
{
    tick number = now + (tick)ahead;
    bool in_time = number != 0 && ahead > 0 && ahead <= INPUT_AHEAD_TICKS;
    bool is_new = in_time && expected[stepped + (size_t)ahead] < 0;
    struct input_message message = {.newest_tick = number, .count = 1, .players = 1, .inputs = {{{{buttons}}}}};
    require(input_queue_push(queue, &message, now, buttons % 8) == is_new);
    if (is_new)
        expected[stepped + (size_t)ahead] = (int)buttons;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input_queue queue = {0};
    tick now = 0;
    size_t stepped = 0;
    if (size < 4)
        return 0;
    memset(expected, -1, sizeof expected);
    memcpy(&now, data, 4);
    for (size_t i = 4; i + 1 < size && stepped < STEPS; i += 2) {
        if (data[i] % 3 > 0) {
            push(&queue, now, stepped, (int8_t)data[i + 1] / 2, data[i]);
            continue;
        }
        uint32_t missed = queue.missed;
        struct player_input used = input_queue_take(&queue, ++now).of[0];
        int wanted = expected[++stepped];
        require(wanted < 0 ? queue.missed - missed <= 1 : used.buttons == (uint32_t)wanted && queue.missed == missed);
        require((used.buttons & ~(uint32_t)0xFF) == 0);
        require(queue.margin >= INT8_MIN && queue.margin <= INT8_MAX);
    }
    return 0;
}
