// SPDX-License-Identifier: MIT
//
// The replay viewer: plays a recorded match, pauses, seeks, changes speed, and makes views like those of a match that
// is played, which the presenter draws. Reads a file once when it opens, and downloads one first; a live match it plays
// while it is downloaded.
#ifndef APP_REPLAY_REPLAY_VIEWER_H
#define APP_REPLAY_REPLAY_VIEWER_H

#include "app/web/download.h"
#include "base/error.h"
#include "live_download.h"
#include "presentation/presenter.h"
#include "replay/playback.h"
#include "scene/camera.h"

/// Speeds: 1/4, 1/2, 1, 2, 4 and 8 times.
#define REPLAY_VIEWER_SPEEDS       6
#define REPLAY_VIEWER_SPEED_NORMAL 2

/// One replay. About 740 KB: allocate it once. Zero-initialise.
struct replay_viewer {
    uint8_t *bytes; ///< of a file; NULL: it shows none
    size_t byte_count;
    bool downloads; ///< the file comes from a web server, or did not come
    struct download download;
    char url[DOWNLOAD_URL_BYTES];
    struct error error; ///< why the file did not come; empty: it comes
    struct live_download live;
    uint32_t live_replays; ///< of the download, as played
    bool has_picture;      ///< there is a world to show
    uint64_t waited_us;    ///< since the end of a live match
    bool is_new;           ///< another match began since the last drawing
    struct playback playback;
    struct world before; ///< a tick before the playback's world
    struct view view;
    struct spectator_camera spectator;
    tick first, last; ///< that it can show
    uint32_t speed;   ///< index into the speeds; 2 is normal
    uint64_t behind;  ///< time that has passed but is not shown yet, in 1/1000000 tick of the replay
    bool paused;
    bool wound;       ///< it has seeked since the last view, so the scene must start again
    bool free_wanted; ///< toggle the free camera with the next step
    bool touched;     ///< somebody has pressed a key
    bool shows_help;  ///< what the keys do; until the first press it shows as well
    bool dragged;     ///< the mouse drags along the time line
    bool seek_wanted; ///< to `seek_target`, with the next view
    tick seek_target;
    char path[4096];         ///< the file; empty: there is none
    char name[96];           ///< of the file without its folders
    bool has_mark;           ///< the begin of a clip is marked
    tick mark;               ///< there
    const char *message;     ///< of the clip, for the bar; NULL or empty: none
    enum replay_fault fault; ///< REPLAY_OK, or why it does not go on
};

/// Opens a file. Returns false with an error.
bool replay_viewer_open(struct replay_viewer *viewer, const char *path, struct error *error);
/// Begins to download a file from a URL, and then shows it. Returns false with an error if it is no URL.
bool replay_viewer_open_url(struct replay_viewer *viewer, const char *url, struct error *error);
/// Begins to watch a live match at a URL; `is_foreign`: from a server on the internet. Returns false with an error if
/// it is none.
bool replay_viewer_open_live(struct replay_viewer *viewer, const char *url, bool is_foreign, struct error *error);
void replay_viewer_close(struct replay_viewer *viewer);

/// Returns whether a replay or a live match is open, and whether it is a live one.
bool replay_viewer_is_open(const struct replay_viewer *viewer);
bool replay_viewer_is_live(const struct replay_viewer *viewer);

/// Returns what to say while there is no picture: what it waits for, or why there will be none.
const char *replay_viewer_state_text(const struct replay_viewer *viewer);

/// Executes the actions (bits of enum hotkey) pressed since the last call.
void replay_viewer_act(struct replay_viewer *viewer, uint32_t actions);

/// Seeks to a tick, clamped to the ends of the replay.
void replay_viewer_seek(struct replay_viewer *viewer, tick target);

/// Advances by the elapsed time and fills the view. The held buttons (enum button) move the camera.
void replay_viewer_advance(struct replay_viewer *viewer, uint64_t elapsed_us, uint32_t buttons,
                           const struct camera *camera);

/// Draws the current view. `options->below` leaves room for the bar of replay_bar.h.
void replay_viewer_draw(struct replay_viewer *viewer, struct presenter *presenter, struct canvas *canvas,
                        const struct draw_options *options);

/// "1/4", "1", "8"...
const char *replay_viewer_speed_name(const struct replay_viewer *viewer);

#endif
