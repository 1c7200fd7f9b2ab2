// SPDX-License-Identifier: MIT
//
// What somebody who has never played must know, over the arena: what the mode is about, and which of his own keys or
// buttons do what. All of it before a round; later only what he has not tried yet, and not for ever. The app tells what
// is held; drawing only reads.
#ifndef APP_HUD_HINTS_H
#define APP_HUD_HINTS_H

#include "app/config/preferences.h"
#include "app/render/frame.h"

/// Of one match. Zero-initialise, then set the preferences.
struct hints {
    const struct preferences *preferences; ///< whose keys and buttons are shown; null: nothing is
    bool by_pad;                           ///< a pad was used last, or is all that he has
    bool second_keys;                      ///< he has the second set of keys
    uint32_t tried;                        ///< bits of enum button, and HINTS_DROP
    tick since;                            ///< when he was seen alive first; 0: not yet
};

/// In `tried`: down and jump at once.
#define HINTS_DROP (1u << 16)
/// For how long in a match they are shown at most.
#define HINTS_TICKS (60 * TICKS_PER_SECOND)

/// Takes what the player in a slot holds in a tick of the match.
void hints_take(struct hints *hints, const struct world *world, uint32_t slot, uint32_t buttons);

/// What his key or button for a deed is called.
void hints_name(const struct hints *hints, enum player_action action, char *name, size_t name_bytes);

/// What a mode is about, in a sentence.
const char *hints_goal(uint32_t mode);

void hints_draw(const struct frame *frame, const struct hints *hints);

#endif
