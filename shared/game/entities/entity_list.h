// SPDX-License-Identifier: MIT
//
// All entities of a map, one row each in entity_list.c: what each does when a world or a round begins, when a player
// leaves, when something explodes or is squished, how it is drawn elsewhere, and what holds for it in a decoded world.
// Their phases are calls of world_step(), since players act between them.
#ifndef ENTITIES_ENTITY_LIST_H
#define ENTITIES_ENTITY_LIST_H

#include "entities.h"

/// Puts the entities of a map into a new world.
void entity_list_start(struct world *world, const struct map *map);

/// Puts all entities back for a new round. After the bodies of players have been laid down.
void entity_list_begin_round(struct step *step);

/// Removes every reference to a player who leaves.
void entity_list_forget(struct world *world, uint32_t slot);

/// Lets an explosion work on all entities but blocks, which have broken before.
void entity_list_explode(struct step *step, const struct explosion *explosion);

/// Breaks the entity that has this actor. Returns false if that is a player.
bool entity_list_squish(struct step *step, uint32_t actor);

/// Returns the next actor from `actor` on that a player may want to fetch, an arrow or what gives some; ACTOR_CAPACITY
/// if there is none.
uint32_t entity_list_next_supply(const struct world *world, uint32_t actor);

/// Somebody who sees a world as numbers.
struct entity_viewer {
    void *state;
    void (*begin)(void *state, const char *list); ///< what follows is of a list, such as "chests"
    void (*see)(void *state, const struct entity_sight *sight);
};

/// Shows all entities that can be seen, list by list; a list begins also if it is empty. What belongs to the tiles of
/// the map, its blocks and switches, is in none.
void entity_list_show(const struct world *world, const struct map *map, const struct entity_viewer *viewer);

/// Returns true if all entities of a decoded world are possible on this map. Its fields are in their ranges.
bool entity_list_is_valid(const struct world *world, const struct map *map);

#endif
