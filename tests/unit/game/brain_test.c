// SPDX-License-Identifier: MIT
// Bots: pure, alive to what is around them, and better the better they are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "game/brain.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;
static struct world before;

static const char *const HALL[] = {"################################", "#..............................#",
                                   "#..............................#", "#..............................#",
                                   "#..............................#", "#..............................#",
                                   "#..............................#", "#...S......................S...#",
                                   "################################", NULL};

static void skills_have_names(void **state)
{
    (void)state;
    assert_string_equal(skill_name(SKILL_IDLE), "idle");
    assert_string_equal(skill_name(SKILL_HARD), "hard");
}

static void thinking_changes_nothing_and_is_repeatable(void **state)
{
    (void)state;
    test_match_draw(&match, HALL);
    test_match_start(&match);
    test_match_put(&match, 0, 40, 64);
    test_match_put(&match, 1, 200, 64);
    for (uint32_t i = 0; i < 200; i++) {
        before = match.world;
        for (uint32_t skill = 0; skill < SKILLS; skill++) {
            const struct player_input a = brain_think(&match.world, &match.map, 0, (enum skill)skill);
            const struct player_input b = brain_think(&match.world, &match.map, 0, (enum skill)skill);
            assert_int_equal(a.buttons, b.buttons);
            assert_int_equal(a.buttons >> BUTTON_BITS, 0);
        }
        assert_memory_equal(&before, &match.world, sizeof before);
        test_match_think(&match, SKILL_NORMAL);
        test_match_step(&match, 1);
    }
}

static void idle_and_the_dead_press_nothing(void **state)
{
    (void)state;
    test_match_draw(&match, HALL);
    test_match_start(&match);
    test_match_put(&match, 0, 40, 64);
    assert_int_equal(brain_think(&match.world, &match.map, 0, SKILL_IDLE).buttons, 0);
    assert_int_equal(brain_think(&match.world, &match.map, 9, SKILL_HARD).buttons, 0);
    match.world.players[0].state = PLAYER_DEAD;
    assert_int_equal(brain_think(&match.world, &match.map, 0, SKILL_HARD).buttons, 0);
}

/// Ticks until slot 0 of a skill has killed an idle enemy in the open.
static uint32_t ticks_to_kill(enum skill skill)
{
    test_match_draw(&match, HALL);
    test_match_start(&match);
    test_match_put(&match, 0, 40, 64);
    struct player *enemy = test_match_put(&match, 1, 200, 64);
    while (enemy->state == PLAYER_ALIVE && match.world.tick < 3600) {
        match.inputs[0] = brain_think(&match.world, &match.map, 0, skill);
        test_match_step(&match, 1);
    }
    return match.world.tick;
}

static void every_thinking_skill_kills_an_idle_enemy(void **state)
{
    (void)state;
    assert_true(ticks_to_kill(SKILL_EASY) < 3600);
    assert_true(ticks_to_kill(SKILL_NORMAL) < 900);
    assert_true(ticks_to_kill(SKILL_HARD) < 600);
}

static void it_runs_from_beneath_a_crusher(void **state)
{
    (void)state;
    test_match_draw(&match, HALL);
    test_map_crusher(&match.map, (struct df_box){100, 8, 32, 16}, 40);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 112, 64);
    test_match_put(&match, 1, 115, 40)->state = PLAYER_DEAD;
    match.world.actors[1].flags = 0;
    match.world.players[1].respawn_tick = 100000;
    while (match.world.traps[0].state != TRAP_RESTING) {
        match.inputs[0] = brain_think(&match.world, &match.map, 0, SKILL_NORMAL);
        test_match_step(&match, 1);
    }
    assert_int_equal(player->state, PLAYER_ALIVE);
}

static void it_runs_over_the_seam_from_a_crusher_at_the_edge(void **state)
{
    (void)state;
    test_match_draw(&match, HALL);
    for (int32_t row = 0; row < match.map.rows - 1; row++)
        match.map.tiles[row * 32] = match.map.tiles[row * 32 + 31] = DF_TILE_EMPTY;
    match.map.outside = DF_OUTSIDE_WRAP;
    test_map_crusher(&match.map, (struct df_box){0, 8, 32, 16}, 40);
    test_match_start(&match);
    match.world.traps[0].state = TRAP_WARNING;
    test_match_put(&match, 0, 254, 64); // two px from its left side, in front of the seam
    const uint32_t buttons = brain_think(&match.world, &match.map, 0, SKILL_HARD).buttons;
    assert_int_equal(buttons & (BUTTON_LEFT | BUTTON_RIGHT), BUTTON_LEFT);
}

static void unarmed_it_fetches_an_arrow(void **state)
{
    (void)state;
    test_match_draw(&match, HALL);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 40, 64);
    player->arrows = 0;
    match.world.arrows[0] = (struct arrow){.state = ARROW_STUCK};
    match.world.actors[PLAYER_CAPACITY] =
        (struct df_actor){.x = 244, .y = 56, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    match.world.arrow_slots = 1;
    while (player->arrows == 0 && match.world.tick < 600) {
        match.inputs[0] = brain_think(&match.world, &match.map, 0, SKILL_HARD);
        test_match_step(&match, 1);
    }
    assert_int_equal(player->arrows, 1);
}

