// SPDX-License-Identifier: MIT
#include "sound_bank.h"

#include <stdlib.h>

bool sound_bank_create(struct sound_bank *bank)
{
    size_t total = 0;
    for (int32_t i = 0; i < SOUNDS; i++)
        total += sound_synth_samples(&SOUND_PATCHES[i]);
    *bank = (struct sound_bank){.memory = malloc(total * sizeof *bank->memory)};
    if (!bank->memory)
        return false;
    int16_t *next = bank->memory;
    for (int32_t i = 0; i < SOUNDS; i++) {
        bank->counts[i] = sound_synth_samples(&SOUND_PATCHES[i]);
        bank->samples[i] = next;
        sound_synth_render(&SOUND_PATCHES[i], next);
        next += bank->counts[i];
    }
    return true;
}

void sound_bank_destroy(struct sound_bank *bank)
{
    free(bank->memory);
    *bank = (struct sound_bank){0};
}
