// SPDX-License-Identifier: MIT
//
// The window shows a canvas, scaled to its size, and collects what players do: presses, typed text and the mouse as a
// list of events since the last poll, and the buttons of the game on each device. Includes no header of SDL, so that
// the rest of the window does not need it.
#ifndef WINDOW_WINDOW_H
#define WINDOW_WINDOW_H

#include <stddef.h>

#include "base/error.h"
#include "canvas.h"
#include "gamepads.h"
#include "touch_controls.h"

/// How the picture fills the window.
enum scaling {
    SCALING_AUTO,    ///< whole pixels where that uses 90 % of the window, else as FIT
    SCALING_INTEGER, ///< all pixels alike
    SCALING_FIT,     ///< as large as fits, with sharp edges between pixels
    SCALING_STRETCH
};

/// What a player has chosen for the window.
struct window_settings {
    uint32_t scaling; ///< enum scaling
    bool fullscreen;
    bool vsync;     ///< frames wait for the display
    int64_t screen; ///< that the window is on, from 1; 0: as the system says
};

/// What a game wants of its window. What the pointers lead to outlives the window.
struct window_setup {
    const char *title;
    uint32_t scale; ///< display's pixels along a point of the canvas; 0: as large as fits the display well
    const struct window_settings *settings;
    const struct button_bindings *bindings;
    const struct touch_place *touch; ///< TOUCH_CONTROLS of them
};

/// What a player plays with.
enum device {
    DEVICE_ALL,  ///< alone at this machine: all keys and all gamepads
    DEVICE_KEYS, ///< the first set of keys
    DEVICE_KEYS_SECOND,
    DEVICE_GAMEPAD, ///< the first gamepad; the others follow
    DEVICES = DEVICE_GAMEPAD + GAMEPAD_CAPACITY
};

/// The kinds of events.
enum window_event_kind {
    WINDOW_KEY,     ///< a key went down; `code` is enum key
    WINDOW_GAMEPAD, ///< a gamepad's button went down; `code` is enum gamepad_button
    WINDOW_TEXT,    ///< text was typed
    WINDOW_POINTER, ///< the mouse moved to x, y; `code` 1: with its left button held
    WINDOW_CLICK,   ///< its left button went down there; `code` 2: the right one
    WINDOW_RELEASE, ///< its left button went up there
    WINDOW_WHEEL,   ///< `x` steps up (negative: down)
    WINDOW_TOUCH,   ///< a finger pressed or tapped a control; `code` is its number
    WINDOW_TAP,     ///< a finger tapped x, y
    WINDOW_DRAG,    ///< a finger is dragged to x, y, `down` farther down; `code` 1: it begins
};

struct window_event {
    enum window_event_kind kind;
    uint32_t code;
    bool repeated;    ///< a key that is held
    bool with_alt;    ///< a key
    uint32_t gamepad; ///< number of the gamepad
    int32_t x, y;     ///< on the canvas, px
    int32_t down;     ///< px
    uint32_t buttons; ///< of the game that a finger presses
    bool tapped;      ///< the finger on a control has been lifted again where it was
    char text[32];    ///< UTF-8
};

#define WINDOW_EVENT_CAPACITY 32

/// Where the picture lies in a window, px of the display.
struct window_place {
    int32_t x, y, w, h;
    uint32_t scale; ///< a whole number: a pixel of the canvas has that many; filtered: it is enlarged by it first
    bool filtered;  ///< and then to fit
};

/// Returns the place of a canvas in a window, both in px, by enum scaling; in the middle.
struct window_place window_place(int32_t window_w, int32_t window_h, int32_t canvas_w, int32_t canvas_h,
                                 uint32_t scaling);

/// The one window.
struct window {
    struct SDL_Window *window;
    struct SDL_Renderer *renderer;
    struct SDL_Texture *texture;
    struct SDL_Texture *enlarged; ///< the canvas by a whole number, which a filter shrinks or enlarges to fit
    int32_t enlarged_w;           ///< its width; 0: there is none
    int32_t enlarged_h;
    int32_t columns, rows;     ///< of the canvas at the last frame
    enum canvas_shape shape;   ///< of it
    struct window_place place; ///< of the picture at the last frame
    bool vsync;                ///< showing waits for the display
    bool has_vsync;            ///< it can
    bool has_card;             ///< a graphics card draws; without one, a filter takes 8 ms of a frame
    bool hides_pointer;
    struct rect own_place; ///< where it was before it took the screen's place, in units of the display; w 0: it did not
    uint32_t refresh_hz;   ///< of the display, 60 when unknown
    struct gamepads gamepads;
    struct touch_controls touch;
    struct touch_picture touch_picture;
    uint32_t pushed_fingers;  ///< a bit for each that window_push_finger() has land
    uint32_t tapped[DEVICES]; ///< buttons pressed since the last tick, so that a tap shorter than a tick counts
    const struct window_settings *settings;
    const struct button_bindings *bindings;
    bool unfocused; ///< keys go to another window
    bool closed;    ///< the player wants to close it; the reader resets it
    bool quit;      ///< the program is asked to end, by a signal
    uint32_t event_count;
    struct window_event events[WINDOW_EVENT_CAPACITY];
};

/// Opens the window. Returns false with an error if there is no display.
bool window_open(struct window *window, struct window_setup setup, struct error *error);
void window_close(struct window *window);

/// Bytes of the name of a display and its size.
#define WINDOW_DISPLAY_BYTES 48
/// Writes what the displays are called and how large they are, UTF-8, such as "HDMI-1, 1920 x 1080", in the order in
/// which the settings number them from 1. Returns how many there are, `capacity` at most.
uint32_t window_displays(char names[][WINDOW_DISPLAY_BYTES], uint32_t capacity);

/// Puts the window before all others and asks for the focus.
void window_raise(struct window *window);

/// Shows or hides the pointer of the mouse.
void window_show_pointer(struct window *window, bool shown);

/// Sets scaling, full screen, the screen and vsync as the settings say now.
void window_apply_settings(struct window *window);

/// Collects the events since the last call.
void window_poll(struct window *window);

/// Buttons held on a device, or tapped since the call before; SDL lets go of all when the window loses
/// the focus. `shared`: another player has the second set of keys.
uint32_t window_buttons(struct window *window, uint32_t device, bool shared);
/// Forgets the buttons that were tapped and not yet read.
void window_forget_taps(struct window *window);

/// Returns whether the window is clearly higher than wide.
bool window_is_upright(const struct window *window);

/// Chooses the controls for fingers: TOUCH_USE_POINTER, or another use of the game.
void window_use_touch(struct window *window, uint32_t use);
/// Has a finger, 0 to 31, land or move (`is_down`), or be lifted, in thousandths of the window: as if it came from the
/// screen.
void window_push_finger(struct window *window, uint32_t finger, bool is_down, int32_t x, int32_t y);

/// Starts or stops text input.
void window_text_input(bool on);
/// Writes the path of a file in the folder where SDL keeps the data of this user for a program into `path`; "" if there
/// is none.
void window_pref_path(const char *program, const char *file, char *path, size_t path_bytes);

/// Puts a text on the clipboard, where other programs find it while this one runs. Returns false if there is none.
bool window_copy(const char *text);
/// Sleeps for 5 ms.
void window_idle(void);

/// Shows a canvas; waits for the display when vsync is on.
void window_show(struct window *window, const struct canvas *canvas);

#endif
