// SPDX-License-Identifier: MIT
//
// Measures the drawing of a frame on one core without a graphics card. Bots play on a map, and every tick is drawn as
// in the window (640 x 360 with the HUD, between two ticks). Prints one JSON line per figure: mean and p99, ms; at 60
// frames a second there are 16.7 ms. The title counts with its ticks and its menu. It measures CPU time, so other load
// on the machine does not count.
//     bench_frame MAP.tmj [BOTS [TICKS]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "bench.h"
#include "bench_match.h"
#include "game/ai/ai.h"
#include "presentation/draw_view.h"
#include "presentation/title_demo.h"
#include "sync/game.h"

enum { TICKS = 1200, TICKS_MAX = 100000 };

static struct map map;
static struct nav_graph graph;
static struct world world, before;
static struct player_input inputs[PLAYER_CAPACITY];
static struct view view;
static struct scene scene;
static struct canvas canvas;
static double times_ms[TICKS_MAX];

static void step(uint32_t bots)
{
    before = world;
    for (uint32_t slot = 0; slot < bots; slot++)
        inputs[slot] = ai_think(&world, &map, &graph, slot, SKILL_NORMAL);
    game_roll(&world, &map, NULL, NULL, NULL);
    world_step(&world, &map, inputs);
}

static void fill_view(void)
{
    view_fill(&view, &map, &before, &world, 128, 0);
    view.slot = 0;
    view.event_count = 0;
    uint32_t kept = world.event_count < EVENT_CAPACITY ? world.event_count : EVENT_CAPACITY;
    for (uint32_t i = 0; i < kept; i++)
        if (world.events[i].tick == world.tick)
            view.events[view.event_count++] = world.events[i];
}

// What is drawn besides the match, and from where.
enum picture { PLAIN, SCOREBOARD, FAR, ZOOM };

static double draw(enum picture picture)
{
    double begin_us = bench_cpu_us();
    scene_update(&scene, &view);
    if (picture >= FAR) {
        scene.camera.far = true;
        scene.camera.nears = false;
        scene.camera.nearness = picture == ZOOM ? 0.5f : 0;
    }
    draw_view(&canvas, &view, &scene, &(struct draw_options){.scoreboard = picture == SCOREBOARD});
    return (bench_cpu_us() - begin_us) / 1e3;
}

static void tell(const char *what, uint32_t bots, uint32_t ticks)
{
    double sum = 0;
    for (uint32_t i = 0; i < ticks; i++)
        sum += times_ms[i];
    bench_sort(times_ms, ticks);
    printf("{\"bench\": \"frame\", \"map\": \"%s\", \"what\": \"%s\", \"players\": %u, \"frames\": %u, "
           "\"mean_ms\": %.3f, \"p99_ms\": %.3f}\n",
           map.name, what, bots, ticks, sum / ticks, times_ms[(ticks - 1) * 99 / 100]);
}

static void measure(const char *what, uint32_t bots, uint32_t ticks, enum picture picture)
{
    scene = (struct scene){0};
    world_init(&world, &map, &(struct rules){.mode = MODE_FFA, .seed = 1});
    for (uint32_t slot = 0; slot < bots; slot++)
        world_command(&world, &map,
                      &(struct command){.kind = COMMAND_JOIN,
                                        .slot = slot,
                                        .bot = 1,
                                        .colour = slot % 16,
                                        .name = {0x616c5000 | ('A' + slot % 26), 0x72657961}});
    for (uint32_t i = 0; i < ticks; i++) {
        step(bots);
        fill_view();
        times_ms[i] = draw(picture);
    }
    tell(what, bots, ticks);
}

// The title with its menu: a match of bots that this program steps itself, so that the tick counts as well.
static void measure_title(uint32_t ticks)
{
    static struct title_demo demo;
    static struct menu menu;
    static struct preferences preferences;
    struct error error;
    if (!preferences_read(&preferences, "", &error) || !title_demo_begin(&demo, map.name, 1))
        return;
    menu.preferences = &preferences;
    menu_open_alone(&menu, &SCREEN_TITLE);
    for (uint32_t i = 0; i < ticks; i++) {
        double begin_us = bench_cpu_us();
        title_demo_draw(&demo, &canvas, 1000000 + i * (1000000ull / TICKS_PER_SECOND), false);
        menu_fill(&menu);
        draw_menu(&canvas, &menu, i);
        times_ms[i] = (bench_cpu_us() - begin_us) / 1e3;
    }
    tell("title", 6, ticks);
}

int main(int argc, char **argv)
{
    unsigned long bots = argc > 2 ? strtoul(argv[2], NULL, 10) : 64,
                  ticks = argc > 3 ? strtoul(argv[3], NULL, 10) : TICKS;
    if (!bench_match_map(argc, argv, "bench_frame MAP.tmj [BOTS [TICKS]]", &map, &graph))
        return EXIT_FAILURE;
    bots %= PLAYER_CAPACITY + 1;
    ticks = ticks % TICKS_MAX ? ticks % TICKS_MAX : TICKS;
    measure("match", (uint32_t)bots, (uint32_t)ticks, PLAIN);
    measure("scoreboard", (uint32_t)bots, (uint32_t)ticks, SCOREBOARD);
    measure("far", (uint32_t)bots, (uint32_t)ticks, FAR);
    measure("zoom", (uint32_t)bots, (uint32_t)ticks, ZOOM);
    measure_title((uint32_t)ticks);
    for (map.theme = 0; map.theme < MAP_THEMES; map.theme++) {
        char what[16];
        snprintf(what, sizeof what, "theme %u", map.theme);
        measure(what, (uint32_t)bots, (uint32_t)ticks / 4 + 1, PLAIN);
    }
    return EXIT_SUCCESS;
}
