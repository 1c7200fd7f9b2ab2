// SPDX-License-Identifier: MIT
//
// Compares the broadphase of a space with a scan of all bodies. A broadphase that has too much costs time and changes
// no result, so no other test sees it; one that has too little is seen here before it changes a result.
#ifndef BROADPHASE_SCAN_H
#define BROADPHASE_SCAN_H

#include "physics/types.h"

/// Returns what is wrong with the broadphase of a space in which no solid moves now, or null.
const char *broadphase_fault(const struct df_space *space);

#endif
