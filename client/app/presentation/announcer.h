// SPDX-License-Identifier: MIT
//
// What the announcer says to one viewer, and which stings sound: the beginning and the end of a round, the countdown, a
// match point, the last players, sudden death, the last seconds. Reads confirmed worlds and facts, so nothing has to be
// taken back. Pure: returns sound cues.
#ifndef APP_PRESENTATION_ANNOUNCER_H
#define APP_PRESENTATION_ANNOUNCER_H

#include "app/audio/mixer.h"
#include "app/render/camera.h"

/// Cues that one view can have: two for each event, and one for each state.
#define ANNOUNCER_CUE_CAPACITY (2 * VIEW_EVENT_CAPACITY + 4)

/// State between views. Zero-initialise for each match.
struct announcer {
    uint32_t counted_s;          ///< second of the countdown in the last view
    bool few, point, short_time; ///< held in the last view: few are left, it is match point, ten seconds are left
};

/// Collects the cues of a view. Returns how many. `camera` knows who plays at this window: only who plays there alone
/// is "you".
uint32_t announcer_collect(struct announcer *announcer, const struct view *view, const struct camera *camera,
                           struct sound_cue cues[ANNOUNCER_CUE_CAPACITY]);

#endif
