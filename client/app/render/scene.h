// SPDX-License-Identifier: MIT
//
// What one viewer's screen remembers between two frames: player figures, particles, the camera, the kill feed. Views
// feed it; each event of a view causes its effect once. Plain data, starts as zeros.
#ifndef APP_RENDER_SCENE_H
#define APP_RENDER_SCENE_H

#include "app/config/display_options.h"
#include "camera.h"
#include "draw_player.h"
#include "kill_feed.h"
#include "particles.h"

/// The state of one screen, about 300 KB.
struct scene {
    const struct display_options *display; ///< null: DISPLAY_OPTIONS_DEFAULT
    bool started;
    uint32_t tick; ///< of the last view
    struct camera camera;
    struct particles particles;
    struct player_figure figures[PLAYER_CAPACITY];
    struct kill_feed_line feed[KILL_FEED_LINES]; ///< newest first
    struct tile_looks looks;
};

/// Returns the display options of a scene.
const struct display_options *scene_display(const struct scene *scene);

/// Turns the events of a view into effects and moves the scene by the ticks since the last view.
void scene_update(struct scene *scene, const struct view *view);

#endif
