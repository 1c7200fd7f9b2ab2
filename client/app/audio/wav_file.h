// SPDX-License-Identifier: MIT
//
// Writes a WAV file: 16 bits, two channels. Its header has the length, so the file is whole only after it is closed.
#ifndef APP_AUDIO_WAV_FILE_H
#define APP_AUDIO_WAV_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

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

#endif
