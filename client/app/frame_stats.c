// SPDX-License-Identifier: MIT
#include "frame_stats.h"

void frame_stats_add(struct frame_stats *stats, uint64_t us)
{
    uint64_t step = us / FRAME_STATS_STEP_US;
    stats->counts[step < FRAME_STATS_STEPS ? step : FRAME_STATS_STEPS - 1]++;
    stats->frames++;
    stats->sum_us += us;
}

uint64_t frame_stats_mean_us(const struct frame_stats *stats)
{
    return stats->frames ? stats->sum_us / stats->frames : 0;
}

uint64_t frame_stats_p99_us(const struct frame_stats *stats)
{
    uint64_t wanted = (stats->frames * 99 + 99) / 100, seen = 0;
    for (uint64_t step = 0; step < FRAME_STATS_STEPS && stats->frames; step++) {
        seen += stats->counts[step];
        if (seen >= wanted)
            return (step + 1) * FRAME_STATS_STEP_US;
    }
    return 0;
}
