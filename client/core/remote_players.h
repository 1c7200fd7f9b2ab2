// SPDX-License-Identifier: MIT
//
// Others shown as the server told them, a little late: picks the two told worlds (or, where the newest are missing, a
// guess) on either side of the moment that interpolation.h says, and puts what lies between into a view. Called by the
// client for views of that kind.
#ifndef CORE_REMOTE_PLAYERS_H
#define CORE_REMOTE_PLAYERS_H

#include "interpolation.h"
#include "prediction.h"
#include "snapshot_history.h"
#include "view.h"

/// Zero-initialise.
struct remote_players {
    struct interpolation interpolation;
    struct world shown; ///< that the view tells
};

/// Shows them in a view that is filled, once a world has been told. Returns the tick at which they are then shown.
tick remote_players_show(struct remote_players *others, const struct snapshot_history *told,
                         const struct prediction *prediction, uint64_t now_us, struct view *view);

#endif
