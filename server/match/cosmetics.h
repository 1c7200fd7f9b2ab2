// SPDX-License-Identifier: MIT
//
// Tells clients, recording and journal what everybody wears on his head. The roster says it; called by the tick of the
// match and by peer.c. The world knows nothing of it.
#ifndef MATCH_COSMETICS_H
#define MATCH_COSMETICS_H

#include <stdint.h>

struct match;

/// Tells everybody what has changed since he was told last.
void cosmetics_broadcast(struct match *match);

/// Tells a client who was just welcomed all that the others know.
void cosmetics_send_all(struct match *match, uint32_t peer);

#endif
