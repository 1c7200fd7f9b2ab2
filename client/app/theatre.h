// SPDX-License-Identifier: MIT
//
// A recorded match as something to watch: plays, pauses, winds to any moment, slow and fast, and hands out views like
// those of a live match, drawn by the same painters. Reads its file once, at the start; after that it only steps.
#ifndef APP_THEATRE_H
#define APP_THEATRE_H

#include "base/error.h"
#include "replay/playback.h"
#include "stage.h"
#include "watch.h"

/// Speeds: 1/4, 1/2, 1, 2, 4 and 8 times.
#define THEATRE_SPEEDS 6

/// One replay on show. About 900 KB: keep it in what is allocated once. Zero-initialise.
struct theatre {
    uint8_t *bytes; ///< the file; null: closed
    struct playback playback;
    struct world before; ///< a tick before the playback's world
    struct view view;
    struct watch watch;
    tick first, last; ///< that it can show
    uint32_t speed;   ///< index of THEATRE_SPEEDS; 2 is life
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
bool theatre_open(struct theatre *theatre, const char *path, struct error *error);
void theatre_close(struct theatre *theatre);

/// What a person did: acts (enum act) pressed since the call before.
void theatre_act(struct theatre *theatre, uint32_t acts);
/// Goes to a moment; beyond the ends, to the ends.
void theatre_seek(struct theatre *theatre, tick target);

/// Lets time pass and fills the view with what then is to be seen. Buttons held (enum button) move the camera.
void theatre_pass(struct theatre *theatre, uint64_t elapsed_us, uint32_t buttons, const struct camera *camera);

/// Draws the present view, and over it the bar of time with the keys that `hints` knows.
void theatre_show(struct theatre *theatre, struct stage *stage, struct canvas *canvas,
                  const struct draw_options *options, const struct hints *hints);

/// "1/4", "1", "8"...
const char *theatre_speed_name(const struct theatre *theatre);

#endif
