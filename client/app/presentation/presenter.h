// SPDX-License-Identifier: MIT
//
// Presents a match to one viewer: takes a view per frame, draws it and plays its sounds. Holds what must last between
// frames: scene, hit stop, kill cam, spectator camera and sound device.
#ifndef APP_PRESENTATION_PRESENTER_H
#define APP_PRESENTATION_PRESENTER_H

#include "announcer.h"
#include "app/audio/sound_device.h"
#include "app/config/display_options.h"
#include "audio_events.h"
#include "base/error.h"
#include "draw_view.h"
#include "hit_stop.h"
#include "kill_cam.h"

/// All of it; keep one. Zero-initialise.
struct presenter {
    struct display_options display;
    struct sound_volumes volumes;
    struct scene scene;
    struct audio_events audio;
    struct announcer announcer;
    struct sound_device sound;
    struct spectator_camera spectator; ///< while the player watches
    uint32_t held;                     ///< buttons that move their camera (enum button), set by the app
    struct hit_stop hit_stop;
    struct kill_cam kill_cam;
    struct scene kill_scene; ///< of the replay of the deciding kill
    struct audio_events kill_audio;
};

/// Opens the sound device, or a WAV file in its place (`sound_path` NULL: none); set `display` and `volumes` first.
/// Returns false with an error if there is no sound; the rest works all the same.
bool presenter_open(struct presenter *presenter, const char *sound_path, struct error *error);
/// Returns false with an error if a sound file could not be written wholly.
bool presenter_close(struct presenter *presenter, struct error *error);

/// Begins another match: forgets the one before.
void presenter_begin(struct presenter *presenter);

/// Forgets particles and the like after a jump in time; the camera stays.
void presenter_seek(struct presenter *presenter);

/// Ends the sounds of the match while none is shown.
void presenter_wait(struct presenter *presenter);

/// Draws a view and plays its sounds. For a spectator, sets the view's slot to the player that the camera follows.
void presenter_show(struct presenter *presenter, struct canvas *canvas, struct view *view,
                    const struct draw_options *options);

#endif
