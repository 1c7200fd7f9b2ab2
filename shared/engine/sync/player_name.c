// SPDX-License-Identifier: MIT
#include "player_name.h"

#include <string.h>

#include "base/utf8.h"

void player_name_to_text(const uint32_t *name, char text[PLAYER_NAME_BYTES + 1])
{
    for (size_t i = 0; i < PLAYER_NAME_BYTES; i++)
        text[i] = (char)(uint8_t)(name[i / 4] >> 8 * (i % 4));
    utf8_clean(text, PLAYER_NAME_BYTES + 1, text, PLAYER_NAME_BYTES);
}

void player_name_from_text(uint32_t *name, const char *text)
{
    memset(name, 0, PLAYER_NAME_BYTES);
    for (size_t i = 0; i < PLAYER_NAME_BYTES && text[i]; i++)
        name[i / 4] |= (uint32_t)(uint8_t)text[i] << 8 * (i % 4);
}
