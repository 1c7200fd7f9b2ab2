// SPDX-License-Identifier: MIT
#include "gifts.h"

// Others have what a chest gave them once that is confirmed.
static const struct player *gifted_player(const struct view *view, uint32_t slot)
{
    bool early = slot == view->slot || view_is_certain(view, slot);
    return early ? view_player(view, slot) : &view->confirmed->players[slot];
}

bool gifts_has_shield(const struct view *view, uint32_t slot)
{
    const struct player *predicted = &view->world->players[slot], *confirmed = &view->confirmed->players[slot];
    bool had = confirmed->shield && !view_is_certain(view, slot) && pose_is_same_life(predicted, confirmed);
    return had || gifted_player(view, slot)->shield;
}

tick gifts_wings_until(const struct view *view, uint32_t slot)
{
    return gifted_player(view, slot)->wings_until;
}

bool gifts_lid_is_up(const struct view *view, const struct world *world, uint32_t chest)
{
    return world->chests[chest].state == CHEST_OPENING && world->chests[chest].opener == view->slot + 1;
}
