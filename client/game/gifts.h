// SPDX-License-Identifier: MIT
//
// What a client shows of chests and of what they give, with what it knows. gift_looks.h draws it.
#ifndef GAME_GIFTS_H
#define GAME_GIFTS_H

#include "core/view.h"

/// Returns the ticks after `now` for which a player is drawn with a gift, or GIFT_UNTIL_USED; 0: they are not. Their
/// own is shown at once; that others have one, and that one is used up, is shown once it is confirmed.
uint32_t gifts_left_ticks(const struct view *view, uint32_t slot, enum map_gift gift, tick now);

/// Returns whether the lid of a chest in the view's world, or in one that it holds, is up: at once for the own player,
/// who waits for the gift. Others may turn out not to have touched it.
bool gifts_lid_is_up(const struct view *view, const struct world *world, uint32_t chest);

#endif
