// SPDX-License-Identifier: MIT
//
// Gamepads as held buttons. Players plug and unplug any number of them at any time. The stick always means directions;
// what else means which button of the game is bound.
#ifndef WINDOW_GAMEPADS_H
#define WINDOW_GAMEPADS_H

#include <stdbool.h>

#include "buttons.h"
#include "canvas.h"

union SDL_Event;

/// Families of gamepads, by what is printed on them.
enum pad_family { PAD_XBOX, PAD_PLAYSTATION, PAD_SWITCH, PAD_FAMILIES };

/// Buttons of a gamepad: 1 + the number that SDL has for the button, then the two triggers.
enum gamepad_button {
    GAMEPAD_BUTTON_NONE,
    GAMEPAD_BUTTON_A,
    GAMEPAD_BUTTON_B,
    GAMEPAD_BUTTON_X,
    GAMEPAD_BUTTON_Y,
    GAMEPAD_BUTTON_BACK,
    GAMEPAD_BUTTON_GUIDE,
    GAMEPAD_BUTTON_START,
    GAMEPAD_BUTTON_LEFT_STICK,
    GAMEPAD_BUTTON_RIGHT_STICK,
    GAMEPAD_BUTTON_LEFT_SHOULDER,
    GAMEPAD_BUTTON_RIGHT_SHOULDER,
    GAMEPAD_BUTTON_UP,
    GAMEPAD_BUTTON_DOWN,
    GAMEPAD_BUTTON_LEFT,
    GAMEPAD_BUTTON_RIGHT,
    GAMEPAD_BUTTON_LEFT_TRIGGER,
    GAMEPAD_BUTTON_RIGHT_TRIGGER,
    GAMEPAD_BUTTONS
};

#define GAMEPAD_CAPACITY 8
/// Stands for all gamepads where a number is expected.
#define GAMEPAD_ANY GAMEPAD_CAPACITY

/// The gamepads that are plugged in, by number.
struct gamepads {
    struct _SDL_GameController *open[GAMEPAD_CAPACITY]; ///< NULL: free
    bool pushed[GAMEPAD_CAPACITY];                      ///< the stick is pushed; each push counts once in menus
    char models[GAMEPAD_CAPACITY][40];                  ///< what is, or was last, at each number: see plug()
};

/// A button of a gamepad that went down.
struct gamepad_press {
    uint32_t gamepad; ///< number
    uint32_t button;  ///< enum gamepad_button; GAMEPAD_BUTTON_NONE: nothing was pressed
};

/// Handles an event of SDL: plugging, buttons, triggers, and the stick, which acts as the D-pad.
struct gamepad_press gamepads_event(struct gamepads *gamepads, const union SDL_Event *event);

/// Returns the buttons of the game that a gamepad's button means.
uint32_t gamepads_pressed(const struct button_bindings *bindings, uint32_t button);

/// Returns the buttons of the game that are held now on a gamepad, or on GAMEPAD_ANY.
uint32_t gamepads_held(const struct gamepads *gamepads, const struct button_bindings *bindings, uint32_t gamepad);

/// Returns whether a button (enum gamepad_button) is held now on a gamepad, or on GAMEPAD_ANY.
bool gamepads_is_held(const struct gamepads *gamepads, uint32_t gamepad, uint32_t button);

/// Returns where the right stick of a gamepad, or of GAMEPAD_ANY, points (enum button_way); 0: nowhere.
uint32_t gamepads_right_stick(const struct gamepads *gamepads, uint32_t gamepad);

/// Returns what family a gamepad is of, by SDL's list of controllers; Xbox for others, and for one that is not there.
enum pad_family gamepads_family(const struct gamepads *gamepads, uint32_t gamepad);

/// Shakes a gamepad, or GAMEPAD_ANY: strengths of the heavy and of the light motor, 0 to 65,535, for so long. A gamepad
/// without motors stays still.
void gamepads_rumble(const struct gamepads *gamepads, uint32_t gamepad, uint16_t low, uint16_t high,
                     uint32_t duration_ms);

/// Returns whether a gamepad is plugged in.
bool gamepads_has(const struct gamepads *gamepads, uint32_t gamepad);

// --- pad_glyphs.c
//
// The controls of gamepads as small drawings, in the look of their family: coloured letters of an Xbox pad, shapes of a
// PlayStation pad, white letters of a Switch pad; shoulders, sticks, the D-pad. A glyph has a name, a short text that
// no font has, so that it can stand wherever the name of a key can. Keeps nothing.

/// A glyph beyond the buttons (enum gamepad_button): the left stick, and the whole D-pad.
#define PAD_GLYPH_STICK 18
#define PAD_GLYPH_DPAD  19

/// Returns the name of the glyph for a button (enum gamepad_button, or one of those above); "none" for none.
const char *pad_glyphs_name(enum pad_family family, uint32_t button);

/// Returns the width of the glyph with a name, px; 0: the name is not that of a glyph.
int32_t pad_glyphs_width(const char *name);

/// Draws the glyph with a name. Its 13 rows begin at `y`.
void pad_glyphs_draw(struct canvas *canvas, int32_t x, int32_t y, const char *name);

#endif
