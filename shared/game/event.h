// SPDX-License-Identifier: MIT
//
// Things that happened, for sounds, effects and the kill feed. They are part of the world, so they reach every client
// exactly once, are in replays, and cost nothing when nothing happens.
#ifndef GAME_EVENT_H
#define GAME_EVENT_H

#include "state.h"

/// Adds one event of the world's present tick. Subject and other: a player's slot or EVENT_NOBODY.
void event_push(struct world *world, enum event_kind kind, int32_t x, int32_t y, uint32_t subject, uint32_t other,
                uint32_t detail);

/// Returns "spawn", "jump", ... for printing.
const char *event_kind_name(enum event_kind kind);

/// Returns "arrow", "stomp", ... for printing.
const char *event_death_cause_name(enum death_cause cause);

#endif
