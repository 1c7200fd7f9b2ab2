// SPDX-License-Identifier: MIT
//
// A plan is what will happen: on every map and with every variant, a player who follows a motion in the world ends
// where the simulation says. The script of a motion is written here a second time, and pressed in the world.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/ai/agent.h"
#include "game/ai/ai.h"
#include "game/ai/nav_graph_build.h"
#include "game/map/tiled/map_file.h"
#include "game/variant.h"
#include "seeds.h"
#include "sync/game.h"
#include "sync/world.h"
#include "test.h"

enum { STARTS = 24, START_TICKS = 23, WALK_TICKS = 20, CLIMB_TICKS = 9, WRONG_PX = 8, WRONG_PER_1000_MAX = 30 };

static struct map map;
static struct nav_graph graph;
static struct world world, then;
static struct tuning own_tuning;

static struct agent agent_now(const struct traits *traits)
{
    const struct df_actor *a = &world.actors[0];
    return (struct agent){
        .world = &world,
        .map = &map,
        .player = &world.players[0],
        .body = a,
        .traits = traits,
        .tuning = variant_tuning(&world.rules, &own_tuning),
        .tiles = {map.tiles, world.broken, map.columns, map.rows, MAP_EDGE_PX, (enum df_outside)map.outside},
        .x = a->x + a->w / 2,
        .y = a->y + a->h / 2};
}

static bool is_beside_wall(const struct df_actor *a, int32_t side)
{
    struct df_tiles tiles = {map.tiles, then.broken, map.columns, map.rows, MAP_EDGE_PX, (enum df_outside)map.outside};
    struct df_box beside = {side < 0 ? a->x - 3 : a->x + a->w, a->y, 3, a->h};
    bool is = df_tiles_touch(&tiles, beside, DF_TILE_SOLID) || df_tiles_touch(&tiles, beside, DF_TILE_BLOCK);
    for (uint32_t i = 0; i < then.solid_count; i++)
        is |= (then.solids[i].flags & (DF_SOLID_PRESENT | DF_SOLID_ONEWAY)) == DF_SOLID_PRESENT &&
              map_overlaps(&map, beside, df_solid_box(&then.solids[i]));
    return is;
}

// What a player presses in tick `at` of a motion, from 1. Jump and dash are pressed again: `then` forgets that they are
// held.
static struct player_input follow(const struct motion *motion, uint32_t at, bool hung, uint32_t *climbs_until)
{
    struct player *player = &then.players[0];
    bool stands = player->flags & PLAYER_GROUNDED, hangs = player->flags & PLAYER_HANGING;
    int x = at <= motion->first_ticks ? motion->first : motion->then, y = 0;
    bool jump = at == 1 && motion->takeoff == TAKEOFF_JUMP, dash = motion->dash_tick == at;
    if (at <= *climbs_until)
        x = 0;
    if (hangs && !hung)
        jump = x != -player->facing;
    if (motion->climbs && !stands && player->vy > 0 && is_beside_wall(&then.actors[0], motion->then)) {
        jump = true;
        x = 0;
        *climbs_until = at + CLIMB_TICKS;
    }
    if (at == 1 && motion->takeoff == TAKEOFF_DROP && stands) {
        jump = true;
        y = 1;
    }
    if (dash) {
        x = motion->dash_x;
        y = motion->dash_y;
    }
    if (then.rules.variants & 1u << VARIANT_MIRRORED)
        x = -x;
    bool holds = player->vy < 0 && (player->buttons & BUTTON_JUMP);
    if (jump)
        player->buttons &= ~(uint32_t)BUTTON_JUMP;
    if (dash)
        player->buttons &= ~(uint32_t)BUTTON_DASH;
    return (struct player_input){(x < 0 ? BUTTON_LEFT : 0u) | (x > 0 ? BUTTON_RIGHT : 0u) | (y < 0 ? BUTTON_UP : 0u) |
                                 (y > 0 ? BUTTON_DOWN : 0u) | (jump || holds ? BUTTON_JUMP : 0u) |
                                 (dash ? BUTTON_DASH : 0u)};
}

static int32_t way(int32_t from, int32_t to, int32_t side_tiles)
{
    return abs(map_distance(&map, from, to, side_tiles * MAP_EDGE_PX));
}

