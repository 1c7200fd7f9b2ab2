// SPDX-License-Identifier: MIT
#include "sounds.h"

#include <stdio.h>
#include <stdlib.h>

void sound_measure(const struct sound_patch *patch, struct sound_measure *measure)
{
    static int16_t samples[SOUND_RATE_HZ / 1000 * SOUND_LENGTH_MS_MAX + SOUND_RATE_HZ];
    uint32_t count = sound_synth_samples(patch);
    *measure = (struct sound_measure){.samples = count};
    if (count > sizeof samples / sizeof *samples)
        return;
    sound_synth_render(patch, samples);
    for (uint32_t part = 0; part < SOUND_PARTS; part++) {
        uint32_t first = part * count / SOUND_PARTS, end = (part + 1) * count / SOUND_PARTS;
        uint64_t loud = 0, bright = 0;
        for (uint32_t i = first; i < end; i++) {
            loud += (uint64_t)abs(samples[i]);
            bright += (uint64_t)abs(samples[i] - (i ? samples[i - 1] : 0));
        }
        measure->loud[part] = (uint32_t)(loud * 16 / (end - first));
        measure->bright[part] = (uint32_t)(bright * 16 / (end - first));
    }
}

void sound_word(const struct sound_patch *patch, char word[32])
{
    snprintf(word, 32, "%s", patch->name);
    for (char *c = word; *c; c++)
        *c = *c == ' ' ? '-' : *c;
}
