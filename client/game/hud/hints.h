// SPDX-License-Identifier: MIT
//
// The keys and buttons that are named on the screen: as caps, and as hints for who plays for the first time.
#ifndef HUD_HINTS_H
#define HUD_HINTS_H

#include "controls.h"
#include "scene/frame.h"
#include "window/font.h"
#include "window/gamepads.h"

// --- keycap.c
//
// Keycaps: keys as hints show them, a small plate with a name or an arrow, and the buttons of gamepads, which have
// glyphs (gfx/pad_glyphs.c). Menus, the hints over the arena, votes and the replay bar draw theirs here. Keeps nothing.

/// Names of the caps that show an arrow; the fonts have no letters for these.
#define KEYCAP_LEFT  "\u2190"
#define KEYCAP_UP    "\u2191"
#define KEYCAP_RIGHT "\u2192"
#define KEYCAP_DOWN  "\u2193"

/// Where the next cap is drawn: its left column, and the row of the text on it.
struct keycap_pen {
    struct canvas *canvas;
    enum font_face face;
    int32_t x, y;
};

/// Returns the width of a cap, px.
int32_t keycap_width(enum font_face face, const char *name);
/// Draws a cap and moves the pen to the column behind it.
void keycap_draw(struct keycap_pen *pen, const char *name);

/// Returns the width of a cap and the words behind it, px.
int32_t keycap_hint_width(enum font_face face, const char *name, const char *does);
/// Draws a cap and outlined words behind it, and moves the pen to where the next hint begins.
void keycap_hint(struct keycap_pen *pen, const char *name, const char *does);

/// One or two caps and what they do.
struct keycap_hint {
    const char *caps[3]; ///< NULL after the last
    const char *does;
};

/// Draws a row of hints on a panel, of which the pen's column is the middle.
void keycap_row(struct keycap_pen pen, const struct keycap_hint *hints, uint32_t count);

/// Of one match. Zero-initialise, then set the controls.
struct hints {
    const struct controls *controls; ///< with the keys and buttons to show; NULL: no hints
    bool by_gamepad;                 ///< the player used a gamepad last, or has nothing else
    bool by_touch;                   ///< the player has touched the screen last
    enum pad_family family;          ///< of that gamepad
    bool second_keys;                ///< the player has the second set of keys
    bool shared_keys;                ///< another player has the second set: keys of both sets are theirs
    bool is_marked;                  ///< with the colour of their player, as several play at this window
    uint32_t slot;                   ///< of that player
    uint32_t tried;                  ///< bits of enum button, and HINTS_DROP
    tick since;                      ///< first tick in which the player was alive; 0: none yet
};

/// In `tried`: down and jump at once.
#define HINTS_DROP (1u << 16)
/// How long the hint of what few need is shown in a match at most, ticks. The others stay until they are used.
#define HINTS_TICKS (180 * TICKS_PER_SECOND)

/// Notes the buttons that the player in a slot holds in a tick.
void hints_take(struct hints *hints, const struct world *world, uint32_t slot, uint32_t buttons);

/// How long the hints of one of several players at a window are shown before those of the next, ticks.
#define HINTS_TURN_TICKS (4 * TICKS_PER_SECOND)

/// Returns which of the hints of several players are shown: in turn, of those who have not tried all that they need;
/// of all if `plays` is false, which is before a round.
uint32_t hints_choose(const struct hints *const *hints, uint32_t count, tick now, bool plays);

/// Writes the name of the key or button for an action.
void hints_name(const struct hints *hints, enum player_action action, char *name, size_t name_bytes);

/// Writes the name of the key or button for what is no playing; "none" without one.
void hints_match_name(const struct hints *hints, enum match_action action, char *name, size_t name_bytes);

/// Writes the name of a key (enum key) as a keycap has it: arrows as such.
void hints_key_name(uint32_t key, char *name, size_t name_bytes);

/// Draws the hints that the player still needs. Returns the row above which others may write; the picture's height:
/// none.
int32_t hints_draw(const struct frame *frame, const struct hints *hints);

#endif
