// SPDX-License-Identifier: MIT
//
// The way of a move (private): unit steps of a solid or a rigid group, each of which carries and pushes the actors and
// balls that are near; as many steps at once as do the same to all of them. solid.c begins and ends the move.
#ifndef DF_TRAVEL_H
#define DF_TRAVEL_H

#include "bounce.h"

/// One running move of a solid or group.
struct df_move {
    struct df_space *space;
    struct df_index *index;
    const struct df_waiting_move *asked;
    int32_t members[DF_GROUP_CAPACITY]; ///< those present, in index order
    int32_t count;
    bool actors_are_near, balls_are_near;
};

/// Travels by whole pixels along one axis.
void df_travel(const struct df_move *move, enum df_axis axis, int32_t px);

#endif
