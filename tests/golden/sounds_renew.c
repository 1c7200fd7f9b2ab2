// SPDX-License-Identifier: MIT
// Measures all sounds and writes the golden file.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sounds.h"

int main(void)
{
    FILE *file = fopen(SOUNDS_PATH, "w");
    for (uint32_t sound = 0; file && sound < SOUND_SAY_FIRST; sound++) {
        char word[32];
        struct sound_measure measure;
        sound_word(&SOUND_SET.patches[sound], word);
        sound_measure(&SOUND_SET.patches[sound], &measure);
        fprintf(file, "%s %" PRIu32, word, measure.samples);
        for (uint32_t part = 0; part < SOUND_PARTS; part++)
            fprintf(file, "  %" PRIu32 " %" PRIu32, measure.loud[part], measure.bright[part]);
        fputc('\n', file);
    }
    if (file && !fclose(file))
        return EXIT_SUCCESS;
    fprintf(stderr, "%s cannot be written.\n", SOUNDS_PATH);
    return EXIT_FAILURE;
}
