// SPDX-License-Identifier: MIT
//
// The samples of all sounds in one block of memory. The program renders them once, when it opens the sound device; the
// mixer reads them from then on.
#ifndef APP_AUDIO_SOUND_BANK_H
#define APP_AUDIO_SOUND_BANK_H

#include <stdbool.h>
#include <stdint.h>

#include "sound_synth.h"

/// The samples of each sound, mono at SOUND_RATE_HZ.
struct sound_bank {
    const int16_t *samples[SOUNDS]; ///< by enum sound
    uint32_t counts[SOUNDS];
    int16_t *memory; ///< holds the samples of all sounds
};

/// Allocates the memory and renders every sound. Nothing else in this room allocates. Returns false without memory.
bool sound_bank_create(struct sound_bank *bank);

/// Frees the memory and clears the bank. Does nothing to a zeroed bank.
void sound_bank_destroy(struct sound_bank *bank);

#endif
