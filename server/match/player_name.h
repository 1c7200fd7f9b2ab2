// SPDX-License-Identifier: MIT
//
// Player names. The world, messages and the roster hold a name as little-endian words of UTF-8, padded with zeros;
// people read text. Names come from clients, so the server cleans them.
#ifndef MATCH_PLAYER_NAME_H
#define MATCH_PLAYER_NAME_H

#include "game/state.h"

/// Writes a name as text with a final zero.
void player_name_to_text(const uint32_t *name, char text[PLAYER_NAME_BYTES + 1]);

/// Fills a name with the first PLAYER_NAME_BYTES bytes of a text, padded with zeros.
void player_name_from_text(uint32_t *name, const char *text);

/// Makes a name fit to be shown: whole, printable UTF-8 without control, direction or invisible characters, and without
/// blanks at its ends or in a row. "Player" if nothing is left.
void player_name_clean(uint32_t *name);

#endif
