// SPDX-License-Identifier: MIT
//
// Names of players: in a world and on the wire they are words, elsewhere text.
#ifndef SYNC_PLAYER_NAME_H
#define SYNC_PLAYER_NAME_H

#include <string.h>

#include "base/utf8.h"
#include "game_state.h"

/// Writes a name, as the world and messages hold it, as clean text (utf8_clean()) with a final zero: a world from a
/// stranger may hold any bytes. "" if nothing is left.
static inline void player_name_to_text(const uint32_t *name, char text[PLAYER_NAME_BYTES + 1])
{
    for (size_t i = 0; i < PLAYER_NAME_BYTES; i++)
        text[i] = (char)(uint8_t)(name[i / 4] >> 8 * (i % 4));
    utf8_clean(text, PLAYER_NAME_BYTES + 1, text, PLAYER_NAME_BYTES);
}

/// Fills a name with the first PLAYER_NAME_BYTES bytes of a text, padded with zeros.
static inline void player_name_from_text(uint32_t *name, const char *text)
{
    memset(name, 0, PLAYER_NAME_BYTES);
    for (size_t i = 0; i < PLAYER_NAME_BYTES && text[i]; i++)
        name[i / 4] |= (uint32_t)(uint8_t)text[i] << 8 * (i % 4);
}

#endif
