// SPDX-License-Identifier: MIT
//
// Gamepads as held buttons: any number of them, plugged and unplugged at any time. Which button does what stands in
// the preferences; the stick always moves and aims.
#ifndef APP_PADS_H
#define APP_PADS_H

#include "preferences.h"

union SDL_Event;

#define PAD_CAPACITY 8
/// Instead of a pad's number: all of them.
#define PAD_ANY PAD_CAPACITY

/// Those that are plugged in.
struct pads {
    struct _SDL_GameController *open[PAD_CAPACITY]; ///< null: free
    bool pushed[PAD_CAPACITY];                      ///< the stick is off its middle; a push counts once in menus
};

/// What an event means.
struct pad_press {
    uint32_t pad;  ///< number
    uint32_t name; ///< index into PREFERENCES_PAD_NAMES; 0: nothing was pressed
};

/// Takes what SDL says about plugging, buttons, triggers and the stick (which counts as the cross).
struct pad_press pads_event(struct pads *pads, const union SDL_Event *event);

/// Buttons of the game that a pad's button means (enum button).
uint32_t pads_pressed(const struct preferences *preferences, uint32_t name);

/// Buttons held on a pad, or PAD_ANY, now (enum button).
uint32_t pads_sample(const struct pads *pads, const struct preferences *preferences, uint32_t pad);

/// What stands on a button, by its index into PREFERENCES_PAD_NAMES, as short as on a pad.
const char *pads_cap(uint32_t name);

/// Whether it is plugged in.
bool pads_has(const struct pads *pads, uint32_t pad);

/// Closes all.
void pads_close(struct pads *pads);

#endif
