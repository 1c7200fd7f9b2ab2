// SPDX-License-Identifier: MIT
//
// How what chests give is drawn, with what the client knows of it.
#ifndef GAME_GIFTS_H
#define GAME_GIFTS_H

#include "core/view.h"

/// Returns whether a player is drawn with a chest's shield. Their own is shown at once; that others have one, and that
/// a hit has taken one, is shown once it is confirmed.
bool gifts_has_shield(const struct view *view, uint32_t slot);

/// Returns until when a player is drawn with wings, which others have once that is confirmed.
tick gifts_wings_until(const struct view *view, uint32_t slot);

/// Returns whether the lid of a chest in the view's world, or in one that it holds, is up: at once for the own player,
/// who waits for the gift. Others may turn out not to have touched it.
bool gifts_lid_is_up(const struct view *view, const struct world *world, uint32_t chest);

#endif
