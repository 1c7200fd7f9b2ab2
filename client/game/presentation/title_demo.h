// SPDX-License-Identifier: MIT
//
// The match behind the menus: bots on an installed map, stepped here without a server. If the map cannot be read there
// is none, and the menus have a plain sky behind them.
#ifndef PRESENTATION_TITLE_DEMO_H
#define PRESENTATION_TITLE_DEMO_H

#include "draw_view.h"
#include "game/ai/nav_graph.h"

/// About 4.3 MB; keep one. Zero-initialise.
struct title_demo {
    bool ready;      ///< a match runs
    char name[64];   ///< of the map that was requested
    uint64_t due_us; ///< next tick
    struct map map;
    struct nav_graph graph;
    struct world world, before;
    struct player_input inputs[PLAYER_CAPACITY];
    struct view view;
    struct scene scene;
};

/// Begins a match on a map; goes on with the running one if it is on that map. Returns false if the map cannot be read.
bool title_demo_begin(struct title_demo *demo, const char *map, uint32_t seed);

/// Steps the match up to now and draws it. Returns false, with nothing drawn, without a match. `still`: time stands.
bool title_demo_draw(struct title_demo *demo, struct canvas *canvas, uint64_t now_us, bool still);

/// Returns whether a map of that name is installed.
bool title_demo_has_map(const char *name);

#endif
