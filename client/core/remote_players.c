// SPDX-License-Identifier: MIT
#include "remote_players.h"

/// What worlds can be taken from.
struct sources {
    const struct snapshot_history *told;
    const struct prediction *prediction;
    tick newest; ///< told
};

/// A world to draw others from: told, or, a little past the newest told one, guessed.
static const struct world *world_of(const struct sources *sources, tick number)
{
    const struct world *told = snapshot_history_at(sources->told, number);
    if (told)
        return told;
    int32_t ahead = (int32_t)(number - sources->newest);
    return ahead > 0 && ahead <= INTERPOLATION_GUESS_TICKS ? prediction_world_at(sources->prediction, number) : NULL;
}

tick remote_players_show(struct remote_players *others, const struct snapshot_history *told,
                         const struct prediction *prediction, uint64_t now_us, struct view *view)
{
    struct interpolation_moment moment = interpolation_moment(&others->interpolation, now_us);
    const struct sources sources = {told, prediction, others->interpolation.newest};
    const struct world *from = NULL, *to = NULL;
    for (tick i = 0; !from && i < SNAPSHOT_HISTORY_TICKS / 2; i++)
        from = world_of(&sources, moment.tick - i);
    for (tick i = 1; !to && i <= INTERPOLATION_GAP_TICKS; i++)
        to = world_of(&sources, moment.tick + i);
    from = from ? from : to ? to : &told->worlds[sources.newest % SNAPSHOT_HISTORY_TICKS];
    to = to ? to : from;
    uint32_t apart = to->tick - from->tick, since = (moment.tick - from->tick) * 256 + moment.between;
    view_show_confirmed(view, &others->shown, from, to, apart ? since / apart : 256);
    return moment.tick;
}
