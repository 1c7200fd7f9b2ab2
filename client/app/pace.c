// SPDX-License-Identifier: MIT
#include "pace.h"

void pace_add(struct pace *pace, uint64_t us)
{
    uint64_t step = us / PACE_STEP_US;
    pace->counts[step < PACE_STEPS ? step : PACE_STEPS - 1]++;
    pace->frames++;
    pace->sum_us += us;
}

uint64_t pace_mean_us(const struct pace *pace)
{
    return pace->frames ? pace->sum_us / pace->frames : 0;
}

uint64_t pace_p99_us(const struct pace *pace)
{
    uint64_t wanted = (pace->frames * 99 + 99) / 100, seen = 0;
    for (uint64_t step = 0; step < PACE_STEPS && pace->frames; step++) {
        seen += pace->counts[step];
        if (seen >= wanted)
            return (step + 1) * PACE_STEP_US;
    }
    return 0;
}
