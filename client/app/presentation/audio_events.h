// SPDX-License-Identifier: MIT
//
// What one viewer hears: turns the events of a view into sound cues with a pan and a gain by the distance from the
// picture, and adds countdown, doors and lids. Pure: sound_device.h plays the cues.
#ifndef APP_PRESENTATION_AUDIO_EVENTS_H
#define APP_PRESENTATION_AUDIO_EVENTS_H

#include "app/audio/mixer.h"
#include "app/render/camera.h"

/// Switch channels with doors that sound separately.
#define AUDIO_EVENTS_CHANNELS 32
/// Sound cues that one view can have.
#define SOUND_CUE_CAPACITY (VIEW_EVENT_CAPACITY + 1 + AUDIO_EVENTS_CHANNELS + MAP_CHEST_CAPACITY)

/// State between views. Zero-initialise for each match.
struct audio_events {
    uint32_t doors_ajar; ///< bits of channels with doors that were moving in the last view
    uint32_t lids_up;    ///< bits of chests with their lid up in the last view
    uint32_t counted_s;  ///< second of the countdown in the last view
};

/// Collects the sound cues of a view, as heard from the camera. Returns how many.
uint32_t audio_events_collect(struct audio_events *audio, const struct view *view, const struct camera *camera,
                              struct sound_cue cues[SOUND_CUE_CAPACITY]);

#endif
