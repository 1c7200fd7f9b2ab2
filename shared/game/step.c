// SPDX-License-Identifier: MIT
#include "step.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "event.h"
#include "tuning.h"
#include "variant.h"

void step_begin(struct step *step, struct world *world, const struct map *map, struct df_rules rules, void *memory)
{
    step->tuning = variant_tuning(&world->rules, &step->own_tuning);
    // Every player may shoot in this tick, and leave a bomb. The actors of chests come after those of all arrows.
    uint32_t room = world->arrow_slots + world->player_slots * (step->tuning->death_fuse_ticks > 0 ? 2 : 1);
    uint32_t arrows = world->chest_count > 0 || room > ARROW_CAPACITY ? ARROW_CAPACITY : room;
    // Does not clear all of the step: explosions are counted, and df_space_init() fills the rest of the space.
    struct df_space *space = &step->space;
    step->world = world;
    step->map = map;
    step->explosion_count = 0;
    memset(step->damages, 0, sizeof step->damages);
    space->tiles = (struct df_tiles){.kinds = map->tiles,
                                     .broken = world->broken,
                                     .columns = map->columns,
                                     .rows = map->rows,
                                     .edge_px = MAP_EDGE_PX,
                                     .outside = (enum df_outside)map->outside};
    space->solids = world->solids;
    space->actors = world->actors;
    space->balls = world->balls;
    space->solid_count = (int32_t)world->solid_count;
    space->actor_count = (int32_t)(PLAYER_CAPACITY + arrows + world->chest_count);
    space->ball_count = (int32_t)world->ball_count;
    space->rules = rules;
    space->context = step;
    enum df_result result = df_space_init(space, memory, STEP_INDEX_BYTES);
    assert(result == DF_OK);
    (void)result;
    df_tick_begin(space, world->tick);
}

static int64_t gap_twice(int32_t way, int32_t length)
{
    int32_t gap = (way < 0 ? -way : way) - length;
    return gap > 0 ? gap : 0;
}

bool step_is_within(const struct step *step, struct df_box from, int32_t radius_px, struct df_box box)
{
    int32_t dx, dy;
    step_way_twice(step, from, box, &dx, &dy);
    int64_t gx = gap_twice(dx, box.w), gy = gap_twice(dy, box.h), reach = 2 * radius_px;
    return gx * gx + gy * gy < reach * reach;
}

bool step_is_lost(const struct step *step, struct df_box box)
{
    int32_t far = TUNING.lost_px;
    return box.x + box.w < -far || box.x > step->map->columns * MAP_EDGE_PX + far || box.y + box.h < -4 * far ||
           box.y > step->map->rows * MAP_EDGE_PX + far;
}

void step_put_actor(struct step *step, uint32_t actor, struct df_actor value)
{
    step->world->actors[actor] = value;
    df_actor_changed(&step->space, (int32_t)actor);
}

void step_explode(struct step *step, struct df_box from, uint32_t owner)
{
    event_push(step->world, EVENT_EXPLODE, from.x + from.w / 2, from.y + from.h / 2, step_slot_of(owner), EVENT_NOBODY,
               0);
    if (step->explosion_count < ARROW_CAPACITY)
        step->explosions[step->explosion_count++] = (struct explosion){from, owner};
}
