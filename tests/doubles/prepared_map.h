// SPDX-License-Identifier: MIT
//
// Prepares the map of the next match at once, where a server has a thread for it.
#ifndef TEST_PREPARED_MAP_H
#define TEST_PREPARED_MAP_H

#include "match/match.h"

/// Returns the map with its navigation graph. The last two that were asked for are kept.
const struct match_map *prepared_map(const struct map *map);

#endif
