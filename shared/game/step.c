// SPDX-License-Identifier: MIT
#include "step.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

bool step_is_within(const struct step *step, struct df_box from, int32_t radius_px, struct df_box box)
{
    int32_t dx, dy;
    step_way_twice(step, from, box, &dx, &dy);
    int64_t gx = abs(dx) - box.w, gy = abs(dy) - box.h, reach = 2 * radius_px;
    gx = gx > 0 ? gx : 0;
    gy = gy > 0 ? gy : 0;
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

// Distance between two places that are searched for a wall, and radius in the middle without a search, half px.
#define LOOK_TWICE 8

bool step_explosion_hits(const struct step *step, const struct explosion *explosion, int32_t radius_px,
                         struct df_box box)
{
    int32_t dx, dy;
    if (!step_is_within(step, explosion->from, radius_px, box))
        return false;
    step_way_twice(step, explosion->from, box, &dx, &dy);
    int32_t x_twice = 2 * explosion->from.x + explosion->from.w, y_twice = 2 * explosion->from.y + explosion->from.h;
    int32_t longer = abs(dx) > abs(dy) ? abs(dx) : abs(dy), looks = longer / LOOK_TWICE;
    for (int32_t i = 1; i < looks; i++) {
        // The pixel at a doubled coordinate, or the two pixels that it lies between.
        int32_t at_x = x_twice + dx * i / looks, at_y = y_twice + dy * i / looks;
        int32_t x = df_floor_div(at_x - 1, 2), y = df_floor_div(at_y - 1, 2);
        struct df_box point = {x, y, df_floor_div(at_x, 2) - x + 1, df_floor_div(at_y, 2) - y + 1};
        if (df_space_blocked(&step->space, point))
            return false;
    }
    return true;
}

void step_explosion_push(const struct step *step, const struct explosion *explosion, struct df_box box, int32_t speed,
                         int32_t *vx, int32_t *vy)
{
    int32_t dx, dy;
    step_way_twice(step, explosion->from, box, &dx, &dy);
    int32_t longer = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    *vx = longer > 0 ? dx * speed / longer : 0;
    *vy = longer > 0 ? dy * speed / longer : -speed;
}
