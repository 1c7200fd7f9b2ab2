// SPDX-License-Identifier: MIT
//
// The path of a move (private): unit steps of a solid or a rigid group, each of which carries and pushes the actors and
// balls that are near. As many steps as have the same effect on all of them are one. solid.c begins and ends the move.
#ifndef DF_SOLID_MOVE_H
#define DF_SOLID_MOVE_H

#include "broadphase.h"

/// A running move of a solid or group.
struct df_solid_move_run {
    struct df_space *space;
    struct df_broadphase *broadphase;
    const struct df_waiting_move *asked;
    uint32_t carrier;                   ///< df_group_carrier() of what is asked to move
    int32_t members[DF_GROUP_CAPACITY]; ///< those present, in index order
    int32_t count;
    bool actors_are_near, balls_are_near;
};

/// Moves the members by whole pixels along one axis.
void df_solid_move_along(const struct df_solid_move_run *move, enum df_axis axis, int32_t px);

#endif
