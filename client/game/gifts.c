// SPDX-License-Identifier: MIT
#include "gifts.h"

#include "game/gift.h"

uint32_t gifts_left_ticks(const struct view *view, uint32_t slot, enum map_gift gift, tick now)
{
    const struct player *predicted = &view->world->players[slot], *confirmed = &view->confirmed->players[slot];
    bool early = slot == view->slot || view_is_certain(view, slot);
    uint32_t left = gift_left_ticks(early ? view_player(view, slot) : confirmed, gift, now);
    bool used_up = left == 0 && !view_is_certain(view, slot) && pose_is_same_life(predicted, confirmed) &&
                   gift_left_ticks(confirmed, gift, now) == GIFT_UNTIL_USED;
    return used_up ? GIFT_UNTIL_USED : left;
}

bool gifts_lid_is_up(const struct view *view, const struct world *world, uint32_t chest)
{
    return world->chests[chest].state == CHEST_OPENING && world->chests[chest].opener == view->slot + 1;
}
