// SPDX-License-Identifier: MIT
//
// What is written over the arena besides the scores: arrows, the clock, the kill feed, the net graph, and
// messages in the middle while there is no match to see. Reads a view and the scene's feed; keeps nothing.
#ifndef APP_HUD_HUD_H
#define APP_HUD_HUD_H

#include "app/gfx/font.h"
#include "app/render/frame.h"
#include "app/render/scene.h"
#include "app/render/spectator_camera.h"
#include "core/client.h"
#include "hints.h"

/// What the net graph shows, besides the statistics.
struct hud_net {
    struct client_statistics statistics;
    uint32_t bytes_in_s, bytes_out_s; ///< over the last second
    uint32_t draw_us;                 ///< newest, to draw one frame
};

/// Draws the clock, the scores of teams, the kill feed, and the state of the viewer's player.
void hud_draw(const struct frame *frame, const struct scene *scene);

/// What stands in the middle at the bottom, from there upward, is stacked: each painter takes the row below which the
/// next one may write, and returns that row for the one after it. The first is HUD_BOTTOM_PX above the bottom.
#define HUD_BOTTOM_PX 24

/// Draws who is being watched, and the keys that switch to others (`hints` NULL: no keys), above the quiver's place.
/// Returns the row above.
int32_t hud_draw_spectator(const struct frame *frame, const struct spectator_camera *spectator,
                           const struct hints *hints);

/// Columns that the net graph takes at the right, px.
#define HUD_NET_PX 168

/// Draws the net graph (F3) in the corner at the right.
void hud_draw_net(struct canvas *canvas, const struct hud_net *net);

/// Writes the net graph's line for the input margin: "margin -0.25 ticks".
void hud_margin_text(int32_t quarter_ticks, char *text, size_t text_bytes);

/// Draws what the player must know while playing, above row `y`: a system message of any length (NULL or empty: none),
/// and that the server is silent. Returns the row above.
int32_t hud_draw_status(const struct frame *frame, int32_t y, const char *system_message, uint64_t silence_us);

/// Fills the canvas with an evening sky.
void hud_draw_empty_sky(struct canvas *canvas);

/// A message in place of a match.
struct hud_message {
    const char *title, *text;
    const char *back;   ///< the key that leads back; NULL: none
    uint32_t anim_tick; ///< moves an ornament while something is waited for; 0: no ornament
};

/// Draws a message, its text wrapped, over an empty sky.
void hud_draw_message(struct canvas *canvas, enum font_face face, const struct hud_message *message);

#endif
