// SPDX-License-Identifier: MIT
#include "sound.h"

#include <stdlib.h>

static uint32_t count_of(enum sound sound)
{
    return sound < SOUND_SAY_FIRST ? sound_synth_samples(&SOUND_PATCHES[sound])
                                   : speech_samples(&SPEECH_LINES[sound - SOUND_SAY_FIRST]);
}

static void render(enum sound sound, int16_t *samples)
{
    if (sound < SOUND_SAY_FIRST)
        sound_synth_render(&SOUND_PATCHES[sound], samples);
    else
        speech_render(&SPEECH_LINES[sound - SOUND_SAY_FIRST], samples);
}

bool sound_bank_create(struct sound_bank *bank)
{
    size_t total = 0;
    for (int32_t i = 0; i < SOUNDS; i++)
        total += count_of((enum sound)i);
    *bank = (struct sound_bank){.memory = malloc(total * sizeof *bank->memory)};
    if (!bank->memory)
        return false;
    int16_t *next = bank->memory;
    for (int32_t i = 0; i < SOUNDS; i++) {
        bank->counts[i] = count_of((enum sound)i);
        bank->samples[i] = next;
        render((enum sound)i, next);
        next += bank->counts[i];
    }
    return true;
}

void sound_bank_destroy(struct sound_bank *bank)
{
    free(bank->memory);
    *bank = (struct sound_bank){0};
}
