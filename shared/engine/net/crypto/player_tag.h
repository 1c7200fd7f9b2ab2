// SPDX-License-Identifier: MIT
//
// Tags by which a player recognises others without learning their accounts. The tag of a player depends on who looks:
// it is the same on every server, but two players who compare theirs find nothing in common. PROTOCOL.md documents the
// bytes. A pure function.
#ifndef NET_PLAYER_TAG_H
#define NET_PLAYER_TAG_H

#include <stdint.h>

#include "identity.h"

#define PLAYER_TAG_BYTES 8

/// Computes the tag of a player for a viewer, from the accounts of both.
void player_tag(const uint8_t viewer[IDENTITY_BYTES], const uint8_t player[IDENTITY_BYTES],
                uint8_t tag[PLAYER_TAG_BYTES]);

#endif
