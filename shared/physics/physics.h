// SPDX-License-Identifier: MIT
//
// deadfall_physics: exact, integer-only platformer physics. Include this one header.
// No clock, heap, float, I/O or globals; the caller owns all memory.
#ifndef DF_PHYSICS_H
#define DF_PHYSICS_H

#include "actor.h"
#include "ball.h"
#include "box.h"
#include "cast.h"
#include "fraction.h"
#include "list.h"
#include "solid.h"
#include "space.h"
#include "tiles.h"
#include "types.h"
#include "velocity.h"
#include "version.h"

#endif
