// SPDX-License-Identifier: MIT
//
// A recorded match as something to watch: plays, pauses, winds to any moment, slow and fast, and hands out views like
// those of a live match, drawn by the same painters. Reads its file once, at the start; after that it only steps.
#ifndef APP_REPLAY_REPLAY_VIEWER_H
#define APP_REPLAY_REPLAY_VIEWER_H

#include "app/presentation/presenter.h"
#include "app/render/spectator_camera.h"
#include "base/error.h"
#include "replay/playback.h"

/// Speeds: 1/4, 1/2, 1, 2, 4 and 8 times.
#define REPLAY_VIEWER_SPEEDS 6

/// One replay on show. About 900 KB: keep it in what is allocated once. Zero-initialise.
struct replay_viewer {
    uint8_t *bytes; ///< the file; null: closed
    struct playback playback;
    struct world before; ///< a tick before the playback's world
    struct view view;
    struct spectator_camera spectator;
    tick first, last; ///< that it can show
    uint32_t speed;   ///< index of REPLAY_VIEWER_SPEEDS; 2 is life
    uint64_t behind;  ///< time that passed and was not yet shown, 1/1000000 tick of the replay
    bool paused;
    bool wound;       ///< since the last view: what the eyes remember is of another moment
    bool free_wanted; ///< the camera turns between following and by hand
    bool touched;     ///< somebody has pressed a key
    bool dragged;     ///< the mouse holds the line of time
    bool seek_wanted; ///< to `seek_target`, with the next view
    tick seek_target;
    enum replay_fault fault; ///< REPLAY_OK, or why it does not go on
};

/// Opens a file. False with a sentence that says what is wrong with which file.
bool replay_viewer_open(struct replay_viewer *viewer, const char *path, struct error *error);
void replay_viewer_close(struct replay_viewer *viewer);

/// What a person did: acts (enum key_action) pressed since the call before.
void replay_viewer_act(struct replay_viewer *viewer, uint32_t actions);
/// Goes to a moment; beyond the ends, to the ends.
void replay_viewer_seek(struct replay_viewer *viewer, tick target);

/// Lets time pass and fills the view with what then is to be seen. Buttons held (enum button) move the camera.
void replay_viewer_advance(struct replay_viewer *viewer, uint64_t elapsed_us, uint32_t buttons,
                           const struct camera *camera);

/// Draws the current view. `options->below` leaves room for the bar of replay_bar.h.
void replay_viewer_draw(struct replay_viewer *viewer, struct presenter *presenter, struct canvas *canvas,
                        const struct draw_options *options);

/// "1/4", "1", "8"...
const char *replay_viewer_speed_name(const struct replay_viewer *viewer);

#endif
