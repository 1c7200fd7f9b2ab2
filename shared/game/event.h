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

/// Events that a log keeps.
#define EVENT_LOG_CAPACITY 1024

/// The last events of a match, by number: more than a world remembers, from all worlds of a match that were added.
/// Zero-initialise.
struct event_log {
    uint32_t first;                          ///< number of the first event since the last gap
    uint32_t count;                          ///< the number after the newest
    struct event events[EVENT_LOG_CAPACITY]; ///< event n is events[n % EVENT_LOG_CAPACITY]
};

/// Adds the events of a world that are newer than those of the log. If a world before it is missing, and more happened
/// than it remembers, that is a gap.
void event_log_add(struct event_log *log, const struct world *world);

/// Returns the event of a number; null if the log does not have it.
const struct event *event_log_at(const struct event_log *log, uint32_t number);

/// Returns "spawn", "jump", ... for printing.
const char *event_kind_name(enum event_kind kind);

/// Returns "arrow", "stomp", ... for printing.
const char *event_death_cause_name(enum death_cause cause);

#endif
