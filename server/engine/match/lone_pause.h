// SPDX-License-Identifier: MIT
//
// The pause of a player who is alone with bots, as on the server that the window starts. It ends by itself as soon as
// somebody else is connected, so nobody waits for another person's menu. Players at one machine have one account.
#ifndef MATCH_LONE_PAUSE_H
#define MATCH_LONE_PAUSE_H

#include "match_state.h"

/// Returns whether all clients have the account of a peer that plays.
bool lone_pause_may(const struct match *match, uint32_t peer);
/// Notes that the pause which a command orders is one of this peer alone, or that no such pause is left.
void lone_pause_begin(struct match *match, uint32_t peer);
void lone_pause_end(struct match *match);

/// Queues the end of such a pause if another account is connected. Call each tick, before commands are applied.
void lone_pause_step(struct match *match);

#endif
