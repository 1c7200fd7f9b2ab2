// SPDX-License-Identifier: MIT
#include "sent_inputs.h"

_Static_assert(SENT_INPUTS_TICKS > INPUT_BATCH_CAPACITY, "a batch is taken from the kept inputs");

void sent_inputs_begin(struct sent_inputs *sent, tick now)
{
    sent->newest = now;
    sent->first = now + 1;
    sent->changed = now + 1;
    sent->sent = now;
}

void sent_inputs_add(struct sent_inputs *sent, tick now, struct player_input input, uint64_t now_us)
{
    if (now != sent->first && input.buttons != sent->inputs[sent->newest % SENT_INPUTS_TICKS].buttons)
        sent->changed = now;
    for (tick i = 0; i < now - sent->newest && i < SENT_INPUTS_TICKS; i++) {
        sent->inputs[(now - i) % SENT_INPUTS_TICKS] = input;
        sent->sent_us[(now - i) % SENT_INPUTS_TICKS] = now_us;
    }
    sent->newest = now;
}

void sent_inputs_confirm(struct sent_inputs *sent, tick number)
{
    if ((int32_t)(number - sent->confirmed) > 0)
        sent->confirmed = number;
}

bool sent_inputs_age(const struct sent_inputs *sent, tick number, uint64_t now_us, uint32_t *age_us)
{
    bool own = (int32_t)(number - sent->first) >= 0 && (int32_t)(sent->confirmed - number) >= 0 &&
               sent->newest - number < SENT_INPUTS_TICKS;
    if (own)
        *age_us = (uint32_t)(now_us - sent->sent_us[number % SENT_INPUTS_TICKS]);
    return own;
}

bool sent_inputs_due(const struct sent_inputs *sent)
{
    return sent->confirmed == 0 || sent->newest - sent->changed < INPUT_INTERVAL_TICKS ||
           sent->newest - sent->sent >= INPUT_INTERVAL_TICKS;
}

// Counts the inputs that the server neither holds nor has stepped past; at least one.
static uint32_t batch_count(const struct sent_inputs *sent, tick world_tick)
{
    uint32_t unconfirmed = sent->newest - sent->confirmed, undone = sent->newest - world_tick;
    uint32_t kept = sent->newest - sent->first + 1;
    uint32_t count = sent->confirmed && unconfirmed < undone ? unconfirmed : undone;
    count = count < kept ? count : kept;
    return count == 0 ? 1 : count < INPUT_BATCH_CAPACITY ? count : INPUT_BATCH_CAPACITY;
}

void sent_inputs_batch(struct sent_inputs *sent, tick world_tick, struct input_message *batch)
{
    sent->sent = sent->newest;
    batch->newest_tick = sent->newest;
    batch->count = batch_count(sent, world_tick);
    for (uint32_t i = 0; i < batch->count; i++)
        batch->inputs[i] = sent->inputs[(batch->newest_tick - (batch->count - 1) + i) % SENT_INPUTS_TICKS];
}
