// SPDX-License-Identifier: MIT
//
// What bots press, recorded: bots of every skill on every map, whose inputs have the same hash as when these rows were
// written. A change of what bots do is renewed here on purpose; a change of how the code stands changes nothing.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "ai/ai.h"
#include "ai/nav_graph.h"
#include "game/tuning.h"
#include "game/world.h"
#include "test_map.h"
#include "tiled.h"

enum { BOTS = 8, PARTS = 4, PART_TICKS = 500 };

static struct map map;
static struct brain_map ways;
static struct world world;

// The hash of all inputs until the end of each part.
static void play(enum mode mode, bool knows_ways, uint32_t hashes[PARTS])
{
    static struct player_input inputs[PLAYER_CAPACITY];
    uint32_t hash = 2166136261u;
    world_init(&world, &map, &(struct rules){.mode = mode, .seed = 5});
    for (uint32_t slot = 0; slot < BOTS; slot++)
        world_command(&world, &map,
                      &(struct command){.kind = COMMAND_JOIN,
                                        .slot = slot,
                                        .bot = 1,
                                        .team = mode == MODE_TEAMS || mode == MODE_BREAKOUT ? 1 + slot % 2 : 0});
    for (uint32_t part = 0; part < PARTS; part++) {
        for (uint32_t i = 0; i < PART_TICKS; i++) {
            for (uint32_t slot = 0; slot < BOTS; slot++) {
                const enum skill skill = (enum skill)(SKILL_EASY + slot / 2 % (SKILLS - SKILL_EASY));
                inputs[slot] = brain_think(&world, &map, knows_ways ? &ways : NULL, slot, skill);
                hash = (hash ^ inputs[slot].buttons) * 16777619u;
            }
            world_step(&world, &map, inputs);
        }
        hashes[part] = hash;
    }
}

static void bots_press_what_they_pressed_when_it_was_recorded(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum mode mode;
        bool knows_ways;
        uint32_t hashes[PARTS];
    } rows[] = {
        {"foundry", MODE_FFA, true, {0xbad12f79, 0x64b4b3b0, 0xb881f516, 0xd29519a1}},
        {"foundry", MODE_TEAMS, false, {0xdc01ced2, 0x50a0b5ab, 0x74c116a2, 0xe5415078}},
        {"duel", MODE_LMS, true, {0x209dda22, 0x97a56ee4, 0x4f80b281, 0x26849ad1}},
        {"clockwork", MODE_FFA, true, {0x1114fa4a, 0x9978f1bd, 0x0a607ed6, 0xe4f3a8d9}},
        {"skyline", MODE_FFA, true, {0x6821c490, 0xb5b4fc1a, 0xdd048de0, 0x7159ec6a}},
        {"colosseum", MODE_TEAMS, true, {0xd6afb6a9, 0x921701e5, 0xe88c7de6, 0x45f29993}},
        {"breakout", MODE_BREAKOUT, true, {0x784e18c2, 0xb5c86708, 0xadf6d654, 0x29275381}},
    };
    bool differ = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[300];
        struct error error;
        uint32_t hashes[PARTS];
        snprintf(path, sizeof path, SOURCE_ROOT "/shared/maps/%s.tmj", rows[i].name);
        if (!tiled_read(path, &map, &error))
            fail_msg("%s", error.text);
        brain_map_draw(&ways, &map);
        play(rows[i].mode, rows[i].knows_ways, hashes);
        for (uint32_t part = 0; part < PARTS; part++)
            differ |= hashes[part] != rows[i].hashes[part];
        print_message("row %zu, %s: {0x%08" PRIx32 ", 0x%08" PRIx32 ", 0x%08" PRIx32 ", 0x%08" PRIx32 "}\n", i + 1,
                      rows[i].name, hashes[0], hashes[1], hashes[2], hashes[3]);
    }
    assert_false(differ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bots_press_what_they_pressed_when_it_was_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
