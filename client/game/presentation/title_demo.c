// SPDX-License-Identifier: MIT
#include "title_demo.h"

#include <stdio.h>
#include <string.h>

#include "game/ai/ai.h"
#include "game/ai/nav_graph_build.h"
#include "game/map/tiled/map_file.h"
#include "game/rules/mode.h"
#include "sync/game.h"
#include "sync/world.h"
#include "wire/message.h"

#define BOTS          6
#define TICK_US       (1000000u / TICKS_PER_SECOND)
#define TICKS_AT_ONCE 4
#define FIRST_TICKS   400 ///< played before the first frame, so that it shows a fight

static const uint8_t HATS_WORN[PLAYER_CAPACITY] = {HAT_MINER, HAT_NONE, HAT_TOP, HAT_BOWLER, HAT_CAP, HAT_GOGGLES};

bool title_demo_has_map(const char *name)
{
    char path[1024];
    return map_file_find(name, path, sizeof path);
}

static void step(struct title_demo *demo)
{
    world_copy(&demo->before, &demo->world);
    for (uint32_t slot = 0; slot < BOTS; slot++)
        demo->inputs[slot] = ai_think(&demo->world, &demo->map, &demo->graph, slot, SKILL_NORMAL);
    game_roll(&demo->world, &demo->map, NULL, NULL, NULL);
    world_step(&demo->world, &demo->map, demo->inputs);
}

bool title_demo_begin(struct title_demo *demo, const char *map, uint32_t seed)
{
    static const char *const NAMES[BOTS] = {"Ember", "Slag", "Rivet", "Bellows", "Anvil", "Cinder"};
    char path[1024];
    struct error error;
    if (!strcmp(demo->name, map))
        return demo->ready;
    snprintf(demo->name, sizeof demo->name, "%s", map);
    demo->ready = map_file_find(map, path, sizeof path) && map_file_read(path, &demo->map, &error);
    if (!demo->ready)
        return false;
    nav_graph_build(&demo->graph, &demo->map);
    world_init(&demo->world, &demo->map, &(struct rules){.mode = mode_usual(1), .seed = seed});
    memset(demo->inputs, 0, sizeof demo->inputs);
    demo->scene = (struct scene){0};
    demo->due_us = 0;
    for (uint32_t slot = 0; slot < BOTS; slot++) {
        struct command command = {.kind = COMMAND_JOIN, .slot = slot, .bot = 1, .colour = slot};
        memcpy(command.name, NAMES[slot], strlen(NAMES[slot]));
        world_command(&demo->world, &demo->map, &command);
    }
    for (int i = 0; i < FIRST_TICKS; i++)
        step(demo);
    demo->view.event_count = 0;
    return true;
}

bool title_demo_draw(struct title_demo *demo, struct canvas *canvas, uint64_t now_us, bool still)
{
    if (!demo->ready)
        return false;
    if (!demo->due_us || now_us > demo->due_us + TICKS_AT_ONCE * TICK_US)
        demo->due_us = now_us;
    demo->view.event_count = 0;
    for (; !still && demo->due_us <= now_us; demo->due_us += TICK_US) {
        step(demo);
        view_add_events(&demo->view, &demo->world, demo->before.event_count);
    }
    uint32_t between = still ? 256 : (uint32_t)(256 - (demo->due_us - now_us) * 256 / TICK_US);
    view_fill(&demo->view, &demo->map, &demo->before, &demo->world, between, NULL);
    demo->view.slot = PLAYER_CAPACITY;
    demo->view.hats = HATS_WORN;
    camera_use_shape(&demo->scene.camera, canvas->shape);
    scene_update(&demo->scene, &demo->view);
    draw_view(canvas, &demo->view, &demo->scene, &(struct draw_options){.bare = true});
    return true;
}
