// SPDX-License-Identifier: MIT
//
// Notices who joins and who leaves a match, people only, from one world to the next. Who is away for a moment, such as
// while another match begins or a name changes, has not left. Reads no clock.
#ifndef HUD_ARRIVALS_H
#define HUD_ARRIVALS_H

#include "game/state.h"

/// How long somebody must be away before they have left, us.
#define ARRIVALS_AWAY_US 2000000u

/// What has happened.
struct arrival {
    uint32_t slot;
    bool joined; ///< false: left
    char name[PLAYER_NAME_BYTES + 1];
};

/// Zero-initialise for each match that is joined.
struct arrivals {
    bool has_begun; ///< those who were there at first are known
    struct {
        char name[PLAYER_NAME_BYTES + 1]; ///< empty: nobody
        uint64_t seen_us;
    } seats[PLAYER_CAPACITY];
};

/// Finds the next arrival or departure. Returns false when there is none any more; call it until then, once a frame.
bool arrivals_next(struct arrivals *arrivals, const struct world *world, uint64_t now_us, struct arrival *arrival);

#endif
