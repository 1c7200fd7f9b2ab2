// SPDX-License-Identifier: MIT
#include "sound.h"

#include <assert.h>
#include <stdlib.h>

bool sound_bank_create(struct sound_bank *bank, const struct sound_set *set)
{
    size_t total = 0;
    assert(set->count <= SOUND_CAPACITY);
    *bank = (struct sound_bank){.set = set};
    for (uint32_t i = 0; i < set->count; i++) {
        bank->counts[i] = i < set->first_line ? sound_synth_samples(&set->patches[i])
                                              : speech_samples(&set->lines[i - set->first_line]);
        total += bank->counts[i];
    }
    bank->memory = malloc(total * sizeof *bank->memory);
    if (!bank->memory)
        return false;
    int16_t *next = bank->memory;
    for (uint32_t i = 0; i < set->count; i++) {
        if (i < set->first_line)
            sound_synth_render(&set->patches[i], next);
        else
            speech_render(&set->lines[i - set->first_line], next);
        bank->samples[i] = next;
        next += bank->counts[i];
    }
    return true;
}

void sound_bank_destroy(struct sound_bank *bank)
{
    free(bank->memory);
    *bank = (struct sound_bank){0};
}
