// SPDX-License-Identifier: MIT
//
// The match behind the menus: bots on a map of this machine, stepped here without any server. Where the map cannot be
// read there is none, and the menus stand before a plain dusk.
#ifndef APP_PRESENTATION_TITLE_DEMO_H
#define APP_PRESENTATION_TITLE_DEMO_H

#include "ai/nav_graph.h"
#include "draw_view.h"

/// About 5 MB; keep one. Zero-initialise.
struct title_demo {
    bool ready;      ///< a match runs
    char name[64];   ///< of its map, as wished
    uint64_t due_us; ///< next tick
    struct map map;
    struct nav_graph graph;
    struct world world, before;
    struct player_input inputs[PLAYER_CAPACITY];
    struct view view;
    struct scene scene;
};

/// Begins a match on a map, by name; goes on with the present one if it is that. False if there is no such map.
bool title_demo_begin(struct title_demo *demo, const char *map, uint32_t seed);

/// Lets time pass and draws it. False, and nothing drawn, without a match. `still`: reduced motion, it stands.
bool title_demo_draw(struct title_demo *demo, struct canvas *canvas, uint64_t now_us, bool still);

/// Whether there is a map of that name on this machine.
bool title_demo_has_map(const char *name);

#endif
