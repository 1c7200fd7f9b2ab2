// SPDX-License-Identifier: MIT
//
// The arguments of every painter: the canvas, the view, the colours and the place of the picture. draw_view.c fills one
// for each drawn frame. Painters read it, draw, and keep nothing.
#ifndef SCENE_FRAME_H
#define SCENE_FRAME_H

#include "core/view.h"
#include "frame_hash.h"
#include "looks/display_options.h"
#include "looks/palette.h"
#include "tiles.h"
#include "window/canvas.h"

/// What stands over the heads of players besides their names, by slot.
struct frame_heads {
    uint8_t emotes[PLAYER_CAPACITY]; ///< 1 + the emote (gfx/emotes.c); 0: none
    bool nameless[PLAYER_CAPACITY];  ///< the name is hidden
};

/// One drawn frame.
struct frame {
    struct canvas *canvas;
    const struct view *view;
    const struct palette *palette;
    struct tile_view tiles;
    const struct tile_looks *looks; ///< of these tiles; NULL: none are kept
    int32_t left, top;              ///< map position of the canvas's top-left corner, px
    uint32_t tick;                  ///< of the world: all animation counts in it
    const struct display_options *display;
    const struct frame_heads *heads; ///< NULL: names alone
    uint32_t struck;                 ///< slot + 1 of a player who is drawn white; 0: nobody
    int32_t below;                   ///< rows at the bottom that the HUD leaves free, px
    int32_t right;                   ///< columns at the right that it leaves free there, px
    int32_t top_right;               ///< columns at the right that it leaves free at the top, px
};

/// Returns the nearest whole pixel of a coordinate in sub.
static inline int32_t frame_px(int32_t sub)
{
    return df_floor_div(sub + DF_SUB / 2, DF_SUB);
}

/// Returns the canvas column of a map position (px), in what the canvas counts in.
static inline int32_t frame_x(const struct frame *frame, int32_t x_px)
{
    return (x_px - frame->left) / canvas_arena_unit(frame->canvas);
}

/// Returns the canvas row of a map position (px), in what the canvas counts in.
static inline int32_t frame_y(const struct frame *frame, int32_t y_px)
{
    return (y_px - frame->top) / canvas_arena_unit(frame->canvas);
}

#endif
