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

#define STALL_US 100000u
// As fast as before: within 10 % and a quarter of a tick.
#define TOLERANCE_US(usual_us) ((usual_us) / 10 + 4167)

static uint32_t average(uint32_t average_us, uint32_t value_us, int32_t count)
{
    return (uint32_t)((int32_t)average_us + ((int32_t)value_us - (int32_t)average_us) / count);
}

bool outage_recovery_ack(struct recovery *recovery, uint32_t ack_us, uint64_t now_us, uint64_t *took_us)
{
    uint64_t silence_us = now_us - recovery->acked_us;
    recovery->acked_us = now_us;
    if (recovery->usual_us == 0) {
        recovery->usual_us = ack_us;
        return false;
    }
    if (silence_us >= STALL_US) {
        recovery->resumed_us = now_us;
        recovery->recent_us = ack_us;
    }
    if (recovery->resumed_us == 0) {
        recovery->usual_us = average(recovery->usual_us, ack_us, 32);
        return false;
    }
    recovery->recent_us = average(recovery->recent_us, ack_us, 4);
    *took_us = now_us - recovery->resumed_us;
    if (recovery->recent_us > recovery->usual_us + TOLERANCE_US(recovery->usual_us)) {
        if (*took_us < RECOVERY_US_MAX)
            return false;
        *took_us = RECOVERY_US_MAX;
        recovery->usual_us = recovery->recent_us;
    }
    recovery->resumed_us = 0;
    return true;
}
