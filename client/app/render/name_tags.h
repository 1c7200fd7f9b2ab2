// SPDX-License-Identifier: MIT
//
// The names over the heads of players, and the bubbles of their emotes. Names of players who stand together are spread
// upward, so that each can be read, and a name that would cover another player stands below its own. Keeps nothing.
#ifndef APP_RENDER_NAME_TAGS_H
#define APP_RENDER_NAME_TAGS_H

#include "scene.h"

/// Draws the names and emotes of all who are seen. The name of the only player at this window shows only after a spawn.
void name_tags_draw(const struct frame *frame, const struct scene *scene);

#endif
