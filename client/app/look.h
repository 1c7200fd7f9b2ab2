// SPDX-License-Identifier: MIT
//
// How one person wants a match to look and sound, whatever happens in it: what makes the game possible to play for
// eyes that see few colours, are small-print tired or are made sick by motion. Chosen in the settings.
#ifndef APP_LOOK_H
#define APP_LOOK_H

#include "sound_mixer.h"

/// Zeros are silence, no shaking, full motion, small text and no replays: LOOK_USUAL is what one begins with.
struct look {
    struct sound_volumes volumes;
    bool shake;        ///< the picture shakes when something heavy lands
    bool calm;         ///< reduced motion: no shaking, no flashes, fewer specks, a backdrop that stands still
    bool large_text;   ///< names, feed and chat in the large face
    bool kill_replays; ///< the last kill of a round is shown again
};

/// What one begins with.
#define LOOK_USUAL ((struct look){.volumes = {80, 100, 60}, .shake = true, .kill_replays = true})

#endif
