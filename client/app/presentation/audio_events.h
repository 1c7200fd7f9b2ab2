// SPDX-License-Identifier: MIT
//
// What one viewer hears: each event of a view becomes a sound with a place from left to right and a loudness by its
// distance from the picture; seconds that are counted sound by themselves. Pure: the device plays what comes out.
#ifndef APP_PRESENTATION_AUDIO_EVENTS_H
#define APP_PRESENTATION_AUDIO_EVENTS_H

#include "app/audio/mixer.h"
#include "app/render/camera.h"

/// Channels of switches whose doors are told apart.
#define AUDIO_EVENTS_CHANNELS 32
/// Sounds that one view can make.
#define SOUND_CUE_CAPACITY (VIEW_EVENT_CAPACITY + 1 + AUDIO_EVENTS_CHANNELS)

/// What the ears remember. Zero-initialise for each match.
struct audio_events {
    uint32_t doors_ajar; ///< bits of channels whose doors were on their way when heard last
    uint32_t counted_s;  ///< second of the countdown that was heard last
};

/// The sounds of a view, as heard from where the camera stands. Returns how many.
uint32_t audio_events_collect(struct audio_events *audio, const struct view *view, const struct camera *camera,
                              struct sound_cue cues[SOUND_CUE_CAPACITY]);

#endif
