// SPDX-License-Identifier: MIT
//
// Gamepads as held buttons: any number of them, plugged and unplugged at any time. Which button does what stands in
// the preferences; the stick always moves and aims.
#ifndef APP_PLATFORM_GAMEPADS_H
#define APP_PLATFORM_GAMEPADS_H

#include "app/config/preferences.h"

union SDL_Event;

#define GAMEPAD_CAPACITY 8
/// Instead of a pad's number: all of them.
#define GAMEPAD_ANY GAMEPAD_CAPACITY

/// Those that are plugged in.
struct gamepads {
    struct _SDL_GameController *open[GAMEPAD_CAPACITY]; ///< null: free
    bool pushed[GAMEPAD_CAPACITY];                      ///< the stick is off its middle; a push counts once in menus
};

/// What an event means.
struct gamepad_press {
    uint32_t gamepad; ///< number
    uint32_t button;  ///< enum gamepad_button; GAMEPAD_BUTTON_NONE: nothing was pressed
};

/// Takes what SDL says about plugging, buttons, triggers and the stick (which counts as the cross).
struct gamepad_press gamepads_event(struct gamepads *gamepads, const union SDL_Event *event);

/// Buttons of the game that a pad's button means (enum button).
uint32_t gamepads_pressed(const struct preferences *preferences, uint32_t button);

/// Buttons held on a pad, or GAMEPAD_ANY, now (enum button).
uint32_t gamepads_held(const struct gamepads *gamepads, const struct preferences *preferences, uint32_t gamepad);

/// What stands on a button, by its index into PREFERENCES_GAMEPAD_BUTTONS, as short as on a pad.
const char *gamepads_button_label(uint32_t button);

/// Whether it is plugged in.
bool gamepads_has(const struct gamepads *gamepads, uint32_t gamepad);

/// Closes all.
void gamepads_close(struct gamepads *gamepads);

#endif
