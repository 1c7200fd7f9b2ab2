// SPDX-License-Identifier: MIT
//
// Everything that one viewer sees and hears of a match: takes views, remembers what eyes and ears must, draws a frame
// and plays its sounds. The app calls it once a frame; below it stand the scene, the painters and the sound.
#ifndef APP_STAGE_H
#define APP_STAGE_H

#include "base/error.h"
#include "draw.h"
#include "ears.h"
#include "look.h"
#include "recall.h"
#include "sound_device.h"

/// All of it; keep one. Zero-initialise.
struct stage {
    struct look look;
    struct scene scene;
    struct ears ears;
    struct sound_device sound;
    struct watch watch; ///< of one who does not play
    uint32_t held;      ///< buttons that move his camera (enum button), as the app says
    struct recall recall;
    struct scene recalled; ///< what the eyes see of the last kill
    struct ears recalled_ears;
};

/// Opens the loudspeakers. False with a sentence if there is silence; all else works.
bool stage_open(struct stage *stage, const struct look *look, struct error *error);
void stage_close(struct stage *stage);

/// Another match begins: nothing of the former is remembered.
void stage_begin(struct stage *stage);

/// The moment leaps: what flew or fell is forgotten, the camera stays.
void stage_wind(struct stage *stage);

/// No match is shown: its sounds end.
void stage_rest(struct stage *stage);

/// Takes a view, draws it and sounds it. Whoever watches has the slot of whom he follows in it afterwards.
void stage_show(struct stage *stage, struct canvas *canvas, struct view *view, const struct draw_options *options);

#endif
