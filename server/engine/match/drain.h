// SPDX-License-Identifier: MIT
//
// Drains a match before its server closes: nobody new may join, players who lose their connection may come back, and
// the round that is being played ends first, if it ends in time. Server browsers, the health check, the fleet and
// admins see it in struct match. The time is that of match_receive().
#ifndef MATCH_DRAIN_H
#define MATCH_DRAIN_H

#include "match_state.h"

/// What drain_left_ms() returns without a drain.
#define DRAIN_NONE UINT64_MAX

/// Begins a drain of at most this time, or changes the time of the one that has begun. Players read how long they have.
void drain_begin(struct match *match, uint64_t limit_ms);
/// Lets a player who has come back during a drain read how long they have.
void drain_notify(struct match *match, uint32_t peer);
/// Drops a peer who may not join because of the drain. They read how long it lasts at most.
void drain_refuse(struct match *match, uint32_t peer);
/// Takes the drain back. Returns false if there is none.
bool drain_cancel(struct match *match);
/// Returns the time until the drain is over at the latest, rounded up, or DRAIN_NONE.
uint64_t drain_left_ms(const struct match *match);
/// Returns true once the server may close: nobody holds a seat, the round has ended and its result was shown, no round
/// was being played, or the time is over. False without a drain.
bool drain_is_over(const struct match *match);

#endif