static void it_jumps_over_spikes(void **state)
{
    (void)state;
    static const char *const spikes[] = {
        "########################", "#......................#", "#......................#",
        "#......................#", "#......................#", "#......................#",
        "#.S.......^^........S..#", "########################", NULL};
    test_match_draw(&match, spikes);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 20, 56);
    player->arrows = 0;
    match.world.arrows[0] = (struct arrow){.state = ARROW_STUCK};
    match.world.actors[PLAYER_CAPACITY] =
        (struct df_actor){.x = 170, .y = 50, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    match.world.arrow_slots = 1;
    while (player->arrows == 0 && match.world.tick < 900) {
        match.inputs[0] = brain_think(&match.world, &match.map, 0, SKILL_HARD);
        test_match_step(&match, 1);
        assert_int_equal(player->state, PLAYER_ALIVE);
    }
    assert_int_equal(player->arrows, 1);
}

static void it_climbs_planks_to_a_chest(void **state)
{
    (void)state;
    static const char *const shaft[] = {
        "############", "#..........#", "#..........#", "#...====...#", "#..........#", "#..........#", "#.====.....#",
        "#..........#", "#..........#", "#...====...#", "#..........#", "#.S........#", "############", NULL};
    test_match_draw(&match, shaft);
    test_map_chest(&match.map, 60, 24, 1u << MAP_GIFT_SHIELD, 0);
    test_match_start(&match);
    const struct player *player = test_match_put(&match, 0, 20, 96);
    while (player->shield == 0 && match.world.tick < 600) {
        match.inputs[0] = brain_think(&match.world, &match.map, 0, SKILL_HARD);
        test_match_step(&match, 1);
    }
    assert_int_equal(player->shield, 1);
}

static void it_spares_its_own_team(void **state)
{
    (void)state;
    for (uint32_t team = 1; team <= 2; team++) {
        test_match_draw(&match, HALL);
        test_match_start(&match);
        test_match_put(&match, 0, 40, 64)->team = 1;
        test_match_put(&match, 1, 140, 64)->team = team;
        bool shoots = false;
        for (; match.world.tick < 300 && !shoots; test_match_step(&match, 1)) {
            match.inputs[0] = brain_think(&match.world, &match.map, 0, SKILL_HARD);
            shoots = (match.inputs[0].buttons & BUTTON_SHOOT) != 0;
        }
        assert_int_equal(shoots, team == 2);
    }
}

static void it_runs_on_from_beneath_a_crusher_that_it_can_pass(void **state)
{
    (void)state;
    test_match_draw(&match, HALL);
    test_map_crusher(&match.map, (struct df_box){100, 8, 24, 16}, 40);
    test_match_start(&match);
    match.world.traps[0].state = TRAP_WARNING;
    struct player *player = test_match_put(&match, 0, 108, 64);
    const int32_t speeds[] = {0, 384};
    const uint32_t ways[] = {BUTTON_LEFT, BUTTON_RIGHT};
    for (size_t i = 0; i < 2; i++) {
        player->vx = speeds[i];
        const uint32_t buttons = brain_think(&match.world, &match.map, 0, SKILL_HARD).buttons;
        assert_int_equal(buttons & (BUTTON_LEFT | BUTTON_RIGHT), ways[i]);
    }
}

static void the_better_skill_wins(void **state)
{
    (void)state;
    static const char *const arena[] = {
        "########################################", "#......................................#",
        "#..S................................S..#", "#.#####..........####..........#####...#",
        "#......................................#", "#..........====........====............#",
        "#......................................#", "#...###.......................###......#",
        "#................======................#", "#.......S....................S.........#",
        "########################################", NULL};
    int32_t scores[SKILLS] = {0};
    for (uint32_t seed = 1; seed <= 6; seed++) {
        test_match_draw(&match, arena);
        test_match_start(&match);
        match.world.rules.seed = seed;
        for (uint32_t slot = 0; slot < 8; slot++)
            assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_JOIN, .slot = slot}));
        for (uint32_t i = 0; i < 3900; i++) {
            for (uint32_t slot = 0; slot < 8; slot++)
                match.inputs[slot] = brain_think(&match.world, &match.map, slot, (enum skill)(SKILL_RANDOM + slot % 4));
            test_match_step(&match, 1);
        }
        for (uint32_t slot = 0; slot < 8; slot++)
            scores[SKILL_RANDOM + slot % 4] += (int32_t)match.world.players[slot].kills;
    }
    print_message("kills: random %d, easy %d, normal %d, hard %d\n", scores[1], scores[2], scores[3], scores[4]);
    assert_true(scores[SKILL_EASY] > scores[SKILL_RANDOM]);
    assert_true(scores[SKILL_NORMAL] > scores[SKILL_EASY]);
    assert_true(scores[SKILL_HARD] > scores[SKILL_NORMAL]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skills_have_names),
        cmocka_unit_test(thinking_changes_nothing_and_is_repeatable),
        cmocka_unit_test(idle_and_the_dead_press_nothing),
        cmocka_unit_test(every_thinking_skill_kills_an_idle_enemy),
        cmocka_unit_test(it_runs_from_beneath_a_crusher),
        cmocka_unit_test(it_runs_over_the_seam_from_a_crusher_at_the_edge),
        cmocka_unit_test(unarmed_it_fetches_an_arrow),
        cmocka_unit_test(it_jumps_over_spikes),
        cmocka_unit_test(it_climbs_planks_to_a_chest),
        cmocka_unit_test(it_spares_its_own_team),
        cmocka_unit_test(it_runs_on_from_beneath_a_crusher_that_it_can_pass),
        cmocka_unit_test(the_better_skill_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
