// SPDX-License-Identifier: MIT
//
// Names of players: in a world and on the wire they are words, elsewhere text.
#ifndef SYNC_PLAYER_NAME_H
#define SYNC_PLAYER_NAME_H

#include "game_state.h"

/// Writes a name, as the world and messages hold it, as clean text (utf8_clean()) with a final zero: a world from a
/// stranger may hold any bytes. "" if nothing is left.
void player_name_to_text(const uint32_t *name, char text[PLAYER_NAME_BYTES + 1]);

/// Fills a name with the first PLAYER_NAME_BYTES bytes of a text, padded with zeros.
void player_name_from_text(uint32_t *name, const char *text);

#endif
