// SPDX-License-Identifier: MIT
//
// The scene of the golden pictures: one small world, put together by hand for each picture and drawn without a camera.
// The canvas begins as a chequerboard, so that transparency is visible.
#ifndef GOLDEN_PICTURES_SCENE_H
#define GOLDEN_PICTURES_SCENE_H

#include "app/config/preferences.h"
#include "scene/frame.h"
#include "scene/scene.h"
#include "test_match.h"

/// The tick that a scene shows.
#define STILL_TICK 10000u

/// One scene. Large; there is one.
struct still {
    struct test_match match;
    struct view view;
    struct scene scene;
    struct display_options display;
    struct preferences preferences;
    uint8_t hats[PLAYER_CAPACITY];
    struct frame frame; ///< of all of the above; the corner of the map is at the corner of the canvas
};
extern struct still still;

/// Whether everything is drawn with large text, also what is small in the golden pictures.
extern bool still_large;
/// Returns the display options of a picture: the defaults.
struct display_options still_options(void);
/// Gives a scene the default preferences.
void still_preferences(void);

/// Begins a scene in an empty hall as large as the canvas, in the colours of foundry. Returns its frame.
const struct frame *still_begin(struct canvas *canvas);
/// The same on the map that the caller has put into still.match.map.
const struct frame *still_begin_on_map(struct canvas *canvas);
/// Fills the canvas with the ground; it is not fine any more.
void still_ground(struct canvas *canvas);

/// Puts a player on the map, feet at x, y px, with a name and a colour.
struct player *still_player(uint32_t slot, int32_t x, int32_t y, const char *name, uint32_t colour);
/// Updates the view from the world.
void still_look(void);
/// Says that the first players, from slot 0 on, are those at this window.
void still_share(uint32_t players);

/// Copies a part of one canvas to x, y of another, in points. If one of them is fine, both become so.
void still_paste(struct canvas *canvas, int32_t x, int32_t y, struct canvas *from, struct rect part);

#endif
