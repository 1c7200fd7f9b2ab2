// SPDX-License-Identifier: MIT
//
// Everything that one viewer sees and hears of a match: takes views, remembers what eyes and ears must, draws a frame
// and plays its sounds. The app calls it once a frame; below it stand the scene, the painters and the sound.
#ifndef APP_PRESENTATION_PRESENTER_H
#define APP_PRESENTATION_PRESENTER_H

#include "app/audio/sound_device.h"
#include "app/config/display_options.h"
#include "audio_events.h"
#include "base/error.h"
#include "draw_view.h"
#include "kill_cam.h"

/// All of it; keep one. Zero-initialise.
struct presenter {
    struct display_options display;
    struct sound_volumes volumes;
    struct scene scene;
    struct audio_events audio;
    struct sound_device sound;
    struct spectator_camera spectator; ///< of one who does not play
    uint32_t held;                     ///< buttons that move his camera (enum button), as the app says
    struct kill_cam kill_cam;
    struct scene kill_scene; ///< what the eyes see of the last kill
    struct audio_events kill_audio;
};

/// Opens the loudspeakers; `display` and `volumes` are set. False with a sentence if there is silence; all else works.
bool presenter_open(struct presenter *presenter, struct error *error);
void presenter_close(struct presenter *presenter);

/// Another match begins: nothing of the former is remembered.
void presenter_begin(struct presenter *presenter);

/// The moment leaps: what flew or fell is forgotten, the camera stays.
void presenter_seek(struct presenter *presenter);

/// No match is shown: its sounds end.
void presenter_wait(struct presenter *presenter);

/// Takes a view, draws it and sounds it. Whoever watches has the slot of whom he follows in it afterwards.
void presenter_show(struct presenter *presenter, struct canvas *canvas, struct view *view,
                    const struct draw_options *options);

#endif
