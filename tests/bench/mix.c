// SPDX-License-Identifier: MIT
// Measures the processor time of a second of sound: bench_mix [SECONDS]. One JSON line for each mix: nothing, ambience
// alone, music calm and tense, and a busy match.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "sounds/sounds.h"
#include "window/mixer.h"

#define PARTS 12 ///< of a second; a busy match has an effect in each

static struct mixer mixer;
static int16_t stereo[2 * SOUND_RATE_HZ / PARTS];

static uint64_t mix_ns(uint32_t seconds, bool effects)
{
    uint64_t from_ns = clock_process_cpu_ns();
    for (uint32_t i = 0; i < seconds * PARTS; i++) {
        if (effects)
            mixer_play(&mixer, &(struct sound_cue){.sound = i % SOUNDS, .gain = 200});
        mixer_render(&mixer, stereo, SOUND_RATE_HZ / PARTS);
    }
    return (clock_process_cpu_ns() - from_ns) / seconds;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        uint32_t theme, tension, music;
        bool effects;
    } ROWS[] = {{"nothing", 0, 0, 0, false},
                {"ambience", 1, 0, 0, false},
                {"calm", 1, 0, 100, false},
                {"tense", 1, 256, 100, false},
                {"busy match", 1, 256, 100, true}};
    uint32_t seconds = argc > 1 && atoi(argv[1]) > 0 ? (uint32_t)atoi(argv[1]) : 60;
    struct sound_bank bank;
    if (!sound_bank_create(&bank, &SOUND_SET))
        return EXIT_FAILURE;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        mixer = (struct mixer){.bank = &bank, .volumes = {100, 100, 100, ROWS[i].music, 100}};
        mixer_set_scene(&mixer, ROWS[i].theme, ROWS[i].tension);
        printf("{\"bench\":\"mix\",\"what\":\"%s\",\"us_per_second\":%" PRIu64 "}\n", ROWS[i].name,
               mix_ns(seconds, ROWS[i].effects) / 1000);
    }
    sound_bank_destroy(&bank);
    return EXIT_SUCCESS;
}
