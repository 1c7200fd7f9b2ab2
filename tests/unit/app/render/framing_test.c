// SPDX-License-Identifier: MIT
//
// Who is in the picture: computer players play whole matches on every map that is shipped, and each tick is framed as
// for people at one window. Judges by the pixels of the picture that a player's box covers.
#include <stdio.h>

#include "ai/ai.h"
#include "ai/nav_graph.h"
#include "app/render/camera.h"
#include "game/entities/chest.h"
#include "game/world.h"
#include "map/tiled/tiled.h"
#include "test.h"

#define TICKS 3600 ///< of each match

static const char *const MAPS[] = {"foundry", "clockwork", "skyline", "breakout", "duel", "colosseum"};

static struct map map;
static struct nav_graph graph;
static struct world world, before;
static struct player_input inputs[PLAYER_CAPACITY];
static struct view view;
static struct camera camera;

struct tally {
    uint32_t seen, unseen, unseen_others; ///< players alive, each in each tick: of this window, and others
    uint32_t moves;                       ///< ticks in which the picture moved
    uint32_t changes;                     ///< of the camera's distance
};

// A player who has just left the arena upwards, or falls out of it, is beyond every picture.
static bool is_in_arena(uint32_t slot)
{
    const struct df_actor *actor = &world.actors[slot];
    int32_t x = view.actors[slot].x / DF_SUB, y = view.actors[slot].y / DF_SUB;
    return x + actor->w > 0 && x < map.columns * MAP_EDGE_PX && y + actor->h > 0 && y < map.rows * MAP_EDGE_PX;
}

static bool is_in_picture(uint32_t slot, int32_t left, int32_t top)
{
    const struct df_actor *actor = &world.actors[slot];
    int32_t scale = camera.far ? CANVAS_FINE : 1;
    int32_t x = view.actors[slot].x / DF_SUB - left, y = view.actors[slot].y / DF_SUB - top;
    return x >= 0 && x + actor->w <= CANVAS_WIDTH * scale && y + actor->h > 0 && y <= CANVAS_HEIGHT * scale;
}

static void count(struct tally *tally, uint32_t local_count)
{
    int32_t left, top;
    camera_corner(&camera, &view, &left, &top);
    for (uint32_t slot = 0; slot < world.player_slots; slot++) {
        if (!view_shows(&view, slot) || !is_in_arena(slot))
            continue;
        bool seen = is_in_picture(slot, left, top);
        tally->seen += seen;
        tally->unseen += !seen && slot < local_count;
        tally->unseen_others += !seen && slot >= local_count;
    }
}

static struct tally play(const char *name, uint32_t players, uint32_t local_count, enum mode mode)
{
    struct error error;
    struct tally tally = {0};
    char path[256];
    snprintf(path, sizeof path, SOURCE_ROOT "/shared/maps/%s.tmj", name);
    assert_true(tiled_read(path, &map, &error));
    nav_graph_build(&graph, &map);
    camera = (struct camera){.local_slot_count = local_count - 1};
    for (uint32_t i = 1; i < local_count; i++)
        camera.local_slots[i - 1] = i;
    world_init(&world, &map, &(struct rules){.mode = mode, .seed = 5});
    for (uint32_t slot = 0; slot < players; slot++)
        world_command(&world, &map, &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1, .colour = slot});
    for (uint32_t i = 0; i < TICKS; i++) {
        before = world;
        for (uint32_t slot = 0; slot < players; slot++)
            inputs[slot] = ai_think(&world, &map, &graph, slot, SKILL_NORMAL);
        chest_roll(&world, &map, NULL, NULL, NULL);
        world_step(&world, &map, inputs);
        view_fill(&view, &map, &before, &world, 256, 0);
        view.slot = 0;
        struct camera was = camera;
        camera_step(&camera, &view);
        tally.moves += was.started && (camera.x != was.x || camera.y != was.y);
        tally.changes += was.far != camera.far;
        count(&tally, local_count);
    }
    return tally;
}

TEST(people_at_one_window_never_leave_the_picture)
{
    for (size_t i = 0; i < sizeof MAPS / sizeof *MAPS; i++)
        for (uint32_t local_count = 1; local_count <= 4; local_count++)
            for (enum mode mode = MODE_FFA; mode <= MODE_LMS; mode++) {
                struct tally tally = play(MAPS[i], 4, local_count, mode);
                if (tally.unseen || tally.unseen_others)
                    fail_msg("%s, %u of 4 players at this window: %u unseen, %u others", MAPS[i], local_count,
                             tally.unseen, tally.unseen_others);
                assert_true(tally.seen > TICKS);
            }
}

TEST(a_couch_match_does_not_scroll)
{
    for (size_t i = 0; i < sizeof MAPS / sizeof *MAPS; i++) {
        struct tally tally = play(MAPS[i], 4, 2, MODE_FFA);
        assert_int_equal(tally.moves, 0);
        assert_true(tally.changes <= 1); // when the second player has joined
    }
}

TEST(one_of_many_is_followed_from_near)
{
    struct tally tally = play("colosseum", 24, 1, MODE_FFA);
    assert_int_equal(tally.unseen, 0);
    assert_true(tally.unseen_others > TICKS);
    assert_false(camera.far);
}
