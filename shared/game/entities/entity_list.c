// SPDX-License-Identifier: MIT
#include "entity_list.h"

#include "chest.h"

// One kind of entity. NULL: nothing is to be done.
struct entity {
    void (*start)(struct world *world, const struct map *map);
    void (*begin_round)(struct step *step);
    void (*forget)(struct world *world, uint32_t reference);
    void (*explode)(struct step *step, const struct explosion *explosion);
    bool (*is_valid)(const struct world *world, const struct map *map);
    // Of those that are shown:
    const char *list;
    struct entity_sight (*show)(const struct world *world, const struct map *map, uint32_t index);
    // Of those that have actors:
    void (*squish)(struct step *step, uint32_t index);
    bool (*is_supply)(const struct world *world, uint32_t index);
    uint32_t first_actor, actor_capacity;
    // Of both:
    size_t count_offset; // of the number in use, in struct world
};

#define COUNT(member)           .count_offset = offsetof(struct world, member)
#define ACTORS(first, capacity) .first_actor = (first), .actor_capacity = (capacity)

static uint32_t count_of(const struct entity *entity, const struct world *world)
{
    return *(const uint32_t *)(const void *)((const char *)world + entity->count_offset);
}

// Blocks come back last: not while something is inside.
static const struct entity ENTITIES[] = {
    // and crushers: all solids of the map
    {.start = mover_start, .is_valid = mover_is_valid, .list = "solids", .show = mover_show, COUNT(solid_count)},
    {.begin_round = arrow_begin_round,
     .forget = arrow_forget,
     .explode = arrow_explode,
     .is_valid = arrow_is_valid,
     .list = "arrows",
     .show = arrow_show,
     .squish = arrow_break,
     .is_supply = arrow_is_supply,
     ACTORS(PLAYER_CAPACITY, ARROW_CAPACITY),
     COUNT(arrow_slots)},
    {.start = ball_start,
     .begin_round = ball_begin_round,
     .forget = ball_forget,
     .explode = ball_explode,
     .is_valid = ball_is_valid,
     .list = "balls",
     .show = ball_show,
     COUNT(ball_count)},
    {.start = chest_start,
     .begin_round = chest_begin_round,
     .forget = chest_forget,
     .explode = chest_explode,
     .is_valid = chest_is_valid,
     .list = "chests",
     .show = chest_show,
     .squish = chest_break,
     .is_supply = chest_is_supply,
     ACTORS(CHEST_ACTORS, MAP_CHEST_CAPACITY),
     COUNT(chest_count)},
    {.start = sudden_death_start, .begin_round = sudden_death_reset, .is_valid = sudden_death_is_valid},
    {.start = switch_start, .begin_round = switch_begin_round, .is_valid = switch_is_valid},
    {.start = block_start, .begin_round = block_begin_round, .is_valid = block_is_valid},
};

#define ENTITY_COUNT (sizeof ENTITIES / sizeof *ENTITIES)

void entity_list_start(struct world *world, const struct map *map)
{
    for (size_t i = 0; i < ENTITY_COUNT; i++)
        if (ENTITIES[i].start != NULL)
            ENTITIES[i].start(world, map);
}

void entity_list_begin_round(struct step *step)
{
    for (size_t i = 0; i < ENTITY_COUNT; i++)
        if (ENTITIES[i].begin_round != NULL)
            ENTITIES[i].begin_round(step);
}

void entity_list_forget(struct world *world, uint32_t slot)
{
    for (size_t i = 0; i < ENTITY_COUNT; i++)
        if (ENTITIES[i].forget != NULL)
            ENTITIES[i].forget(world, slot + 1);
}

void entity_list_explode(struct step *step, const struct explosion *explosion)
{
    for (size_t i = 0; i < ENTITY_COUNT; i++)
        if (ENTITIES[i].explode != NULL)
            ENTITIES[i].explode(step, explosion);
}

bool entity_list_squish(struct step *step, uint32_t actor)
{
    for (const struct entity *entity = ENTITIES; entity < ENTITIES + ENTITY_COUNT; entity++)
        if (entity->squish != NULL && actor >= entity->first_actor &&
            actor - entity->first_actor < entity->actor_capacity) {
            entity->squish(step, actor - entity->first_actor);
            return true;
        }
    return false;
}

uint32_t entity_list_next_supply(const struct world *world, uint32_t actor)
{
    for (const struct entity *entity = ENTITIES; entity < ENTITIES + ENTITY_COUNT; entity++) {
        if (entity->is_supply == NULL)
            continue;
        uint32_t count = count_of(entity, world);
        uint32_t index = actor > entity->first_actor ? actor - entity->first_actor : 0;
        for (; index < count; index++)
            if (entity->is_supply(world, index))
                return entity->first_actor + index;
    }
    return ACTOR_CAPACITY;
}

void entity_list_show(const struct world *world, const struct map *map, const struct entity_viewer *viewer)
{
    for (const struct entity *entity = ENTITIES; entity < ENTITIES + ENTITY_COUNT; entity++) {
        if (entity->show == NULL)
            continue;
        viewer->begin(viewer->state, entity->list);
        for (uint32_t index = 0; index < count_of(entity, world); index++) {
            struct entity_sight sight = entity->show(world, map, index);
            if (sight.count > 0)
                viewer->see(viewer->state, &sight);
        }
    }
}

bool entity_list_is_valid(const struct world *world, const struct map *map)
{
    for (size_t i = 0; i < ENTITY_COUNT; i++)
        if (ENTITIES[i].is_valid != NULL && !ENTITIES[i].is_valid(world, map))
            return false;
    return true;
}
