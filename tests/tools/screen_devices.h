// SPDX-License-Identifier: MIT
//
// What a person does to a window: keys, typed text, the mouse, fingers and gamepads. In virtual time the events come in
// where SDL's own do; in a real window keys and mouse come through its X server, by xdotool. Gamepads are SDL's virtual
// ones in both.
#ifndef TOOLS_SCREEN_DEVICES_H
#define TOOLS_SCREEN_DEVICES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "window/window.h"

#define SCREEN_DEVICES_PADS 4

/// Which names of keys there are: those of SDL, and Enter; with "Alt+" in front. And buttons and axes of pads, by SDL.
bool screen_devices_is_key(const char *name);
bool screen_devices_is_pad_button(const char *name);
bool screen_devices_is_pad_axis(const char *name);

/// Chooses between an X server and events. What motors of pads do is written to `felt`.
void screen_devices_use(bool is_real, FILE *felt);

/// Moves a key.
void screen_devices_key(const char *name, bool is_down);
/// Types the first character of a text. Returns the rest.
const char *screen_devices_type(const char *text);
/// Moves the mouse to a place of the canvas; its left button.
void screen_devices_point(const struct window *window, int32_t x, int32_t y);
void screen_devices_button(const struct window *window, bool is_down);
/// Puts a finger on a place of the canvas, or lifts it there.
void screen_devices_finger(const struct window *window, int32_t x, int32_t y, bool is_down);
/// Takes the focus from the window, or gives it back.
void screen_devices_focus(bool has_focus);
/// Closes the window by its frame.
void screen_devices_close(void);
/// Plugs a pad in; `family` NULL: of nobody known. Unplugs it; moves a button or an axis.
void screen_devices_plug(uint32_t pad, const char *family);
void screen_devices_unplug(uint32_t pad);
void screen_devices_pad_button(uint32_t pad, const char *name, bool is_down);
void screen_devices_pad_axis(uint32_t pad, const char *name, int32_t value);

#endif
