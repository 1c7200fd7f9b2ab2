// SPDX-License-Identifier: MIT
// Property: whatever everybody presses, on any map, the world stays sound and nobody alive is inside of anything.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "game/brain.h"
#include "game/rng.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static bool is_inside_of_something(uint32_t actor)
{
    const struct df_actor *a = &match.world.actors[actor];
    const struct df_box box = {a->x, a->y, a->w, a->h};
    const struct df_tiles tiles = {.kinds = match.map.tiles,
                                   .broken = match.world.broken,
                                   .columns = match.map.columns,
                                   .rows = match.map.rows,
                                   .edge_px = MAP_EDGE_PX,
                                   .outside = (enum df_outside)match.map.outside};
    if (df_tiles_block(&tiles, box))
        return true;
    for (uint32_t i = 0; i < match.world.solid_count; i++) {
        const struct df_solid *s = &match.world.solids[i];
        if ((s->flags & DF_SOLID_ONEWAY) == 0 && df_box_overlaps(box, (struct df_box){s->x, s->y, s->w, s->h}))
            return true;
    }
    return false;
}

static void nobody_alive_is_inside_of_anything(uint32_t seed)
{
    for (uint32_t slot = 0; slot < match.world.player_slots; slot++)
        if (match.world.players[slot].state == PLAYER_ALIVE && is_inside_of_something(slot)) {
            fprintf(stderr, "seed %u, tick %u: player %u is inside of something\n", seed, match.world.tick, slot);
            fail();
        }
    for (uint32_t slot = 0; slot < match.world.arrow_slots; slot++)
        if (match.world.arrows[slot].state != ARROW_ABSENT && is_inside_of_something(PLAYER_CAPACITY + slot)) {
            fprintf(stderr, "seed %u, tick %u: arrow %u is inside of something\n", seed, match.world.tick, slot);
            fail();
        }
}

static void press(uint32_t *dice)
{
    for (uint32_t slot = 0; slot < match.world.player_slots; slot++) {
        if (slot % 3 == 0)
            match.inputs[slot] = brain_think(&match.world, &match.map, slot, SKILL_HARD);
        else if (rng_below(dice, 4) == 0)
            match.inputs[slot].buttons = rng_next(dice) & rng_next(dice) & 0xFF;
    }
}

static void come_and_go(uint32_t *dice)
{
    const uint32_t slot = rng_below(dice, 64);
    const bool there = match.world.players[slot].state != PLAYER_ABSENT;
    assert_true(world_command(&match.world, &match.map,
                              &(struct command){.kind = there ? COMMAND_LEAVE : COMMAND_JOIN, .slot = slot}));
}

static void play(uint32_t seed, uint32_t players, uint32_t ticks)
{
    uint32_t dice = seed;
    test_map_random(&match.map, seed, 24 + (int32_t)rng_below(&dice, 60), 20 + (int32_t)rng_below(&dice, 40));
    test_match_start(&match);
    match.world.rules.score_limit = 10;
    for (uint32_t slot = 0; slot < players; slot++)
        assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_JOIN, .slot = slot}));
    for (; ticks > 0; ticks--) {
        press(&dice);
        if (rng_below(&dice, 100) == 0)
            come_and_go(&dice);
        test_match_step(&match, 1);
        if (!world_is_sound(&match.world, &match.map)) {
            fprintf(stderr, "seed %u, tick %u: the world is not sound\n", seed, match.world.tick);
            fail();
        }
        nobody_alive_is_inside_of_anything(seed);
    }
}

static void sixteen_players_on_many_maps(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 30; seed++)
        play(seed, 16, 600);
}

static void sixty_four_players_on_a_few_maps(void **state)
{
    (void)state;
    for (uint32_t seed = 101; seed <= 106; seed++)
        play(seed, 64, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_players_on_many_maps),
        cmocka_unit_test(sixty_four_players_on_a_few_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
