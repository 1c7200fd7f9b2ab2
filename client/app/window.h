// SPDX-License-Identifier: MIT
//
// The window: shows a canvas scaled by whole numbers, and tells what a person wants of the program (the game's
// buttons come from keys.h and pads.h). With the header of SDL nowhere in it, for whoever only uses it.
#ifndef APP_WINDOW_H
#define APP_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "canvas.h"
#include "pads.h"

/// The one window.
struct window {
    struct SDL_Window *window;
    struct SDL_Renderer *renderer;
    struct SDL_Texture *texture;
    bool vsync;          ///< showing waits for the display
    uint32_t refresh_hz; ///< of the display, 60 when unknown
    struct pads pads;
    uint32_t tapped; ///< buttons pressed since the last tick, so that a tap shorter than a tick counts
};

/// What a person did since the last look.
struct window_wishes {
    bool quit;       ///< closed the window, or Escape
    bool again;      ///< Enter
    bool toggle_net; ///< F3
    bool scoreboard; ///< Tab is held
};

/// Opens it; `scale` 0: as large as fits the display well. False with a sentence when there is no display.
bool window_open(struct window *window, uint32_t scale, bool fullscreen, char *sentence, size_t sentence_bytes);
void window_close(struct window *window);

/// Handles all that has happened.
void window_look(struct window *window, struct window_wishes *wishes);

/// Buttons held on the keyboard and on gamepads, or tapped since the call before (enum button); SDL lets go of all when
/// the window loses the focus.
uint32_t window_buttons(struct window *window);

/// Does nothing for some milliseconds.
void window_rest(void);

/// Shows a picture; waits for the display when vsync is on.
void window_show(struct window *window, const struct canvas *canvas);

#endif
