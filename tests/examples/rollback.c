// SPDX-License-Identifier: MIT
//
// Rollback over 8 ticks: two players, one of them far away. This machine guesses that the other one goes on as
// before. When the true input comes, 8 ticks late, it restores the world of then, and steps to the present again. A
// world is its arrays: to save it, copy them; to restore it, copy them back and call df_space_refresh().
#include <deadfall_physics/physics.h>
#include <stdio.h>
#include <string.h>

enum { PLAYERS = 2, SOLIDS = 3, DELAY = 8, TICKS = 600 };

// All that a tick changes.
struct state {
    struct df_solid solids[SOLIDS];
    struct df_actor actors[PLAYERS];
    int32_t speed_y[PLAYERS];
    uint32_t tick;
};

struct machine {
    struct state now, saved[DELAY + 1]; // saved[t % (DELAY + 1)]: before tick t
    struct df_space space;
    uint64_t memory[1024];
};

// The buttons of a player in a tick: bit 0 left, 1 right, 2 jump. They change every 13 ticks.
static unsigned input_of(int player, uint32_t tick)
{
    uint32_t mixed = (tick / 13 * 2 + (uint32_t)player + 1) * 2654435761u;
    return mixed >> 29;
}

static bool begin(struct machine *machine)
{
    static const struct df_solid solids[SOLIDS] = {{.x = 0, .y = 100, .w = 200, .h = 8, .flags = DF_SOLID_PRESENT},
                                                   {.x = 60, .y = 60, .w = 40, .h = 8, .flags = DF_SOLID_PRESENT},
                                                   {.x = 20, .y = 89, .w = 8, .h = 11, .flags = DF_SOLID_PRESENT}};
    memcpy(machine->now.solids, solids, sizeof solids);
    for (int i = 0; i < PLAYERS; i++)
        machine->now.actors[i] = (struct df_actor){.x = 50 + 60 * i, .y = 89, .w = 8, .h = 11, .flags = DF_ACTOR_ALIVE};
    machine->space.solids = machine->now.solids;
    machine->space.solid_count = SOLIDS;
    machine->space.actors = machine->now.actors;
    machine->space.actor_count = PLAYERS;
    return df_space_init(&machine->space, machine->memory, sizeof machine->memory) == DF_OK;
}

static void step(struct machine *machine, const unsigned inputs[PLAYERS])
{
    struct state *now = &machine->now;
    struct df_space *space = &machine->space;
    df_tick_begin(space, ++now->tick);
    df_solid_move(space, 1, now->tick / 50 % 2 == 0 ? 200 : -200, now->tick / 80 % 2 == 0 ? 90 : -90);
    df_solid_move(space, 2, now->tick / 200 % 2 == 0 ? 150 : -150, 0);
    for (int i = 0; i < PLAYERS; i++) {
        bool stands = df_actor_ground(space, i).kind != DF_HIT_NONE;
        now->speed_y[i] = stands ? ((inputs[i] & 4) != 0 ? -700 : 0) : now->speed_y[i] + 40;
        df_actor_move_x(space, i, 300 * ((int32_t)(inputs[i] >> 1 & 1) - (int32_t)(inputs[i] & 1)), NULL, NULL);
        df_actor_move_y(space, i, now->speed_y[i], NULL, NULL);
    }
}

int main(void)
{
    static struct machine judge, here;
    uint32_t rolled_back = 0;
    if (!begin(&judge) || !begin(&here))
        return 1;
    for (uint32_t tick = 0; tick < TICKS + DELAY; tick++) {
        // The true input of the other player in tick - DELAY is here: was the guess right?
        uint32_t then = tick - DELAY;
        if (tick > DELAY && input_of(1, then) != input_of(1, then - 1)) {
            here.now = here.saved[then % (DELAY + 1)];
            df_space_refresh(&here.space);
            rolled_back++;
        }
        while (here.now.tick <= tick && here.now.tick < TICKS) {
            uint32_t at = here.now.tick, known = tick < DELAY ? 0 : then < at ? then : at;
            unsigned inputs[PLAYERS] = {input_of(0, at), input_of(1, known)};
            here.saved[at % (DELAY + 1)] = here.now;
            step(&here, inputs);
        }
        if (tick < TICKS)
            step(&judge, (unsigned[PLAYERS]){input_of(0, tick), input_of(1, tick)});
    }
    bool same = memcmp(&judge.now, &here.now, sizeof judge.now) == 0;
    printf("%d ticks, %u times rolled back, %s world\n", TICKS, (unsigned)rolled_back, same ? "the same" : "another");
    return same ? 0 : 1;
}
