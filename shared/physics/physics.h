// SPDX-License-Identifier: MIT
//
// deadfall_physics: exact, integer-only platformer physics. Include this one header.
// No clock, heap, float, I/O or globals; the caller owns all memory.
#ifndef DF_PHYSICS_H
#define DF_PHYSICS_H

#include "actor.h"
#include "ball.h"
#include "cast.h"
#include "solid.h"
#include "space.h"
#include "tiles.h"
#include "types.h"
#include "velocity.h"

// Until 1.0, each minor version may change structs and calls; a patch changes neither. A program that was compiled with
// other headers than the library would write beyond its structs, so ask df_version_matches() once at the start.

#define DF_VERSION_MAJOR 0 ///< of the headers
#define DF_VERSION_MINOR 1 ///< of the headers
#define DF_VERSION_PATCH 0 ///< of the headers

/// The version of the headers as one number: 1002003 is 1.2.3.
#define DF_VERSION (DF_VERSION_MAJOR * 1000000 + DF_VERSION_MINOR * 1000 + DF_VERSION_PATCH)

/// Returns the DF_VERSION with which the library was compiled.
DF_API int32_t df_version(void);

/// Returns true if the library fits these headers: same major and minor version.
static inline bool df_version_matches(void)
{
    return df_version() / 1000 == DF_VERSION / 1000;
}

#endif
