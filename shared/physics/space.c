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
