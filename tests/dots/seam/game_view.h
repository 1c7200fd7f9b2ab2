// SPDX-License-Identifier: MIT
//
// What is drawn of dots: the players.
#ifndef DOTS_GAME_VIEW_H
#define DOTS_GAME_VIEW_H

#include "game_state.h"

#define POSE_CAPACITY     PLAYER_CAPACITY
#define POSE_TELEPORT_SUB (24 * 256)

struct view_point {
    int32_t x, y; ///< 1/256 px
};

enum view_kind { VIEW_PREDICTED, VIEW_INTERPOLATED };
#define VIEW_EVENT_CAPACITY (4 * EVENT_CAPACITY)

struct view {
    enum view_kind kind;
    const struct map *map;
    const struct world *world, *confirmed;
    uint32_t slot;
    const uint8_t *hats;
    uint32_t between;
    struct view_point players[PLAYER_CAPACITY];
    uint32_t event_count;
    struct event events[VIEW_EVENT_CAPACITY];
};

#endif
