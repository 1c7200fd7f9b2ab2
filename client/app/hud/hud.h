// SPDX-License-Identifier: MIT
//
// What is written over the arena besides the scores: arrows, the clock, the kill feed, the net graph, and
// sentences in the middle while there is nothing to see. Reads a view and the scene's feed; keeps nothing.
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

/// The clock, the kill feed, and what concerns the own player.
void hud_draw(const struct frame *frame, const struct scene *scene);

/// What stands in the middle at the bottom, from there upward, is stacked: each painter takes the row below which the
/// next one may write, and returns that row for the one after it. The first is HUD_BOTTOM_PX above the bottom.
#define HUD_BOTTOM_PX 24

/// Draws who is being watched, and the keys that switch to others (`hints` NULL: no keys), above the quiver's place.
/// Returns the row above.
int32_t hud_draw_spectator(const struct frame *frame, const struct spectator_camera *spectator,
                           const struct hints *hints);

/// Over the last kill while it is shown again: bars, and who killed whom in the match that `live` shows.
void hud_draw_kill_cam(struct canvas *canvas, const struct view *live, const struct event *kill,
                       const struct display_options *display);

/// The net graph of F3.
void hud_draw_net(struct canvas *canvas, const struct hud_net *net);

/// Its line of the margin: "margin -0.25 ticks".
void hud_margin_text(int32_t quarter_ticks, char *text, size_t text_bytes);

/// Draws what the player must know while playing, above row `y`: a system message (NULL or empty: none), and that the
/// server is silent. Returns the row above.
int32_t hud_draw_status(const struct frame *frame, int32_t y, const char *system_message, uint64_t silence_us);

/// An evening sky and nothing else.
void hud_draw_empty_sky(struct canvas *canvas);

/// A title and a sentence in the middle of an empty picture, wrapped. Below stands the key that leads back (null:
/// none), and where `beat` (any tick) is not 0 an ornament that it moves, since something is waited for.
void hud_draw_message(struct canvas *canvas, enum font_face face, const char *title, const char *text, const char *back,
                      uint32_t anim_tick);

#endif
