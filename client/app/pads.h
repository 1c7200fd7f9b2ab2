// SPDX-License-Identifier: MIT
//
// Gamepads as held buttons: any number of them, plugged and unplugged at any time, all for the one player.
#ifndef APP_PADS_H
#define APP_PADS_H

#include <stdint.h>

union SDL_Event;

#define PAD_CAPACITY 8

/// Those that are plugged in.
struct pads {
    struct _SDL_GameController *open[PAD_CAPACITY]; ///< null: free
};

/// Takes what SDL says about plugging. Returns the buttons that were just pressed (enum button).
uint32_t pads_event(struct pads *pads, const union SDL_Event *event);

/// Buttons held on any of them now (enum button): stick or cross to move and aim, A jump, X or right trigger shoot, B
/// or left trigger or shoulder dash.
uint32_t pads_sample(const struct pads *pads);

/// Closes all.
void pads_close(struct pads *pads);

#endif
