// SPDX-License-Identifier: MIT
//
// Draws a view: arena, players, HUD. Holds the order of the layers and nothing else.
#ifndef PRESENTATION_DRAW_VIEW_H
#define PRESENTATION_DRAW_VIEW_H

#include "hud/chat_panel.h"
#include "hud/hints.h"
#include "hud/hud.h"
#include "hud/quick_chat.h"

/// What to draw over the arena.
struct draw_options {
    bool scoreboard;
    bool bare;                                ///< draw no HUD, since a menu covers it
    uint32_t struck;                          ///< slot + 1 of a player who is drawn white; 0: nobody
    const struct kill_story *kill;            ///< draw the bars of the kill cam instead of the HUD; NULL: it is live
    bool awaits_kill;                         ///< the kill that ended the round is shown next: do not tell the end yet
    const struct hud_net *net;                ///< null: no net graph
    const char *system_message;               ///< of the server; NULL or empty: none
    uint64_t silence_us;                      ///< since the newest snapshot
    const struct spectator_camera *spectator; ///< of a spectator; NULL: the viewer plays
    const struct chat_panel *chat;            ///< NULL: none
    const struct quick_chat_wheel *wheels;    ///< LOCAL_PLAYERS of them; NULL: none
    const struct hints *hints;                ///< NULL: none
    uint64_t now_us;                          ///< time by which chat lines disappear
    int32_t below;                            ///< rows at the bottom that the HUD leaves free, px
};

/// Draws a view that the scene has taken.
void draw_view(struct canvas *canvas, const struct view *view, const struct scene *scene,
               const struct draw_options *options);

#endif
