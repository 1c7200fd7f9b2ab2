// SPDX-License-Identifier: MIT
//
// Which server of a directory somebody is sent to, to play or to look on, and the places that are reserved there.
#ifndef DIRECTORY_PLACES_H
#define DIRECTORY_PLACES_H

#include "directory_state.h"

/// What somebody wants to play; empty texts and 0: any.
struct directory_wanted {
    const char *mode, *region;
    uint32_t protocol;
    bool over_ipv6;  ///< how they reach the server
    bool introduced; ///< a server that has to be introduced to them will do
};

/// Finds the fullest server that has room, first one that is reached directly, then in the region, and reserves a place
/// there for DIRECTORY_RESERVED_NS. Null: there is none. Never gives more places than there are.
const struct directory_entry *places_play(struct directory *directory, const struct directory_wanted *wanted,
                                          uint64_t now_ns);
/// Finds the best match that can be watched, of any region. Null: none.
const struct directory_entry *places_best_live(const struct directory *directory,
                                               const struct directory_wanted *wanted);
/// Reserves a place on a server until then. False if too many are reserved.
bool places_reserve(struct directory *directory, uint32_t at, uint64_t until_ns);

#endif