// How far a player ends from where the simulation says, px. -1: one of the two has died, or was shot or opened a chest.
static int32_t error_px(struct motion_space *space, const struct motion *motion)
{
    static struct player_input inputs[PLAYER_CAPACITY];
    struct motion_body end = motion_simulation_run(space, motion_simulation_start(&world, 0), motion, WALK_TICKS);
    uint32_t climbs_until = 0;
    bool hung = world.players[0].flags & PLAYER_HANGING;
    world_copy(&then, &world);
    for (uint32_t at = 1; at <= end.ticks; at++) {
        hung &= (then.players[0].flags & PLAYER_HANGING) != 0;
        inputs[0] = follow(motion, at, hung, &climbs_until);
        world_step(&then, &map, inputs);
        if (then.players[0].state != PLAYER_ALIVE || then.players[0].wings_until != world.players[0].wings_until)
            return -1;
    }
    if (end.dead)
        return -1;
    int32_t dx = way(then.actors[0].x, end.actor.x, map.columns), dy = way(then.actors[0].y, end.actor.y, map.rows);
    return dx > dy ? dx : dy;
}

// Plays a bot alone, and now and then asks each motion. Returns the share that is wrong, per thousand.
static uint32_t wrong_per_1000(uint32_t variants)
{
    static const struct traits none;
    static struct motion_space space;
    static struct player_input inputs[PLAYER_CAPACITY];
    uint32_t asked = 0, wrong = 0;
    world_init(&world, &map, &(struct rules){.seed = 7, .bot_skill = SKILL_NORMAL, .variants = variants});
    world_command(&world, &map, &(struct command){.kind = COMMAND_JOIN, .bot = 1});
    for (uint32_t start = 0; start < STARTS; start++) {
        for (uint32_t i = 0; i < START_TICKS; i++) {
            game_think_bots(&world, &map, &graph, inputs);
            game_roll(&world, &map, NULL, NULL, NULL);
            world_step(&world, &map, inputs);
        }
        if (world.players[0].state != PLAYER_ALIVE)
            continue;
        struct agent agent = agent_now(&none);
        threats_see(&agent, &space);
        for (uint32_t motion = 0; motion < MOTIONS; motion++) {
            int32_t px = error_px(&space, &MOTION_TABLE[motion]);
            asked += px >= 0;
            wrong += px > WRONG_PX;
        }
    }
    assert_true(asked > 100);
    return wrong * 1000 / asked;
}

// What changes how players move; VARIANTS stands for none.
static const enum variant ASKED[] = {VARIANTS,          VARIANT_LOW_GRAVITY,   VARIANT_HIGH_JUMPS, VARIANT_FAST,
                                     VARIANT_ICE,       VARIANT_MIRRORED,      VARIANT_NO_DASH,    VARIANT_WINGS,
                                     VARIANT_ONE_ARROW, VARIANT_HASTY_CRUSHERS};

TEST(a_player_ends_where_the_simulation_says)
{
    static const char *const names[] = {"duel", "foundry", "clockwork", "skyline", "breakout", "colosseum"};
    bool good = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[256];
        struct error error;
        snprintf(path, sizeof path, SOURCE_ROOT "/shared/maps/%s.tmj", names[i]);
        if (!map_file_read(path, &map, &error))
            fail_msg("%s", error.text);
        nav_graph_build(&graph, &map);
        for (size_t k = 0; k < (SEEDS_ALL ? sizeof ASKED / sizeof *ASKED : 2); k++) {
            uint32_t wrong = wrong_per_1000(ASKED[k] < VARIANTS ? 1u << ASKED[k] : 0);
            const char *variant = ASKED[k] < VARIANTS ? VARIANT_TABLE[ASKED[k]].name : "no variant";
            printf("%s, %s: %u.%u %% end elsewhere\n", names[i], variant, wrong / 10, wrong % 10);
            good &= wrong <= WRONG_PER_1000_MAX;
        }
    }
    assert_true(good);
}

TEST(a_motion_begins_with_its_buttons)
{
    static const struct {
        struct motion motion;
        uint32_t buttons;
    } rows[] = {
        {{.first = -1, .then = 1, .first_ticks = 1}, BUTTON_LEFT},
        {{.first = -1, .then = 1}, BUTTON_RIGHT},
        {{.first = 1, .first_ticks = 9, .takeoff = TAKEOFF_JUMP}, BUTTON_RIGHT | BUTTON_JUMP},
        {{.takeoff = TAKEOFF_DROP}, BUTTON_DOWN | BUTTON_JUMP},
        {{.then = 1, .dash_tick = 1, .dash_x = -1, .dash_y = -1}, BUTTON_LEFT | BUTTON_UP | BUTTON_DASH},
        {{.then = 1, .dash_tick = 2, .dash_x = -1, .dash_y = 1}, BUTTON_RIGHT},
        {{.dash_tick = 1, .dash_y = 1}, BUTTON_DOWN | BUTTON_DASH},
        {{0}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(motion_simulation_buttons(&rows[i].motion), rows[i].buttons);
}
