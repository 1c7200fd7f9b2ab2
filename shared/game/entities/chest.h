// SPDX-License-Identifier: MIT
//
// Chests: boxes that fall, are carried and pushed like players, and begin to open when a living player touches them.
// What is inside is not part of the world, so that no client can foresee it: a command of the server says it before the
// next step. A squish or an explosion breaks a chest, and its gift is lost. After its time a chest comes back to its
// place as soon as that is free. Chest c is actor CHEST_ACTORS + c.
#ifndef GAME_CHEST
#define GAME_CHEST

#include "entities.h"

/// Phase: chests fall, begin to open, and come back.
void chest_step(struct step *step);

/// Gives a gift (enum map_gift) to the opener of a chest, if they are still alive, and removes the chest. Returns
/// false, and changes nothing, if the chest is not the first of those that are opening, or never has this gift.
bool chest_open(struct world *world, const struct map *map, uint32_t chest, uint32_t gift);

/// Returns the gift that 32 random bits draw from a chest, by their weights in GIFT_TABLE.
enum map_gift chest_draw(const struct map_chest *chest, uint32_t random);

/// Removes a closed chest with an event; it comes back after its time.
void chest_break(struct step *step, uint32_t chest);

/// Its row in entity_list.c, as entities.h says. At the beginning of a world and of a round all chests are away; each
/// comes back in the next tick in which its place is free.
void chest_start(struct world *world, const struct map *map);
void chest_begin_round(struct step *step);
void chest_forget(struct world *world, uint32_t reference);
void chest_explode(struct step *step, const struct explosion *explosion);
/// Its box, px, while it is closed.
struct entity_sight chest_show(const struct world *world, const struct map *map, uint32_t chest);
bool chest_is_supply(const struct world *world, uint32_t chest);
bool chest_is_valid(const struct world *world, const struct map *map);

#endif
