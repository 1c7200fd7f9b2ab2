// SPDX-License-Identifier: MIT
//
// Who is in the picture: computer players play whole matches on every map that is shipped, and each tick is framed as
// for one to four people at one window. Judges by the pixels that are shown of what a player's box covers.
#include <stdio.h>
#include <string.h>

#include "game/ai/ai.h"
#include "game/ai/nav_graph_build.h"
#include "game/map/tiled/map_file.h"
#include "game/rules/mode.h"
#include "scene/camera.h"
#include "seeds.h"
#include "sync/game.h"
#include "sync/world.h"
#include "test.h"

#define TICKS   2400 ///< of each match
#define WINDOWS 4    ///< at which a match is played: with one person, with two, ...

static const char *const MAPS[] = {"foundry", "clockwork", "skyline", "breakout", "duel", "colosseum"};

static struct map map;
static struct nav_graph graph;
static struct world world, before;
static struct player_input inputs[PLAYER_CAPACITY];
static struct view view;

struct tally {
    uint32_t seen, unseen, unseen_others; ///< players alive, each in each tick: of this window, and others
    uint32_t moves;                       ///< ticks in which the picture moved
    uint32_t changes;                     ///< of the camera's distance
};

static struct camera cameras[WINDOWS];
static struct tally tallies[WINDOWS];

// A player who has just left the arena upwards, or falls out of it, is beyond every picture.
static bool is_in_arena(uint32_t slot)
{
    const struct df_actor *actor = &world.actors[slot];
    int32_t x = view.actors[slot].x / DF_SUB, y = view.actors[slot].y / DF_SUB;
    return x + actor->w > 0 && x < map.columns * MAP_EDGE_PX && y + actor->h > 0 && y < map.rows * MAP_EDGE_PX;
}

// On the way to far away, for a quarter of a second, it is enough that the whole picture has them.
static bool is_in_picture(const struct camera *camera, uint32_t slot)
{
    const struct df_actor *actor = &world.actors[slot];
    bool goes_away = camera->far && !camera->nears;
    struct rect whole = {0, 0, camera_width(camera), camera_height(camera)};
    struct rect part = goes_away ? whole : camera_part(camera);
    int32_t left, top;
    camera_corner(camera, &view, &left, &top);
    int32_t x = view.actors[slot].x / DF_SUB - left - part.x, y = view.actors[slot].y / DF_SUB - top - part.y;
    return x >= 0 && x + actor->w <= part.w && y + actor->h > 0 && y <= part.h;
}

static void count(uint32_t window)
{
    struct tally *tally = &tallies[window];
    for (uint32_t slot = 0; slot < world.player_slots; slot++) {
        if (!view_shows(&view, slot) || !is_in_arena(slot))
            continue;
        bool seen = is_in_picture(&cameras[window], slot), local = slot <= window;
        tally->seen += seen;
        tally->unseen += !seen && local;
        tally->unseen_others += !seen && !local;
    }
}

static void show(uint32_t window)
{
    struct camera was = cameras[window], *camera = &cameras[window];
    camera_step(camera, &view);
    tallies[window].moves += was.started && (camera->x != was.x || camera->y != was.y);
    tallies[window].changes += was.far != camera->far;
    count(window);
}

static void open_windows(enum canvas_shape shape)
{
    for (uint32_t window = 0; window < WINDOWS; window++) {
        cameras[window] = (struct camera){.shape = shape};
        tallies[window] = (struct tally){0};
    }
}

static void play(const char *name, uint32_t players, enum mode mode, uint32_t seed)
{
    struct error error;
    char path[256];
    snprintf(path, sizeof path, SOURCE_ROOT "/shared/maps/%s.tmj", name);
    assert_true(map_file_read(path, &map, &error));
    nav_graph_build(&graph, &map);
    world_init(&world, &map, &(struct rules){.mode = mode, .seed = seed});
    for (uint32_t slot = 0; slot < players; slot++)
        world_command(&world, &map, &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1, .colour = slot});
    for (uint32_t i = 0; i < TICKS; i++) {
        before = world;
        for (uint32_t slot = 0; slot < players; slot++)
            inputs[slot] = ai_think(&world, &map, &graph, slot, SKILL_NORMAL);
        game_roll(&world, &map, NULL, NULL, NULL);
        world_step(&world, &map, inputs);
        view_fill(&view, &map, &before, &world, 256, 0);
        view.slot = 0;
        view.own = (struct local_seats){0};
        for (uint32_t window = 0; window < WINDOWS; window++) {
            view.own.of[window] = window + 1;
            show(window);
        }
    }
}

// Plays a match of four in each mode, from each of some seeds, and checks that all are always seen.
static void everybody_is_seen_on(const char *name, enum canvas_shape shape, uint32_t seeds)
{
    for (uint32_t seed = 1; seed <= seeds_asked(seeds); seed++)
        for (enum mode mode = MODE_FFA; mode <= MODE_LMS; mode++) {
            open_windows(shape);
            play(name, 4, mode, seed);
            for (uint32_t window = 0; window < WINDOWS; window++) {
                const struct tally *tally = &tallies[window];
                if (tally->unseen || tally->unseen_others)
                    fail_msg("%s, seed %u, %s, %u of 4 players at a window of shape %d: %u unseen, %u others", name,
                             seed, mode_name(mode), window + 1, (int)shape, tally->unseen, tally->unseen_others);
                assert_true(tally->seen > TICKS);
                assert_int_equal(cameras[window].unframed, 0); // on no way
            }
        }
}

TEST(everybody_is_in_the_picture_of_four)
{
    everybody_is_seen_on("colosseum", CANVAS_WIDE, 8);
    for (size_t i = 0; i < sizeof MAPS / sizeof *MAPS; i++)
        if (strcmp(MAPS[i], "colosseum") != 0) { // which is larger than a square picture from far away
            everybody_is_seen_on(MAPS[i], CANVAS_SQUARE, 2);
            everybody_is_seen_on(MAPS[i], CANVAS_WIDE, 1); // which shows all of it
        }
}

TEST(a_couch_match_does_not_scroll)
{
    for (size_t i = 0; i < sizeof MAPS / sizeof *MAPS; i++)
        for (uint32_t seed = 1; seed <= seeds_asked(2); seed++) {
            open_windows(CANVAS_WIDE);
            play(MAPS[i], 4, MODE_FFA, seed);
            assert_int_equal(tallies[1].moves, 0);
            assert_true(tallies[1].changes <= 1); // when the second player has joined
        }
}

TEST(one_of_many_is_followed_from_near)
{
    for (uint32_t seed = 1; seed <= seeds_asked(2); seed++) {
        open_windows(CANVAS_WIDE);
        play("colosseum", 24, MODE_FFA, seed);
        assert_int_equal(tallies[0].unseen, 0);
        assert_true(tallies[0].unseen_others > TICKS);
        assert_false(cameras[0].far);
    }
}
