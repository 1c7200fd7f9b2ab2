// SPDX-License-Identifier: MIT
//
// The last step of the straight line: a view becomes pixels. Holds the order of the layers and nothing else.
#ifndef APP_PRESENTATION_DRAW_VIEW_H
#define APP_PRESENTATION_DRAW_VIEW_H

#include "app/hud/chat_panel.h"
#include "app/hud/hints.h"
#include "app/hud/hud.h"

/// What a person has switched on.
struct draw_options {
    bool scoreboard;
    bool bare;                                ///< nothing is written over the arena: a menu is
    const struct hud_net *net;                ///< null: no net graph
    const char *system_message;               ///< words of the server; null or empty: none
    uint64_t silence_us;                      ///< since the newest snapshot
    const struct spectator_camera *spectator; ///< who watches; null: nobody, one plays
    const struct chat_panel *chat;            ///< what is said; null: nothing
    const struct hints *hints;                ///< for whom plays; null: none
    uint64_t now_us;                          ///< by which its lines grow old
    int32_t below;                            ///< rows at the bottom that the HUD leaves free, px
};

/// Draws a view that the scene has taken.
void draw_view(struct canvas *canvas, const struct view *view, const struct scene *scene,
               const struct draw_options *options);

#endif
