// SPDX-License-Identifier: MIT
//
// What fingers on a screen do: a stick where the left thumb lands, and the controls that a game places. Any other
// finger points, as a mouse does: it taps, or it drags. Pure: fingers in, buttons of the game out; window.c passes
// SDL's events and draws the controls. Lengths are px of the window.
#ifndef WINDOW_TOUCH_CONTROLS_H
#define WINDOW_TOUCH_CONTROLS_H

#include <stdbool.h>
#include <stdint.h>

/// Controls of a game at most; the first is the stick.
#define TOUCH_CONTROLS 8
#define TOUCH_STICK    0
/// The finger is on none: it points.
#define TOUCH_NOTHING TOUCH_CONTROLS

/// From where a control's place counts.
enum touch_at {
    TOUCH_NOWHERE,
    TOUCH_AT_BOTTOM,  ///< the corner at the right and the bottom; of the stick, at the left
    TOUCH_AT_TOP,     ///< the corner at the right and the top
    TOUCH_ON_PICTURE, ///< it is the middle of the picture's top, and not drawn
};

/// A control of a game.
struct touch_place {
    enum touch_at at;
    int32_t x, y, radius; ///< of its middle, in hundredths of a thumb
    uint32_t uses;        ///< a bit for each use of a screen in which it is there
    uint32_t buttons;     ///< of the game, which it holds
    const char *art;      ///< its glyph, 13 x 13 characters, '#' is ink; NULL: none
};

/// Fingers that are followed at once.
#define TOUCH_FINGERS 8

/// A use of the screen without controls, as menus have it. A game numbers its other uses up from 1.
#define TOUCH_USE_POINTER 0

/// Where the controls may stand.
struct touch_surface {
    int32_t w, h;
    int32_t left, top, right, bottom;                   ///< covered by the corners and the notch of a screen
    int32_t thumb;                                      ///< width of a button
    int32_t picture_y, picture_h, picture_x, picture_w; ///< of the game
};

/// A round control.
struct touch_circle {
    int32_t x, y, radius;
};

/// A finger on the screen.
struct touch_finger {
    bool is_down, has_dragged;
    uint32_t control; ///< its number
    int64_t number;
    int32_t x, y, from_x, from_y; ///< now; where it landed, or where the stick has followed it to
};

/// What a change of a finger means.
struct touch_change {
    uint32_t control; ///< that the finger is on
    uint32_t pressed; ///< buttons of the game that were not held before
    bool began;       ///< the control was not held before
    bool tapped;      ///< the finger has been lifted, and has not moved much
    bool dragged;     ///< it has moved, since it landed
    int32_t down;     ///< by so much since the last change, px
};

/// Zero-initialise, set the places, then lay them out.
struct touch_controls {
    const struct touch_place *places; ///< TOUCH_CONTROLS of them
    bool is_used;                     ///< a finger has been seen: until then nothing is drawn
    uint32_t use;
    struct touch_surface surface;
    struct touch_circle circles[TOUCH_CONTROLS];
    struct touch_finger fingers[TOUCH_FINGERS];
};

/// Places the controls. Fingers that are down keep theirs.
void touch_controls_lay_out(struct touch_controls *touch, const struct touch_surface *surface);
/// Chooses which there are. Fingers on one that is no longer there let go of it.
void touch_controls_use(struct touch_controls *touch, uint32_t use);
/// Returns whether a control is there.
bool touch_controls_has(const struct touch_controls *touch, uint32_t control);

/// A finger lands, moves, or is lifted. More of them than TOUCH_FINGERS, and unknown ones, do nothing.
struct touch_change touch_controls_down(struct touch_controls *touch, int64_t finger, int32_t x, int32_t y);
struct touch_change touch_controls_move(struct touch_controls *touch, int64_t finger, int32_t x, int32_t y);
struct touch_change touch_controls_up(struct touch_controls *touch, int64_t finger);
/// Lifts all, as a window that loses the focus hears no more of them.
void touch_controls_clear(struct touch_controls *touch);

/// Returns the buttons of the game that are held; directions are enum button_way.
uint32_t touch_controls_held(const struct touch_controls *touch);
/// Returns the finger on a control; NULL: none.
const struct touch_finger *touch_controls_finger(const struct touch_controls *touch, uint32_t control);
/// Returns the direction in which the finger on a control is dragged (enum button_way); 0: in none.
uint32_t touch_controls_ways(const struct touch_controls *touch, uint32_t control);

// --- touch_picture.c
//
// Draws the controls over the window, beside the picture of the game where there is room: translucent discs with a rim
// and a glyph. They are not on the canvas, so they have a size of their own, and real transparency.

/// What there is to draw: each control, and the knob of the stick.
#define TOUCH_GLYPHS (TOUCH_CONTROLS + 1)

/// Textures, made when they are needed first and whenever the size of a control changes. Zero-initialise.
struct touch_picture {
    struct SDL_Texture *textures[TOUCH_GLYPHS][2]; ///< the second: with a finger on it
    int32_t sizes[TOUCH_GLYPHS][2];
};

/// How a disc looks.
struct touch_disc {
    const char *art; ///< its glyph; NULL: none
    bool solid;      ///< it is the knob
    bool lit;        ///< a finger is on it
};

/// Draws a disc into `size` x `size` pixels 0xAARRGGBB.
void touch_picture_disc(uint32_t *pixels, int32_t size, struct touch_disc disc);

struct SDL_Renderer;

/// Draws those that there are, once a finger has been seen.
void touch_picture_draw(struct touch_picture *picture, struct SDL_Renderer *renderer,
                        const struct touch_controls *touch);

#endif
