// SPDX-License-Identifier: MIT
//
// Where mixed samples go: the sound device of the system, or a file.
#ifndef WINDOW_SOUND_DEVICE_H
#define WINDOW_SOUND_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "mixer.h"

// --- wav_file.c
//
// Writes a WAV file: 16 bits, two channels. Its header has the length, so the file is whole only after it is closed.

/// A file that is being written.
struct wav_file {
    FILE *file;
    uint32_t rate_hz;
    uint64_t frames; ///< written so far; a frame has a sample for each ear
};

/// Creates a file. Returns NULL with an error.
struct wav_file *wav_file_create(const char *path, uint32_t rate_hz, struct error *error);

/// Appends frames: left, right, left, right... An error shows at the end.
void wav_file_append(struct wav_file *wav, const int16_t *stereo, size_t frames);

/// Ends the file and frees what it needed. Returns false with an error if something could not be written.
bool wav_file_close(struct wav_file *wav, struct error *error);

/// Zero-initialise. Its address must not change while it is open.
struct sound_device {
    uint32_t id;           ///< of SDL; 0: none
    struct wav_file *file; ///< in its place; NULL: none
    struct sound_bank bank;
    struct mixer mixer; ///< belongs to the audio thread while it is open
};

/// What plays, and where.
struct sound_setup {
    const struct sound_set *set; ///< outlives the device
    struct sound_volumes volumes;
    const char *path; ///< of a file that becomes a WAV file of what would play; NULL: the default device plays
};

/// Renders all sounds and opens the device or the file. Returns false with an error if there will be silence.
bool sound_device_open(struct sound_device *device, const struct sound_setup *setup, struct error *error);

/// Writes what sounds until a time (us of any clock that starts at 0 with the file) to the file, if there is one.
void sound_device_write(struct sound_device *device, uint64_t until_us);

/// Closes either. Returns false with an error if a file could not be written wholly; `error` may be null.
bool sound_device_close(struct sound_device *device, struct error *error);

/// Plays some sounds.
void sound_device_play(struct sound_device *device, const struct sound_cue *cues, uint32_t count);
/// Plays one sound in the middle at full volume, as menus do.
void sound_device_click(struct sound_device *device, uint32_t sound);
/// Sets the theme of ambience and music (its number, from 1; 0: none), how tense the music is (0 to 256), and the
/// volumes.
void sound_device_configure(struct sound_device *device, uint32_t theme, uint32_t tension,
                            const struct sound_volumes *volumes);

#endif
