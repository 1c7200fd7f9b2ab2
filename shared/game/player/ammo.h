// SPDX-License-Identifier: MIT
//
// What a player carries to shoot with: arrows by kind. Called by bow.c, contact.c and chest.c; keeps the one rule that
// there are never more special arrows than arrows, nor more arrows than a quiver holds.
#ifndef GAME_AMMO
#define GAME_AMMO

#include "game/state.h"

/// Takes the arrow to shoot out of a quiver that is not empty. Special ones first: bombs, then drills, then the others.
enum arrow_kind ammo_draw(struct player *player);

/// Puts arrows of a kind in. What does not fit is lost, but special ones take the places of normal ones.
void ammo_add(struct player *player, enum arrow_kind kind, uint32_t count);

/// True if ammo_add() of one of this kind would change anything.
bool ammo_has_room(const struct player *player, enum arrow_kind kind);

#endif
