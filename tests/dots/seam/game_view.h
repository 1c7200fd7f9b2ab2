// SPDX-License-Identifier: MIT
//
// What is drawn of dots: the players.
#ifndef DOTS_GAME_VIEW_H
#define DOTS_GAME_VIEW_H

#include "core/pose.h"

#define POSE_CAPACITY PLAYER_CAPACITY

struct view {
    enum view_kind kind;
    const struct map *map;
    const struct world *world, *confirmed;
    uint32_t slot;
    struct local_seats own;
    const uint8_t *hats;
    uint32_t between;
    struct view_point players[PLAYER_CAPACITY];
    uint32_t event_count;
    struct event events[VIEW_EVENT_CAPACITY];
};

#endif
