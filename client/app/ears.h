// SPDX-License-Identifier: MIT
//
// What one viewer hears: each event of a view becomes a sound with a place from left to right and a loudness by its
// distance from the picture; seconds that are counted sound by themselves. Pure: the device plays what comes out.
#ifndef APP_EARS_H
#define APP_EARS_H

#include "camera.h"
#include "sound_mixer.h"

/// Channels of switches whose doors are told apart.
#define EARS_CHANNELS 32
/// Sounds that one view can make.
#define HEARD_CAPACITY (VIEW_EVENT_CAPACITY + 1 + EARS_CHANNELS)

/// What the ears remember. Zero-initialise for each match.
struct ears {
    uint32_t doors_ajar; ///< bits of channels whose doors were on their way when heard last
    uint32_t counted_s;  ///< second of the countdown that was heard last
};

/// The sounds of a view, as heard from where the camera stands. Returns how many.
uint32_t ears_hear(struct ears *ears, const struct view *view, const struct camera *camera,
                   struct heard heard[HEARD_CAPACITY]);

#endif
