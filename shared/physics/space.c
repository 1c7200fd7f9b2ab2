// SPDX-License-Identifier: MIT
#include "space.h"

#include <string.h>

#include "sweep.h"
#include "tile_grid.h"

// The sets and lists of the index come after its head, aligned as its memory.
#define ALIGNMENT        8
#define BROADPHASE_BYTES ((sizeof(struct df_broadphase) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

static bool counts_are_valid(const struct df_space *space)
{
    return space->solid_count >= 0 && space->solid_count <= DF_COORDINATE_PX_MAX && space->actor_count >= 0 &&
           space->actor_count <= DF_COORDINATE_PX_MAX && space->ball_count >= 0 &&
           space->ball_count <= DF_COORDINATE_PX_MAX;
}

static bool arrays_are_there(const struct df_space *space)
{
    return (space->solids != NULL || space->solid_count == 0) && (space->actors != NULL || space->actor_count == 0) &&
           (space->balls != NULL || space->ball_count == 0);
}

size_t df_index_bytes(const struct df_space *space)
{
    if (!df_tile_grid_is_valid(&space->tiles) || !counts_are_valid(space))
        return 0;
    struct df_broadphase broadphase;
    return BROADPHASE_BYTES + df_broadphase_layout(&broadphase, space, NULL);
}

enum df_result df_space_init(struct df_space *space, void *memory, size_t memory_bytes)
{
    size_t needed_bytes = df_index_bytes(space);
    if (memory == NULL || (uintptr_t)memory % ALIGNMENT != 0 || needed_bytes == 0 || memory_bytes < needed_bytes ||
        !arrays_are_there(space))
        return DF_OUT_OF_RANGE;
    struct df_space built; // the caller's part, because a failure changes nothing
    memcpy(&built, space, offsetof(struct df_space, broadphase));
    built.broadphase = memory;
    built.moving = false;
    df_broadphase_layout(built.broadphase, space, (unsigned char *)memory + BROADPHASE_BYTES);
    if (!df_broadphase_rebuild(&built))
        return DF_OUT_OF_RANGE;
    space->broadphase = memory;
    space->moving = false;
    space->squishing = NULL;
    space->waiting_count = 0;
    return DF_OK;
}

void df_space_refresh(struct df_space *space)
{
    df_broadphase_rebuild(space);
}

void df_tick_begin(struct df_space *space, uint32_t tick)
{
    space->tick = tick;
}

bool df_space_blocked(const struct df_space *space, struct df_box box)
{
    return df_sweep_blocked(space, box);
}

// As many bodies near a box as are sorted. If there are more, the box is large, and all bodies of the space are looked
// at in their order: one way is short, the other one has a bound.
#define NEAR_CAPACITY 64

// Bodies near a box in index order, each once.
struct near {
    int32_t indices[NEAR_CAPACITY];
    int32_t count; ///< NEAR_CAPACITY + 1: too many
};

static void insert(struct near *near, int32_t index)
{
    int32_t i = near->count;
    while (i > 0 && near->indices[i - 1] > index)
        i--;
    if (i > 0 && near->indices[i - 1] == index)
        return;
    if (near->count < NEAR_CAPACITY) {
        memmove(&near->indices[i + 1], &near->indices[i], (size_t)(near->count - i) * sizeof index);
        near->indices[i] = index;
    }
    near->count++;
}

static bool solid_overlaps(const struct df_space *space, int32_t i, struct df_box box)
{
    const struct df_solid *solid = &space->solids[i];
    struct df_box there = df_solid_box(solid);
    return df_body_is_present(solid) && df_broadphase_accepts(space->broadphase, there) &&
           !df_broadphase_hides(space->broadphase, i) && df_broadphase_overlaps(space->broadphase, there, box);
}

static bool actor_overlaps(const struct df_space *space, int32_t i, struct df_box box)
{
    const struct df_actor *actor = &space->actors[i];
    struct df_box there = df_actor_box(actor);
    return df_body_is_alive(actor) && df_broadphase_accepts(space->broadphase, there) &&
           df_broadphase_overlaps(space->broadphase, there, box);
}

static void find_solids(const struct df_space *space, struct df_box box, struct near *found)
{
    struct df_near_solids near = df_broadphase_near(space->broadphase, box);
    for (int32_t i = df_broadphase_next(&near); i >= 0 && found->count <= NEAR_CAPACITY; i = df_broadphase_next(&near))
        if (solid_overlaps(space, i, box))
            insert(found, i);
}

static void find_actors(const struct df_space *space, struct df_box box, struct near *found)
{
    const struct df_broadphase *broadphase = space->broadphase;
    for (int32_t i = 0; i < broadphase->grid_count; i++) {
        struct df_cells cells = df_broadphase_actor_cells(broadphase, i, box);
        for (int32_t n = 0; n < cells.columns * cells.rows && found->count <= NEAR_CAPACITY; n++)
            for (int32_t actor = broadphase->in_cells.first[df_broadphase_nth_cell(broadphase, cells, n)];
                 actor >= 0 && found->count <= NEAR_CAPACITY; actor = broadphase->in_cells.next[actor])
                if (actor_overlaps(space, actor, box))
                    insert(found, actor);
    }
}

// How to list bodies of one sort.
struct sort {
    void (*find)(const struct df_space *space, struct df_box box, struct near *found);
    bool (*overlaps)(const struct df_space *space, int32_t i, struct df_box box);
    int32_t count; ///< of all bodies
};

static int32_t list(const struct df_space *space, struct df_box box, struct sort sort, int32_t *list, int32_t capacity)
{
    struct near near;
    near.count = 0;
    if (!df_broadphase_accepts(space->broadphase, box))
        return 0;
    sort.find(space, box, &near);
    if (near.count <= NEAR_CAPACITY) {
        if (capacity > 0)
            memcpy(list, near.indices, (size_t)(near.count < capacity ? near.count : capacity) * sizeof *list);
        return near.count;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < sort.count; i++)
        if (sort.overlaps(space, i, box)) {
            if (count < capacity)
                list[count] = i;
            count++;
        }
    return count;
}

int32_t df_list_solids(const struct df_space *space, struct df_box box, int32_t *solids, int32_t capacity)
{
    return list(space, box, (struct sort){find_solids, solid_overlaps, space->solid_count}, solids, capacity);
}

int32_t df_list_actors(const struct df_space *space, struct df_box box, int32_t *actors, int32_t capacity)
{
    return list(space, box, (struct sort){find_actors, actor_overlaps, space->actor_count}, actors, capacity);
}

// Returns the first index after one, whatever that is, or `count`.
static int32_t index_after(int32_t after, int32_t count)
{
    if (after < 0)
        return 0;
    return after < count ? after + 1 : count;
}

int32_t df_next_solid(const struct df_space *space, int32_t after)
{
    for (int32_t i = index_after(after, space->solid_count); i < space->solid_count; i++)
        if (df_body_is_present(&space->solids[i]))
            return i;
    return -1;
}

int32_t df_next_actor(const struct df_space *space, int32_t after)
{
    for (int32_t i = index_after(after, space->actor_count); i < space->actor_count; i++)
        if (df_body_is_alive(&space->actors[i]))
            return i;
    return -1;
}

int32_t df_next_ball(const struct df_space *space, int32_t after)
{
    for (int32_t i = index_after(after, space->ball_count); i < space->ball_count; i++)
        if ((space->balls[i].flags & DF_BALL_ALIVE) != 0)
            return i;
    return -1;
}
