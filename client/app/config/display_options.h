// SPDX-License-Identifier: MIT
//
// How one person wants a match to look and sound, whatever happens in it: what makes the game possible to play for
// eyes that see few colours or small print badly, and for whom motion makes sick. Chosen in the settings.
#ifndef APP_CONFIG_DISPLAY_OPTIONS_H
#define APP_CONFIG_DISPLAY_OPTIONS_H

#include "app/audio/mixer.h"

/// See above.
struct display_options {
    struct sound_volumes volumes;
    uint32_t eyes;     ///< enum eyes: less than PALETTE_EYES
    uint32_t shake;    ///< of the picture when something heavy lands, 0 none to 10 all
    bool calm;         ///< reduced motion: no shaking, no flashes, few specks, a backdrop that stands still
    bool large_text;   ///< what is read while playing, in the large face
    bool kill_replays; ///< the last kill of a round is shown again
};

/// What one begins with.
extern const struct display_options DISPLAY_OPTIONS_DEFAULT;

#endif
