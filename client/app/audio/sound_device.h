// SPDX-License-Identifier: MIT
//
// The way from the mixer to the loudspeakers. Without a device, or without memory, everything here does nothing: the
// game runs silent and says so once. With the header of SDL nowhere in it.
#ifndef APP_AUDIO_SOUND_DEVICE_H
#define APP_AUDIO_SOUND_DEVICE_H

#include "base/error.h"
#include "mixer.h"

/// Zero-initialise. Its address must not change while it is open.
struct sound_device {
    uint32_t id; ///< of SDL; 0: none
    struct sound_bank bank;
    struct mixer mixer; ///< belongs to the audio thread while it is open
};

/// Makes all sounds and opens the default device. False with a sentence if there will be silence.
bool sound_device_open(struct sound_device *device, const struct sound_volumes *volumes, struct error *error);
void sound_device_close(struct sound_device *device);

/// Plays some sounds now.
void sound_device_play(struct sound_device *device, const struct sound_cue *cues, uint32_t count);
/// Plays one in the middle at full loudness: menus.
void sound_device_click(struct sound_device *device, enum sound sound);
/// The theme whose ambience is heard, enum map_theme + 1; 0: none. And how loud all is from now on.
void sound_device_configure(struct sound_device *device, uint32_t theme, const struct sound_volumes *volumes);

#endif
