// SPDX-License-Identifier: MIT
#include <deadfall_physics/physics.h>
#include <stdio.h>

// A lift carries a walker up to a ledge; a crusher comes down on it.
static enum df_squish_answer squished(struct df_space *space, struct df_squish squish, void *context)
{
    (void)context;
    printf("actor %d: %d px were missing\n", (int)squish.actor, (int)squish.missing_px);
    return df_actor_wiggle(space, squish.actor, 4, 0) ? DF_SQUISH_HANDLED : DF_SQUISH_DESTROY;
}

int main(void)
{
    static const uint8_t kinds[8 * 8] = {[7 * 8] = 1, 1, 1, 1, 1, 1, 1, 1}; // a floor in the last row
    struct df_solid solids[] = {{.x = 8, .y = 48, .w = 24, .h = 8, .flags = DF_SOLID_PRESENT},
                                {.x = 8, .y = 0, .w = 16, .h = 8, .flags = DF_SOLID_PRESENT}};
    struct df_actor actors[] = {{.x = 12, .y = 20, .w = 8, .h = 11, .flags = DF_ACTOR_ALIVE}};
    struct df_space space = {.tiles = {.kinds = kinds, .columns = 8, .rows = 8, .edge_px = 8},
                             .solids = solids,
                             .solid_count = 2,
                             .actors = actors,
                             .actor_count = 1,
                             .rules = {.squish = squished}};
    static uint64_t memory[1024];
    if (df_space_init(&space, memory, sizeof memory) != DF_OK)
        return 1;
    for (uint32_t tick = 1; tick <= 60; tick++) {
        df_tick_begin(&space, tick);
        df_solid_move(&space, 0, 0, tick > 30 ? -100 : 0);
        df_solid_move(&space, 1, 0, tick > 30 ? 160 : 0);
        df_actor_move_y(&space, 0, 300, NULL, NULL); // an actor has no speed: its owner keeps it
    }
    printf("at %d, %d, %s\n", (int)actors[0].x, (int)actors[0].y,
           actors[0].flags & DF_ACTOR_ALIVE ? "alive" : "squished");
    return 0;
}
