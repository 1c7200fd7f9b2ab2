// SPDX-License-Identifier: MIT
#include "outage.h"

static uint64_t limit_us(uint32_t snapshot_rate)
{
    uint64_t intervals_us = snapshot_rate ? OUTAGE_INTERVALS_MIN * UINT64_C(1000000) / snapshot_rate : 0;
    return intervals_us > OUTAGE_US_MIN ? intervals_us : OUTAGE_US_MIN;
}

bool outage_pulse(struct outage *outage, const struct outage_pulse *pulse, uint64_t *lasted_us)
{
    uint64_t since_us = outage->pulsed_us ? pulse->now_us - outage->pulsed_us : 0;
    outage->pulsed_us = pulse->now_us;
    if (pulse->expects)
        outage->silent_us += since_us < OUTAGE_PULSE_US_MAX ? since_us : OUTAGE_PULSE_US_MAX;
    outage->is_open |= outage->silent_us >= limit_us(pulse->snapshot_rate);
    return pulse->heard && outage_end(outage, lasted_us);
}

bool outage_end(struct outage *outage, uint64_t *lasted_us)
{
    bool was_open = outage->is_open;
    *lasted_us = outage->silent_us;
    outage->is_open = false;
    outage->silent_us = 0;
    return was_open;
}
