// SPDX-License-Identifier: MIT
#include "interpolation.h"

#include "base/clock.h"

#define SECOND_NS ((int64_t)CLOCK_SECOND_NS)
#define TICK_NS   (SECOND_NS / TICKS_PER_SECOND)

#define DELAY_NS_MIN (TICK_NS * 3 / 2)
#define DELAY_NS_MAX (TICK_NS * INTERPOLATION_GAP_TICKS)
// One tick in fifty may come later than the delay allows (p98).
#define OUTLIER_SHARE 50
// The delay shrinks by a fiftieth of the time that passes.
#define SHRINK_SHARE 50

// Returns the offset to draw with, so that all ticks but the outliers are known a tick earlier.
static int64_t target_ns(const struct interpolation *interpolation)
{
    int64_t largest[INTERPOLATION_TICKS / OUTLIER_SHARE + 1], least = interpolation->offsets_ns[0];
    uint32_t count = interpolation->count < INTERPOLATION_TICKS ? interpolation->count : INTERPOLATION_TICKS;
    uint32_t keep = count / OUTLIER_SHARE + 1, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t offset = interpolation->offsets_ns[i];
        least = offset < least ? offset : least;
        uint32_t at = kept < keep ? kept++ : offset > largest[keep - 1] ? keep - 1 : keep;
        if (at == keep)
            continue;
        for (; at > 0 && largest[at - 1] < offset; at--)
            largest[at] = largest[at - 1];
        largest[at] = offset;
    }
    int64_t delay = largest[keep - 1] - least + TICK_NS;
    return least + (delay < DELAY_NS_MIN ? DELAY_NS_MIN : delay > DELAY_NS_MAX ? DELAY_NS_MAX : delay);
}

void interpolation_arrived(struct interpolation *interpolation, tick number, uint64_t now_us)
{
    bool first = interpolation->count == 0;
    if (first)
        interpolation->origin = interpolation->newest = number - 1;
    int32_t gap = (int32_t)(number - interpolation->newest);
    if (gap <= 0)
        return;
    for (uint32_t i = gap > INTERPOLATION_GAP_TICKS ? 1 : (uint32_t)gap; i-- > 0;) {
        int64_t match_ns = (int64_t)(int32_t)(number - i - interpolation->origin) * SECOND_NS / TICKS_PER_SECOND;
        interpolation->offsets_ns[interpolation->count++ % INTERPOLATION_TICKS] = (int64_t)now_us * 1000 - match_ns;
    }
    interpolation->newest = number;
    interpolation->target_ns = target_ns(interpolation);
    if (first) {
        interpolation->offset_ns = interpolation->target_ns;
        interpolation->moved_ns = (int64_t)now_us * 1000;
    }
}

struct interpolation_moment interpolation_moment(struct interpolation *interpolation, uint64_t now_us)
{
    int64_t now_ns = (int64_t)now_us * 1000, shrink = (now_ns - interpolation->moved_ns) / SHRINK_SHARE;
    int64_t excess = interpolation->offset_ns - interpolation->target_ns;
    interpolation->offset_ns -= excess < shrink ? excess : shrink;
    interpolation->moved_ns = now_ns;
    int64_t drawn = now_ns - interpolation->offset_ns;
    if (drawn > interpolation->drawn_ns)
        interpolation->drawn_ns = drawn;
    int64_t ticks = interpolation->drawn_ns * TICKS_PER_SECOND;
    return (struct interpolation_moment){interpolation->origin + (tick)(ticks / SECOND_NS),
                                         (uint32_t)(ticks % SECOND_NS * 256 / SECOND_NS)};
}

// Returns the world to draw a tick from: confirmed or, a little past the newest confirmed one, predicted.
static const struct world *world_at(const struct snapshot_history *history, const struct prediction *prediction,
                                    tick newest, tick number)
{
    const struct world *confirmed = snapshot_history_at(history, number);
    int32_t ahead = (int32_t)(number - newest);
    if (confirmed || ahead <= 0 || ahead > INTERPOLATION_PREDICTED_TICKS)
        return confirmed;
    return prediction_world_at(prediction, number);
}

tick interpolation_show(struct interpolation *interpolation, const struct snapshot_history *history,
                        const struct prediction *prediction, uint64_t now_us, struct view *view)
{
    struct interpolation_moment moment = interpolation_moment(interpolation, now_us);
    tick newest = interpolation->newest;
    const struct world *from = NULL, *to = NULL;
    for (tick i = 0; !from && i < SNAPSHOT_HISTORY_TICKS / 2; i++)
        from = world_at(history, prediction, newest, moment.tick - i);
    for (tick i = 1; !to && i <= INTERPOLATION_GAP_TICKS; i++)
        to = world_at(history, prediction, newest, moment.tick + i);
    from = from ? from : to ? to : &history->worlds[newest % SNAPSHOT_HISTORY_TICKS];
    to = to ? to : from;
    uint32_t apart = to->tick - from->tick, since = (moment.tick - from->tick) * 256 + moment.between;
    view_fill_confirmed(view, &interpolation->shown, from, to, apart ? since / apart : 256);
    return moment.tick;
}
