// SPDX-License-Identifier: MIT
//
// What the eyes of one viewer remember between two frames: figures, specks, the camera, the kill feed. Fed by
// views; every effect comes from an event of the view, once. Plain data, starts as zeros.
#ifndef APP_RENDER_SCENE_H
#define APP_RENDER_SCENE_H

#include "app/config/display_options.h"
#include "camera.h"
#include "draw_player.h"
#include "particles.h"

#define KILL_FEED_CAPACITY 5

/// One line of the kill feed.
struct kill_feed_line {
    char killer[PLAYER_NAME_BYTES + 1]; ///< empty: nobody
    char victim[PLAYER_NAME_BYTES + 1];
    uint32_t killer_colour, victim_colour;
    uint32_t cause; ///< enum death_cause
    uint32_t until; ///< tick
};

/// All of it. About 100 KB; keep one.
struct scene {
    const struct display_options *display; ///< null: DISPLAY_OPTIONS_DEFAULT
    bool started;
    uint32_t tick; ///< of the last view
    struct camera camera;
    struct particles particles;
    struct player_figure figures[PLAYER_CAPACITY];
    struct kill_feed_line feed[KILL_FEED_CAPACITY]; ///< newest first; empty victim: none
};

/// How it is to look.
const struct display_options *scene_display(const struct scene *scene);

/// Takes a view: its events become effects, and the ticks since the last view pass.
void scene_update(struct scene *scene, const struct view *view);

#endif
