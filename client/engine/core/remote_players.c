// SPDX-License-Identifier: MIT
#include "remote_players.h"

#define SECOND_NS INT64_C(1000000000)
#define TICK_NS   (SECOND_NS / TICKS_PER_SECOND)

#define DELAY_NS_MIN (TICK_NS * 3 / 2)
#define DELAY_NS_MAX (TICK_NS * INTERPOLATION_GAP_TICKS)
// One tick in fifty may come later than the delay allows (p98).
#define OUTLIER_SHARE 50
// The delay shrinks by a fiftieth of the time that passes.
#define SHRINK_SHARE 50

static int64_t match_ns(const struct interpolation *interpolation, tick number)
{
    return (int64_t)(int32_t)(number - interpolation->origin) * SECOND_NS / TICKS_PER_SECOND;
}

static uint32_t measured(const struct interpolation *interpolation)
{
    return interpolation->count < INTERPOLATION_TICKS ? interpolation->count : INTERPOLATION_TICKS;
}

// Returns how long after the least offset to draw, so that all ticks but the outliers are known a tick earlier.
static int64_t delay_ns(const struct interpolation *interpolation, int64_t least)
{
    int64_t largest[INTERPOLATION_TICKS / OUTLIER_SHARE + 1];
    uint32_t count = measured(interpolation), keep = count / OUTLIER_SHARE + 1, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t offset = interpolation->offsets_ns[i];
        uint32_t at = kept < keep ? kept++ : offset > largest[keep - 1] ? keep - 1 : keep;
        if (at == keep)
            continue;
        for (; at > 0 && largest[at - 1] < offset; at--)
            largest[at] = largest[at - 1];
        largest[at] = offset;
    }
    int64_t delay = largest[keep - 1] - least + TICK_NS;
    return delay < DELAY_NS_MIN ? DELAY_NS_MIN : delay > DELAY_NS_MAX ? DELAY_NS_MAX : delay;
}

static int64_t least_offset(const struct interpolation *interpolation)
{
    int64_t least = interpolation->offsets_ns[0];
    for (uint32_t i = 1; i < measured(interpolation); i++)
        least = interpolation->offsets_ns[i] < least ? interpolation->offsets_ns[i] : least;
    return least;
}

void remote_players_arrived(struct remote_players *remote, tick number, uint64_t now_us)
{
    struct interpolation *interpolation = &remote->interpolation;
    bool first = interpolation->count == 0;
    if (first)
        interpolation->origin = interpolation->newest = number - 1;
    int32_t gap = (int32_t)(number - interpolation->newest);
    if (gap <= 0)
        return;
    for (uint32_t i = gap > INTERPOLATION_GAP_TICKS ? 1 : (uint32_t)gap; i-- > 0;)
        interpolation->offsets_ns[interpolation->count++ % INTERPOLATION_TICKS] =
            (int64_t)now_us * 1000 - match_ns(interpolation, number - i);
    interpolation->newest = number;
    int64_t least = least_offset(interpolation);
    interpolation->target_ns = least + delay_ns(interpolation, least);
    if (first) {
        interpolation->offset_ns = interpolation->target_ns;
        interpolation->moved_ns = (int64_t)now_us * 1000;
    }
}

struct interpolation_moment remote_players_moment(struct remote_players *remote, uint64_t now_us)
{
    struct interpolation *interpolation = &remote->interpolation;
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

tick remote_players_show(struct remote_players *remote, const struct snapshot_history *history,
                         const struct prediction *prediction, uint64_t now_us, struct view *view)
{
    struct interpolation_moment moment = remote_players_moment(remote, now_us);
    tick newest = remote->interpolation.newest;
    const struct world *from = NULL, *to = NULL;
    for (tick i = 0; !from && i < SNAPSHOT_HISTORY_TICKS / 2; i++)
        from = world_at(history, prediction, newest, moment.tick - i);
    for (tick i = 1; !to && i <= INTERPOLATION_GAP_TICKS; i++)
        to = world_at(history, prediction, newest, moment.tick + i);
    from = from ? from : to ? to : &history->worlds[newest % SNAPSHOT_HISTORY_TICKS];
    to = to ? to : from;
    uint32_t apart = to->tick - from->tick, since = (moment.tick - from->tick) * 256 + moment.between;
    view_fill_confirmed(view, &remote->shown, from, to, apart ? since / apart : 256);
    return moment.tick;
}
