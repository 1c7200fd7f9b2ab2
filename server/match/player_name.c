// SPDX-License-Identifier: MIT
#include <string.h>

#include "roster.h"
#include "text.h"

void name_clean(uint32_t *name)
{
    char text[PLAYER_NAME_BYTES + 1];
    name_to_text(name, text);
    if (text_clean(text, text, PLAYER_NAME_BYTES) == 0)
        memcpy(text, "Player", 7);
    name_from_text(name, text);
}
