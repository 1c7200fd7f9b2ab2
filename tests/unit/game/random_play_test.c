// SPDX-License-Identifier: MIT
// Property: under random inputs on random maps the world stays valid, and no living player is inside a solid.
#include <stdio.h>

#include "base/random.h"
#include "game/ai/ai.h"
#include "game/rules/team.h"
#include "game/variant.h"
#include "seeds.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static bool is_inside_of_something(uint32_t actor)
{
    const struct df_actor *a = &match.world.actors[actor];
    struct df_box box = {a->x, a->y, a->w, a->h};
    struct df_tiles tiles = {.kinds = match.map.tiles,
                             .broken = match.world.broken,
                             .columns = match.map.columns,
                             .rows = match.map.rows,
                             .edge_px = MAP_EDGE_PX,
                             .outside = (enum df_outside)match.map.outside};
    if (df_tiles_block(&tiles, box))
        return true;
    for (uint32_t i = 0; i < match.world.solid_count; i++) {
        const struct df_solid *s = &match.world.solids[i];
        if ((s->flags & (DF_SOLID_PRESENT | DF_SOLID_ONEWAY)) == DF_SOLID_PRESENT &&
            map_overlaps(&match.map, box, (struct df_box){s->x, s->y, s->w, s->h}))
            return true;
    }
    return false;
}

static void nobody_alive_is_inside_of_anything(uint32_t seed)
{
    for (uint32_t slot = 0; slot < match.world.player_slots; slot++)
        if (match.world.players[slot].state == PLAYER_ALIVE && is_inside_of_something(slot)) {
            fprintf(stderr, "seed %u, tick %u: player %u is inside a solid or a wall\n", seed, match.world.tick, slot);
            fail();
        }
    for (uint32_t slot = 0; slot < match.world.arrow_slots; slot++)
        if (match.world.arrows[slot].state != ARROW_ABSENT && is_inside_of_something(PLAYER_CAPACITY + slot)) {
            fprintf(stderr, "seed %u, tick %u: arrow %u is inside a solid or a wall\n", seed, match.world.tick, slot);
            fail();
        }
}

static void no_chest_is_inside_of_anything(uint32_t seed)
{
    for (uint32_t chest = 0; chest < match.world.chest_count; chest++)
        if (match.world.chests[chest].state == CHEST_CLOSED && is_inside_of_something(CHEST_ACTORS + chest)) {
            fprintf(stderr, "seed %u, tick %u: chest %u is inside a solid or a wall\n", seed, match.world.tick, chest);
            fail();
        }
}

static void press(uint32_t *dice)
{
    for (uint32_t slot = 0; slot < match.world.player_slots; slot++)
        if (slot % 3 == 0)
            match.inputs[slot] = ai_think(&match.world, &match.map, NULL, slot, SKILL_HARD);
        else if (random_below(dice, 4) == 0)
            match.inputs[slot].buttons = random_next(dice) & random_next(dice) & 0xFF;
}

static void come_and_go(uint32_t *dice)
{
    uint32_t slot = random_below(dice, 64);
    bool there = match.world.players[slot].state != PLAYER_ABSENT;
    uint32_t choice = random_below(dice, 4);
    bool accepted =
        world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_TEAM, .slot = slot, .team = choice});
    bool names_team = choice == TEAM_ONE || choice == TEAM_TWO;
    assert_int_equal(accepted, there && !(names_team && !team_mode(&match.world)));
    if (choice != TEAM_SPECTATE)
        return;
    assert_true(world_command(&match.world, &match.map,
                              &(struct command){.kind = there ? COMMAND_LEAVE : COMMAND_JOIN, .slot = slot}));
}

// What the machines of a map have done.
static struct deeds {
    uint32_t on[MAP_SWITCH_CAPACITY], off[MAP_SWITCH_CAPACITY];
    uint32_t broken, returned;
    uint32_t carried[SOLID_CAPACITY]; ///< ticks in which the solid carried somebody
} deeds;

static void note_deeds(uint32_t events_before)
{
    const struct world *world = &match.world;
    for (uint32_t i = events_before; i < world->event_count; i++) {
        const struct event *event = &world->events[i % EVENT_CAPACITY];
        if (event->kind == EVENT_SWITCH)
            (event->detail % 2 ? deeds.on : deeds.off)[event->detail / 2]++;
        deeds.broken += event->kind == EVENT_BREAK && event->detail == 0;
        deeds.returned += event->kind == EVENT_RETURN;
    }
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (world->actors[slot].carrier != 0 && world->actors[slot].carried_tick == world->tick)
            deeds.carried[world->actors[slot].carrier - 1]++;
}

static void play_here(uint32_t seed, uint32_t players, uint32_t ticks, int32_t score_limit)
{
    uint32_t dice = seed;
    test_match_start_mode(&match, (enum mode)(seed % MODES));
    match.world.rules.score_limit = score_limit;
    match.world.rules.friendly_fire = seed / MODES % 2;
    match.world.rules.variants = seed % 2 ? seed * 2654435761u >> (32 - VARIANTS) : 0;
    for (uint32_t slot = 0; slot < players; slot++)
        assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_JOIN, .slot = slot}));
    for (; ticks > 0; ticks--) {
        press(&dice);
        if (random_below(&dice, 100) == 0)
            come_and_go(&dice);
        uint32_t events_before = match.world.event_count;
        test_match_step(&match, 1);
        note_deeds(events_before);
        if (!world_validate(&match.world, &match.map)) {
            fprintf(stderr, "seed %u, tick %u: the world is not valid\n", seed, match.world.tick);
            fail();
        }
        nobody_alive_is_inside_of_anything(seed);
        no_chest_is_inside_of_anything(seed);
    }
}

static void play(uint32_t seed, uint32_t players, uint32_t ticks)
{
    uint32_t dice = seed;
    int32_t columns = 24 + (int32_t)random_below(&dice, 60), rows = 20 + (int32_t)random_below(&dice, 40);
    test_map_random(&match.map, seed, columns, rows);
    play_here(seed, players, ticks, 10);
}

TEST(every_machine_works_among_players)
{
    test_map_machines(&match.map);
    deeds = (struct deeds){0};
    for (uint32_t seed = 1; seed <= seeds_asked(2) * MODES; seed++)
        play_here(seed, 32, 3000, 0);
    for (int32_t i = 0; i < match.map.switch_count; i++)
        if (deeds.on[i] == 0 || deeds.off[i] == 0)
            fail_msg("switch %d went %u times on and %u times off", i, deeds.on[i], deeds.off[i]);
    if (deeds.broken == 0 || deeds.returned == 0)
        fail_msg("%u blocks broke, %u came back", deeds.broken, deeds.returned);
    for (int32_t i = 0; i < match.map.solid_count; i++) {
        const struct map_solid *solid = &match.map.solids[i];
        bool alone = solid->group == 0 && solid->kind != MAP_SOLID_CONVEYOR && !solid->slippery;
        if (alone && deeds.carried[i] == 0)
            fail_msg("solid %d has carried nobody", i);
    }
}

TEST(sixteen_players_leave_many_maps_valid)
{
    for (uint32_t seed = 1; seed <= length_asked(30); seed++)
        play(seed, 16, 600);
}

TEST(sixty_four_players_leave_a_few_maps_valid)
{
    for (uint32_t seed = 101; seed <= 100 + seeds_asked(6); seed++)
        play(seed, 64, 1500);
}
