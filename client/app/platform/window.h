// SPDX-License-Identifier: MIT
//
// The window: shows a canvas scaled to it, and tells what a person does: presses, letters and the mouse as a list of
// events since the last look, and the game's buttons of each device. With the header of SDL nowhere in it, for
// whoever only uses it.
#ifndef APP_PLATFORM_WINDOW_H
#define APP_PLATFORM_WINDOW_H

#include "app/gfx/canvas.h"
#include "base/error.h"
#include "gamepads.h"

/// What a player holds in his hands.
enum device {
    DEVICE_ALL,  ///< alone at this machine: all keys and all pads
    DEVICE_KEYS, ///< the first set of keys
    DEVICE_KEYS_SECOND,
    DEVICE_GAMEPAD, ///< the first pad; those after it follow
    DEVICES = DEVICE_GAMEPAD + GAMEPAD_CAPACITY
};

/// What a happening is.
enum window_event_kind {
    WINDOW_KEY,     ///< a key went down; `code` is its scancode
    WINDOW_GAMEPAD, ///< a pad's button went down; `code` is an index into PREFERENCES_GAMEPAD_BUTTONS
    WINDOW_TEXT,    ///< letters were typed
    WINDOW_POINTER, ///< the mouse moved to x, y; `code` 1: with its left button held
    WINDOW_CLICK,   ///< its left button went down there; `code` 2: the right one
    WINDOW_RELEASE, ///< its left button went up there
    WINDOW_WHEEL,   ///< `x` steps up (negative: down)
};

struct window_event {
    enum window_event_kind kind;
    uint32_t code;
    bool repeated;    ///< a key that is held
    bool with_alt;    ///< a key
    uint32_t gamepad; ///< number of the gamepad
    int32_t x, y;     ///< on the canvas, px
    char text[32];    ///< UTF-8
};

#define WINDOW_EVENT_CAPACITY 32

/// The one window.
struct window {
    struct SDL_Window *window;
    struct SDL_Renderer *renderer;
    struct SDL_Texture *texture;
    bool vsync;          ///< showing waits for the display
    bool stretched;      ///< the picture fills it, whatever its shape
    uint32_t refresh_hz; ///< of the display, 60 when unknown
    struct gamepads gamepads;
    uint32_t tapped[DEVICES]; ///< buttons pressed since the last tick, so that a tap shorter than a tick counts
    const struct preferences *preferences;
    bool quit; ///< it was closed
    uint32_t event_count;
    struct window_event events[WINDOW_EVENT_CAPACITY];
};

/// Opens it; `scale` 0: as large as fits the display well. Keys and pads are read by the preferences, which stay the
/// caller's. False with a sentence when there is no display.
bool window_open(struct window *window, uint32_t scale, const struct preferences *preferences, struct error *error);
void window_close(struct window *window);

/// Does what the preferences say of scaling and the whole screen.
void window_apply_preferences(struct window *window);

/// Collects what has happened since the call before.
void window_poll(struct window *window);

/// Buttons held on a device, or tapped since the call before (enum button); SDL lets go of all when the window loses
/// the focus. `shared`: another player has the second set of keys.
uint32_t window_buttons(struct window *window, uint32_t device, bool shared);
/// Forgets taps.
void window_forget_taps(struct window *window);

/// Begins and ends the typing of letters.
void window_text_input(bool on);
/// Puts a path within the folder where SDL keeps what belongs to this player into `path`; "" if there is none.
void window_pref_path(const char *file, char *path, size_t path_bytes);

/// Does nothing for some milliseconds.
void window_idle(void);

/// Shows a picture; waits for the display when vsync is on.
void window_show(struct window *window, const struct canvas *canvas);

#endif
