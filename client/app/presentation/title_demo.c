// SPDX-License-Identifier: MIT
#include "title_demo.h"

#include <stdio.h>
#include <string.h>

#include "ai/ai.h"
#include "map/tiled/map_file.h"
#include "map/tiled/map_find.h"
#include "wire/hat.h"

#define BOTS          6
#define TICK_US       (1000000u / TICKS_PER_SECOND)
#define TICKS_AT_ONCE 4
#define FIRST_TICKS   400 ///< played before it is seen, so that something is going on

static const uint8_t HATS_WORN[PLAYER_CAPACITY] = {HAT_MINER, HAT_NONE, HAT_TOP, HAT_BOWLER, HAT_CAP, HAT_GOGGLES};

bool title_demo_has_map(const char *name)
{
    char path[1024];
    return map_find(name, path, sizeof path);
}

static void step(struct title_demo *attract)
{
    world_copy(&attract->before, &attract->world);
    for (uint32_t slot = 0; slot < BOTS; slot++)
        attract->inputs[slot] = ai_think(&attract->world, &attract->map, &attract->ways, slot, SKILL_NORMAL);
    world_step(&attract->world, &attract->map, attract->inputs);
}

static void join(struct title_demo *attract, uint32_t slot)
{
    static const char *const NAMES[BOTS] = {"Ember", "Slag", "Rivet", "Bellows", "Anvil", "Cinder"};
    struct command command = {.kind = COMMAND_JOIN, .slot = slot, .bot = 1, .colour = slot};
    memcpy(command.name, NAMES[slot], strlen(NAMES[slot]));
    world_command(&attract->world, &attract->map, &command);
}

bool title_demo_begin(struct title_demo *attract, const char *map, uint32_t seed)
{
    char path[1024];
    struct error error;
    if (!strcmp(attract->name, map))
        return attract->ready;
    snprintf(attract->name, sizeof attract->name, "%s", map);
    attract->ready = map_find(map, path, sizeof path) && map_read(path, &attract->map, &error);
    if (!attract->ready)
        return false;
    nav_graph_build(&attract->ways, &attract->map);
    world_init(&attract->world, &attract->map, &(struct rules){.mode = MODE_FFA, .seed = seed});
    memset(attract->inputs, 0, sizeof attract->inputs);
    attract->scene = (struct scene){0};
    attract->due_us = 0;
    for (uint32_t slot = 0; slot < BOTS; slot++)
        join(attract, slot);
    for (int i = 0; i < FIRST_TICKS; i++)
        step(attract);
    attract->view.event_count = 0;
    return true;
}

// Events of the last step, for sparks and splats.
static void take_events(struct title_demo *attract)
{
    const struct world *world = &attract->world;
    uint32_t fresh = world->event_count - attract->before.event_count;
    for (uint32_t i = world->event_count - (fresh < EVENT_CAPACITY ? fresh : EVENT_CAPACITY); i != world->event_count;
         i++)
        if (attract->view.event_count < VIEW_EVENT_CAPACITY)
            attract->view.events[attract->view.event_count++] = world->events[i % EVENT_CAPACITY];
}

bool title_demo_draw(struct title_demo *attract, struct canvas *canvas, uint64_t now_us, bool still)
{
    if (!attract->ready)
        return false;
    if (!attract->due_us || now_us > attract->due_us + TICKS_AT_ONCE * TICK_US)
        attract->due_us = now_us;
    attract->view.event_count = 0;
    for (; !still && attract->due_us <= now_us; attract->due_us += TICK_US) {
        step(attract);
        take_events(attract);
    }
    uint32_t between = still ? 256 : (uint32_t)(256 - (attract->due_us - now_us) * 256 / TICK_US);
    view_fill(&attract->view, &attract->map, &attract->before, &attract->world, between, NULL);
    attract->view.slot = PLAYER_CAPACITY;
    attract->view.hats = HATS_WORN;
    scene_take(&attract->scene, &attract->view);
    draw_view(canvas, &attract->view, &attract->scene, &(struct draw_options){.bare = true});
    return true;
}
