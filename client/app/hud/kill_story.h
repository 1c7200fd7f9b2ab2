// SPDX-License-Identifier: MIT
//
// The story of a kill as the kill cam tells it: bars over the picture, a sentence with what happened, and marks around
// killer, victim and what killed. Reads a view; keeps nothing.
#ifndef APP_HUD_KILL_STORY_H
#define APP_HUD_KILL_STORY_H

#include "app/render/frame.h"
#include "app/text/text.h"

/// No solid killed.
#define KILL_STORY_NO_SOLID UINT32_MAX

/// A kill and what did it.
struct kill_story {
    struct event kill; ///< an EVENT_KILL
    uint32_t solid;    ///< that squished the victim, or KILL_STORY_NO_SOLID
};

/// Returns the story of a kill in the world of its tick: of a squish, the nearest solid that is at the victim.
struct kill_story kill_story_of(const struct map *map, const struct world *world, const struct event *kill);

/// Writes the story as a sentence: "Ada squished Bo with a crusher".
void kill_story_text(const struct view *view, const struct kill_story *story, char text[TEXT_BYTES]);

/// Returns how far down the arena has to move, map px, so that the bars do not hide the kill; negative: up.
int32_t kill_story_shift(const struct frame *frame, const struct kill_story *story);

/// Draws the bars, the sentence and the marks over a replay of the kill.
void kill_story_draw(const struct frame *frame, const struct kill_story *story);

#endif
